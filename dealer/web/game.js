// The state of this page, and what every message makes of it. Nothing here touches the page or the network.

import { counted, NO_STATISTICS, reviewed } from "./statistics.js";

/** @typedef {import("./messages.js").DealerMessage} DealerMessage */
/** @typedef {import("./messages.js").Decision} Decision */
/** @typedef {import("./messages.js").Table} Table */

/**
 * The connection: `taken` if another connection has our seat, `ended` if the dealer said QUIT.
 *
 * @typedef {"connecting" | "open" | "lost" | "taken" | "ended"} ConnectionState
 */

/**
 * Whether we have a seat: `asking` after JOIN, `returning` after RESUME, `leaving` after QUIT.
 *
 * @typedef {"no" | "asking" | "returning" | "yes" | "leaving"} Sitting
 */

/**
 * @typedef {object} State
 * @property {ConnectionState} connection
 * @property {Sitting} sitting
 * @property {Table | null} table the newest snapshot
 * @property {boolean} isFresh whether the next snapshot is the first on this connection
 * @property {import("./messages.js").Rules | null} rules what RULES said
 * @property {boolean} asked whether a DECISION is open, and not answered
 * @property {Decision | null} answer the answer that is under way
 * @property {number} missed decisions that the clock answered: the dealer refuses as many answers of ours
 * @property {import("./messages.js").Hint | null} hint
 * @property {import("./messages.js").Refusal | null} notice what the dealer refused last; an ERROR has no word
 * @property {string[]} log
 * @property {number} logged the number after that of the last line in `log`
 * @property {import("./statistics.js").Statistics} statistics
 */

/**
 * What happens to this page, beside what the dealer says.
 *
 * @typedef {{ kind: "connecting" | "lost" | "left" }
 *   | { kind: "opened" | "sitting", sitting: Sitting }
 *   | { kind: "answered", decision: Decision }
 *   | { kind: "statistics", statistics: State["statistics"] }
 * } PageEvent
 */

const LONGEST_LOG = 300;

/** @type {State} */
export const INITIAL = {
  connection: "connecting",
  sitting: "no",
  table: null,
  isFresh: true,
  rules: null,
  asked: false,
  answer: null,
  missed: 0,
  hint: null,
  notice: null,
  log: [],
  logged: 0,
  statistics: NO_STATISTICS,
};

/**
 * The state after a message of the dealer's (capitals) or an event of our own (small letters).
 *
 * @param {State} state
 * @param {DealerMessage | PageEvent} message
 * @returns {State}
 */
export function reduce(state, message) {
  switch (message.kind) {
    case "connecting":
      return { ...state, connection: "connecting", notice: null };
    case "opened":
      return {
        ...state,
        connection: "open",
        sitting: message.sitting,
        isFresh: true,
        asked: false,
        answer: null,
        missed: 0,
        notice: null,
      };
    case "lost":
      return { ...state, connection: "lost", asked: false, answer: null, hint: null };
    case "left":
      return { ...withoutSeat(state), connection: "connecting", table: null };
    case "sitting":
      return { ...state, sitting: message.sitting, notice: null };
    case "answered":
      return { ...state, asked: false, answer: message.decision, hint: null, notice: null };
    case "statistics":
      return { ...state, statistics: message.statistics };

    case "RULES":
      return { ...state, rules: message.rules };
    case "TABLE":
      return withTable(state, message.table);
    case "BEGIN":
      return { ...overslept(state), sitting: "yes", hint: null, notice: null };
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
        statistics: counted(state.statistics, message.outcome),
      };
    case "REVIEW":
      return { ...state, statistics: reviewed(state.statistics, message) };
    case "ERROR":
      return { ...state, notice: { word: "", text: message.text } };
    case "REFUSED":
      return withRefusal(state, { word: message.word, text: message.text });
    case "QUIT":
      return withQuit(state);
    default:
      return state;
  }
}

/**
 * @param {State} state
 * @param {Table} table
 * @returns {State}
 */
function withTable(state, table) {
  const old = state.table?.table === table.table ? state.table : null;
  if (old !== null && !state.isFresh && table.sequence < old.sequence) return state;
  const wasOurs = old !== null && isOurTurn(old);
  const next = wasOurs && !isOurTurn(table) ? overslept(state) : state;
  const isSeated = table.you !== null && state.sitting !== "leaving";
  const sitting = isSeated ? "yes" : state.sitting;
  return { ...next, table, isFresh: false, sitting, ...mergedLog(state, table, old !== null) };
}

