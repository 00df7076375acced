// Chips: which ones lie for a bet, how they are drawn, and which ones are offered to bet with.

import { drawn as draw } from "../shared/elements.js";

const VALUES = [10000, 5000, 1000, 500, 100, 25, 10, 5, 1];
const MOST_DRAWN = 6;
const MOST_OFFERED = 5;

/**
 * The chips of an amount, the largest first; a part of a chip has none.
 *
 * @param {number} amount in chips
 * @returns {number[]} at most six: the largest ones stand for the rest
 */
export function chipsOf(amount) {
  const chips = [];
  let left = amount;
  for (const value of VALUES) {
    while (left >= value && chips.length < MOST_DRAWN) {
      chips.push(value);
      left -= value;
    }
  }
  return chips;
}

/**
 * The values that are offered to put a bet together.
 *
 * @param {Limits} limits
 * @returns {number[]} at most five, the smallest first
 */
export function offered({ minimum, maximum, bankroll }) {
  const most = Math.min(maximum, Number(bankroll));
  const fitting = VALUES.filter((value) => value <= most && value >= minimum / 5);
  return fitting.slice(0, MOST_OFFERED).reverse();
}

/**
 * A stack of chips, seen from above the table's edge.
 *
 * @param {number} amount in chips
 * @returns {SVGElement}
 */
export function stack(amount) {
  const chips = chipsOf(amount);
  const key = chips.join(" ");
  const known = stacks.get(key) ?? drawStack(chips);
  stacks.set(key, known);
  return /** @type {SVGElement} */ (known.cloneNode(true));
}

/** Each stack that was drawn once: many bets are alike. @type {Map<string, SVGElement>} by its chips */
const stacks = new Map();

/** @param {number[]} chips */
function drawStack(chips) {
  const height = 17 + 5 * Math.max(0, chips.length - 1);
  const drawn = draw("svg", { class: "stack", viewBox: `0 0 28 ${height}`, "aria-hidden": "true" });
  drawn.style.setProperty("--height", String(height));
  chips.forEach((value, number) => {
    const top = height - 17 - 5 * number;
    const chip = draw("g", { class: "chip", "data-value": String(value) });
    const [side, edge] = [`M1 ${top + 7}v3a13 6.5 0 0 0 26 0v-3z`, `M5 ${top + 14}v-3m9 5v-3m9 1v-3`];
    chip.append(draw("path", { class: "side", d: side }), draw("path", { class: "mark", d: edge }));
    chip.append(draw("ellipse", { class: "side", cx: "14", cy: String(top + 7), rx: "13", ry: "6.5" }));
    chip.append(draw("ellipse", { class: "mark", cx: "14", cy: String(top + 7), rx: "9", ry: "4.2" }));
    drawn.append(chip);
  });
  return drawn;
}
