// The page's own log: the lines that tell how one TABLE came from another. Pure.
//
// A TABLE may have come after several changes at once, and the first that a page sees may show a round in the middle.
// Both are told in the order of play: the deal, insurance, the seats one after the other, the dealer, the results.

import { rankOf, totalOf } from "../shared/hand.js";
import { minus } from "../shared/numbers.js";
import { cardName } from "../shared/terms.js";
import { text } from "../shared/texts.js";

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

// What happens in a round.

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

/** @typedef {{ hands: PastHand[], isInsured: boolean, isOut: boolean }} Past a seat as it was */
/** @typedef {{ cards: (string | null)[], isDoubled: boolean, isDone: boolean, isSplit: boolean }} PastHand */

/** @param {Table} before @param {Seat} seat @param {number} number @returns {Past} */
function pastOf(before, seat, number) {
  const old = before.seats[number];
  if (old === undefined || old.name !== seat.name) return { hands: [], isInsured: false, isOut: false };
  return {
    hands: handsOf(old, number, before),
    isInsured: old.insured ?? false,
    isOut: old.state === "surrendered",
  };
}

/**
 * The hands of a seat, and which of them are over.
 *
 * @param {Seat} seat
 * @param {number} number
 * @param {Table} table
 * @returns {PastHand[]}
 */
function handsOf(seat, number, table) {
  if (seat.cards.length === 0) return [];
  const { turn, hand, phase } = table;
  const hands = seat.hands?.length ? seat.hands : [{ cards: seat.cards, stake: "1" }];
  const bet = Number(seat.bet ?? 1);
  const isSeatDone = seat.state === "standing" || hasStoodOnNatural(seat, number, table);
  return hands.map(({ cards, stake }, at) => ({
    cards,
    isSplit: hands.length > 1,
    isDoubled: Number(stake) > bet,
    isDone: isSeatDone || (phase === "playing" && turn === number && at + 1 < (hand ?? 1)),
  }));
}

// Where a natural does not end its hand it is asked about, and keeps its name.
/** @param {Seat} seat @param {number} number @param {Table} table */
function hasStoodOnNatural({ state }, number, { rules, phase, turn }) {
  if (state !== "natural" || rules.naturals?.includes(":")) return false;
  return phase === "results" || (turn !== null && turn > number);
}

/** @param {Seat} seat @param {PastHand[]} hands @param {Rules} rules */
function dealtLines({ name }, hands, rules) {
  if (name === null || hands.length === 0) return [];
  const [first = null, second = null] = dealt(hands).cards;
  if (first === null || second === null) return [text("log.dealt-hidden", { name })];
  const total = totalText([first, second], rules);
  return [text("log.dealt", { name, first: cardName(first), second: cardName(second), total })];
}

/** The hand of two cards that hands have come from. @param {PastHand[]} hands @returns {PastHand} */
function dealt(hands) {
  const [first, last] = [hands[0]?.cards ?? [], hands.at(-1)?.cards ?? []];
  const cards = hands.length > 1 ? [first[0] ?? null, last[0] ?? null] : first.slice(0, 2);
  return { cards, isSplit: false, isDoubled: false, isDone: false };
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

/**
 * What one seat has decided, and the cards that it got.
 *
 * @param {Past} old
 * @param {Seat} seat
 * @param {number} number
 * @param {Table} table
 */
function seatLines(old, seat, number, table) {
  const name = seat.name ?? "";
  const now = handsOf(seat, number, table);
  const start = old.hands.length > 0 ? old.hands : [dealt(now)];
  const { hands, lines } = split(start, now, name);
  /** @param {number} at */
  const who = (at) => (now.length > 1 ? text("log.hand", { name, hand: String(at + 1) }) : name);
  const played = now.flatMap((hand, at) => handLines(hands[at], hand, who(at), table.rules));
  const gaveUp = seat.state === "surrendered" && !old.isOut ? [text("log.surrenders", { name })] : [];
  return now.length === 0 ? [] : [...lines, ...played, ...gaveUp];
}

/**
 * Split hands until they are as many as there are now.
 *
 * @param {PastHand[]} start
 * @param {PastHand[]} now
 * @param {string} name
 */
function split(start, now, name) {
  let hands = start;
  const lines = [];
  while (hands.length < now.length) {
    const at = splitOf(hands, now);
    const first = hands[at]?.cards[0] ?? null;
    const second = now[at + 1]?.cards[0] ?? null;
    lines.push(text("log.splits", { name, first: cardName(first), second: cardName(second) }));
    const each = [first, second].map((card) => ({
      cards: [card],
      isSplit: true,
      isDoubled: false,
      isDone: false,
    }));
    hands = [...hands.slice(0, at), ...each, ...hands.slice(at + 1)];
  }
  return { hands, lines };
}

/** Which hand was split next: the one after it is new. @param {PastHand[]} hands @param {PastHand[]} now */
function splitOf(hands, now) {
  const place = hands.findIndex(({ cards }, at) => cards.some((card, nth) => card !== now[at]?.cards[nth]));
  if (place < 0) return hands.length - 1;
  const [first, second] = hands[place]?.cards ?? [];
  return second !== undefined && first === now[place]?.cards[0] ? place : place - 1;
}

/**
 * @param {PastHand | undefined} old
 * @param {PastHand} hand
 * @param {string} name
 * @param {Rules} rules
 */
function handLines(old, hand, name, rules) {
  const { cards } = hand;
  const known = old?.cards.length ?? 0;
  const lines = cards.slice(known).map((card, at) => {
    if (card === null) return text("log.hits-hidden", { name });
    const place = known + at;
    const isDoubling = hand.isDoubled && !old?.isDoubled && place === cards.length - 1;
    const key = place === 1 ? "gets" : isDoubling ? "doubles" : "hits";
    return text(`log.${key}`, {
      name,
      card: cardName(card),
      total: totalText(cards.slice(0, place + 1), rules),
    });
  });
  if (!hand.isDone || old?.isDone || !hasStood(hand, rules)) return lines;
  if (rules["dealer-stands"] === "none") return [...lines, text("log.stands-hidden", { name })];
  return [...lines, text("log.stands", { name, total: totalText(cards, rules) })];
}

// After a double, and with one card to a split ace, a hand stands without being asked.
/** @param {PastHand} hand @param {Rules} rules */
function hasStood({ cards, isDoubled, isSplit }, rules) {
  const isAce = isSplit && rankOf(cards[0] ?? "") === "Ace" && rules["split-aces"] !== "play";
  return !isDoubled && !isAce && totalOf(cards, rules.ace).total <= 21;
}

/** @param {(string | null)[]} cards @param {Rules} rules */
function totalText(cards, rules) {
  const total = String(totalOf(cards, rules.ace).total);
  return Number(total) > 21 ? text("log.bust-total", { total }) : total;
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
