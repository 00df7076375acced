// The names of cards, hands, decisions and outcomes, as they are shown. Messages have words of their own for them.

import { rankOf, rankOfUpcard, suitOf } from "./hand.js";
import { TEXTS, text } from "./texts.js";

/**
 * The text of a word of messages; the word itself where there is none, as for a word that a newer dealer sends.
 *
 * @param {string} area
 * @param {string} word
 * @param {Record<string, string | number>} [values]
 */
export function named(area, word, values) {
  const key = `${area}.${word}`;
  return key in TEXTS ? text(/** @type {import("./texts.js").TextKey} */ (key), values) : word;
}

/** @param {string | null} card such as `Ten of Spades`; null for one that is face down */
export function cardName(card) {
  if (card === null) return text("card.face-down");
  const suit = suitOf(card);
  return suit === "" ? card : text("card.name", { rank: rankName(rankOf(card)), suit: named("card", suit) });
}

/** @param {string} rank such as `Ten` */
export function rankName(rank) {
  return named("card", rank);
}

/** @param {number} upcard 2 to 11, an ace */
export function upcardName(upcard) {
  return rankName(rankOfUpcard(upcard));
}

/** @param {string} word of a decision, such as `HIT`: its name, as on a button */
export function decisionName(word) {
  return named("decision", word);
}

/** The letters of decisions in charts, by which they have their colours too. @type {Record<string, string>} */
export const LETTERS = { HIT: "H", STAND: "S", DOUBLE: "D", SPLIT: "P", SURRENDER: "R" };

/** @param {string[]} ranks such as `Ten and Six` */
export function ranksText(ranks) {
  return joined("card.and", ranks.map(rankName));
}

/** @param {"card.and" | "decision.or"} key between the last two @param {string[]} names */
function joined(key, names) {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : text(key, { most: names.slice(0, -1).join(", "), last });
}

/** @param {string[]} words of decisions: `hit, stand or double` */
export function decisionsText(words) {
  const names = words.map((word) => decisionName(word).toLowerCase());
  return joined("decision.or", names);
}

/** @param {string} word of a decision: what somebody did, such as `stood` */
export function didText(word) {
  return named("decision.did", word);
}

/** @param {string} word of an outcome: `Won`, `Lost` */
export function outcomeName(word) {
  return named("outcome", word);
}

/** @param {{ total: number | null, soft: boolean | null }} hand such as `soft 18`; a hard one is its number */
export function totalText({ total, soft }) {
  return total === null ? "" : soft ? text("hand.soft", { total }) : String(total);
}

/** @param {string} hand as `handClass` names it, or `insurance` */
export function handName(hand) {
  const [kind = "", total = ""] = hand.split(/ (?:of )?/);
  const key = total === "A" ? "hand.pair-of-aces" : `hand.${kind}`;
  return key in TEXTS ? text(/** @type {import("./texts.js").TextKey} */ (key), { total }) : hand;
}

/** @param {string} hand as `handClass` names it @param {number | null} upcard such as `hard 16 against Ten` */
export function situationText(hand, upcard) {
  if (upcard === null || hand === "insurance") return handName(hand);
  return text("hand.against", { hand: handName(hand), upcard: upcardName(upcard) });
}
