// The lines of the log for one seat: its first cards, and what became of them. Pure.

import { rankOf, totalOf } from "../shared/hand.js";
import { cardName } from "../shared/terms.js";
import { text } from "../shared/texts.js";

/** @typedef {{ hands: PastHand[], isInsured: boolean, isOut: boolean }} Past a seat as it was */
/** @typedef {{ cards: (string | null)[], isDoubled: boolean, isDone: boolean, isSplit: boolean }} PastHand */

/**
 * The hands of a seat, and which of them are over.
 *
 * @param {Seat} seat
 * @param {number} number
 * @param {Table} table
 * @returns {PastHand[]}
 */
export function handsOf(seat, number, table) {
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
export function dealtLines({ name }, hands, rules) {
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

/**
 * The decisions of one seat, and the cards that it got.
 *
 * @param {Past} old
 * @param {Seat} seat
 * @param {number} number
 * @param {Table} table
 */
export function seatLines(old, seat, number, table) {
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
export function totalText(cards, rules) {
  const total = String(totalOf(cards, rules.ace).total);
  return Number(total) > 21 ? text("log.bust-total", { total }) : total;
}
