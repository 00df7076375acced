// The chart, and the heatmap of one's own errors: a grid of hands by upcards, one cell of which has the focus.

import { UPCARDS } from "./charts.js";

/** What stands in a cell for each decision. @type {Record<string, string>} */
export const LETTERS = { HIT: "H", STAND: "S", DOUBLE: "D", SPLIT: "P", SURRENDER: "R" };

const range = (/** @type {number} */ from, /** @type {number} */ to) =>
  Array.from({ length: to - from + 1 }, (_, at) => to - at);

/** @type {[title: string, hands: string[]][]} */
const PARTS = [
  ["Hard", range(5, 19).map((total) => `hard ${total}`)],
  ["Soft", range(13, 20).map((total) => `soft ${total}`)],
  ["Pairs", ["pair of A", ...range(2, 10).map((points) => `pair of ${points}`)]],
];

/** @param {number} upcard */
export const upcardName = (upcard) => (upcard === 11 ? "A" : String(upcard));

/**
 * Draw a grid.
 *
 * @param {HTMLElement} place
 * @param {(hand: string, upcard: number) => { text: string, kind: string, heat?: number, label: string } | null} cell
 * @param {(hand: string, upcard: number) => void} look called when a cell gets the focus or the pointer
 */
export function drawGrid(place, cell, look) {
  place.replaceChildren(...PARTS.flatMap(([title, hands]) => part(title, hands, cell)));
  const cells = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("td[data-hand]")]);
  const first = cells.find((one) => one.dataset.marked === "true") ?? cells[0];
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

/** @param {string} title @param {string[]} hands @param {Parameters<typeof drawGrid>[1]} cell */
function part(title, hands, cell) {
  const rows = hands.filter((hand) => UPCARDS.some((upcard) => cell(hand, upcard) !== null));
  if (rows.length === 0) return [];
  const table = document.createElement("table");
  table.className = "chart";
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", `${title} hands by the dealer's upcard`);
  const head = table.createTHead().insertRow();
  head.append(header(title, "col"), ...UPCARDS.map((upcard) => header(upcardName(upcard), "col")));
  const body = table.createTBody();
  for (const hand of rows) {
    const row = body.insertRow();
    row.append(header(hand.replace(/^(hard|soft|pair of) /, ""), "row"));
    for (const upcard of UPCARDS) fill(row.insertCell(), hand, upcard, cell(hand, upcard));
  }
  return [table];
}

/** @param {string} text @param {string} scope */
function header(text, scope) {
  return Object.assign(document.createElement("th"), { textContent: text, scope });
}

/**
 * @param {HTMLElement} place
 * @param {string} hand
 * @param {number} upcard
 * @param {ReturnType<Parameters<typeof drawGrid>[1]>} shown
 */
function fill(place, hand, upcard, shown) {
  place.setAttribute("role", "gridcell");
  place.tabIndex = -1;
  Object.assign(place.dataset, { hand, upcard: String(upcard), kind: shown?.kind ?? "" });
  place.textContent = shown?.text ?? "";
  place.setAttribute("aria-label", shown?.label ?? `${hand} against ${upcardName(upcard)}: not known yet`);
  if (shown?.heat !== undefined) place.style.setProperty("--heat", `${Math.round(100 * shown.heat)}%`);
}
