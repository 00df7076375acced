// The cards: 52 faces and a back, drawn as SVG. Every card is 100 wide and 140 high; the style sheet scales it.

import { drawn as draw } from "./elements.js";
import { cardName } from "./terms.js";

// Each suit, centred on (0, 0) and reaching 9 up and 9 down.
/** @type {Record<string, string>} */
const SUITS = {
  Clubs:
    "M0-9a4.1 4.1 0 0 1 3.2 6.6A4.1 4.1 0 1 1 1 3.8C1.2 6 2 8 3.4 9h-6.8C-2 8-1.2 6-1 3.8A4.1 4.1 0 1 1-3.2-2.4 4.1 4.1 0 0 1 0-9z",
  Diamonds: "M0-9.5Q3-4 7 0 3 4 0 9.5-3 4-7 0-3-4 0-9.5z",
  Hearts: "M0 9C-11 1-10-8-4.8-8-2.2-8 0-6.2 0-4 0-6.2 2.2-8 4.8-8 10-8 11 1 0 9z",
  Spades:
    "M0-9.5C11-1 9.6 6 5 6 3 6 1.4 5 .8 3.4 1 6 1.9 8 3.4 9h-6.8C-1.9 8-1 6-.8 3.4-1.4 5-3 6-5 6-9.6 6-11-1 0-9.5z",
};

