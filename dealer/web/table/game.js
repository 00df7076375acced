// The state of the page, and how each message changes it. Nothing here touches the document or the network.

import { linesBetween } from "./log_lines.js";
import { withReview } from "./mistakes.js";
import { counted, NO_STATISTICS, reviewed } from "./statistics.js";
import { isVoid } from "./void.js";

const LONGEST_LOG = 300;

/** @type {Question} */
const HIT_OR_STAND = { options: ["HIT", "STAND"] };

/** @type {State} */
export const INITIAL = {
  connection: "connecting",
  sitting: "no",
  table: null,
  isFresh: true,
  since: { card: null, results: 0 },
  rules: null,
  tables: null,
  failures: 0,
  reason: null,
  asked: false,
  question: HIT_OR_STAND,
  stake: "1",
  answer: null,
  missed: 0,
  hint: null,
  hints: [],
  decided: [],
  reviews: [],
  told: null,
  mistake: null,
  notice: null,
  log: [],
  logged: 0,
  statistics: NO_STATISTICS,
};

/**
 * The state after a message from the dealer (kind in capitals) or an event of the page (in lower case).
 *
 * @param {State} state
 * @param {DealerMessage | PageEvent} message
 * @returns {State}
 */
export function reduce(state, message) {
  switch (message.kind) {
    case "connecting":
      return { ...state, connection: "connecting", reason: null, mistake: null, notice: null };
    case "opened":
      return {
        ...state,
        connection: "open",
        reason: null,
        sitting: message.sitting,
        tables: null,
        isFresh: true,
        since: { card: null, results: 0 },
        asked: false,
        answer: null,
        missed: 0,
        hints: [],
        reviews: [],
        told: null,
        notice: null,
      };
    case "lost":
      return {
        ...state,
        failures: state.failures + 1,
        connection: "lost",
        asked: false,
        answer: null,
        hint: null,
        mistake: null,
        notice: state.notice?.word === "void" ? null : state.notice, // that is another trouble
      };
    case "left":
      return { ...withoutSeat(state), connection: "connecting", reason: null, table: null };
    case "refused":
      return withReason(state, message.reason);
    case "sitting":
      return { ...state, sitting: message.sitting, mistake: null, notice: null };
    case "answered":
      return {
        ...state,
        asked: false,
        answer: message.decision,
        stake: /^BET (.+)/.exec(message.decision)?.[1] ?? state.stake,
        hint: null,
        mistake: null,
        decided: withAnswer(state.decided, message.decision),
        notice: null,
      };
    case "reviewing":
      return { ...state, reviews: [...state.reviews, { isRound: message.isRound, tells: message.tells }] };
    case "hinted":
      return { ...state, hints: [...state.hints, state.question] };
    case "statistics":
      return { ...state, statistics: message.statistics };

    case "RULES":
      return { ...state, rules: message.rules, failures: 0 };
    case "TABLES":
      return { ...state, tables: message.tables };
    case "TABLE":
      return withTable(state, message.table);
    case "BEGIN":
      return {
        ...withMissedDecision(state),
        sitting: state.sitting === "leaving" ? "leaving" : "yes",
        hint: null,
        mistake: null,
        decided: [],
        notice: state.notice?.word === "void" ? state.notice : null, // it is of the round before
      };
    case "CARD":
      return { ...withAnswerTaken(state), hint: null, since: withCard(state.since, message.card) };
    case "DECISION":
      return asking(withAnswerTaken(state), message.question ?? HIT_OR_STAND);
    case "HINT":
      return withHint(state, { decision: message.decision, cost: message.cost });
    case "RESULT":
      return {
        ...withAnswerTaken(withMissedDecision(state)),
        hint: null,
        since: { ...state.since, results: state.since.results + 1 },
        statistics: counted(state.statistics, message.outcome, inBets(state, message.payoff)),
      };
    case "REVIEW":
      return {
        ...state,
        ...withReview(state, message),
        statistics: isOfRound(state) ? reviewed(state.statistics, message) : state.statistics,
      };
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
  // A question that has come on this connection is none of those before it.
  const wasOurs = !state.isFresh && old !== null && isOurTurn(old);
  const next = wasOurs && !isOurTurn(table) ? withMissedDecision(state) : state;
  const isSeated = table.you !== null && state.sitting !== "leaving";
  const sitting = isSeated ? "yes" : state.sitting;
  const isBack = state.isFresh && isVoid(old, table, state.since);
  const notice = isBack ? { word: "void", text: "" } : next.notice;
  return { ...next, table, isFresh: false, sitting, notice, ...longerLog(state, old, table, isBack) };
}

/** @param {Since} since @param {string} card @returns {Since} */
function withCard(since, card) {
  return since.card === null ? { ...since, card } : since;
}

/** @param {Table} table */
export function isOurTurn(table) {
  return table.you !== null && table.turn === table.you;
}

/**
 * An open decision that is over was taken by the clock.
 *
 * @param {State} state
 * @returns {State}
 */
function withMissedDecision(state) {
  return state.asked ? { ...state, asked: false, hint: null, missed: state.missed + 1 } : state;
}

/**
 * The dealer has dealt with an answer: from then on it refuses none as the answer to an earlier decision.
 *
 * @param {State} state
 * @returns {State}
 */
function withAnswerTaken(state) {
  return state.answer === null ? state : { ...state, answer: null, missed: 0 };
}

/**
 * A decision is asked; the least bet is at stake unless another is said.
 *
 * @param {State} state
 * @param {Question} question
 * @returns {State}
 */
function asking(state, question) {
  const stake = question.limits ? String(question.limits.minimum) : state.stake;
  return { ...state, asked: true, question: { ...question }, stake };
}

/**
 * A payoff in initial bets; undefined where the outcome alone says it.
 *
 * @param {State} state
 * @param {string} [payoff] in chips where bets are asked
 */
function inBets(state, payoff) {
  const { table, stake } = state;
  const bet = table !== null && table.you !== null ? table.seats[table.you]?.bet : null;
  return payoff === undefined ? payoff : Number(payoff) / Number(bet ?? stake);
}

/**
 * The log with what a TABLE tells; another table has a log of its own.
 *
 * @param {State} state
 * @param {Table | null} before
 * @param {Table} table
 * @param {boolean} isBack whether the round that was open before is void
 * @returns {Pick<State, "log" | "logged">}
 */
function longerLog({ log, logged }, before, table, isBack) {
  const fresh = linesBetween(isBack ? null : before, table);
  if (before === null) return { log: fresh.slice(-LONGEST_LOG), logged: fresh.length };
  if (fresh.length === 0) return { log, logged };
  return { log: [...log, ...fresh].slice(-LONGEST_LOG), logged: logged + fresh.length };
}

/** @param {State} state */
function withoutReview(state) {
  if (state.reviews.length === 0) return state;
  return { ...state, reviews: state.reviews.slice(1), told: isOfRound(state) ? null : state.told };
}

/** Whether the review that comes next is of a round that is over: it is counted. @param {State} state */
function isOfRound({ reviews }) {
  return reviews[0]?.isRound ?? true;
}

/** @param {Decision[]} decided @param {string} answer a decision, or a bet */
function withAnswer(decided, answer) {
  return answer.startsWith("BET") ? decided : [...decided, /** @type {Decision} */ (answer)];
}

/**
 * A hint that was worked out for too long may come when something else is asked.
 *
 * @param {State} state
 * @param {Hint} hint
 */
function withHint(state, hint) {
  const [question, ...hints] = state.hints;
  if (question !== state.question || !canAnswer(state, hint.decision)) return { ...state, hints };
  return { ...state, hints, hint };
}

/**
 * The word alone decides what changes; the sentence is for people.
 *
 * @param {State} state
 * @param {Refusal} notice
 * @returns {State}
 */
function withRefusal(state, notice) {
  const isRequested = ["asking", "returning"].includes(state.sitting);
  switch (notice.word) {
    case "taken-over":
      return { ...withoutSeat(state), connection: "taken" };
    case "too-late":
      if (answerToRepeat(state) === null) return { ...state, notice };
      return { ...state, missed: state.missed - 1, asked: true, answer: null };
    case "time-over":
      return { ...withMissedDecision(state), notice };
    case "no-review":
      return withoutReview(state); // the page sends it on its own
    case "no-round":
    case "token-in-use":
      return state; // nobody pressed a button: the page sends REVIEW, HISTORY and KEEP on its own
    case "not-kept": // what lies on the felt is of a dealer, or of a table, that is no more
      return { ...state, notice, sitting: "no", table: state.isFresh ? null : state.table };
    case "no-hint":
      return { ...state, notice, hints: state.hints.slice(1) };
    case "no-reveal":
    case "no-place":
    case "ended":
      return { ...state, notice };
    default: // the request for a seat or a table was refused
      return { ...state, notice, sitting: isRequested ? "no" : state.sitting };
  }
}

/**
 * Why no connection opens. Of a dealer that is gone nothing is left: a visitor may go to another one.
 *
 * @param {State} state
 * @param {Reason} reason
 * @returns {State}
 */
function withReason(state, reason) {
  return reason === "gone"
    ? { ...withoutSeat(state), reason, table: null, tables: null }
    : { ...state, reason };
}

/**
 * The answer to send again if the dealer refuses it as too late: it was taken for the answer to an earlier decision,
 * which we had missed. Null if we missed none.
 *
 * @param {State} state
 */
export function answerToRepeat({ missed, answer }) {
  return missed > 0 ? answer : null;
}

/**
 * Whether the dealer has said that it closes the connection, and another one is to be made: not for a player who was sent
 * away, since there was no answer.
 *
 * @param {Pick<State, "notice">} state
 */
export function comesBack({ notice }) {
  return notice?.word === "ended" && !/too often in a row/.test(notice.text);
}

/**
 * @param {State} state
 * @returns {State}
 */
function withQuit(state) {
  if (state.connection === "taken") return withoutSeat(state);
  if (!comesBack(state)) return { ...withoutSeat(state), connection: "ended" };
  return { ...withoutSeat(state), connection: "lost", failures: state.failures + 1 };
}

/**
 * @param {State} state
 * @returns {State}
 */
function withoutSeat(state) {
  return { ...state, sitting: "no", asked: false, answer: null, hint: null, mistake: null };
}

/**
 * Our own seat at the table that is shown; null without one.
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

/**
 * Whether this is an answer to what is asked.
 *
 * @param {State} state
 * @param {string} answer its first word decides
 */
export function canAnswer(state, answer) {
  return canDecide(state) && state.question.options.some((word) => word === answer.split(" ")[0]);
}

/**
 * Whether what is asked has one sensible answer: to stand on 21.
 *
 * @param {State} state
 */
export function standsOn21(state) {
  const { asked, question, table } = state;
  if (!asked || !question.options.includes("STAND")) return false;
  const seat = ownSeat(state);
  const hand = seat?.hands?.[(table?.hand ?? 1) - 1] ?? seat;
  return hand?.total === 21;
}

/** @param {State} state */
export function canContinue(state) {
  const isPause = state.connection === "open" && state.table?.phase === "results";
  return isPause && ownSeat(state)?.ready === false;
}

/** @param {State} state */
export function canAskHint(state) {
  const { table, question, hint } = state;
  return canDecide(state) && table?.practice === true && !question.limits && hint === null;
}

/** @param {State} state */
export function canReveal(state) {
  const { connection, table } = state;
  if (connection !== "open" || table === null || ownSeat(state) === null) return false;
  return table.practice && table.phase === "playing" && !table.revealed;
}

/**
 * Whether we cannot pay the least bet any more.
 *
 * @param {State} state
 */
export function isBroke({ table }) {
  const seat = table !== null && table.you !== null ? table.seats[table.you] : undefined;
  return seat?.bankroll !== undefined && Number(seat.bankroll) < leastBet(table);
}

/** @param {Table | null} table */
export function leastBet(table) {
  return Number(table?.rules.bets?.split("-")[0]);
}

/**
 * Whether a TABLE shows results of ours without a pause, so that the next round begins at once.
 *
 * @param {Table} table
 */
export function isWithoutPause({ phase, clock, you }) {
  return phase === "results" && !clock && you !== null;
}
