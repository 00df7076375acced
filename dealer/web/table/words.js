// The texts of the page, made from the state. They are plain text, to be set by textContent.

import { capital, minus, rounded, signed } from "../shared/numbers.js";
import { reasonText } from "../shared/reasons.js";
import { cardName, decisionName, decisionsText, outcomeName, totalText } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { ownSeat } from "./game.js";
import { endText, noticeText, timeText } from "./refusals.js";
import { rulesLines } from "./rules.js";
import { PAYOFFS } from "./statistics.js";
import { betsText } from "./waiting.js";

/** After this many attempts it is no short disturbance. */
const UNREACHABLE = 4;

export const BLACKJACK = text("seat.natural");

/**
 * The sentence above the buttons: your turn, or what you wait for.
 *
 * @param {State} state
 */
export function statusText(state) {
  const { connection } = state;
  const notice = noticeText(state.notice, state.table);
  if (connection === "connecting") return text("status.connecting");
  if (connection === "lost") return lostText(state, notice);
  if (connection === "taken") return text("status.taken");
  if (connection === "ended") return endText(state);
  return `${notice} ${atTable(state)}`.trim();
}

/** @param {State} state @param {string} notice */
function lostText({ failures, reason }, notice) {
  const isSure = reason !== null && reason !== "unreached";
  const told = reasonText(isSure ? reason : failures < UNREACHABLE ? null : "unreached");
  if (notice !== text("lost.replaced")) return `${told} ${notice}`.trim();
  return isSure || failures >= UNREACHABLE ? told : notice;
}

/** @param {State} state */
function atTable(state) {
  const { table, sitting } = state;
  if (sitting === "returning") return text("status.returning");
  if (sitting === "asking") return text(table?.gets_seat ? "status.gets-seat" : "status.asking");
  if (sitting === "leaving") return text("status.leaving");
  if (table === null) return text(sitting === "yes" ? "status.begins" : "status.no-seat");
  if (sitting === "no" && table.phase !== "closed") {
    return `${text("status.watching", { table: String(table.table) })} ${watching(state, table)}`.trim();
  }
  if (state.asked) return yourTurn(state, table);
  if (table.phase === "closed") return text("status.closed");
  if (table.phase === "waiting") return waiting(table);
  if (table.phase === "betting") return betsText(table);
  if (table.phase === "results") return results(state, table);
  return playing(state, table);
}

/** @param {State} state @param {Table} table */
function yourTurn(state, table) {
  const { options, limits } = state.question;
  if (limits) {
    const { minimum, maximum, bankroll } = limits;
    return text("status.bet", { minimum, count: maximum, bankroll: rounded(Number(bankroll)) });
  }
  const seat = ownSeat(state);
  const hands = seat?.hands ?? [];
  const hand = hands[(table.hand ?? 1) - 1] ?? seat;
  const asked = decisionsText(options);
  if (!hand || hand.total === null) return text("status.turn-only", { options: asked });
  const values = {
    options: capital(asked),
    total: totalText(hand),
    hand: table.hand ?? 1,
    hands: hands.length,
  };
  const upcard = table.dealer?.upcard;
  if (!upcard) return text("status.turn-alone", values);
  const key = hands.length > 1 ? "status.turn-of-hand" : "status.turn";
  return text(key, { ...values, upcard: cardName(upcard) });
}

/** @param {State} state @param {Table} table */
function watching(state, table) {
  if (table.phase === "waiting") return text("status.waits");
  if (table.phase === "betting") return text("status.others-bet");
  return table.phase === "results" ? text("status.over") : playing(state, table);
}

/** @param {Table} table */
function waiting(table) {
  const missing = table.waits_for ?? 0;
  if (missing > 0) return text("status.missing", { count: missing });
  const others = table.seats.filter((seat) => seat.name !== null).length - 1;
  const isShort = table.dealer === null && others === 0;
  return text(isShort ? "status.one-missing" : "status.next-round");
}

/** @param {State} state @param {Table} table */
function results(state, { seats }) {
  const seat = ownSeat(state);
  const slow = seats.filter((one) => one !== seat && isWaitedFor(one));
  const isSlow = seat?.ready && slow.length > 0;
  const wait = isSlow ? text("status.waiting-for", { names: names(slow) }) : text("status.soon");
  if (seat === null || seat.result === null) return `${text("status.over")} ${wait}`;
  const isNatural = seat.state === "natural";
  const found = [resultOf(seat, isNatural), wait];
  if (hasDealerNatural(state.table))
    found.splice(1, 0, text(seat.insured ? "status.natural-insured" : "status.natural"));
  if (isNatural) found.unshift(BLACKJACK);
  return found.join(" ");
}

/** The end of a round for a seat of ours, in a sentence. @param {Seat} seat @param {boolean} isNatural */
function resultOf({ result, hands = [], total, soft, payoff }, isNatural) {
  const outcome = text(`result.${result ?? "PUSH"}`);
  const isOne = total !== null && hands.length <= 1;
  const values = {
    outcome,
    total: totalText({ total, soft: soft && !isNatural }),
    payoff: minus(payoff ?? ""),
  };
  if (!isOne) return text(payoff ? "result.paid" : "result.plain", values);
  return text(payoff ? "result.with-paid" : "result.with", values);
}

