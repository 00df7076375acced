// The list of tables: one card for each, changed as little as possible, so that the focus stays where it is.

import { made, setText } from "../shared/elements.js";
import { named } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { rulesText } from "../table/words.js";

/**
 * The entry of a table that is shown, as in the list.
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
    free: seats.filter(({ name, gives_way }) => name === null || gives_way).length,
    watchers: 0,
  };
}

/** @param {Pick<TableSummary, "table" | "rules">} summary */
export function titleText({ table, rules }) {
  return text("tables.name", { table: String(table), preset: named("preset", rules.preset ?? "") });
}

/** The people and bots at a table. @param {TableSummary} summary */
export function peopleText({ people, bots, away }) {
  if (people.length + bots === 0) return text("tables.nobody");
  const all = [...people, ...(bots > 0 ? [text("tables.bots", { count: bots })] : [])].join(", ");
  return away > 0 ? text("tables.away", { people: all, away }) : all;
}

/** Whether one can sit down, and what goes on. @param {TableSummary} summary */
export function roomText(summary) {
  const { free, practice, watchers } = summary;
  const parts = [
    free === 0 ? text("tables.no-free") : text("tables.free", { count: free }),
    beginText(summary),
    practice ? text("tables.practice") : "",
    watchers > 0 ? text("tables.watchers", { count: watchers }) : "",
  ];
  return parts.filter(Boolean).join(" · ");
}

/** @param {TableSummary} summary */
function beginText({ waits_for, may_start, round, phase }) {
  if (waits_for === 1) return text("tables.begins");
  if (may_start && phase === "waiting") return text("tables.may-start");
  if (waits_for > 0) return text("tables.waits", { count: waits_for });
  return round > 0 ? text("tables.round", { round }) : "";
}

/** The rules in a few words. @param {Rules} rules */
export function shortRules(rules) {
  const { decks = "", naturals = "", bets } = rules;
  const [pays = "", stake] = naturals.split(":");
  const more = /** @type {const} */ (["double", "split", "surrender", "insurance"]).filter(
    (key) => key in rules,
  );
  const [least = "", most = ""] = bets?.split("-") ?? [];
  const parts = [
    decks === "inf" ? text("tables.infinite") : text("tables.decks", { count: decks }),
    rules["dealer-stands"] === "none" ? text("tables.no-dealer") : "",
    stake === undefined ? "" : text("tables.natural", { pays, stake }),
    more.length > 0 ? more.map((key) => text(`tables.${key}`)).join(", ") : text("tables.plain"),
    bets ? text("tables.bets", { least, most }) : "",
  ];
  return parts.filter(Boolean).join(" · ");
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
  const table = String(number);
  const rules = made(
    "details",
    { class: "rules-of" },
    made("summary", { class: "short-rules" }),
    made("p", { class: "all-rules" }),
  );
  return made(
    "li",
    { class: "table-card", "data-table": table },
    made("h4", { class: "card-title" }),
    made("p", { class: "people" }),
    made("p", { class: "room" }),
    rules,
    made(
      "p",
      { class: "card-buttons" },
      button("sit", text("tables.sit"), text("tables.sit-at", { table })),
      button("watch", text("tables.watch"), text("tables.watch-at", { table })),
    ),
  );
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
    room: isOwn ? `${text("tables.yours")} · ${roomText(summary)}` : roomText(summary),
    "short-rules": shortRules(summary.rules),
    "all-rules": rulesText(summary.rules),
  };
  for (const [name, value] of Object.entries(texts)) {
    const part = card.querySelector(`.${name}`);
    if (part !== null) setText(part, value);
  }
  for (const [name, isShown] of Object.entries({ sit: !isOwn && summary.free > 0, watch: !isOwn })) {
    const part = card.querySelector(`.${name}`);
    if (part instanceof HTMLElement) part.hidden = !isShown;
  }
}

/** @param {string} name @param {string} label @param {string} fullName */
function button(name, label, fullName) {
  return made("button", { type: "button", class: name, "aria-label": fullName }, label);
}
