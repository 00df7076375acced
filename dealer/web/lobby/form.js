// The form for a table of your own: a field for every rule, at the value of the preset until it is changed.

import { byId, write } from "../shared/elements.js";
import { browser } from "../shared/memory.js";
import { FIRST_CHOICES, openLine, problemOf, rulesOf } from "./choices.js";
import { PRESETS } from "./presets.js";

/** The rules that have one choice of several. */
const PLAIN = "decks ace dealer-stands naturals double split split-aces surrender hole-card".split(" ");
/** The rules that are on or off. */
const SWITCHES = ["double-after-split", "insurance"];
/** The fields whose ids are their keys alone; those of the others begin with `rule-`, since buttons have theirs. */
const NAMED_ALIKE = ["decks", "bets", "bankroll", "bot-policy"];
/** What makes no sense without a dealer. */
const OF_DEALER = [
  ...[
    "dealer-stands",
    "double",
    "double-after-split",
    "split",
    "split-aces",
    "surrender",
    "insurance",
    "hole-card",
  ],
  ...["bets", "bankroll"],
];
/** The part of the shoe that is dealt, where a preset does not say it; and the cards that are left. */
const USUAL = { penetration: "75", cutoff: "26" };

/** The id of a rule's field. @param {string} key */
const idOf = (key) => (NAMED_ALIKE.includes(key) ? key : `rule-${key}`);
/** @param {string} id */
const input = (id) => byId(id, HTMLInputElement);
/** @param {string} id */
const select = (id) => byId(id, HTMLSelectElement);

/** Make the form work: `read` gives the line that opens the table, or null if a field has to be changed first. */
export function startForm() {
  const own = byId("own-table");
  const kept = browser.read("choices");
  writeAll(isChoices(kept) ? kept : FIRST_CHOICES);
  byId("opponent").addEventListener("change", () => {
    writeRules({ ...readAll(), rules: {} });
    fit();
  });
  own.addEventListener("input", (event) => {
    complain(null);
    if (event.target instanceof HTMLInputElement) event.target.setCustomValidity("");
    fit();
  });
  own.addEventListener("change", fit);
  byId("usual-rules").addEventListener("click", () => {
    writeRules({ ...readAll(), rules: {} });
    fit();
  });
  fit();
  byId("own-table", HTMLFieldSetElement).disabled = false;
  return {
    read() {
      const choices = readAll();
      const found = isFilled(own) ? problemOf(choices) : null;
      complain(found);
      if (found !== null || !isFilled(own)) return null;
      browser.write("choices", choices);
      return openLine(choices);
    },
  };
}

/** @param {Choices} choices */
function writeAll(choices) {
  const radio = byId("opponent").querySelector(`[value="${choices.preset}"]`);
  if (radio instanceof HTMLInputElement) radio.checked = true;
  for (const id of /** @type {const} */ (["seats", "bots", "friends", "pause"]))
    input(id).value = choices[id];
  input("bot-delay").value = choices.botDelay;
  select("bot-policy").value = choices.botPolicy;
  input("practice").checked = choices.practice;
  writeRules(choices);
}

/** @param {Choices} choices */
function writeRules(choices) {
  const rules = rulesOf(choices);
  for (const key of PLAIN) select(idOf(key)).value = rules[key] ?? "";
  for (const key of SWITCHES) input(idOf(key)).checked = rules[key] === "yes";
  const [way = "", amount = ""] = (rules.reshuffle ?? "").split(":");
  select(idOf("reshuffle")).value = way;
  input("shoe-part").value =
    way === "penetration" ? String(Math.round(Number(amount) * 100)) : USUAL.penetration;
  input("shoe-left").value = way === "cutoff" ? amount : USUAL.cutoff;
  const [least = "10", most = "100"] = (rules.bets ?? "1") === "1" ? [] : (rules.bets ?? "").split("-");
  input("bets").checked = (rules.bets ?? "1") !== "1";
  input("bet-least").value = least;
  input("bet-most").value = most;
  input("bankroll").value = rules.bankroll ?? "";
}

/** @returns {Choices} */
function readAll() {
  const chosen = byId("opponent").querySelector(":checked");
  const preset = chosen instanceof HTMLInputElement ? chosen.value : FIRST_CHOICES.preset;
  return {
    preset,
    seats: input("seats").value,
    bots: input("bots").value,
    botPolicy: select("bot-policy").value,
    friends: input("friends").value,
    practice: input("practice").checked,
    pause: input("pause").value,
    botDelay: input("bot-delay").value,
    rules: changed(preset, readRules()),
  };
}

