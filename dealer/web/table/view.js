// Shows the state in the page. It is called after every change, and leaves alone what has not changed.

import { placeOfTable, queryOf } from "../shared/address.js";
import { byId, made, write } from "../shared/elements.js";
import { text } from "../shared/texts.js";
import { showBet } from "./betting.js";
import { fly } from "./chips_moving.js";
import { arrange } from "./felt.js";
import { canAnswer, canAskHint, canContinue, canReveal, isOurTurn, ownSeat } from "./game.js";
import { afterPicture, beforePicture, noteDraw } from "./layout.js";
import { showLog } from "./log.js";
import { showPrint } from "./print.js";
import { showDealer, showSeats } from "./seats.js";
import { statisticsRows } from "./statistics.js";
import { adviceText, placeText, statusText } from "./words.js";

const TITLE = document.title;
/** The buttons of what may be decided for a hand, each with the id of its word. */
export const DECISIONS = ["hit", "stand", "double", "split", "surrender", "insure", "decline"];

/** Nobody else waits for a player with this many seconds left, who need not be told so. */
const SHORT = 30;

let focusWasInActions = false;

/**
 * Show a state.
 *
 * @param {State} state
 * @param {State} before the state that was shown last
 */
export function show(state, before) {
  const { table, connection } = state;
  document.body.dataset.connection = connection;
  document.body.dataset.reason = state.reason ?? "";
  if (table !== before.table) showTable(table);
  arrange(table);
  if (table !== before.table) fly(before.table, table);
  if (table !== before.table || connection !== before.connection) {
    startClock(connection === "open" ? table : null);
  }
  document.title = state.asked ? text("felt.your-turn") : TITLE;
  if (table !== before.table || state.rules !== before.rules) showPrint(table?.rules ?? state.rules);
  write("status", statusText(state));
  write("advice", adviceText(state));
  byId("advice").dataset.kind = state.hint === null ? "mistake" : "hint";
  showActions(state);
  if (state.log !== before.log) {
    showLog(state, before);
    afterPicture(scrollLog);
  }
  if (state.statistics !== before.statistics) showStatistics(state);
  if (isMoment(state, before)) afterPicture(scrollToHand);
  noteDraw();
}

/** @param {Table | null} table */
function showTable(table) {
  const place = byId("table");
  place.dataset.phase = table?.phase ?? "";
  place.dataset.seats = String(table?.seats.length ?? 0);
  byId("play").style.setProperty("--seats", place.dataset.seats);
  showSeats(byId("seats-on-table"), table);
  showDealer(byId("dealer"), table);
  write("where", placeText(table));
  if (table !== null) byId("replay", HTMLAnchorElement).href = `replay.html${queryOf(placeOfTable(table))}`;
  byId("all-shown").hidden = !(table?.revealed && table.phase === "playing");
}

// Where the page is longer than the screen.
function scrollToHand() {
  document.querySelector('.seat[data-own="true"]')?.scrollIntoView({ block: "nearest" });
}

/**
 * Whether your hand is to be looked at now: you are asked or advised, or the round is over.
 *
 * @param {State} state
 * @param {State} before
 */
function isMoment(state, before) {
  const earlier = moments(before);
  return moments(state).some((holds, at) => holds && !earlier[at]);
}

/** @param {State} state */
function moments({ asked, hint, table }) {
  return [asked && table !== null && isOurTurn(table), hint !== null, table?.phase === "results"];
}

/** @param {State} state */
function showActions(state) {
  /** @type {Record<string, boolean>} */
  const isAllowed = { next: canContinue(state), hint: canAskHint(state), reveal: canReveal(state) };
  for (const id of DECISIONS) isAllowed[id] = canAnswer(state, id.toUpperCase());
  const isOffered = offered(state, isAllowed);
  noteFocus();
  // A button that has the focus loses it when it goes, for which the browser would lay out the page at once.
  for (const [id, isShown] of Object.entries(isOffered)) {
    const button = byId(id);
    const act = () => {
      if (button instanceof HTMLButtonElement && id in isAllowed) button.disabled = !isAllowed[id];
      button.hidden = !isShown;
    };
    const isLate = button === document.activeElement;
    beforePicture(button, isLate ? act : null);
    if (!isLate) act();
  }
  showBet(canAnswer(state, "BET"), state.question.limits);
  if (focusWasInActions) afterPicture(settleFocus);
}

