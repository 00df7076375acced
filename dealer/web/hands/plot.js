// Lines over rounds, as SVG: axes with round numbers, and a mark where each session begins.

const SVG = "http://www.w3.org/2000/svg";
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
 * What of a long line is drawn: of each stretch its lowest and its highest point, and the first and the last.
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
export function drawPlot(element, { title, unit, lines, sessions }) {
  const values = lines.flatMap((line) => line.map(([, value]) => value));
  const [rounds, end] = lines.at(-1)?.at(-1) ?? [0, 0];
  const width = Math.max(280, element.clientWidth);
  const height = Math.round(Math.min(300, Math.max(180, width * 0.4)));
  const rows = ticksOf(Math.min(0, ...values), Math.max(0, ...values), height / 45);
  const columns = ticksOf(0, Math.max(1, rounds), width / 90, 1);
  const [low = 0, high = 1] = [rows[0], rows.at(-1)];
  const right = columns.at(-1) ?? 1;
  /** @param {number} at */
  const x = (at) => MARGIN.left + (at / right) * (width - MARGIN.left - MARGIN.right);
  /** @param {number} value */
  const y = (value) =>
    height - MARGIN.bottom - ((value - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
  const svg = draw("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": `${title}, ${unit}, over ${rounds} ${rounds === 1 ? "round" : "rounds"}: it ends at ${text(end)}, the lowest is ${text(Math.min(...values))}, the highest ${text(Math.max(...values))}${lines.length > 1 ? `; ${lines.length} lines, each from where it began anew` : ""}.`,
  });
  for (const value of rows) {
    const attributes = {
      class: value === 0 ? "axis" : "grid",
      x1: x(0),
      x2: x(right),
      y1: y(value),
      y2: y(value),
    };
    svg.append(draw("line", attributes), label(text(value), x(0) - 8, y(value) + 5, "end"));
  }
  for (const at of columns) {
    svg.append(draw("line", { class: "axis", x1: x(at), x2: x(at), y1: y(low), y2: y(low) + 5 }));
    svg.append(label(text(at), x(at), y(low) + 19, at === right ? "end" : "middle"));
  }
  for (const at of sessions.filter((each) => each > 0)) {
    svg.append(draw("line", { class: "session", x1: x(at), x2: x(at), y1: y(low), y2: y(high) }));
  }
  const paths = lines.map((line) => {
    const points = thinned(line).map(([at, value]) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`);
    return `M${points.join("L")}`;
  });
  svg.append(draw("path", { class: "course", d: paths.join("") }));
  svg.append(draw("circle", { class: "end", cx: x(rounds), cy: y(end), r: 3.5 }));
  svg.append(label("rounds", (x(0) + x(right)) / 2, height - 4, "middle"));
  const caption = Object.assign(document.createElement("p"), { textContent: `${title}, ${unit}: ` });
  caption.append(Object.assign(document.createElement("strong"), { textContent: text(end) }));
  element.replaceChildren(caption, svg);
}

/** @param {number} number */
function text(number) {
  return number.toLocaleString("en", { maximumFractionDigits: 3 }).replace("-", "−");
}

/** @param {string} textContent @param {number} x @param {number} y @param {string} anchor */
function label(textContent, x, y, anchor) {
  return Object.assign(draw("text", { x, y, "text-anchor": anchor }), { textContent });
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}