/**
 * Whether a snapshot shows that we are asked.
 *
 * @param {Table} table
 */
export function isOurTurn(table) {
  return table.you !== null && table.turn === table.you;
}

/**
 * What is over without an answer was answered by the clock.
 *
 * @param {State} state
 * @returns {State}
 */
function overslept(state) {
  return state.asked ? { ...state, asked: false, hint: null, missed: state.missed + 1 } : state;
}

/**
 * Lines have numbers, and a snapshot has the last ones; numbers may be left out between rounds.
 *
 * @param {State} state
 * @param {Table} table
 * @param {boolean} isSame whether the state's log is of the same table
 * @returns {Pick<State, "log" | "logged">}
 */
function mergedLog(state, table, isSame) {
  const first = table.logged - table.log.length;
  const goesOn = isSame && table.logged >= state.logged;
  const known = goesOn ? state.logged : first;
  const fresh = table.log.slice(Math.max(0, known - first));
  const log = [...(goesOn ? state.log : []), ...fresh].slice(-LONGEST_LOG);
  return { log: goesOn && fresh.length === 0 ? state.log : log, logged: table.logged };
}

/**
 * What was refused is known by the word alone; sentences are for people.
 *
 * @param {State} state
 * @param {import("./messages.js").Refusal} notice
 * @returns {State}
 */
function withRefusal(state, notice) {
  switch (notice.word) {
    case "taken-over":
      return { ...withoutSeat(state), connection: "taken" };
    case "too-late":
      if (answerToRepeat(state) === null) return { ...state, notice };
      return { ...state, missed: state.missed - 1, asked: true, answer: null };
    case "no-review":
    case "token-in-use":
      return state; // the page asks for these on its own
    case "no-hint":
    case "no-reveal":
    case "ended":
      return { ...state, notice };
    default: // a seat or a table was asked for
      return { ...state, notice, sitting: isRequested(state) ? "no" : state.sitting };
  }
}

/** @param {State} state */
function isRequested({ sitting }) {
  return sitting === "asking" || sitting === "returning";
}

/**
 * The answer to give again if the dealer refuses one as too late: it took that for an earlier decision's, which we
 * had not answered. Null if the answer that came too late was for its own decision.
 *
 * @param {State} state
 */
export function answerToRepeat({ missed, answer }) {
  return missed > 0 ? answer : null;
}

/**
 * @param {State} state
 * @returns {State}
 */
function withQuit(state) {
  return { ...withoutSeat(state), connection: state.connection === "taken" ? "taken" : "ended" };
}

/**
 * @param {State} state
 * @returns {State}
 */
function withoutSeat(state) {
  return { ...state, sitting: "no", asked: false, answer: null, hint: null };
}

/**
 * Our own seat at the table, or null.
 *
 * @param {State} state
 */
export function ownSeat({ table, sitting }) {
  return (sitting === "yes" && table !== null && table.you !== null && table.seats[table.you]) || null;
}

/** @param {State} state */
export function canDecide(state) {
  return state.connection === "open" && state.asked;
}

/** @param {State} state */
export function canGoOn(state) {
  const isPause = state.connection === "open" && state.table?.phase === "results";
  return isPause && ownSeat(state)?.ready === false;
}

/** @param {State} state */
export function canAskHint(state) {
  return canDecide(state) && state.table?.practice === true && state.hint === null;
}

/** @param {State} state */
export function canReveal(state) {
  const { connection, table } = state;
  if (connection !== "open" || table === null || ownSeat(state) === null) return false;
  return table.practice && table.phase === "playing" && !table.revealed;
}

/**
 * How many seats can be taken at the table that we look at; null where the dealer has one for each of us.
 *
 * @param {State} state
 */
export function freeSeats({ table, rules }) {
  const isShared = table !== null && table.seats.length > 1 && table.phase !== "closed";
  const free = isShared && table.you === null ? table.seats.filter((seat) => seat.name === null).length : 0;
  if (free > 0) return free;
  return table === null || rules?.seats === "1" ? null : 0;
}

/**
 * Whether a snapshot shows results that the dealer would take away at once.
 *
 * @param {Table} table
 */
export function isWithoutPause({ phase, clock, you }) {
  return phase === "results" && !clock && you !== null;
}