/**
 * Which buttons there are. What is not always allowed is there while it is; Next, and what is asked instead of Hit or
 * Stand, takes their place.
 *
 * @param {State} state
 * @param {Record<string, boolean>} isAllowed
 * @returns {Record<string, boolean>}
 */
function offered(state, isAllowed) {
  const { table, connection } = state;
  const practice = table?.practice ?? false;
  const isWatching = connection === "open" && state.sitting === "no";
  const isElsewhere = isWatching || connection === "taken" || connection === "ended";
  const isOther = isAllowed.next || isAllowed.insure || isAllowed.decline;
  const sometimes = ["double", "split", "surrender", "insure", "decline", "next"];
  return {
    ...Object.fromEntries(["hit", "stand"].map((id) => [id, !isElsewhere && !isOther])),
    ...Object.fromEntries(sometimes.map((id) => [id, isAllowed[id] ?? false])),
    ...{ hint: practice, reveal: practice },
    ...{ "sit-down": isWatching, "take-back": connection === "taken" },
    leave: ownSeat(state) !== null,
  };
}

/** The first action gets the focus with the next draw: to focus a place at once makes the browser lay out the page. */
export function takeFocus() {
  if (document.querySelector("dialog[open]") !== null) return; // it has the focus until it is closed
  const active = document.activeElement;
  if (active instanceof HTMLElement && !isFocusNowhere()) active.blur();
  focusWasInActions = true;
}

function settleFocus() {
  if (focusWasInActions && isFocusNowhere()) focusFirst();
}

// The first that goes on with the game; a bet is ready to be written over. Without one the place has the focus: Enter,
// pressed too early, must not reveal the cards.
function focusFirst() {
  if (!byId("bet-form").hidden) byId("bet", HTMLInputElement).select();
  const usable = ":is(#bet, button:enabled):not([hidden], form[hidden] *, form button)";
  const first = byId("buttons").querySelector(usable);
  (first instanceof HTMLElement ? first : byId("actions")).focus();
}

// A button that becomes disabled or hidden loses the focus. With the keyboard, the next enabled action gets it.
function noteFocus() {
  const active = document.activeElement;
  if (byId("actions").contains(active)) focusWasInActions = true;
  else if (!isFocusNowhere()) focusWasInActions = false;
}

function isFocusNowhere() {
  const active = document.activeElement;
  const isGone = active?.closest(":disabled, [hidden]") !== null;
  return active === document.body || active === byId("actions") || isGone;
}

function scrollLog() {
  const log = byId("log");
  log.scrollTop = log.scrollHeight;
}

/** @param {State} state */
function showStatistics({ statistics }) {
  byId("statistics").replaceChildren(...statisticsRows(statistics).map(row));
}

/** @param {[label: string, value: string]} line */
function row([label, value]) {
  return made("div", {}, made("dt", {}, label), made("dd", {}, value));
}

/** @type {ReturnType<typeof setInterval> | undefined} */
let ticking;

/** @param {Table | null} table */
function startClock(table) {
  clearInterval(ticking);
  const clock = byId("clock");
  clock.hidden = !table?.clock;
  if (!table?.clock) return;
  const end = performance.now() + 1000 * table.clock;
  const isDecision = table.phase !== "results";
  const isAlone = table.seats.every(({ name, bot }, number) => name === null || bot || number === table.you);
  const tick = () => {
    const left = Math.max(0, Math.round((end - performance.now()) / 1000));
    clock.hidden = isAlone && left > SHORT;
    write("clock", `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
    clock.dataset.short = String(left <= 10 && isDecision);
  };
  tick();
  ticking = setInterval(tick, 500);
}
