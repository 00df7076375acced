// The print on the felt, as on that of a real table: what a natural pays, and when the dealer draws.

import { byId, made } from "../shared/elements.js";
import { text } from "../shared/texts.js";

/** @param {Rules | null} rules */
export function showPrint(rules) {
  const lines = printed(rules);
  const list = byId("print");
  if (list.textContent !== lines.join("")) list.replaceChildren(...lines.map((one) => made("li", {}, one)));
}

/**
 * The lines, the most important first; none for a table without a dealer.
 *
 * @param {Rules | null} rules
 */
export function printed(rules) {
  if (!rules?.["dealer-stands"]) return [];
  const { naturals = "" } = rules;
  const [won = "", staked] = naturals.split(":");
  const lines = [];
  if (staked) lines.push(text("felt.print-natural", { payoff: text("felt.print-ratio", { won, staked }) }));
  if (naturals === "beat") lines.push(text("felt.print-beats"));
  const isSoft = rules["dealer-stands"] === "hard17";
  lines.push(text(isSoft ? "felt.print-soft-17" : "felt.print-all-17"));
  if (rules.insurance === "yes") lines.push(text("felt.print-insurance"));
  return lines;
}
