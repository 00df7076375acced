// The decisions: a table for each grid, of which only what has changed is drawn again.

import { made } from "./shared/elements.js";

/**
 * @typedef {import("./types.js").Grid} Grid
 * @typedef {Grid["rows"][number]["cells"][number]} Cell
 */

/** @param {Cell} cell */
function drawnCell(cell) {
  if (!cell) return made("td");
  const [entry, figure, kind] = cell;
  return made("td", { class: kind || null }, made("b", {}, entry), made("small", {}, figure));
}

/** @param {Grid} grid */
function drawnGrid({ title, columns, rows }) {
  const upcards = columns.map((name) => made("th", { scope: "col" }, name));
  const lines = rows.map(({ name, cells }) =>
    made("tr", {}, made("th", { scope: "row" }, name), ...cells.map(drawnCell)),
  );
  const head = made("tr", {}, made("th", { scope: "col" }), ...upcards);
  return made("table", {}, made("caption", {}, title), head, ...lines);
}

/**
 * Draw grids in place of those before.
 * @param {HTMLElement} place
 * @param {readonly Grid[]} grids
 */
export function drawGrids(place, grids) {
  while (place.children.length > grids.length) {
    place.lastElementChild?.remove();
  }
  for (const [at, grid] of grids.entries()) {
    const written = JSON.stringify(grid);
    const before = place.children.item(at);
    if (before instanceof HTMLElement && shown.get(before) === written) {
      continue;
    }
    const box = made("div", {}, drawnGrid(grid));
    shown.set(box, written);
    if (before) {
      before.replaceWith(box);
    } else {
      place.append(box);
    }
  }
}

/** @type {WeakMap<Element, string>} */
const shown = new WeakMap();
