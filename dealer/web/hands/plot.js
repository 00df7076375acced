// Lines over rounds, as SVG: axes with round numbers, and a mark where each session begins.

import { drawn, made } from "../shared/elements.js";
import { rounded } from "../shared/numbers.js";
import { text } from "../shared/texts.js";

const MOST_POINTS = 800; // more than the plot has pixels on most screens
const MARGIN = { left: 56, right: 14, top: 12, bottom: 40 };

/**
 * Round numbers that cover a range, about `wanted` of them.
 *
 * @param {number} least
 * @param {number} most
 * @param {number} wanted
 * @param {number} [smallest] the least step, such as 1 for whole numbers
 * @returns {number[]} at least two, ascending; each is 1, 2 or 5 times a power of ten from the next
 */
export function ticksOf(least, most, wanted, smallest = 0) {
  const rough = Math.max((most - least) / wanted, smallest, 1e-9);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((each) => each * power >= rough * 0.999) ?? 10) * power;
  const first = Math.floor(least / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(most / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/**
 * The points of a long line that are drawn: the lowest and the highest of each stretch, the first and the last.
 *
 * @param {Point[]} line
 * @param {number} [most]
 */
export function thinned(line, most = MOST_POINTS) {
  if (line.length <= most) return line;
  const size = Math.ceil((2 * line.length) / (most - 2));
  const kept = new Set([line[0], line.at(-1)]);
  for (let from = 0; from < line.length; from += size) {
    const stretch = line.slice(from, from + size).sort((a, b) => a[1] - b[1]);
    kept.add(stretch[0]).add(stretch.at(-1));
  }
  return line.filter((point) => kept.has(point));
}

/**
 * Draw lines into an element, as wide as that is.
 *
 * @param {HTMLElement} element whose content is replaced
 * @param {Course} course
 */
export function drawPlot(element, course) {
  const { title, unit, lines } = course;
  const size = sizeOf(element);
  const scale = scaleOf(lines, size);
  const [, end] = lastOf(lines);
  const svg = drawn(
    "svg",
    {
      viewBox: `0 0 ${size.width} ${size.height}`,
      ...size,
      role: "img",
      "aria-label": descriptionOf(course),
    },
    ...axes(scale, size),
    ...marks(course, scale),
  );
  const caption = made("p", {}, text("plot.caption", { title, unit }), " ", made("strong", {}, shown(end)));
  element.replaceChildren(caption, svg);
}

/** @param {HTMLElement} element */
function sizeOf(element) {
  const width = Math.max(280, element.clientWidth);
  return { width, height: Math.round(Math.min(360, Math.max(180, width * 0.5))) };
}

/** @param {Point[][]} lines @returns {Point} */
function lastOf(lines) {
  return lines.at(-1)?.at(-1) ?? [0, 0];
}

/** @param {Course} course */
function descriptionOf({ title, unit, lines }) {
  const values = lines.flatMap((line) => line.map(([, value]) => value));
  const [count, end] = lastOf(lines);
  const [low, high] = [shown(Math.min(...values)), shown(Math.max(...values))];
  const sentence = text("plot.described", { title, unit, count, end: shown(end), low, high });
  return lines.length > 1 ? `${sentence} ${text("plot.lines", { count: lines.length })}` : sentence;
}

/**
 * Where values are in the picture, and the round numbers at its axes.
 *
 * @param {Point[][]} lines
 * @param {{ width: number, height: number }} size
 */
function scaleOf(lines, { width, height }) {
  const values = lines.flatMap((line) => line.map(([, value]) => value));
  const rows = ticksOf(Math.min(0, ...values), Math.max(0, ...values), height / 45);
  const columns = ticksOf(0, Math.max(1, lastOf(lines)[0]), width / 90, 1);
  const [low = 0, high = 1] = [rows[0], rows.at(-1)];
  const right = columns.at(-1) ?? 1;
  /** @param {number} at */
  const x = (at) => MARGIN.left + (at / right) * (width - MARGIN.left - MARGIN.right);
  /** @param {number} value */
  const y = (value) =>
    height - MARGIN.bottom - ((value - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
  return { rows, columns, x, y, low, high, right };
}

/** @typedef {ReturnType<typeof scaleOf>} Scale */

/** @param {Scale} scale @param {{ height: number }} size */
function axes({ rows, columns, x, y, low, right }, { height }) {
  const ends = { x1: x(0), x2: x(right) };
  return [
    ...rows.flatMap((value) => [
      drawn("line", { class: value === 0 ? "axis" : "grid", ...ends, y1: y(value), y2: y(value) }),
      label(shown(value), x(0) - 8, y(value) + 5, "end"),
    ]),
    ...columns.flatMap((at) => [
      drawn("line", { class: "axis", x1: x(at), x2: x(at), y1: y(low), y2: y(low) + 5 }),
      label(shown(at), x(at), y(low) + 19, at === right ? "end" : "middle"),
    ]),
    label(text("plot.rounds"), (x(0) + x(right)) / 2, height - 4, "middle"),
  ];
}

/** @param {Course} course @param {Scale} scale */
function marks({ lines, sessions, mistakes, streak }, { x, y, low, high }) {
  /** @param {Point[]} line */
  const path = (line) =>
    `M${thinned(line)
      .map(([at, value]) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
      .join("L")}`;
  const [rounds, end] = lastOf(lines);
  const begins = sessions.filter((each) => each > 0);
  return [
    ...begins.map((at) => drawn("line", { class: "session", x1: x(at), x2: x(at), y1: y(low), y2: y(high) })),
    ...(streak.length > 0 ? [drawn("path", { class: "streak", d: path(streak) })] : []),
    drawn("path", { class: "course", d: lines.map(path).join("") }),
    ...mistakes.map(([at, value]) => drawn("circle", { class: "mistake", cx: x(at), cy: y(value), r: 3.5 })),
    drawn("circle", { class: "end", cx: x(rounds), cy: y(end), r: 3.5 }),
  ];
}

/** @param {number} number */
function shown(number) {
  return rounded(number, 3);
}

/** @param {string} words @param {number} x @param {number} y @param {string} anchor */
function label(words, x, y, anchor) {
  return drawn("text", { x, y, "text-anchor": anchor }, words);
}
