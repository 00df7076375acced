// The list of tables: one card for each, changed as little as possible, so that the focus stays where it is.

import { counted } from "../shared/counts.js";
import { setText } from "../shared/elements.js";
import { capital } from "../shared/numbers.js";
import { rulesText } from "../table/words.js";

/**
 * What the list says of a table that is shown.
 *
 * @param {Table} table
 * @returns {TableSummary}
 */
export function summaryOf({ table, rules, phase, round, practice, seats, waits_for = 0 }) {
  const people = seats.filter(({ name, bot }) => name !== null && !bot);
  return {
    ...{ table, rules, phase, round, practice, waits_for },
    seats: seats.length,
    people: people.map(({ name }) => name ?? ""),
    bots: seats.filter(({ bot }) => bot).length,
    away: people.filter(({ away }) => away).length,
    free: seats.filter(({ name }) => name === null).length,
    watchers: 0,
  };
}

/** @param {Pick<TableSummary, "table" | "rules">} summary */
export function titleText({ table, rules }) {
  return `Table ${table}: ${capital(rules.preset ?? "")}`;
}

/** The people and bots at a table. @param {TableSummary} summary */
export function peopleText({ people, bots, away }) {
  const robots = bots > 0 ? [counted(bots, "bot")] : [];
  const all = people.length + bots === 0 ? "Nobody sits there yet" : [...people, ...robots].join(", ");
  return away > 0 ? `${all} (${away} away)` : all;
}

/** Whether one can sit down, and what goes on. @param {TableSummary} summary */
export function roomText({ free, waits_for, practice, round, watchers }) {
  const parts = [free === 0 ? "No free seat" : counted(free, "free seat")];
  if (waits_for > 0) parts.push(`waits for ${counted(waits_for, "more player")}`);
  else if (round > 0) parts.push(`round ${round}`);
  if (practice) parts.push("practice, with hints");
  if (watchers > 0) parts.push(watchers === 1 ? "1 watches" : `${watchers} watch`);
  return parts.join(" · ");
}

/** The rules in a few words. @param {Rules} rules */
export function shortRules(rules) {
  const { decks = "", naturals = "", bets } = rules;
  const parts = [decks === "inf" ? "infinite deck" : counted(Number(decks), "deck")];
  if (rules["dealer-stands"] === "none") parts.push("no dealer");
  if (naturals.includes(":")) parts.push(`a natural pays ${naturals.replace(":", " to ")}`);
  const more = ["double", "split", "surrender", "insurance"].filter((key) => key in rules);
  parts.push(more.length > 0 ? more.join(", ") : "hit and stand only");
  if (bets) parts.push(`bets ${bets.replace("-", " to ")}`);
  return parts.join(" · ");
}

/**
 * Bring the list up to date. The order stays while the list is open, and new tables come last.
 *
 * @param {HTMLElement} list
 * @param {TableSummary[]} tables
 * @param {number | null} own the number of the table where you sit
 */
export function showTables(list, tables, own) {
  const byNumber = new Map(tables.map((each) => [String(each.table), each]));
  for (const card of [...list.children]) {
    const summary = card instanceof HTMLElement ? byNumber.get(card.dataset.table ?? "") : undefined;
    if (summary === undefined) remove(card, list);
    else fill(card, summary, own);
    if (card instanceof HTMLElement) byNumber.delete(card.dataset.table ?? "");
  }
  for (const summary of byNumber.values()) {
    const card = newCard(summary.table);
    fill(card, summary, own);
    list.append(card);
  }
}

// A keyboard goes on from the list.
/** @param {Element} card @param {HTMLElement} list */
function remove(card, list) {
  const hadFocus = card.contains(document.activeElement);
  card.remove();
  if (hadFocus) list.focus();
}

/** @param {number} number */
function newCard(number) {
  const card = make("li", "table-card");
  card.dataset.table = String(number);
  const rules = make("details", "rules-of");
  rules.append(make("summary", "short-rules"), make("p", "all-rules"));
  const buttons = make("p", "card-buttons");
  buttons.append(button("sit", "Sit down", `Sit down at table ${number}`));
  buttons.append(button("watch", "Watch", `Watch table ${number}`));
  card.append(make("h4", "card-title"), make("p", "people"), make("p", "room"), rules, buttons);
  return card;
}

/**
 * Write a table's texts into its card.
 *
 * @param {Element} card
 * @param {TableSummary} summary
 * @param {number | null} own
 */
export function fill(card, summary, own) {
  const isOwn = summary.table === own;
  /** @type {Record<string, string>} */
  const texts = {
    "card-title": titleText(summary),
    people: peopleText(summary),
    room: isOwn ? `You sit here · ${roomText(summary)}` : roomText(summary),
    "short-rules": shortRules(summary.rules),
    "all-rules": rulesText(summary.rules),
  };
  for (const [name, text] of Object.entries(texts)) {
    const part = card.querySelector(`.${name}`);
    if (part !== null) setText(part, text);
  }
  for (const [name, isShown] of Object.entries({ sit: !isOwn && summary.free > 0, watch: !isOwn })) {
    const part = card.querySelector(`.${name}`);
    if (part instanceof HTMLElement) part.hidden = !isShown;
  }
}

/** @param {string} tag @param {string} className */
function make(tag, className) {
  return Object.assign(document.createElement(tag), { className });
}

/** @param {string} className @param {string} textContent @param {string} label */
function button(className, textContent, label) {
  const made = Object.assign(document.createElement("button"), { type: "button", className, textContent });
  made.setAttribute("aria-label", label);
  return made;
}
