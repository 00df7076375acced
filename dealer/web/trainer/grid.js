// The chart, and the heatmap of one's own errors: a grid of hands by upcards, one cell of which has the focus.

import { made } from "../shared/elements.js";
import { situationText, upcardName } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { UPCARDS } from "./charts.js";

const range = (/** @type {number} */ from, /** @type {number} */ to) =>
  Array.from({ length: to - from + 1 }, (_, at) => to - at);

/** @type {[part: "hard" | "soft" | "pairs", hands: string[]][]} */
const PARTS = [
  ["hard", range(5, 19).map((total) => `hard ${total}`)],
  ["soft", range(13, 20).map((total) => `soft ${total}`)],
  ["pairs", ["pair of A", ...range(2, 10).map((points) => `pair of ${points}`)]],
];

/** @param {number} upcard as it stands at the head of a column */
const letterOf = (upcard) => (upcard === 11 ? "A" : String(upcard));

/**
 * The content of a cell: `kind` is the letter of a decision, `level` the cost of mistakes there, from 0 to 5.
 *
 * @typedef {{ text: string, kind: string, level?: number, label: string }} Shown
 */

/**
 * Draw a grid. A cell that has the focus keeps it, though it is another element then.
 *
 * @param {HTMLElement} place
 * @param {(hand: string, upcard: number) => Shown | null} cell
 * @param {(hand: string, upcard: number) => void} look called when a cell gets the focus or the pointer
 */
export function drawGrid(place, cell, look) {
  const focused = /** @type {HTMLElement | null} */ (place.querySelector("td:focus"))?.dataset;
  place.replaceChildren(...PARTS.flatMap(([name, hands]) => part(name, hands, cell)));
  const cells = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("td[data-hand]")]);
  const same = cells.find(
    ({ dataset }) => dataset.hand === focused?.hand && dataset.upcard === focused?.upcard,
  );
  const first = same ?? cells[0];
  if (first) first.tabIndex = 0;
  /** @param {Event} event */
  const onLook = ({ target }) => {
    const found = target instanceof Element ? target.closest("td[data-hand]") : null;
    if (found instanceof HTMLElement) look(found.dataset.hand ?? "", Number(found.dataset.upcard));
  };
  place.onmouseover = onLook;
  place.onclick = onLook;
  for (const one of cells) one.onfocus = onLook;
  place.onkeydown = (event) => move(event, cells);
  same?.focus({ preventScroll: true });
}

/** @param {KeyboardEvent} event @param {HTMLElement[]} cells */
function move(event, cells) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -UPCARDS.length, ArrowDown: UPCARDS.length };
  const step = steps[/** @type {keyof typeof steps} */ (event.key)];
  const at = cells.indexOf(/** @type {HTMLElement} */ (event.target));
  const next = cells[at + (step ?? 0)];
  if (step === undefined || at < 0 || !next) return;
  event.preventDefault();
  for (const one of cells) one.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** @param {(typeof PARTS)[number][0]} name @param {string[]} hands @param {Parameters<typeof drawGrid>[1]} cell */
function part(name, hands, cell) {
  const rows = hands.filter((hand) => UPCARDS.some((upcard) => cell(hand, upcard) !== null));
  if (rows.length === 0) return [];
  const head = [header(text(`grid.${name}`), "col"), ...UPCARDS.map(upcardHeader)];
  const body = rows.map((hand) =>
    made(
      "tr",
      {},
      header(hand.replace(/^(hard|soft|pair of) /, ""), "row"),
      ...UPCARDS.map((upcard) => gridCell(hand, upcard, cell(hand, upcard))),
    ),
  );
  const label = text(`grid.label-${name}`);
  const parts = [made("thead", {}, made("tr", {}, ...head)), made("tbody", {}, ...body)];
  return [made("table", { class: "chart", role: "grid", "aria-label": label }, ...parts)];
}

/** @param {string} shown @param {string} scope */
function header(shown, scope) {
  return made("th", { scope }, shown);
}

/** @param {number} upcard */
function upcardHeader(upcard) {
  return made("th", { scope: "col", "aria-label": upcardName(upcard) }, letterOf(upcard));
}

/** @param {string} hand @param {number} upcard @param {Shown | null} shown */
function gridCell(hand, upcard, shown) {
  const kind = shown?.kind ? `kind-${shown.kind}` : shown?.level ? `heat-${shown.level}` : null;
  const label = shown?.label ?? text("grid.not-known", { situation: situationText(hand, upcard) });
  const attributes = { role: "gridcell", tabindex: -1, class: kind, "aria-label": label };
  return made("td", { ...attributes, "data-hand": hand, "data-upcard": upcard }, shown?.text ?? "");
}
