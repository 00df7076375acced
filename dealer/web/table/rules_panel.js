// The dialog with the rules of the table. It is loaded when it is first opened.

import { openDialog } from "../shared/dialog.js";
import { made, pressable } from "../shared/elements.js";
import { text } from "../shared/texts.js";
import { rulesLines, rulesWords } from "./rules.js";

/** Show the rules in sentences; a button shows them as programs write them. @param {Rules | null} rules */
export function openRules(rules) {
  const dialog = openDialog("rules-panel", text("rules.title"), text("rules.close"), content);
  const lines = rules === null ? [text("rules.none")] : rulesLines(rules);
  dialog.querySelector("#rules")?.replaceChildren(...lines.map((line) => made("li", {}, line)));
  dialog.querySelector("code")?.replaceChildren(rulesWords(rules ?? {}));
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