/** @type {Record<string, string>} */
const INDEX = { Ace: "A", Ten: "10", Jack: "J", Queen: "Q", King: "K" };
const NUMBERS = ["Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/** @type {Point[]} */ // biome-ignore format: points on one line
const CORNERS = [[34, 30], [66, 30], [34, 110], [66, 110]];
/** @type {Point[]} */
const SIX = [...CORNERS, [34, 70], [66, 70]];
/** @type {Point[]} */
const EIGHT = [...CORNERS, [34, 56.7], [66, 56.7], [34, 83.3], [66, 83.3]];
/** @type {Record<string, Point[]>} */ // biome-ignore format: points on one line
const PIPS = {
  Two: [[50, 30], [50, 110]],
  Three: [[50, 30], [50, 70], [50, 110]],
  Four: CORNERS,
  Five: [...CORNERS, [50, 70]],
  Six: SIX,
  Seven: [...SIX, [50, 50]],
  Eight: [...SIX, [50, 50], [50, 90]],
  Nine: [...EIGHT, [50, 70]],
  Ten: [...EIGHT, [50, 43.3], [50, 96.7]],
};

/** @type {Record<string, string>} */
const HEADDRESS = {
  King: "M41 34 39 21l6 6 5-8 5 8 6-6-2 13z",
  Queen: "M41 34q-3-7-2-12 3 4 5 5 2-6 6-9 4 3 6 9 2-1 5-5 1 5-2 12z",
  Jack: "M40 35q-2-10 8-12 10-2 15 3l-3 9z",
};
const HEAD = "M40.5 42a9.5 9.5 0 1 0 19 0 9.5 9.5 0 1 0-19 0z";
/** @type {Record<string, string>} */
const HAIR = {
  King: "M41 44q-1 14 9 16 10-2 9-16-4 5-9 5t-9-5z", // a beard, in front of the face
  Queen: "M39 36q-4 12-1 20h24q3-8-1-20z",
  Jack: "M40 36q-2 8 0 13h20q2-5 0-13z",
};

/**
 * Draw a card. Its large index is in the corner that stays in sight when cards overlap; the rest is to the right of it.
 *
 * @param {string | null} name such as `Ten of Spades`; null for a face-down card
 * @returns {SVGElement}
 */
export function card(name) {
  const known = DRAWN.get(name) ?? drawCard(name);
  DRAWN.set(name, known);
  return /** @type {SVGElement} */ (known.cloneNode(true));
}

/** Each card that was drawn once: many lie on a table, and its paths are long. @type {Map<string | null, SVGElement>} */
const DRAWN = new Map();

/** @param {string | null} name */
function drawCard(name) {
  if (name === null) return framed("face-down", cardName(null), back());
  const [rank = "", suit = ""] = name.split(" of ");
  const drawn = framed(name, cardName(name), face(rank, suit));
  drawn.dataset.suit = suit;
  return drawn;
}

/** @param {string} name @param {string} label @param {SVGElement[]} parts */
function framed(name, label, parts) {
  const attributes = { class: "card", viewBox: "0 0 100 140", role: "img", "aria-label": label };
  const paper = draw("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 });
  const drawn = draw("svg", attributes, paper, ...parts);
  drawn.dataset.card = name;
  return drawn;
}

/**
 * The text in the corner of a card: `10`, `A`; nothing on one that is face down.
 *
 * @param {string | null} name
 */
export function indexOf(name) {
  const rank = name?.split(" ")[0] ?? "";
  const at = NUMBERS.indexOf(rank);
  return INDEX[rank] ?? (at < 0 ? "" : String(at + 1));
}

/** @param {string} rank @param {string} suit */
function face(rank, suit) {
  if (SUITS[suit] === undefined) return [];
  return [index(rank), ...picture(rank, suit)];
}

// Shapes of one colour are one path: many cards lie on a table, and each element costs time.
/** @param {string} rank @param {string} suit */
function picture(rank, suit) {
  const corner = pip(suit, 21, 62, 1.6);
  if (HEADDRESS[rank] !== undefined) return court(rank, suit, corner);
  const places =
    rank === "Ace"
      ? [pip(suit, 65, 88, 3.2)]
      : (PIPS[rank] ?? []).map(([x, y]) => pip(suit, x + 20, y, y > 70 ? -1 : 1));
  return [path("pip", corner, ...places)];
}

/** @param {string} rank @param {string} suit @param {string} corner */
function court(rank, suit, corner) {
  const hair = path("hair", ...twice(HAIR[rank] ?? ""));
  const head = path("skin", ...twice(HEAD));
  return [
    draw("rect", { class: "frame", x: 45, y: 16, width: 50, height: 108, rx: 3 }),
    path("pip", corner, ...twice(pip(suit, 33, 29, 0.8))),
    path("ink", ...twice("M26.5 70c0-10 10-14.5 23.5-14.5S73.5 60 73.5 70z")),
    ...(rank === "King" ? [head, hair] : [hair, head]),
    path("gold", ...twice("M40 56l10 5 10-5-4 14H44z"), ...twice(HEADDRESS[rank] ?? "")),
    path("eyes", ...twice("M46 40.5v2M54 40.5v2")),
    path("badge", ...twice(pip(suit, 50, 65, 0.36))),
  ];
}

/** @param {string} d of the upper half of a picture: it and the lower one, beside the index */
function twice(d) {
  return [moved(d, 20, 0, 1), moved(d, 120, 140, -1)];
}

function back() {
  const diamonds = [];
  for (let x = 20; x <= 80; x += 20) {
    for (let y = 10; y <= 110; y += 20) diamonds.push(`M${x} ${y}l10 10-10 10-10-10z`);
  }
  return [
    draw("rect", { class: "back", x: 7, y: 7, width: 86, height: 126, rx: 5 }),
    draw("path", { class: "lattice", d: diamonds.join("") }),
  ];
}

/** @param {string} rank */
function index(rank) {
  const written = indexOf(rank);
  const attributes = { class: "index", x: 21, y: 41, "font-size": 46, "text-anchor": "middle" };
  // 10, the only index with two digits, is made as narrow as the others.
  const narrow = { textLength: 42, lengthAdjust: "spacingAndGlyphs" };
  const text = draw("text", written.length > 1 ? { ...attributes, ...narrow } : attributes);
  text.textContent = written;
  return text;
}

/** @param {string} suit @param {number} x @param {number} y @param {number} scale negative for upside down */
function pip(suit, x, y, scale) {
  return moved(SUITS[suit] ?? "", x, y, scale);
}

// The numbers after each command of a path: across, down, radii, and what stays as it is.
/** @type {Record<string, string>} */
const ROLES = { m: "xy", l: "xy", h: "x", v: "y", c: "xyxyxy", s: "xyxy", q: "xyxy", a: "rr---xy", z: "" };

/**
 * A path that is scaled about (0, 0), and then moved.
 *
 * @param {string} d
 * @param {number} x
 * @param {number} y
 * @param {number} scale negative for upside down
 */
export function moved(d, x, y, scale) {
  return d.replace(/([a-z])([^a-z]*)/gi, (_, /** @type {string} */ command, /** @type {string} */ rest) => {
    const roles = ROLES[command.toLowerCase()] ?? "";
    const isAbsolute = command === command.toUpperCase();
    /** @type {Record<string, (number: number) => number>} */
    const change = {
      x: (number) => scale * number + (isAbsolute ? x : 0),
      y: (number) => scale * number + (isAbsolute ? y : 0),
      r: (number) => Math.abs(scale) * number,
    };
    const numbers = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const changed = numbers.map((one, at) => change[roles[at % roles.length] ?? ""]?.(one) ?? one);
    return command + changed.map((one) => Math.round(100 * one) / 100).join(" ");
  });
}

/** @param {string} name @param {string[]} parts */
function path(name, ...parts) {
  return draw("path", { class: name, d: parts.join("") });
}
