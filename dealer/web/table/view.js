// Shows the state in the page. It is called after every change, and leaves alone what has not changed.

import { byId, write } from "../shared/elements.js";
import { showBet } from "./betting.js";
import { canAnswer, canAskHint, canContinue, canReveal, isOurTurn, ownSeat } from "./game.js";
import { showLog } from "./log.js";
import { showDealer, showSeats } from "./seats.js";
import { statisticsRows } from "./statistics.js";
import { adviceText, placeText, statusText } from "./words.js";

const TITLE = document.title;
/** The buttons of what may be decided for a hand, each with the id of its word. */
export const DECISIONS = ["hit", "stand", "double", "split", "surrender", "insure", "decline"];

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
  if (table !== before.table) showTable(table);
  if (table !== before.table || connection !== before.connection) {
    startClock(connection === "open" ? table : null);
  }
  document.title = state.asked ? "Your turn: twentyone" : TITLE;
  write("status", statusText(state));
  write("advice", adviceText(state));
  showActions(state);
  if (state.log !== before.log) {
    showLog(state, before);
    whenLaidOut(scrollLog);
  }
  if (state.statistics !== before.statistics) showStatistics(state);
  if (isMoment(state, before)) whenLaidOut(scrollToHand);
}

/** @param {Table | null} table */
function showTable(table) {
  const place = byId("table");
  place.dataset.phase = table?.phase ?? "";
  place.dataset.seats = String(table?.seats.length ?? 0);
  showSeats(byId("seats-on-table"), table);
  showDealer(byId("dealer"), table);
  write("where", placeText(table));
  byId("replay", HTMLAnchorElement).href = `replay.html?table=${table?.table}`;
  byId("all-shown").hidden = !(table?.revealed && table.phase === "playing");
}

// Where the page is longer than the screen.
function scrollToHand() {
  const hand = document.querySelector('.seat[data-own="true"]');
  if (!(hand instanceof HTMLElement)) return;
  const actions = byId("actions").getBoundingClientRect();
  const isBelow = actions.left < hand.getBoundingClientRect().right;
  const margin = `${isBelow ? actions.height : 0}px`;
  if (hand.style.scrollMarginBottom !== margin) hand.style.scrollMarginBottom = margin;
  hand.scrollIntoView({ block: "nearest" });
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

/**
 * Act once the browser has laid out the page for its next picture: what is read earlier makes it lay out twice.
 *
 * @param {() => void} act
 */
function whenLaidOut(act) {
  const observer = new ResizeObserver(() => {
    observer.disconnect();
    act();
  });
  observer.observe(document.body); // tells its size first
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
  const hadFocus = hasFocusInActions();
  for (const id in isAllowed) byId(id, HTMLButtonElement).disabled = !isAllowed[id];
  showOffered(state.table, isAllowed);
  showBet(canAnswer(state, "BET"), state.question.limits);
  const isWatching = state.connection === "open" && state.sitting === "no";
  byId("sit-down").hidden = !isWatching;
  for (const id of ["hit", "stand", "next"]) byId(id).hidden = isWatching;
  byId("take-back").hidden = state.connection !== "taken";
  byId("leave").hidden = ownSeat(state) === null;
  if (hadFocus && isFocusNowhere()) focusFirst();
}

// What is not always allowed is only there while it is. Every button has its own place, so that none moves.
/** @param {Table | null} table @param {Record<string, boolean>} isAllowed */
function showOffered(table, isAllowed) {
  const practice = table?.practice ?? false;
  for (const id of ["double", "split", "surrender", "insure", "decline"]) byId(id).hidden = !isAllowed[id];
  byId("hint").hidden = !practice;
  byId("reveal").hidden = !practice;
}

// The first that goes on with the game; a bet is ready to be written over. Without one the place has the focus: Enter,
// pressed too early, must not reveal the cards.
function focusFirst() {
  if (!byId("bet-form").hidden) byId("bet", HTMLInputElement).select();
  const usable = ":is(#bet, button:enabled):not(#hint, #reveal, [hidden], form[hidden] *, form button)";
  const first = byId("buttons").querySelector(usable);
  (first instanceof HTMLElement ? first : byId("actions")).focus();
}

// What becomes disabled or hidden loses the focus. With the keyboard, the next enabled action gets it.
function hasFocusInActions() {
  const active = document.activeElement;
  if (byId("actions").contains(active)) focusWasInActions = true;
  else if (active !== document.body) focusWasInActions = false;
  return focusWasInActions;
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
  const group = made("div", "");
  group.append(made("dt", label), made("dd", value));
  return group;
}

/** @param {string} tag @param {string} textContent */
function made(tag, textContent) {
  return Object.assign(document.createElement(tag), { textContent });
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
  const tick = () => {
    const left = Math.max(0, Math.round((end - performance.now()) / 1000));
    write("clock", `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
    clock.dataset.short = String(left <= 10 && isDecision);
  };
  tick();
  ticking = setInterval(tick, 500);
}
