// Where everything lies on a felt of this size: boxes that never overlap, whatever is written in them. No document here.
//
// A wide felt is a table: the dealer at the top, you at the bottom, the others on a curve along both sides. A high one
// has rows: the dealer, the others, you. Where the cards of the others would be too small, each of them is one line.

import {
  clamp,
  HIGH,
  heightFor,
  LEAST,
  leastHeight,
  line,
  middleOf,
  ownPlace,
  PRINT,
  placed,
  SHARE,
} from "./measures.js";

const OWN = { fewRows: 0.47, manyRows: 0.42 }; // the part of a high felt's height that is yours where others play too

/**
 * @typedef {import("./measures.js").Box} Box
 * @typedef {import("./measures.js").SeatBox} SeatBox
 * @typedef {import("./measures.js").Room} Room
 * @typedef {{ dealer: SeatBox, seats: SeatBox[], middle: Box, room: Room, text: number }} Lying
 * @typedef {Lying & { shoe: Box | null }} Boxes
 * @typedef {{ width: number, height: number, em: number }} Felt its inside, and the size of the page's text
 * @typedef {{ count: number, own: number, hasDealer: boolean, isWaiting: boolean }} Round `own` is the seat at the bottom
 */

/**
 * The places of 1 to 9 seats, in the order of the seats; those of the others go up the left side and down the right.
 *
 * @param {Felt} felt
 * @param {Round} round
 * @returns {Boxes}
 */
export function placesOn(felt, round) {
  if (round.isWaiting) return { ...waiting(felt, round), shoe: null };
  const isWide = felt.width > 1.15 * felt.height;
  const found = (isWide ? ring(felt, round) : null) ?? rows(felt, round) ?? listed(felt, round);
  return { ...found, seats: turned(found.seats, round), shoe: shoeBeside(felt, found) };
}

/**
 * The shoe in its corner; null where a seat lies there.
 *
 * @param {Felt} felt
 * @param {Lying} lying
 */
function shoeBeside({ width, em }, { dealer, seats }) {
  const wide = Math.min(0.14 * width, 4.4 * em, dealer.height / 1.5);
  const shoe = { left: width - wide - em, top: 0.5 * em, width: wide, height: 1.2 * wide };
  return [dealer, ...seats].some((box) => meets(box, shoe)) ? null : shoe;
}

/** @param {Box} one @param {Box} other */
function meets(one, other) {
  const across = one.left < other.left + other.width && other.left < one.left + one.width;
  return across && one.top < other.top + other.height && other.top < one.top + one.height;
}

/** @param {SeatBox[]} around from the bottom @param {Round} round */
function turned(around, { count, own }) {
  return around.map((_, number) => /** @type {SeatBox} */ (around[(number - own + count) % count]));
}

/** @param {Felt} felt @param {Round} round @returns {Lying | null} null where seats would be too small */
function ring({ width, height, em }, { count, hasDealer }) {
  const text = clamp(Math.min(width / 75, height / 36), 0.75 * em, 1.25 * em);
  const others = count - 1;
  const atTop = !hasDealer && others % 2 === 1 ? 1 : 0;
  const onSide = Math.ceil((others - atTop) / 2);
  const aside = clamp(0.27 * width, LEAST.narrow * text, 24 * text);
  const side = onSide === 0 ? 0 : aside;
  const isLow = height < 24 * em;
  const top = Math.floor((isLow ? 0.3 : 0.28) * height);
  const high = (others === 0 ? 0.56 : 0.45) * height;
  const bottom = Math.floor(isLow ? 0.7 * height - PRINT.line * text : high);
  const room = width - 2 * side;
  if (room < LEAST.narrow * text) return null;
  const across = Math.min(room, SHARE * (bottom / HIGH), 60 * text);
  const ownWidth = Math.max(across, Math.min(room, 44 * text));
  const inset = (room - ownWidth) / 2;
  const box = { left: (width - ownWidth) / 2, top: height - bottom, width: ownWidth, height: bottom };
  const own = ownPlace(box, text, width - 2 * aside);
  const down = Math.min(height / Math.max(1, onSide), heightFor(side, text, own));
  if (onSide > 0 && down < leastHeight(text)) return null;
  /** @param {number} at @param {number} sides how many share that side @param {boolean} isLeft */
  const spot = (at, sides, isLeft) => {
    const middle = height * (1 - (at + 0.5) / sides);
    const x = inset * (1 - Math.sin((Math.PI * middle) / height)); // the curve
    const from = isLeft ? x : width - side - x;
    return placed({ left: from, top: middle - down / 2, width: side, height: down }, text);
  };
  const left = Math.ceil((others - atTop) / 2);
  const right = others - atTop - left;
  const dealer = placed({ left: (width - ownWidth) / 2, top: 0, width: ownWidth, height: top }, text);
  const free = height - top - bottom;
  return {
    text,
    dealer,
    seats: [
      own,
      ...Array.from({ length: left }, (_, at) => spot(at, left, true)),
      ...(atTop ? [dealer] : []),
      ...Array.from({ length: right }, (_, at) => spot(right - 1 - at, right, false)),
    ],
    ...middleOf({ left: (width - ownWidth) / 2, top, width: ownWidth, height: free }, dealer, text),
  };
}

