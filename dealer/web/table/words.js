// The texts of the page, made from the state. They are plain text, to be set by textContent.

import { counted } from "../shared/counts.js";
import { ownSeat, RULES_OF_PAYOFFS } from "./game.js";
import { endText, noticeText, untilText } from "./refusals.js";
import { capital, PAYOFFS } from "./statistics.js";

/** @type {Record<Outcome, string>} */
const OUTCOMES = { WIN: "Won", PUSH: "Push", LOSE: "Lost", BUST: "Bust", SURRENDER: "Surrendered" };
/** @type {Record<Outcome, string>} */
const OWN_OUTCOMES = {
  WIN: "You won",
  PUSH: "A push",
  LOSE: "You lost",
  BUST: "You went bust",
  SURRENDER: "You surrendered",
};
/** After this many attempts it is no short disturbance. */
const UNREACHABLE = 4;
/** @type {Record<string, string>} */
const ACES = { 1: "aces count 1", 11: "aces count 11", either: "aces count 1 or 11" };

export const BLACKJACK = "Blackjack!";

/**
 * What you are expected to do, or what you are waiting for.
 *
 * @param {State} state
 */
export function statusText(state) {
  const { connection } = state;
  const notice = noticeText(state.notice, state.table);
  if (connection === "connecting") return "Connecting to the dealer.";
  if (connection === "lost") return `${lostText(state)} ${notice}`.trim();
  if (connection === "taken") return "Your seat is now played from another tab or window.";
  if (connection === "ended") return endText(state);
  return `${notice} ${atTable(state)}`.trim();
}

/** @param {State} state */
function lostText({ failures }) {
  if (failures < UNREACHABLE) return "Connection lost, trying again.";
  return "The dealer does not answer: it was stopped, or has too many visitors. This page goes on trying.";
}

/** @param {State} state */
function atTable(state) {
  const { table, sitting } = state;
  if (sitting === "returning") return "Returning to your seat.";
  if (sitting === "asking") return "Asking for a seat.";
  if (sitting === "leaving") return "Leaving the table.";
  if (table === null) return sitting === "yes" ? "The round begins." : "Press New game to take a seat.";
  if (sitting === "no" && table.phase !== "closed") {
    return `You are watching table ${table.table}. ${watching(state, table)}`.trim();
  }
  if (state.asked) return yourTurn(state, table);
  if (table.phase === "closed") return "This table is closed. Press New game to choose another one.";
  if (table.phase === "waiting") return waiting(table);
  if (table.phase === "betting") return "Waiting for bets.";
  if (table.phase === "results") return results(state, table);
  return playing(state, table);
}

/** @param {State} state @param {Table} table */
function yourTurn(state, table) {
  const { options, limits } = state.question;
  if (limits) {
    return `Your bet: ${limits.minimum} to ${counted(limits.maximum, "chip")}. Your bankroll is ${limits.bankroll}.`;
  }
  const question = `${options
    .join(", ")
    .toLowerCase()
    .replace(/, (\w+)$/, " or $1")}?`;
  const seat = ownSeat(state);
  const hands = seat?.hands ?? [];
  const hand = hands[(table.hand ?? 1) - 1] ?? seat;
  if (!hand || hand.total === null) return `Your turn: ${question}`;
  const which = hands.length > 1 ? `, hand ${table.hand} of ${hands.length}` : "";
  const upcard = table.dealer?.upcard;
  const against = upcard ? ` against the ${upcard}` : "";
  return `Your turn${which}: you have ${totalText(hand)}${against}. ${capital(question)}`;
}

/** @param {State} state @param {Table} table */
function watching(state, table) {
  if (table.phase === "waiting") return "It waits for players.";
  if (table.phase === "betting") return "The players bet.";
  return table.phase === "results" ? "The round is over." : playing(state, table);
}

/** @param {Table} table */
function waiting(table) {
  const missing = table.waits_for ?? 0;
  if (missing > 0) return `Waiting for ${missing} more ${missing === 1 ? "player" : "players"}.`;
  const others = table.seats.filter((seat) => seat.name !== null).length - 1;
  const isShort = table.dealer === null && others === 0;
  return isShort ? "Waiting for another player: two are needed." : "Waiting for the next round.";
}

/** @param {State} state @param {Table} table */
function results(state, { seats }) {
  const seat = ownSeat(state);
  const slow = seats.filter((one) => one !== seat && isWaitedFor(one));
  const wait = seat?.ready && slow.length > 0 ? `Waiting for ${names(slow)}.` : "The next round starts soon.";
  if (seat === null || seat.result === null) return `The round is over. ${wait}`;
  const { hands = [] } = seat;
  const isNatural = seat.state === "natural";
  const isOne = seat.total !== null && hands.length <= 1;
  const total = isOne ? ` with ${totalText({ ...seat, soft: seat.soft && !isNatural })}` : "";
  const payoff = seat.payoff ? `: ${seat.payoff}` : "";
  const natural = isNatural ? `${BLACKJACK} ` : "";
  const insurance = seat.insured ? ", and the insurance pays" : "";
  const dealers = hasDealerNatural(state.table) ? `The dealer has a natural${insurance}. ` : "";
  return `${natural}${OWN_OUTCOMES[seat.result]}${total}${payoff}. ${dealers}${wait}`;
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
  return seat?.state === "waiting" ? `You will be dealt in next round. ${now}` : now;
}

