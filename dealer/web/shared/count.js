// Counting cards by Hi-Lo, and grading an answer. Pure.

export const CARDS_OF_A_DECK = 52;
const LOW = ["Two", "Three", "Four", "Five", "Six"];
const HIGH = ["Ten", "Jack", "Queen", "King", "Ace"];

/** The most that an answer for the true count may differ from the quotient: the nearest whole is right, or half. */
export const TOLERANCE = 0.5;

/**
 * The tag of a card by Hi-Lo: +1 for 2 to 6, 0 for 7 to 9, -1 for tens and aces.
 *
 * @param {string} card such as `Ten of Spades`
 */
export function tagOf(card) {
  const rank = card.split(" of ")[0] ?? "";
  return LOW.includes(rank) ? 1 : HIGH.includes(rank) ? -1 : 0;
}

/** @param {string[]} cards */
export function runningCount(cards) {
  return cards.reduce((sum, card) => sum + tagOf(card), 0);
}

/**
 * The running count for each deck of the cards that have not been seen.
 *
 * @param {number} running
 * @param {number} unseen cards, more than 0
 */
export function trueCount(running, unseen) {
  return (running * CARDS_OF_A_DECK) / unseen;
}

/**
 * @param {number} answer
 * @param {number} exact
 */
export function isTrueCount(answer, exact) {
  return Math.abs(answer - exact) <= TOLERANCE + 1e-9;
}
