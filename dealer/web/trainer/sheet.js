// The sheet beside the hand: one's own mistakes as a chart, or the right chart. Before the first mistake it is the
// right chart, too, but without the row of the hand that is asked about.

import { byId, write } from "../shared/elements.js";
import { rounded, signed } from "../shared/numbers.js";
import { decisionName, LETTERS, situationText } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { bestOf, cellOf, cellValues } from "./drills.js";
import { drawGrid } from "./grid.js";

const DECIMALS = 4;
const RIGHT = "✓"; // in a cell without a mistake
const LEVELS = 5; // of how much mistakes have cost

/** @typedef {"mistakes" | "chart" | "without row"} View */

/** @type {Record<View, Record<"title" | "key" | "toggle", import("../shared/texts.js").TextKey>>} */
const WORDS = {
  mistakes: { title: "trainer.mistakes", key: "trainer.mistakes-key", toggle: "trainer.show-chart" },
  chart: { title: "trainer.chart", key: "trainer.chart-key", toggle: "trainer.show-mistakes" },
  "without row": { title: "trainer.chart", key: "trainer.chart-without-row", toggle: "trainer.show-row" },
};

/**
 * The sheet.
 *
 * @param {() => { charts: Map<number, Chart>, cells: Cells, drill: Drill | null, isAsked: boolean }} known
 * @param {() => void} looked called when the whole chart is shown
 */
export function sheet(known, looked) {
  const toggle = byId("chart-toggle", HTMLButtonElement);
  let isChart = false; // the whole one
  let mayBeChart = true;

  function draw() {
    const { charts, cells, drill, isAsked } = known();
    const other = hasMistakes(cells) || !mayBeChart ? "mistakes" : "without row";
    const view = isChart ? "chart" : other;
    byId("sheet").hidden = view === "mistakes" && !hasEntries(cells);
    showWords(view, other);
    if (view === "mistakes") drawMistakes(cells);
    else drawChart(charts, view === "without row" && isAsked ? drill : null);
    mark(byId(view === "mistakes" ? "heat" : "chart"), drill);
  }

  /** @param {boolean} shows */
  function showChart(shows) {
    isChart = shows;
    write("cell-said", "");
    draw();
    if (isChart) looked();
  }

  toggle.addEventListener("click", () => showChart(!isChart));
  return {
    draw,
    /** Whether the whole chart is shown. */
    get isChart() {
      return isChart;
    },
    /** Whether the chart may be looked at. @param {boolean} may */
    allowChart(may) {
      toggle.disabled = !may;
      if (may === mayBeChart) return;
      mayBeChart = may;
      showChart(may && isChart);
    },
  };
}

/** Whether the chart of mistakes shows anything: answers here, or mistakes at a table. @param {Cells} cells */
export const hasEntries = (cells) => Object.values(cells).some(({ asked, error }) => asked > 0 || error > 0);

/** @param {Cells} cells */
const hasMistakes = (cells) => Object.values(cells).some(({ wrong, error }) => wrong > 0 || error > 0);

/** @param {View} view that is shown now @param {View} other that is shown beside the whole chart */
function showWords(view, other) {
  const { title, key, toggle } = WORDS[view];
  const isBack = view === "chart" && other === "without row";
  write("sheet-title", text(title));
  write("sheet-key", text(key));
  write("chart-toggle", text(isBack ? "trainer.hide-row" : toggle));
  byId("chart").hidden = view === "mistakes";
  byId("heat").hidden = view !== "mistakes";
}

/** @param {Map<number, Chart>} charts @param {Drill | null} asked its row is left out */
function drawChart(charts, asked) {
  /** @param {string} hand @param {number} upcard */
  const valuesOf = (hand, upcard) => cellValues(charts.get(upcard)?.hands ?? [], hand);
  drawGrid(
    byId("chart"),
    (hand, upcard) => {
      const values = valuesOf(hand, upcard);
      if (Object.keys(values).length === 0) {
        return charts.has(upcard) ? null : { text: "", kind: "", label: situationText(hand, upcard) };
      }
      if (hand === asked?.hand) return { text: "?", kind: "", label: leftOut(hand, upcard) };
      const best = bestOf(values);
      const letter = LETTERS[best] ?? "";
      const words = { situation: situationText(hand, upcard), decision: decisionName(best) };
      return { text: letter, kind: letter, label: text("trainer.chart-cell", words) };
    },
    (hand, upcard) => {
      if (hand === asked?.hand) return write("cell-said", leftOut(hand, upcard));
      const values = Object.entries(valuesOf(hand, upcard)).sort(([, one], [, other]) => other - one);
      const told = values.map(([name, value]) =>
        text("trainer.chart-value", {
          decision: decisionName(name),
          value: signed(value, DECIMALS, DECIMALS),
        }),
      );
      const words = { situation: situationText(hand, upcard), values: told.join(", ") };
      write("cell-said", text("trainer.chart-values", words));
    },
  );
}

/** @param {string} hand @param {number} upcard */
function leftOut(hand, upcard) {
  return text("trainer.chart-cell-left-out", { situation: situationText(hand, upcard) });
}

/** Mark the cell of the hand that is asked about. @param {HTMLElement} place @param {Drill | null} drill */
function mark(place, drill) {
  const here = place.querySelector(`[data-hand="${drill?.hand}"][data-upcard="${drill?.upcard}"]`);
  if (here instanceof HTMLElement) here.dataset.marked = "true";
}

/** @param {Cells} cells */
function drawMistakes(cells) {
  /** @param {string} hand @param {number} upcard */
  const cellFor = (hand, upcard) =>
    together(cells[cellOf(hand, upcard)], cells[cellOf(hand, upcard, "three")]);
  const most = Math.max(...Object.values(cells).map(({ error }) => error), 1e-9);
  /** @param {string} hand @param {number} upcard */
  const said = (hand, upcard) => {
    const { asked, wrong, lost, error } = cellFor(hand, upcard);
    const words = { situation: situationText(hand, upcard), wrong, count: asked };
    if (asked === 0) return text(error > 0 ? "trainer.wrong-at-table" : "trainer.not-asked", words);
    return text("trainer.mistakes-cell", { ...words, lost: rounded(lost, DECIMALS, DECIMALS) });
  };
  drawGrid(
    byId("heat"),
    (hand, upcard) => {
      const { asked, wrong, error } = cellFor(hand, upcard);
      const level = error > 0 ? Math.min(LEVELS, Math.ceil((LEVELS * error) / most)) : 0;
      const shown = wrong > 0 ? rounded(wrong) : asked > 0 ? RIGHT : "";
      return { text: shown, kind: "", level, label: said(hand, upcard) };
    },
    (hand, upcard) => write("cell-said", said(hand, upcard)),
  );
}

/** The answers to hands of two and of three cards together. @param {(CellRecord | undefined)[]} cells */
function together(...cells) {
  const none = { asked: 0, wrong: 0, lost: 0, error: 0 };
  return cells.reduce(
    (/** @type {CellRecord} */ sum, cell = none) => ({
      asked: sum.asked + cell.asked,
      wrong: sum.wrong + cell.wrong,
      lost: sum.lost + cell.lost,
      error: sum.error + cell.error,
    }),
    none,
  );
}