/**
 * Whether the dealer's two cards are seen to be an ace and a ten, where that is more than another 21.
 *
 * @param {Table | null} table
 */
export function hasDealerNatural(table) {
  const { cards = [], total = null } = table?.dealer ?? {};
  const isMore = !["equal", "player"].includes(table?.rules.naturals ?? "");
  return total === 21 && cards.length === 2 && !cards.includes(null) && isMore;
}

/** @param {Seat} seat */
function isWaitedFor({ name, bot, away, ready }) {
  return name !== null && !bot && !away && !ready;
}

/** @param {State} state @param {Table} table */
function playing(state, table) {
  const seat = ownSeat(state);
  const now = whoDecides(table, seat);
  return seat?.state === "waiting" ? `${text("status.dealt-in-next")} ${now}` : now;
}

/** @param {Frame} table @param {Seat | null} own */
function whoDecides({ seats, turn, dealer, isDealing }, own) {
  const asked = turn === null ? undefined : seats[turn];
  if (isDealing) return text("status.dealt");
  if (asked === undefined) return text(dealer === null ? "status.compared" : "status.dealer-plays");
  const name = asked.name ?? "";
  if (asked === own) return text(ownState(asked));
  if (asked.state === "bust") return text("status.is-bust", { name });
  return text(isPlayed(asked) ? "status.is-done" : "status.decides", { name });
}

/** @param {Seat} seat @returns {import("../shared/texts.js").TextKey} */
function ownState(seat) {
  if (seat.state === "bust") return "status.bust";
  return isPlayed(seat) ? "status.done" : "status.on-its-way";
}

// The last card of a round is shown at the seat that has got it, though nobody is asked any more.
/** @param {Seat} seat */
function isPlayed({ state }) {
  return state === "bust" || state === "standing";
}

/** @param {Seat[]} seats */
function names(seats) {
  return seats.map((seat) => seat.name).join(", ");
}

/**
 * The number of the table and of the round, and whether it is a practice table.
 *
 * @param {Table | null} table
 */
export function placeText(table) {
  if (table === null) return "";
  const values = { table: String(table.table), round: String(table.round) };
  if (table.round === 0) return text(table.practice ? "place.table-practice" : "place.table", values);
  return text(table.practice ? "place.round-practice" : "place.round", values);
}

/** @param {Seat} seat @param {boolean} hasTurn @param {Date} [now] */
export function stateText(seat, hasTurn, now = new Date()) {
  if (seat.name === null) return text("seat.free");
  const state = text(`seat.${hasTurn && !isPlayed(seat) ? "deciding" : seat.state}`);
  if (!seat.away) return state;
  // Of a hand that has ended, how it ended is to be seen; any other waits for its player.
  if (["bust", "natural", "surrendered"].includes(seat.state)) return text("seat.state-away", { state });
  const kept = seat.kept ?? null;
  return kept === null ? text("seat.away") : text("seat.away-until", { time: timeText(kept, now) });
}

/** @param {Outcome | null} result */
export function outcomeText(result) {
  return result === null ? "" : outcomeName(result);
}

/**
 * A result, and what it pays.
 *
 * @param {Outcome | null} result
 * @param {string | null} [payoff] at a table with payoffs
 */
export function resultText(result, payoff) {
  if (result === null) return "";
  const paid = payoff ? minus(payoff) : signed(PAYOFFS[result]);
  return text("seat.result", { outcome: outcomeName(result), payoff: paid });
}

/**
 * The stake of a hand.
 *
 * @param {Pick<Hand, "stake"> | undefined} hand
 */
export function stakeText(hand) {
  return hand === undefined ? "" : text("seat.bet", { stake: hand.stake });
}

/** @param {Seat} seat */
export function scoreText({ name, score, rounds, bankroll }) {
  if (name === null) return "";
  if (bankroll !== undefined) return text("seat.bankroll", { bankroll: rounded(Number(bankroll)) });
  return rounds === 0 ? "" : text("seat.score", { score: signed(score) });
}

/** The text beside the question: a hint, or what was wrong with the last decision. @param {State} state */
export function adviceText(state) {
  return hintText(state) || mistakeText(state.mistake);
}

/**
 * The best decision, and what the next best would cost.
 *
 * @param {Pick<State, "hint" | "question">} state
 */
export function hintText({ hint, question }) {
  if (hint === null) return "";
  const { decision, cost } = hint;
  if (question.options.join() === "HIT,STAND" && !(cost > 0)) return text("hint.same");
  return text("hint.best", { decision: decisionName(decision), cost: cost.toFixed(3) });
}

/** @param {ToldMistake | null} mistake */
function mistakeText(mistake) {
  if (mistake === null) return "";
  const { best, cost } = mistake;
  const values = { best: decisionName(best ?? ""), cost: cost.toFixed(3) };
  return text(best === null ? "mistake.cost" : "mistake.better", values);
}

/**
 * The rules as prose.
 *
 * @param {Rules | null} rules
 */
export function rulesText(rules) {
  return rulesLines(rules).join(" ");
}

export { totalText };