/** @param {Felt} felt @param {Round} round @returns {Lying | null} null where seats would be too small */
function rows(felt, { count }) {
  const { width, height } = felt;
  const text = lettersOn(felt);
  const others = count - 1;
  const columns = Math.min(others, Math.floor(width / (LEAST.narrow * text)));
  if (others > 0 && columns < 1) return null;
  const deep = others === 0 ? 0 : Math.ceil(others / columns);
  const perRow = Math.ceil(others / Math.max(1, deep));
  const top = Math.floor(Math.max((others === 0 ? 0.3 : 0.2) * height, leastHeight(text, 1)));
  const print = PRINT.line * text;
  const least = ownHeight(height, text, deep);
  const alone = Math.min(height - top, Math.max(least, height - top - print));
  const own = ownBelow(felt, text, others === 0 ? alone : least);
  // Where there are many rows, the print is beside the dealer.
  const rest = height - top - own.height - (deep > 1 ? 0 : print);
  const down = Math.min(rest / Math.max(1, deep), heightFor(width / Math.max(1, perRow), text, own));
  if (others > 0 && down < leastHeight(text)) return null;
  return stacked(felt, text, top, own, { down, perRow, others, form: null });
}

/** @param {Felt} felt */
function lettersOn({ width, em }) {
  return clamp(width / 46, 0.75 * em, 1.1 * em);
}

/** @param {Felt} felt @param {Round} round @returns {Lying} */
function listed(felt, { count }) {
  const { width, height, em } = felt;
  const text = Math.max(12, Math.min(0.75 * em, width / LEAST.line));
  const others = count - 1;
  const perRow = clamp(Math.floor(width / (LEAST.line * text)), 1, Math.max(1, others));
  const down = line(text) + 2;
  const rest = height - down * Math.ceil(others / perRow);
  const top = Math.max(0.35 * rest, leastHeight(text, 1));
  const own = ownBelow(felt, lettersOn(felt), Math.min(rest - top, ownHeight(height, lettersOn(felt), 2)));
  return stacked(felt, text, top, own, { down, perRow, others, form: "line" });
}

/**
 * Your height on a high felt where others play: it is the same for any number in as many rows.
 *
 * @param {number} height
 * @param {number} text
 * @param {number} deep the rows of the others
 */
function ownHeight(height, text, deep) {
  return Math.max((deep > 1 ? OWN.manyRows : OWN.fewRows) * height, leastHeight(1.3 * text, 2) + 2 * text);
}

/**
 * You across the whole felt, no higher than your cards can fill.
 *
 * @param {Felt} felt
 * @param {number} text
 * @param {number} most
 */
function ownBelow({ width, height }, text, most) {
  const high = Math.min(most, HIGH * (width / SHARE) + 3 * line(1.3 * text));
  return ownPlace({ left: 0, top: height - high, width, height: high }, text, width);
}

/**
 * The dealer, the others in rows, and you.
 *
 * @param {Felt} felt
 * @param {number} text
 * @param {number} top the dealer's height
 * @param {SeatBox} own
 * @param {{ down: number, perRow: number, others: number, form: "line" | null }} grid
 * @returns {Lying}
 */
function stacked({ width, height }, text, top, own, { down, perRow, others, form }) {
  const deep = others === 0 ? 0 : Math.ceil(others / perRow);
  const seats = Array.from({ length: others }, (_, at) => {
    const row = Math.floor(at / perRow);
    const inRow = Math.min(perRow, others - row * perRow);
    const each = width / (form === "line" ? perRow : Math.max(inRow, perRow - 1));
    const left = form === "line" ? 0 : (width - inRow * each) / 2;
    const box = { left: left + (at % perRow) * each, top: top + row * down, width: each, height: down };
    return form === null ? placed(box, text) : { ...box, text, form };
  });
  const aside = clamp(6.4 * text, 0.24 * width, 0.35 * width); // room for a word of the print
  const dealer = placed({ left: aside, top: 0, width: width - 2 * aside, height: top }, text);
  const below = top + deep * down;
  const free = { left: 0, top: below, width, height: height - below - own.height };
  return { text, dealer, seats: [own, ...seats], ...middleOf(free, dealer, text) };
}

/**
 * The invitation takes the felt, below a line for each seat.
 *
 * @param {Felt} felt
 * @param {Round} round
 * @returns {Lying}
 */
function waiting({ width, height, em }, { count }) {
  const text = 0.85 * em;
  const perRow = clamp(Math.floor(width / (LEAST.line * text)), 1, count);
  const down = line(text) + 4;
  const each = width / perRow;
  const top = 0.4 * em;
  /** @type {SeatBox[]} */
  const seats = Array.from({ length: count }, (_, at) => ({
    ...{ left: (at % perRow) * each, top: top + Math.floor(at / perRow) * down, width: each, height: down },
    ...{ text, form: "line" },
  }));
  const below = top + Math.ceil(count / perRow) * down;
  const middle = { left: 0, top: below, width, height: height - below };
  const dealer = placed({ left: 0, top: 0, width: 0, height: 0 }, text);
  return { text, dealer, seats, middle, room: "all" };
}
