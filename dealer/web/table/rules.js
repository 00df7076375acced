// The rules of a table in sentences. Their keys and values are in protocol/SPEC.md, RULES.

import { capital } from "../shared/numbers.js";
import { named } from "../shared/terms.js";
import { TEXTS, text } from "../shared/texts.js";

/** The fields whose values each have a sentence of their own, in the order in which they are told. */
const FIELDS = ["ace", "dealer-stands", "naturals", "split", "split-aces", "double", "double-after-split"];
const LAST_FIELDS = ["surrender", "insurance", "hole-card"];

/**
 * One sentence for each rule that the table has.
 *
 * @param {Rules | null} rules
 * @returns {string[]}
 */
export function rulesLines(rules) {
  if (rules === null) return [];
  const sentences = [...FIELDS, ...LAST_FIELDS].map((key) => sentenceOf(key, rules[key] ?? ""));
  return [shoeText(rules), ...sentences, ...betLines(rules)].filter(Boolean);
}

/** The rules as messages have them. @param {Rules} rules */
export function rulesWords(rules) {
  return Object.entries(rules)
    .map(([key, value]) => `${key}=${value}`)
    .join(" ");
}

/** @param {string} key @param {string} value */
function sentenceOf(key, value) {
  const [won = "", staked = ""] = value.split(":");
  if (staked) return text("rules.natural-pays", { won, staked });
  if (key === "split" && Number(value) > 1) return text("rules.split", { count: Number(value) });
  const known = `rules.${key}.${value}`;
  return known in TEXTS ? text(/** @type {import("../shared/texts.js").TextKey} */ (known)) : "";
}

/** @param {Rules} rules */
function shoeText({ preset = "", decks = "", reshuffle = "" }) {
  const game = capital(named("preset", preset));
  if (decks === "inf") return text("rules.infinite", { game });
  const [way = "", amount = ""] = reshuffle.split(":");
  const count = Number(decks);
  if (way === "cutoff") return text("rules.cutoff", { game, count, left: amount });
  if (way === "penetration")
    return text("rules.penetration", { game, count, part: Math.round(100 * Number(amount)) });
  return text("rules.every-round", { game, count });
}

/** @param {Rules} rules */
function betLines({ bets = "", bankroll }) {
  const [least = "", most = least] = bets.split("-");
  const lines = bets === "" ? [] : [text("rules.bets", { least: Number(least), count: Number(most) })];
  return bankroll ? [...lines, text("rules.bankroll", { count: Number(bankroll) })] : lines;
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
