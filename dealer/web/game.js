// The state of this page, and what every message makes of it. Nothing here touches the page or the network.

import { NO_STATISTICS, counted, reviewed } from "./statistics.js";

const LONGEST_LOG = 300;

export const INITIAL = {
  connection: "connecting", // or open, lost, taken (by another tab), ended (the dealer said QUIT)
  sitting: "no", // or asking (JOIN is said), returning (RESUME is said), yes, leaving (QUIT is said)
  table: null, // the newest snapshot
  isFresh: true, // whether the next snapshot is the first on this connection
  rules: null, // what RULES said
  asked: false, // a DECISION is open, and not answered
  answer: null, // the answer that is under way
  late: 0, // decisions that the clock answered: the dealer refuses as many answers of ours
  hint: null,
  error: "", // the dealer's last complaint
  log: [],
  logged: 0,
  statistics: NO_STATISTICS,
};

/** The state after a message of the dealer's (capitals) or a happening of our own (small letters). */
export function reduce(state, message) {
  switch (message.kind) {
    case "connecting":
      return { ...state, connection: "connecting", error: "" };
    case "opened":
      return { ...state, connection: "open", isFresh: true, asked: false, answer: null, late: 0, error: "" };
    case "lost":
      return { ...state, connection: "lost", asked: false, answer: null, hint: null };
    case "left":
      return { ...withoutSeat(state), connection: "connecting", table: null };
    case "sitting":
      return { ...state, sitting: message.sitting, error: "" };
    case "answered":
      return { ...state, asked: false, answer: message.decision, hint: null, error: "" };
    case "statistics":
      return { ...state, statistics: message.statistics };

    case "RULES":
      return { ...state, rules: message.rules };
    case "TABLE":
      return withTable(state, message.table);
    case "BEGIN":
      return { ...overslept(state), sitting: "yes", hint: null, error: "" };
    case "CARD":
      return { ...state, answer: null, hint: null };
    case "DECISION":
      return { ...state, asked: true, answer: null };
    case "HINT":
      return { ...state, hint: { decision: message.decision, cost: message.cost } };
    case "RESULT":
      return {
        ...overslept(state),
        answer: null,
        hint: null,
        statistics: counted(state.statistics, message.text),
      };
    case "REVIEW":
      return { ...state, statistics: reviewed(state.statistics, message) };
    case "ERROR":
      return withError(state, message.text);
    case "QUIT":
      return withQuit(state);
    default:
      return state;
  }
}

function withTable(state, table) {
  const old = state.table;
  const isSame = old !== null && old.table === table.table;
  if (isSame && !state.isFresh && table.sequence < old.sequence) return state;
  const wasOurs = isSame && isOurTurn(old);
  const next = wasOurs && !isOurTurn(table) ? overslept(state) : state;
  const isSeated = table.you !== null && state.sitting !== "leaving";
  const sitting = isSeated ? "yes" : state.sitting;
  return { ...next, table, isFresh: false, sitting, ...mergedLog(state, table, isSame) };
}

/** Whether a snapshot shows that we are asked. */
export function isOurTurn(table) {
  return table.you !== null && table.turn === table.you;
}

// What is over without an answer was answered by the clock.
function overslept(state) {
  return state.asked ? { ...state, asked: false, hint: null, late: state.late + 1 } : state;
}

// Lines have numbers, and a snapshot has the last ones; numbers may be left out between rounds.
function mergedLog(state, table, isSame) {
  const first = table.logged - table.log.length;
  const goesOn = isSame && table.logged >= state.logged;
  const known = goesOn ? state.logged : first;
  const fresh = table.log.slice(Math.max(0, known - first));
  const log = [...(goesOn ? state.log : []), ...fresh].slice(-LONGEST_LOG);
  return { log: goesOn && fresh.length === 0 ? state.log : log, logged: table.logged };
}

function withError(state, text) {
  // An answer that the dealer takes for one to an earlier decision is refused, and given again.
  if (isRefusedAsLate(state)) return { ...state, late: state.late - 1, asked: true, answer: null };
  if (isTakeover(text)) return { ...withoutSeat(state), connection: "taken" };
  const sitting = state.sitting === "asking" || state.sitting === "returning" ? "no" : state.sitting;
  return { ...state, sitting, error: text };
}

/** Whether a complaint that comes now is about an answer that was refused for an earlier decision. */
export function isRefusedAsLate(state) {
  return state.late > 0 && state.answer !== null;
}

/** Whether a complaint says that another connection has our seat now. */
export function isTakeover(text) {
  return text.includes("taken over");
}

function withQuit(state) {
  return { ...withoutSeat(state), connection: state.connection === "taken" ? "taken" : "ended" };
}

function withoutSeat(state) {
  return { ...state, sitting: "no", asked: false, answer: null, hint: null };
}

/** Our own seat at the table, or null. */
export function ownSeat({ table, sitting }) {
  return sitting === "yes" && table !== null && table.you !== null ? table.seats[table.you] : null;
}

export function canDecide(state) {
  return state.connection === "open" && state.asked;
}

export function canGoOn(state) {
  const seat = ownSeat(state);
  return state.connection === "open" && seat !== null && state.table.phase === "results" && !seat.ready;
}

export function canAskHint(state) {
  return canDecide(state) && state.table?.practice === true && state.hint === null;
}

export function canReveal(state) {
  const seat = ownSeat(state);
  if (state.connection !== "open" || seat === null) return false;
  return state.table.practice && state.table.phase === "playing" && !state.table.revealed;
}

/** How many seats can be taken at the table that we look at; null where the dealer has one for each of us. */
export function freeSeats({ table, rules }) {
  const isShared = table !== null && table.seats.length > 1 && table.phase !== "closed";
  const free = isShared && table.you === null ? table.seats.filter((seat) => seat.name === null).length : 0;
  if (free > 0) return free;
  return table === null || Number(rules?.seats) === 1 ? null : 0;
}

/** Whether a snapshot shows results that the dealer would take away at once. */
export function isWithoutPause({ phase, clock, you }) {
  return phase === "results" && !clock && you !== null;
}
