// The form for a table of your own: a field for every rule, at the value of the preset until it is changed, and one
// group of them at a time.

import { byId, write } from "../shared/elements.js";
import { browser } from "../shared/memory.js";
import { text } from "../shared/texts.js";
import { noticeText } from "../table/refusals.js";
import { statusText } from "../table/words.js";
import { FIRST_CHOICES, openLine, problemOf, roomFor, rulesOf } from "./choices.js";
import { makeFields, tabOf } from "./fields.js";
import { offeredRules, PRESETS } from "./presets.js";
import { startTabs } from "./tabs.js";

/** The rules that have one choice of several. */
const PLAIN = "decks ace dealer-stands naturals double split split-aces surrender hole-card".split(" ");
/** The rules that are on or off. */
const SWITCHES = ["double-after-split", "insurance"];
/** The fields whose ids are their keys alone; those of the others begin with `rule-`, since buttons have theirs. */
const NAMED_ALIKE = ["decks", "bets", "bankroll", "bot-policy"];
/** The fields that make no sense without a dealer. */
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

/**
 * Make the form work.
 *
 * @param {(opening: string) => void} open called with the line that opens the table
 */
export function startForm(open) {
  const dialog = byId("new-table", HTMLDialogElement);
  const own = byId("own-table");
  makeFields();
  const uncover = startTabs(byId("groups"));
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
  own.addEventListener("change", ({ target }) => {
    // Hints are for a player who is alone, unless it was chosen otherwise.
    if (target === input("friends")) input("practice").checked = Number(input("friends").value) === 0;
    fit();
  });
  byId("usual-rules").addEventListener("click", () => {
    writeRules({ ...readAll(), rules: {} });
    fit();
  });
  byId("close-new-table").addEventListener("click", () => dialog.close());
  byId("own-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const line = read();
    if (line !== null) open(line);
  });
  fit();
  byId("own-table", HTMLFieldSetElement).disabled = false;

  /** The line that opens the table; null if a field has to be changed first. */
  function read() {
    const choices = readAll();
    const isComplete = isFilled();
    const found = isComplete ? problemOf(choices) : null;
    complain(found);
    if (found !== null || !isComplete) return null;
    browser.write("choices", choices);
    return openLine(choices);
  }

  /** Whether every field has a value that it may have; otherwise the browser says at the first what it expects. */
  function isFilled() {
    const wrong = own.querySelector("input:invalid, select:invalid");
    if (!(wrong instanceof HTMLInputElement || wrong instanceof HTMLSelectElement)) return true;
    uncover(wrong);
    wrong.reportValidity();
    return false;
  }

  /** @param {ReturnType<typeof problemOf>} found */
  function complain(found) {
    write("own-problem", found?.text ?? "");
    if (found === null) return;
    const field = byId(idOf(found.key));
    uncover(field);
    field.focus();
  }

  return {
    show() {
      if (!dialog.open) dialog.showModal();
    },

    /** @param {State} state */
    update(state) {
      const isBusy = state.connection !== "open" || state.sitting === "asking";
      const isFull = state.tables?.opens === true && state.tables.full;
      const said = isBusy ? statusText(state) : noticeText(state.notice, state.table);
      write("own-status", said || (isFull ? text("tables.full") : ""));
      byId("open-table", HTMLButtonElement).disabled = isFull;
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
  const [least = "10", most = "500"] = (rules.bets ?? "1") === "1" ? [] : (rules.bets ?? "").split("-");
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
  if (input("bets").checked) rules.bankroll = input("bankroll").value;
  return rules;
}

/**
 * The rules that differ from those of a preset. One without a dealer has the others at their first values.
 *
 * @param {string} preset
 * @param {Rules} rules
 */
function changed(preset, rules) {
  const usual = offeredRules(preset);
  const isOff = (/** @type {string} */ key) => preset === "showdown" && OF_DEALER.includes(key);
  return Object.fromEntries(
    Object.entries(rules).filter(([key, value]) => value !== usual[key] && !isOff(key)),
  );
}

// Fits together what belongs together: seats for you, your friends and the bots; and only the fields that mean something.
function fit() {
  const choices = readAll();
  const isShowdown = choices.preset === "showdown";
  input("seats").min = isShowdown ? "2" : "1";
  const room = roomFor(choices);
  if (room !== null) {
    limit("friends", room.friends);
    limit("bots", room.bots);
  }
  for (const key of OF_DEALER) show(idOf(key), !isShowdown);
  byId(tabOf("bets")).hidden = isShowdown;
  const reshuffle = select(idOf("reshuffle"));
  if (select("decks").value === "inf") reshuffle.value = "round";
  reshuffle.disabled = select("decks").value === "inf";
  show("shoe-part", reshuffle.value === "penetration");
  show("shoe-left", reshuffle.value === "cutoff");
  for (const id of ["bet-least", "bet-most", "bankroll"]) show(id, input("bets").checked && !isShowdown);
  const count = Object.keys(choices.rules).length;
  write("usual-rules", text("form.undo", { count }));
  byId("usual-rules").hidden = count === 0;
}

/** @param {string} id @param {number} most */
function limit(id, most) {
  input(id).max = String(most);
  if (Number(input(id).value) > most) input(id).value = input(id).max;
}

/** @param {string} id @param {boolean} isShown */
function show(id, isShown) {
  const field = byId(id);
  if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.disabled = !isShown;
  const label = field.closest("label");
  if (label !== null) label.hidden = !isShown;
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
