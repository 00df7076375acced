// The learning curve: the value of the table by the rounds learned, beside the best chart.

import { drawn } from "./shared/elements.js";
import { LANGUAGE, rounded } from "./shared/numbers.js";

/**
 * @typedef {import("./types.js").Point} Point
 * @typedef {readonly [number, number]} Place
 */

const ROUNDS = new Intl.NumberFormat(LANGUAGE, { notation: "compact" });

const LEFT = 62;
const RIGHT = 470;
const TOP = 10;
const BOTTOM = 210;

/**
 * The scale of rounds: whole decades, from the first point to the last.
 * @param {readonly number[]} rounds
 */
function decades(rounds) {
  const first = Math.floor(Math.log10(Math.min(...rounds)));
  const last = Math.max(Math.ceil(Math.log10(Math.max(...rounds))), first + 1);
  return { first, last };
}

/**
 * Draw the curve in place of the one before.
 * @param {SVGSVGElement} svg
 * @param {readonly Point[]} points
 * @param {readonly Place[]} payoffs
 */
export function drawCurve(svg, points, payoffs) {
  // Before the first point, a mean of a few rounds would set the scale.
  const start = points[0]?.rounds ?? 1;
  const means = payoffs.filter(([rounds]) => rounds >= start);
  const { first, last } = decades([
    ...points.map(({ rounds }) => rounds),
    ...means.map(([rounds]) => rounds),
  ]);
  const values = [
    ...points.flatMap((point) => [point.value, point.best_chart]),
    ...means.map(([, mean]) => mean),
  ];
  const low = Math.floor(Math.min(...values) * 20) / 20;
  const high = Math.max(Math.ceil(Math.max(...values) * 20) / 20, low + 0.05);
  /** @param {number} rounds */
  const across = (rounds) => LEFT + ((Math.log10(rounds) - first) / (last - first)) * (RIGHT - LEFT);
  /** @param {number} value */
  const down = (value) => BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP);
  /** @param {string} name @param {readonly Place[]} places */
  const path = (name, places) =>
    drawn("path", {
      class: name,
      d: places
        .map(([x, y], at) => `${at ? "L" : "M"}${across(x).toFixed(1)} ${down(y).toFixed(1)}`)
        .join(""),
    });

  /** @type {SVGElement[]} */
  const parts = [0, 0.5, 1].flatMap((part) => {
    const value = low + part * (high - low);
    const y = down(value);
    return [
      drawn("line", { class: "grid", x1: LEFT, x2: RIGHT, y1: y, y2: y }),
      drawn("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, rounded(value, 2, 2)),
    ];
  });
  for (let decade = first; decade <= last; decade += 1) {
    const x = across(10 ** decade);
    const anchor = decade === last ? "end" : "middle";
    parts.push(
      drawn("line", { class: "grid", x1: x, x2: x, y1: TOP, y2: BOTTOM }),
      drawn("text", { x, y: BOTTOM + 18, "text-anchor": anchor }, ROUNDS.format(10 ** decade)),
    );
  }
  const best = points[0]?.best_chart ?? 0;
  parts.push(
    path("best-chart", [
      [10 ** first, best],
      [10 ** last, best],
    ]),
    path("payoff", means),
    path(
      "value",
      points.map(({ rounds, value }) => [rounds, value]),
    ),
  );
  svg.replaceChildren(...parts);
  const newest = points.at(-1);
  if (newest) {
    svg.setAttribute(
      "aria-label",
      `After ${rounded(newest.rounds)} rounds the table is worth ${rounded(newest.value, 4, 4)},` +
        ` ${rounded(newest.gap, 4, 4)} less than the best chart`,
    );
  }
}
