// The state, brought into the page. It is called after every change and leaves alone what is as it should be.

import { canAskHint, canDecide, canGoOn, canReveal, isOurTurn, ownSeat } from "./game.js";
import { showDealer, showSeats } from "./seats.js";
import { showStatistics } from "./statistics.js";
import { expectation, hintWord, rulesLine } from "./words.js";

const byId = (id) => document.getElementById(id);
const TITLE = document.title;
const ACTIONS = ["hit", "stand", "next", "hint", "reveal"];

let focusWasInActions = false;

/** Show a state; the one that was shown before it tells what has changed. */
export function show(state, before) {
  const { table, connection } = state;
  document.body.dataset.connection = connection;
  const place = byId("table");
  place.dataset.phase = table?.phase ?? "";
  place.dataset.seats = table?.seats.length ?? 0;
  if (table !== before.table) {
    showSeats(byId("seats-around"), table);
    showDealer(byId("dealer"), table);
    write("where", table === null ? "" : `Table ${table.table}${table.round > 0 ? `, round ${table.round}` : ""}${table.practice ? ", practice" : ""}`);
    byId("all-shown").hidden = !(table?.revealed && table.phase === "playing");
  }
  if (table !== before.table || connection !== before.connection) startClock(connection === "open" ? table : null);
  document.title = state.asked ? "Your turn: twentyone" : TITLE;
  write("rules", rulesLine(table?.rules ?? state.rules));
  write("status", expectation(state));
  write("advice", hintWord(state.hint));
  showActions(state);
  if (state.log !== before.log) showLog(state, before);
  bringIntoSight(state, before);
  if (state.statistics !== before.statistics) showStatistics(byId("statistics"), state.statistics);
}

// Where the page is longer than the screen, your hand is in sight when it is asked, advised and over.
function bringIntoSight(state, before) {
  const isAsked = ({ asked, table }) => asked && table !== null && isOurTurn(table);
  const isOver = ({ table }) => table?.phase === "results";
  const isNew = (holds) => holds(state) && !holds(before);
  const hand = document.querySelector('.seat[data-own="true"]');
  if (hand === null || !(isNew(isAsked) || isNew(isOver) || isNew(({ hint }) => hint !== null))) return;
  hand.style.scrollMarginBottom = `${byId("actions").offsetHeight + 12}px`;
  hand.scrollIntoView({ block: "nearest" });
}

function showActions(state) {
  const isAllowed = {
    hit: canDecide(state),
    stand: canDecide(state),
    next: canGoOn(state),
    hint: canAskHint(state),
    reveal: canReveal(state),
  };
  // A button that is disabled loses the focus; whoever works with the keyboard gets it back with the next choice.
  const actions = byId("actions");
  if (actions.contains(document.activeElement)) focusWasInActions = true;
  else if (document.activeElement !== document.body) focusWasInActions = false;
  for (const id of ACTIONS) byId(id).disabled = !isAllowed[id];
  for (const id of ["hint", "reveal"]) byId(id).hidden = !state.table?.practice;
  byId("take-back").hidden = state.connection !== "taken";
  byId("reconnect").hidden = state.connection !== "ended";
  byId("leave").hidden = ownSeat(state) === null;
  const active = document.activeElement;
  const isNowhere = active === document.body || active === actions || active.disabled;
  if (focusWasInActions && isNowhere) ACTIONS.map(byId).find((button) => !button.disabled)?.focus();
}

function showLog(state, before) {
  const log = byId("log");
  // Lines are only added, unless it is another table's log or the oldest were dropped.
  const goesOn = before.log.every((line, number) => state.log[number] === line);
  if (!goesOn) log.replaceChildren();
  const fresh = state.log.slice(goesOn ? before.log.length : 0);
  log.append(...fresh.map(paragraph));
  log.scrollTop = log.scrollHeight;
  // A log that is put away is not read out, so its new lines are said here.
  byId("announcer").replaceChildren(...(byId("log-panel").hidden && goesOn ? fresh.map(paragraph) : []));
}

function paragraph(text) {
  const element = document.createElement("p");
  element.textContent = text;
  element.dataset.round = /^Round \d+/.test(text);
  return element;
}

let ticking = 0;

function startClock(table) {
  clearInterval(ticking);
  const clock = byId("clock");
  clock.hidden = !table?.clock;
  if (clock.hidden) return;
  const end = performance.now() + 1000 * table.clock;
  const tick = () => {
    const left = Math.max(0, Math.round((end - performance.now()) / 1000));
    write("clock", `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
    clock.dataset.short = left <= 10 && table.phase === "playing";
  };
  tick();
  ticking = setInterval(tick, 500);
}

function write(id, text) {
  const place = byId(id);
  if (place.textContent !== text) place.textContent = text;
}
