// The dialog with the rules of the table, and which buttons they have. It is loaded when it is first opened.

import { openDialog } from "../shared/dialog.js";
import { made, pressable } from "../shared/elements.js";
import { text } from "../shared/texts.js";
import { rulesLines } from "./rules.js";

/** Show the rules in sentences; a button shows them as programs write them. @param {Rules | null} rules */
export function openRules(rules) {
  const dialog = openDialog("rules-panel", text("rules.title"), text("rules.close"), content);
  const lines = rules === null ? [text("rules.none")] : rulesLines(rules);
  const words = Object.entries(rules ?? {}).map(([key, value]) => `${key}=${value}`);
  dialog.querySelector("#rules")?.replaceChildren(...lines.map((line) => made("li", {}, line)));
  dialog.querySelector("code")?.replaceChildren(words.join(" "));
}

function content() {
  const words = made("p", { hidden: true }, made("code"));
  const button = pressable(text("rules.raw"), () => {
    words.hidden = !words.hidden;
    button.setAttribute("aria-expanded", String(!words.hidden));
  });
  button.setAttribute("aria-expanded", "false");
  return [made("ul", { id: "rules" }), button, words];
}

/**
 * Whether a button is ever shown at a table with such rules.
 *
 * @param {Element} button
 * @param {Table | null} table
 */
export function isOfTable(button, table) {
  if (table === null) return true;
  const { rules, practice } = table;
  if (button.closest("#bet-form") !== null) return rules.bets !== undefined;
  /** @type {Record<string, boolean>} */
  const has = {
    double: (rules.double ?? "none") !== "none",
    split: Number(rules.split ?? 1) > 1,
    surrender: (rules.surrender ?? "none") !== "none",
    insure: rules.insurance === "yes",
    decline: rules.insurance === "yes" || rules.surrender === "early",
    hint: practice,
    reveal: practice,
  };
  return has[button.id] ?? true;
}