/** @param {Frame} table @param {Seat | null} own */
function whoDecides({ seats, turn, dealer, isDealing }, own) {
  const asked = turn === null ? undefined : seats[turn];
  if (isDealing) return "The cards are dealt.";
  if (asked === undefined) return dealer === null ? "The cards are compared." : "The dealer plays.";
  if (asked.state === "bust") return asked === own ? "You are bust." : `${asked.name} is bust.`;
  if (isPlayed(asked)) return asked === own ? "Your hand is played." : `${asked.name}'s hand is played.`;
  return asked === own ? "Your answer is on its way." : `${asked.name} is deciding.`;
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
  const round = table.round > 0 ? `, round ${table.round}` : "";
  return `Table ${table.table}${round}${table.practice ? ", practice" : ""}`;
}

/** @param {{ total: number | null, soft: boolean | null }} hand */
export function totalText({ total, soft }) {
  return total === null ? "" : `${soft ? "soft " : ""}${total}`;
}

/** @param {Seat} seat @param {boolean} hasTurn @param {Date} [now] */
export function stateText(seat, hasTurn, now = new Date()) {
  if (seat.name === null) return "free";
  const state = hasTurn && !isPlayed(seat) ? "deciding" : seat.state === "natural" ? BLACKJACK : seat.state;
  if (!seat.away) return state;
  const kept = seat.kept ?? null;
  // Of a hand that has ended, how it ended is to be seen; any other waits for its player.
  if (["bust", "natural", "surrendered"].includes(seat.state)) return `${state}, away`;
  return kept === null ? "away" : `away ${untilText(kept, now).replace("until", "until about")}`;
}

/** @param {Outcome | null} result */
export function outcomeText(result) {
  return result === null ? "" : OUTCOMES[result];
}

/**
 * A result, and what it pays.
 *
 * @param {Outcome | null} result
 * @param {string | null} [payoff] at a table with payoffs
 */
export function resultText(result, payoff) {
  return result === null ? "" : `${OUTCOMES[result]} ${payoff ?? signed(PAYOFFS[result])}`;
}

/** @param {number} number */
function signed(number) {
  return `${number > 0 ? "+" : ""}${number}`;
}

/**
 * What is at stake on a hand.
 *
 * @param {Pick<Hand, "stake"> | undefined} hand
 */
export function stakeText(hand) {
  return hand === undefined ? "" : `bet ${hand.stake}`;
}

/** @param {Seat} seat */
export function scoreText({ name, score, rounds, bankroll }) {
  if (name === null) return "";
  if (bankroll !== undefined) return `bankroll ${bankroll}`;
  return rounds === 0 ? "" : `score ${signed(score)}`;
}

/**
 * The best decision, and what the next best would cost.
 *
 * @param {Pick<State, "hint" | "question">} state
 */
export function hintText({ hint, question }) {
  if (hint === null) return "";
  const { decision, cost } = hint;
  const isPlain = question.options.join() === "HIT,STAND";
  if (isPlain && !(cost > 0)) return "Hit or stand: both are worth the same.";
  const other = !isPlain ? "The next best" : decision === "HIT" ? "Standing" : "Hitting";
  return `${capital(decision)}. ${other} would cost ${cost.toFixed(3)} bets.`;
}

/**
 * The rules in one sentence.
 *
 * @param {Rules | null} rules
 */
export function rulesText(rules) {
  if (rules === null) return "";
  const { preset = "", decks = "", reshuffle = "", ace = "" } = rules;
  const parts = [decks === "inf" ? "infinite deck" : `${decks} ${decks === "1" ? "deck" : "decks"}`];
  if (decks !== "inf") parts.push(shuffled(reshuffle));
  parts.push(ACES[ace] ?? `aces ${ace}`);
  if (rules["dealer-stands"] === "all17") parts.push("the dealer stands on every 17");
  if (rules["dealer-stands"] === "hard17") parts.push("the dealer draws on a soft 17");
  if (rules.naturals === "beat") parts.push("a natural beats any other 21");
  if (rules.naturals === "player") parts.push("a player’s natural beats any other 21");
  if (rules.naturals?.includes(":")) parts.push(`a natural pays ${rules.naturals}`);
  for (const key of RULES_OF_PAYOFFS) if (rules[key]) parts.push(`${key.replaceAll("-", " ")} ${rules[key]}`);
  return `${capital(preset)} rules: ${parts.join(", ")}.`;
}

/** @param {string} reshuffle */
export function shuffled(reshuffle) {
  const [way, amount] = reshuffle.split(":");
  if (way === "cutoff") return `shuffled below ${counted(amount ?? "", "card")}`;
  if (way === "penetration") return `shuffled after ${Math.round(100 * Number(amount))}% of the cards`;
  return "shuffled every round";
}
