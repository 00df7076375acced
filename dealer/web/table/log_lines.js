// The page's own log: the lines that tell how one TABLE came from another. Pure.
//
// A TABLE may have come after several changes at once, and the first that a page sees may show a round in the middle.
// Both are told in the order of play: the deal, insurance, the seats one after the other, the dealer, the results.

import { rankOf } from "../shared/hand.js";
import { minus } from "../shared/numbers.js";
import { cardName } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { dealtLines, handsOf, seatLines, totalText } from "./log_hands.js";

const TENS = ["Ten", "Jack", "Queen", "King"];

/**
 * The lines of what has happened.
 *
 * @param {Table | null} before the same table as it was; null if it was not seen
 * @param {Table} after
 * @returns {string[]}
 */
export function linesBetween(before, after) {
  const old = before !== null && before.round <= after.round ? before : null; // otherwise a dealer was started again
  const isNew = old === null || old.round !== after.round;
  const people = old === null ? [] : peopleLines(old, after);
  if (!isNew) return [...roundLines(old, after), ...people];
  const begun = after.round > 0 ? [text("log.round", { round: String(after.round) })] : [];
  return [...people, ...begun, ...roundLines(blank(after), after)];
}

/** A table before its round was dealt. @param {Table} table @returns {Table} */
function blank(table) {
  const none = /** @type {const} */ ({ insured: false, result: null, state: "waiting" });
  const seats = table.seats.map((seat) => ({ ...seat, ...none, cards: [], hands: [] }));
  return { ...table, phase: "waiting", turn: null, revealed: false, dealer: null, seats };
}

// Those who come and go.

/** @param {Table} before @param {Table} after */
function peopleLines(before, after) {
  return after.seats.flatMap((seat, number) => {
    const old = before.seats[number];
    if (old === undefined || old.name === seat.name) return boughtIn(before, old, seat);
    const gone = old.name === null ? [] : leavingLines(before, old);
    return seat.name === null ? gone : [...gone, text("log.sits-down", { name: seat.name })];
  });
}

/** @param {Table} before @param {Seat} seat */
function leavingLines({ phase, rules }, { name, cards, result, bankroll }) {
  const isBroke = phase === "results" && Number(bankroll) < Number(rules.bets?.split("-")[0]);
  const leaves = text(isBroke ? "log.too-few-chips" : "log.leaves", { name: name ?? "" });
  const isOpen = phase === "playing" && cards.length > 0 && result === null;
  return isOpen ? [leaves, text("log.gives-up", { name: name ?? "" })] : [leaves];
}

// Between rounds only a new bankroll makes more chips of fewer.
/** @param {Table} before @param {Seat | undefined} old @param {Seat} seat */
function boughtIn({ phase }, old, { name, bankroll, result }) {
  const isMore = phase === "results" && result === null && Number(bankroll) > Number(old?.bankroll);
  return isMore && name !== null ? [text("log.buys-in", { name })] : [];
}

// The events of a round.

/** @param {Table} before @param {Table} after */
function roundLines(before, after) {
  const pairs = after.seats.map(
    (seat, number) => /** @type {const} */ ([pastOf(before, seat, number), seat]),
  );
  const isOver = after.phase === "results" && before.phase !== "results";
  return [
    ...pairs.flatMap(([old, seat]) =>
      old.hands.length === 0 ? dealtLines(seat, handsOf(seat, -1, after), after.rules) : [],
    ),
    ...(after.dealer?.upcard && !before.dealer?.upcard
      ? [text("log.shows", { card: cardName(after.dealer.upcard) })]
      : []),
    ...pairs.flatMap(([old, seat]) =>
      seat.insured && !old.isInsured ? [text("log.insures", { name: seat.name ?? "" })] : [],
    ),
    ...peekLines(before, after),
    ...(hasNatural(after) ? [] : pairs.flatMap(([old, seat], number) => seatLines(old, seat, number, after))),
    ...(after.revealed && !before.revealed && after.you !== null && after.phase === "playing"
      ? [text("log.looks", { name: after.seats[after.you]?.name ?? "" })]
      : []),
    ...dealerLines(before, after),
    ...(isOver ? after.seats.flatMap(resultLines) : []),
  ];
}

/** @param {Table} before @param {Seat} seat @param {number} number @returns {import("./log_hands.js").Past} */
function pastOf(before, seat, number) {
  const old = before.seats[number];
  if (old === undefined || old.name !== seat.name) return { hands: [], isInsured: false, isOut: false };
  return {
    hands: handsOf(old, number, before),
    isInsured: old.insured ?? false,
    isOut: old.state === "surrendered",
  };
}

/** @param {Table} before @param {Table} after */
function peekLines(before, after) {
  const isNews = after.rules["hole-card"] === "peek" && hasLooked(after) && !hasLooked(before);
  return isNews ? [text(hasNatural(after) ? "log.natural" : "log.no-natural")] : [];
}

/** Whether the dealer has found a natural, so that nobody has played. @param {Table} table */
function hasNatural({ phase, dealer, rules }) {
  const isFound = phase === "results" && dealer?.total === 21 && dealer.cards.length === 2;
  return isFound && rules["hole-card"] === "peek";
}

/** Whether the dealer has looked at the hole card: play goes on after it, or the round is over. @param {Table} table */
function hasLooked({ phase, turn, options = [], dealer }) {
  const rank = rankOf(dealer?.upcard ?? "");
  if (rank !== "Ace" && !TENS.includes(rank)) return false;
  return phase === "results" || (phase === "playing" && turn !== null && !options.includes("DECLINE"));
}

/** @param {Table} before @param {Table} after */
function dealerLines(before, { dealer, revealed, phase, rules }) {
  if (dealer === null || (revealed && phase !== "results")) return [];
  const shown = before.revealed && before.phase !== "results" ? 1 : seenOf(before.dealer?.cards ?? []);
  return dealer.cards.slice(Math.max(1, shown)).flatMap((card, at) => {
    if (card === null) return [];
    const place = Math.max(1, shown) + at;
    const total = totalText(dealer.cards.slice(0, place + 1), rules);
    return [text(place === 1 ? "log.turns-over" : "log.draws", { card: cardName(card), total })];
  });
}

/** @param {(string | null)[]} cards */
const seenOf = (cards) => cards.filter((card) => card !== null).length;

/** @param {Seat} seat */
function resultLines(seat) {
  const { name, result, hands = [], insured, payoff = null } = seat;
  if (name === null || result === null) return [];
  if (hands.length <= 1 && !insured) return [paid(endText(name, seat, result), payoff)];
  const each = hands.map((hand, at) => {
    const which = text("log.hand", { name, hand: String(at + 1) });
    return paid(endText(which, hand, hand.outcome ?? result), hand.payoff);
  });
  const sum = Math.sign(Number(payoff));
  const end = sum > 0 ? "wins" : sum < 0 ? "loses" : "is-even";
  const whole = text(`log.${insured ? "insured" : "all"}-${end}`, { name });
  return [...(hands.length > 1 ? each : []), paid(whole, payoff)];
}

/**
 * @param {string} name
 * @param {{ total: number | null, state?: Seat["state"] }} hand
 * @param {Outcome} outcome
 */
function endText(name, { total, state }, outcome) {
  const told = state === "natural" ? text("log.natural-total", { total: String(total) }) : String(total);
  return text(`log.${outcome}`, { name, total: told });
}

/** @param {string} line @param {string | null} payoff */
function paid(line, payoff) {
  return payoff === null ? line : text("log.paid", { line, payoff: minus(payoff) });
}
