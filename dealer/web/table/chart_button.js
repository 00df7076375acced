// The button of the chart, whose dialog is loaded when it is first pressed.

import { byId, made, pressable } from "../shared/elements.js";
import { text } from "../shared/texts.js";

/** Put the button beside the table. @param {() => State} state */
export function startChart(state) {
  const open = async () => (await import("./chart_panel.js")).openChart(state());
  const keys = { id: "chart-open", "aria-keyshortcuts": "G", "aria-haspopup": "dialog" };
  const button = pressable(text("chart.open"), open, keys);
  button.append(" ", made("kbd", { "aria-hidden": "true" }, "G"));
  byId("statistics").before(button);
}