/** @returns {Rules} */
function readRules() {
  /** @type {Rules} */
  const rules = {};
  for (const key of PLAIN) rules[key] = select(idOf(key)).value;
  for (const key of SWITCHES) rules[key] = input(idOf(key)).checked ? "yes" : "no";
  const way = select(idOf("reshuffle")).value;
  const part = String(Number(input("shoe-part").value) / 100);
  rules.reshuffle =
    { penetration: `${way}:${part}`, cutoff: `${way}:${input("shoe-left").value}` }[way] ?? way;
  rules.bets = input("bets").checked ? `${input("bet-least").value}-${input("bet-most").value}` : "1";
  if (input("bets").checked && input("bankroll").value) rules.bankroll = input("bankroll").value;
  return rules;
}

/**
 * The rules that differ from those of a preset. One without a dealer has the others at their first values.
 *
 * @param {string} preset
 * @param {Rules} rules
 */
function changed(preset, rules) {
  const usual = PRESETS.get(preset) ?? {};
  const isOff = (/** @type {string} */ key) => preset === "showdown" && OF_DEALER.includes(key);
  return Object.fromEntries(
    Object.entries(rules).filter(([key, value]) => value !== usual[key] && !isOff(key)),
  );
}

// What goes together: seats for you, your friends and the bots; and only the fields that mean something.
function fit() {
  const choices = readAll();
  const isShowdown = choices.preset === "showdown";
  input("seats").min = isShowdown ? "2" : "1";
  const others = Math.max(0, Number(choices.seats) - 1);
  limit("friends", others);
  limit("bots", others - Number(input("friends").value));
  for (const key of OF_DEALER) {
    const field = byId(idOf(key));
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.disabled = isShowdown;
  }
  byId("of-dealer").hidden = isShowdown;
  const reshuffle = select(idOf("reshuffle"));
  if (select("decks").value === "inf") reshuffle.value = "round";
  reshuffle.disabled = select("decks").value === "inf";
  show("shoe-part", reshuffle.value === "penetration");
  show("shoe-left", reshuffle.value === "cutoff");
  for (const id of ["bet-least", "bet-most", "bankroll"]) show(id, input("bets").checked && !isShowdown);
  const count = Object.keys(choices.rules).length;
  write("changed-rules", count === 0 ? "" : `${count} changed`);
  byId("usual-rules").hidden = count === 0;
}

/** @param {string} id @param {number} most */
function limit(id, most) {
  input(id).max = String(Math.max(0, most));
  if (Number(input(id).value) > most) input(id).value = input(id).max;
}

/** @param {string} id @param {boolean} isShown */
function show(id, isShown) {
  const field = input(id);
  field.disabled = !isShown;
  const label = field.closest("label");
  if (label !== null) label.hidden = !isShown;
}

/**
 * Whether every field has a value that it may have; otherwise the browser says at the first what it expects.
 *
 * @param {HTMLElement} form
 */
function isFilled(form) {
  const wrong = form.querySelector("input:invalid, select:invalid");
  if (!(wrong instanceof HTMLInputElement || wrong instanceof HTMLSelectElement)) return true;
  openAround(wrong);
  wrong.reportValidity();
  return false;
}

/** @param {Element} field */
function openAround(field) {
  const more = byId("more-rules", HTMLDetailsElement);
  if (more.contains(field)) more.open = true;
}

/** @param {ReturnType<typeof problemOf>} found */
function complain(found) {
  write("own-problem", found?.text ?? "");
  if (found === null) return;
  const field = byId(idOf(found.key));
  openAround(field);
  field.focus();
}

/**
 * @param {unknown} kept what this browser has stored, perhaps by another version of the page
 * @returns {kept is Choices}
 */
function isChoices(kept) {
  if (typeof kept !== "object" || kept === null) return false;
  const { preset, rules } = /** @type {Record<string, unknown>} */ (kept);
  const isComplete = Object.keys(FIRST_CHOICES).every((key) => key in kept);
  return isComplete && PRESETS.has(String(preset)) && typeof rules === "object" && rules !== null;
}
