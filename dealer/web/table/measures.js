// The measures of what lies on the felt, in the size of its text: cards, lines, seats, and the print. No document here.

const LINE = 1.4; // the height of a line, times the size of its text
export const HIGH = 1.4; // the height of a card, times its width
const SMALLEST_CARD = 22; // pixels across
export const SHARE = 2.4; // a hand as wide as this many cards has room for five, overlapping
/** The height of what is printed in the middle, times the size of the text: all of it, and one line. */
export const PRINT = { all: 5, line: 2.4 };
/** The least width of a seat, times the size of its text: for a total and the longest amount; for a line with four totals. */
export const LEAST = { narrow: 10.1, wide: 16.5, line: 18.5 };

/**
 * @typedef {{ left: number, top: number, width: number, height: number }} Box in pixels from the felt's corner
 * @typedef {Box & { text: number, form: "wide" | "narrow" | "line" }} SeatBox
 * @typedef {"all" | "line" | "beside"} Room that the middle has: for all, for a line, or only beside the dealer
 */

/**
 * Whether each of several hands has room for a line with what it pays.
 *
 * @param {SeatBox} place
 * @param {number} hands
 */
export function isRoomy({ width, height, text }, hands) {
  return width / hands >= 8 * text && height >= 12 * text;
}

/**
 * The width of a card at a place.
 *
 * @param {SeatBox} place
 * @param {number} hands how many hands share it
 * @param {number} lines of text that are below the cards
 */
export function cardWidth({ width, height, text, form }, hands, lines) {
  if (form === "line") return 0;
  const pad = text / 2;
  const high = (height - pad - lines * line(text) - (hands > 1 ? text / 4 : 0)) / HIGH;
  const across = hands > 1 ? ((width - pad) / hands - text / 2) / 1.72 : (width - pad) / SHARE;
  return Math.max(8, Math.floor(Math.min(high, across)));
}

/** @param {number} text */
export function line(text) {
  return Math.ceil(LINE * text);
}

/**
 * The height that a hand of the others needs: no card of theirs is larger than yours.
 *
 * @param {number} width of their place
 * @param {number} text
 * @param {SeatBox} own
 */
export function heightFor(width, text, own) {
  const card = Math.min((width - text / 2) / SHARE, cardWidth(own, 1, 2));
  return HIGH * card + 2 * line(text) + text / 2;
}

/** @param {number} value @param {number} least @param {number} most */
export function clamp(value, least, most) {
  return Math.max(least, Math.min(most, value));
}

/** @param {number} text @param {number} lines */
export function leastHeight(text, lines = 2) {
  return Math.ceil(HIGH * SMALLEST_CARD + lines * line(text) + text / 2);
}

/** @param {Box} box @param {number} text @returns {SeatBox} */
export function placed(box, text) {
  return { ...box, text, form: box.width >= LEAST.wide * text ? "wide" : "narrow" };
}

/**
 * You at the bottom, in larger letters where there is room for them.
 *
 * @param {Box} box
 * @param {number} text
 * @param {number} width that is left where others play
 */
export function ownPlace(box, text, width) {
  return placed(box, clamp(Math.min(width / 17, box.height / 9), text, 1.3 * text));
}

/**
 * The empty room between the cards; where no line of print has room there, beside the dealer.
 *
 * @param {Box} free
 * @param {SeatBox} dealer
 * @param {number} text
 * @returns {{ middle: Box, room: Room }}
 */
export function middleOf(free, dealer, text) {
  if (free.height >= PRINT.all * text) return { middle: free, room: "all" };
  if (free.height >= PRINT.line * text - 1) return { middle: free, room: "line" };
  return { middle: { left: 0, top: 0, width: dealer.left, height: dealer.height }, room: "beside" };
}
