// The rules of a table as a list in plain words. Their keys and values are in protocol/SPEC.md, RULES.

import { counted } from "../shared/counts.js";
import { capital } from "./statistics.js";
import { shuffled } from "./words.js";

/** @type {Record<string, Record<string, string>>} */
const LINES = {
  ace: { 1: "Aces count 1.", 11: "Aces count 11.", either: "Aces count 1 or 11." },
  "dealer-stands": {
    all17: "The dealer stands on every 17.",
    hard17: "The dealer draws on a soft 17.",
    none: "There is no dealer: the highest total that is not over 21 wins.",
  },
  naturals: {
    equal: "A natural is a 21 like any other.",
    beat: "A natural beats any other 21.",
    player: "A player’s natural beats any other 21; the dealer’s is a 21 like any other.",
  },
  double: { any: "Double on any two cards.", always: "Double on any number of cards." },
  "double-after-split": { yes: "Hands from a split may be doubled." },
  "split-aces": {
    once: "Split aces get one card each.",
    again: "Split aces get one card each, and may be split again.",
    play: "Split aces are played like other hands.",
  },
  surrender: {
    late: "You may surrender for half the bet, once the dealer has no natural.",
    early: "You may surrender for half the bet, before the dealer looks for a natural.",
  },
  insurance: { yes: "Insurance is offered against an ace: it pays 2:1." },
  "hole-card": {
    peek: "With an ace or a ten, the dealer looks for a natural before you play.",
    obo: "The dealer looks for a natural last; it takes the initial bet only.",
    last: "The dealer looks for a natural last, and it takes all that is bet.",
  },
};

/**
 * One sentence for each rule that the table has.
 *
 * @param {Rules | null} rules
 * @returns {string[]}
 */
export function rulesLines(rules) {
  if (rules === null) return [];
  const {
    preset = "",
    decks = "",
    reshuffle = "",
    naturals = "",
    double = "",
    split = "",
    bets,
    bankroll,
  } = rules;
  const lines = [decks === "inf" ? "infinite deck" : `${decks} ${decks === "1" ? "deck" : "decks"}`];
  if (decks !== "inf") lines.push(shuffled(reshuffle));
  const first = `${capital(preset)} rules: ${lines.join(", ")}.`;
  const others = Object.keys(LINES).map((key) => LINES[key]?.[rules[key] ?? ""] ?? "");
  if (naturals.includes(":")) others.push(`A natural (blackjack) pays ${naturals} at once.`);
  if (/^\d/.test(double)) others.push(`Double on ${double.replace("-", " to ")} only.`);
  if (split) others.push(`Split pairs, up to ${split} hands.`);
  if (bets) others.push(`Bets: ${counted(bets.replace("-", " to "), "chip")}.`);
  if (bankroll) others.push(`You begin with ${counted(bankroll, "chip")}.`);
  return [first, ...others.filter(Boolean)];
}
