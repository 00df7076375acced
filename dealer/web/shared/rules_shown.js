// The rules of a table in plain words, and the words of messages behind them.

import { byId, made } from "./elements.js";

/**
 * Show rules in a `<details>`, with its parts `ID-lines` and `ID-words`, once it is opened.
 *
 * @param {HTMLDetailsElement} details
 * @param {Rules} rules
 */
export function showRules(details, rules) {
  const show = async () => {
    if (!details.open) return;
    const { rulesLines, rulesWords } = await import("../table/rules.js");
    byId(`${details.id}-lines`).replaceChildren(...rulesLines(rules).map((line) => made("li", {}, line)));
    byId(`${details.id}-words`).textContent = rulesWords(rules);
  };
  details.ontoggle = show;
  show();
}
