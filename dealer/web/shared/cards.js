// The cards: 52 faces and a back, drawn as SVG. Every card is 100 wide and 140 high; the style sheet scales it.

import { cardName } from "./terms.js";

const SVG = "http://www.w3.org/2000/svg";

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
  const drawn = draw("svg", attributes, [paper, ...parts]);
  drawn.dataset.card = name;
  return drawn;
}

/** @param {string} rank @param {string} suit */
function face(rank, suit) {
  if (SUITS[suit] === undefined) return [];
  const middle = draw("g", { transform: "translate(20 0)" }, picture(rank, suit));
  return [index(rank, 21, 41, 46), pip(suit, 21, 62, 1.6), middle];
}

/** @param {string} rank @param {string} suit */
function picture(rank, suit) {
  if (HEADDRESS[rank] !== undefined) return court(rank, suit);
  if (rank === "Ace") return [pip(suit, 45, 88, 3.2)];
  return (PIPS[rank] ?? []).map(([x, y]) => pip(suit, x, y, y > 70 ? -1 : 1));
}

/** @param {string} rank @param {string} suit */
function court(rank, suit) {
  const hair = draw("path", { class: "hair", d: HAIR[rank] ?? "" });
  const head = draw("circle", { class: "skin", cx: 50, cy: 42, r: 9.5 });
  const half = [
    pip(suit, 33, 29, 0.8),
    draw("path", { class: "ink", d: "M26.5 70c0-10 10-14.5 23.5-14.5S73.5 60 73.5 70z" }),
    ...(rank === "King" ? [head, hair] : [hair, head]),
    draw("path", { class: "gold", d: "M40 56l10 5 10-5-4 14H44z" }),
    draw("path", { class: "gold", d: HEADDRESS[rank] ?? "" }),
    draw("path", { class: "eyes", d: "M46 40.5v2M54 40.5v2" }),
    pip(suit, 50, 65, 0.36),
  ];
  const frame = draw("rect", { class: "frame", x: 25, y: 16, width: 50, height: 108, rx: 3 });
  const turned = half.map((part) => part.cloneNode(true));
  return [frame, ...half, draw("g", { transform: "rotate(180 50 70)" }, turned)];
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

/** @param {string} rank @param {number} x @param {number} y @param {number} size */
function index(rank, x, y, size) {
  const written = INDEX[rank] ?? String(NUMBERS.indexOf(rank) + 1);
  const attributes = { class: "index", x, y, "font-size": size, "text-anchor": "middle" };
  // 10, the only index with two digits, is made as narrow as the others.
  const narrow = { textLength: size * 0.92, lengthAdjust: "spacingAndGlyphs" };
  const text = draw("text", written.length > 1 ? { ...attributes, ...narrow } : attributes);
  text.textContent = written;
  return text;
}

/** @param {string} suit @param {number} x @param {number} y @param {number} scale negative for upside down */
function pip(suit, x, y, scale) {
  const transform = `translate(${x} ${y}) scale(${scale})`;
  return draw("path", { class: "pip", d: SUITS[suit] ?? "", transform });
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {Node[]} children
 * @returns {SVGElement}
 */
function draw(tag, attributes, children = []) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return /** @type {SVGElement} */ (element);
}
