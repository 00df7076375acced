// The decisions: a table for each grid, of which only what has changed is drawn again.

/**
 * @typedef {import("./types.js").Grid} Grid
 * @typedef {Grid["rows"][number]["cells"][number]} Cell
 */

/**
 * @param {string} tag
 * @param {string} [text]
 */
function made(tag, text = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/**
 * @param {string} scope
 * @param {string} text
 */
function head(scope, text) {
  const element = made("th", text);
  element.setAttribute("scope", scope);
  return element;
}

/** @param {Cell} cell */
function drawnCell(cell) {
  const element = made("td");
  if (cell) {
    const [entry, figure, ink, ground] = cell;
    element.append(made("b", entry), made("small", figure));
    element.style.setProperty("color", ink);
    element.style.setProperty("background", ground);
  }
  return element;
}

/** @param {Grid} grid */
function drawnGrid({ title, columns, rows }) {
  const table = made("table");
  const upcards = made("tr");
  upcards.append(head("col", ""), ...columns.map((name) => head("col", name)));
  const lines = rows.map(({ name, cells }) => {
    const row = made("tr");
    row.append(head("row", name), ...cells.map(drawnCell));
    return row;
  });
  table.append(made("caption", title), upcards, ...lines);
  return table;
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
    const box = made("div");
    box.append(drawnGrid(grid));
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
