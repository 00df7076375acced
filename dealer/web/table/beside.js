// Beside the felt: who leads at this table, by chips where they are bet and otherwise by what was won and lost; and the
// button of the chart, whose dialog is loaded when it is first pressed.

import { byId, made, pressable } from "../shared/elements.js";
import { whenLoaded } from "../shared/loading.js";
import { signed } from "../shared/numbers.js";
import { text } from "../shared/texts.js";

/**
 * The players in order, each with what counts.
 *
 * @param {Table} table
 * @returns {{ name: string, isYou: boolean, points: number, inChips: boolean }[]}
 */
export function rankingOf({ seats, you }) {
  const rows = seats.flatMap(({ name, bankroll, score }, number) =>
    name === null
      ? []
      : [{ name, isYou: number === you, points: Number(bankroll ?? score), inChips: bankroll !== undefined }],
  );
  return rows.sort((one, other) => other.points - one.points);
}

/** Put the list beside the table; return what shows it a table. */
export function startRanking() {
  const list = made("ol");
  const title = made("h2", { id: "ranking-title" }, text("ranking.title"));
  const section = made("section", { id: "ranking", "aria-labelledby": title.id, hidden: true }, title, list);
  byId("statistics").after(section);
  return (/** @type {Table | null} */ table) => {
    const rows = table === null ? [] : rankingOf(table);
    section.hidden = rows.length < 2;
    const lines = rows.map(lineOf);
    if (list.textContent !== lines.map(([name, points]) => name + points).join(""))
      list.replaceChildren(
        ...lines.map(([name, points]) => made("li", {}, made("span", {}, name), made("b", {}, points))),
      );
  };
}

/** @param {ReturnType<typeof rankingOf>[number]} row @returns {[name: string, points: string]} */
function lineOf({ name, isYou, points, inChips }) {
  const shown = isYou ? text("ranking.you", { name }) : name;
  return [shown, inChips ? text("ranking.chips", { count: points }) : signed(points)];
}

/** Put the button beside the table. @param {() => State} state */
export function startChart(state) {
  const open = () => whenLoaded(import("./chart_panel.js"), ({ openChart }) => openChart(state()));
  const keys = { id: "chart-open", "aria-keyshortcuts": "G", "aria-haspopup": "dialog" };
  const button = pressable(text("chart.open"), open, keys);
  button.append(" ", made("kbd", { "aria-hidden": "true" }, "G"));
  byId("statistics").after(button);
}
