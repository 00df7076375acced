// Cards and hands: ranks, points and totals. Pure. A card has the name that messages give it, such as `Ten of Spades`.

/** From the ace, which counts 1, to the king. */
export const RANKS = "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King".split(" ");
export const SUITS = ["Clubs", "Diamonds", "Hearts", "Spades"];
const ACE = "Ace";

/** @param {string} card */
export function rankOf(card) {
  return card.split(" ")[0] ?? "";
}

/** @param {string} card */
export function suitOf(card) {
  return card.split(" ")[2] ?? "";
}

/**
 * The points of a card or a rank, where an ace counts 1.
 *
 * @param {string} card
 */
export function pointsOf(card) {
  return Math.min(10, RANKS.indexOf(rankOf(card)) + 1);
}

/**
 * The rank of an upcard, as charts count it: 2 to 11, which is an ace.
 *
 * @param {number} upcard
 */
export function rankOfUpcard(upcard) {
  return upcard === 11 ? ACE : (RANKS[upcard - 1] ?? "");
}

/**
 * The total of a hand: the best that its aces allow. A card that is face down counts nothing.
 *
 * @param {(string | null)[]} cards
 * @param {string} [ace] the rule of the table: `1`, `11` or `either`
 * @returns {{ total: number, soft: boolean }}
 */
export function totalOf(cards, ace = "either") {
  const seen = cards.filter((card) => card !== null);
  const aces = seen.filter((card) => rankOf(card) === ACE).length;
  const low = seen.reduce((sum, card) => sum + pointsOf(card), 0);
  if (ace === "11") return { total: low + 10 * aces, soft: aces > 0 };
  const soft = ace === "either" && aces > 0 && low <= 11;
  return { total: soft ? low + 10 : low, soft };
}

/**
 * The name of a hand as a chart has it: `hard 16`, `soft 18`, `pair of 8`, `pair of A`. shared/terms.js shows it.
 *
 * @param {string[]} cards
 * @param {string} [ace] the rule of the table
 * @param {boolean} [maySplit] whether two cards of equal points are a pair
 */
export function handClass(cards, ace = "either", maySplit = true) {
  const points = cards.map(pointsOf);
  if (maySplit && points.length === 2 && points[0] === points[1]) {
    return `pair of ${points[0] === 1 ? "A" : points[0]}`;
  }
  const { total, soft } = totalOf(cards, ace);
  return `${soft ? "soft" : "hard"} ${total}`;
}
