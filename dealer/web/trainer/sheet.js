// The sheet beside the hand: one's own mistakes as a chart, or the right chart.

import { byId, write } from "../shared/elements.js";
import { rounded, signed } from "../shared/numbers.js";
import { decisionName, situationText } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { bestOf, cellOf, cellValues } from "./drills.js";
import { drawGrid, LETTERS } from "./grid.js";

const DECIMALS = 4;
const RIGHT = "✓"; // in a cell without a mistake
const LEVELS = 5; // of how much mistakes have cost

/**
 * The sheet, which shows the mistakes at first.
 *
 * @param {() => { charts: Map<number, Chart>, cells: Cells, drill: Drill | null }} known
 * @param {() => void} looked called when the chart is shown
 */
export function sheet(known, looked) {
  const toggle = byId("chart-toggle", HTMLButtonElement);
  let isChart = false;

  function draw() {
    const { charts, cells, drill } = known();
    if (isChart) drawChart(charts);
    else drawMistakes(cells);
    mark(byId(isChart ? "chart" : "heat"), drill);
  }

  /** @param {boolean} shows */
  function showChart(shows) {
    isChart = shows;
    byId("chart").hidden = !isChart;
    byId("heat").hidden = isChart;
    write("sheet-title", text(isChart ? "trainer.chart" : "trainer.mistakes"));
    write("sheet-key", text(isChart ? "trainer.chart-key" : "trainer.mistakes-key"));
    write("chart-toggle", text(isChart ? "trainer.show-mistakes" : "trainer.show-chart"));
    write("cell-said", "");
    draw();
    if (isChart) looked();
  }

  toggle.addEventListener("click", () => showChart(!isChart));
  return {
    draw,
    get isChart() {
      return isChart;
    },
    /** Whether the chart may be looked at. @param {boolean} may */
    allowChart(may) {
      toggle.disabled = !may;
      if (!may && isChart) showChart(false);
    },
  };
}

/** @param {Map<number, Chart>} charts */
function drawChart(charts) {
  /** @param {string} hand @param {number} upcard */
  const valuesOf = (hand, upcard) => cellValues(charts.get(upcard)?.hands ?? [], hand);
  drawGrid(
    byId("chart"),
    (hand, upcard) => {
      const values = valuesOf(hand, upcard);
      if (Object.keys(values).length === 0) {
        return charts.has(upcard) ? null : { text: "", kind: "", label: situationText(hand, upcard) };
      }
      const best = bestOf(values);
      const letter = LETTERS[best] ?? "";
      const words = { situation: situationText(hand, upcard), decision: decisionName(best) };
      return { text: letter, kind: letter, label: text("trainer.chart-cell", words) };
    },
    (hand, upcard) => {
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
    const { asked, wrong, lost } = cellFor(hand, upcard);
    const words = { situation: situationText(hand, upcard), wrong, count: asked };
    if (asked === 0) return text("trainer.not-asked", words);
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
