// The chart for the rules of the table, with one's own hand marked. It is loaded when it is first opened, and asks the
// dealer on a connection of its own, so that the game does not wait.

import { openDialog } from "../shared/dialog.js";
import { made } from "../shared/elements.js";
import { handClass, totalOf } from "../shared/hand.js";
import { signed } from "../shared/numbers.js";
import { reasonText } from "../shared/reasons.js";
import { decisionName, LETTERS, situationText } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { askForCharts, keyOf, UPCARDS } from "../trainer/charts.js";
import { bestOf, cellValues } from "../trainer/drills.js";
import { drawGrid } from "../trainer/grid.js";
import { ownSeat } from "./game.js";

/** @type {Map<number, Chart>} those that are known */
let charts = new Map();
let known = ""; // the rules that they are for
/** @type {{ hand: string, upcard: number } | null} */
let here = null;
/** @type {{ stop: () => void } | null} */
let asking = null;

const grid = made("div", { id: "table-chart" });
const said = made("p", { id: "chart-said", role: "status" });

/** Show the chart for a table. @param {State} state */
export function openChart(state) {
  const rules = state.table?.rules ?? state.rules;
  openDialog("chart-panel", text("chart.title"), text("chart.close"), () => [
    ...[grid, said, made("p", { class: "note" }, text("chart.letters"))],
  ]);
  here = situationOf(state);
  const key = rules === null ? "" : keyOf(rules);
  if (key !== known) {
    asking?.stop();
    [charts, known] = [new Map(), key];
    said.textContent = text("chart.working");
    asking = askForCharts(rules, inOrder(here?.upcard ?? null), {
      onRules: () => null,
      onChart(chart) {
        charts.set(chart.upcard, chart);
        said.textContent = text("chart.working");
        draw();
      },
      onRefused() {
        known = ""; // the next time it is opened it asks again
        said.textContent = text("chart.refused");
      },
      onLost(reason) {
        said.textContent = reasonText(reason);
      },
    });
  }
  draw();
}

/** First the upcard that lies on the table. @param {number | null} first */
function inOrder(first) {
  return first === null ? UPCARDS : [first, ...UPCARDS.filter((upcard) => upcard !== first)];
}

/**
 * The hand that is asked about, as a chart names it; null if none is.
 *
 * @param {State} state
 */
export function situationOf(state) {
  const { table, asked, question } = state;
  const upcard = table?.dealer?.upcard;
  const seat = ownSeat(state);
  const hand = seat?.hands?.[(table?.hand ?? 1) - 1] ?? seat;
  const cards = hand?.cards.filter((card) => card !== null) ?? [];
  if (!asked || !table || !upcard || cards.length < 2) return null;
  const name = handClass(cards, table.rules.ace, question.options.includes("SPLIT"));
  return { hand: name, upcard: totalOf([upcard], "11").total };
}

function draw() {
  const { activeElement } = document;
  const held =
    activeElement instanceof HTMLElement && grid.contains(activeElement) ? activeElement.dataset : null;
  drawGrid(grid, cellOf, look);
  if (charts.size === UPCARDS.length) said.textContent = here === null ? "" : text("chart.here");
  const own = here === null ? null : cellAt(here.hand, here.upcard);
  if (own !== null) own.dataset.marked = "true";
  const stop = held === null ? own : cellAt(held.hand, held.upcard);
  if (stop !== null) stopAt(stop);
  if (held === null) own?.scrollIntoView({ block: "nearest" });
  else stop?.focus(); // its cell was drawn anew
}

/** @param {string} [hand] @param {number | string} [upcard] @returns {HTMLElement | null} */
function cellAt(hand, upcard) {
  return grid.querySelector(`[data-hand="${hand}"][data-upcard="${upcard}"]`);
}

/** Let TAB stop at this cell. @param {HTMLElement} cell */
function stopAt(cell) {
  grid.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
  cell.tabIndex = 0;
}

/** @param {string} hand @param {number} upcard */
function cellOf(hand, upcard) {
  const values = cellValues(charts.get(upcard)?.hands ?? [], hand);
  if (Object.keys(values).length === 0) return charts.has(upcard) ? null : { text: "", kind: "", label: "" };
  const best = bestOf(values);
  const letter = LETTERS[best] ?? "";
  const label = text("chart.cell", { situation: situationText(hand, upcard), decision: decisionName(best) });
  return { text: letter, kind: letter, label };
}

/** @param {string} hand @param {number} upcard */
function look(hand, upcard) {
  const values = Object.entries(cellValues(charts.get(upcard)?.hands ?? [], hand));
  const told = values
    .sort(([, one], [, other]) => other - one)
    .map(([name, value]) =>
      text("chart.value", { decision: decisionName(name), value: signed(value, 4, 4) }),
    );
  said.textContent = text("chart.values", {
    situation: situationText(hand, upcard),
    values: told.join(", "),
  });
}
