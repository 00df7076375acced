// A round of ours as it is kept: what a list, a plot and a drill need of it. Pure.

import { questionsInOrder } from "../replay/steps.js";
import { handClass, totalOf } from "./hand.js";

const NOT_OF_DECISIONS = ["seats", "bets", "bankroll"]; // fields of RULES that change no decision

/**
 * The facts that are kept of a round besides its line; null if it was no round of ours.
 *
 * @param {Line} line as HISTORY tells it, with `you`
 * @returns {Kept | null}
 */
export function keptOf(line) {
  const you = line.you ?? -1;
  const seat = line.seats[you];
  if (seat === undefined) return null;
  const decisions = decisionsOf(line, you);
  const costs = decisions.flatMap(({ cost }) => cost ?? []);
  const payoff = Number(seat.payoff);
  const bet = Number(seat.bet ?? 0);
  return {
    id: `${line.time ?? ""} ${line.table}.${String(line.round).padStart(9, "0")}.${you}`,
    time: line.time ?? "",
    table: line.table,
    round: line.round,
    you,
    rules: rulesKey(line.rules),
    hasDealer: line.rules["dealer-stands"] !== "none",
    payoff,
    chips: bet > 0 ? payoff * bet : null,
    bankroll: bet > 0 && seat.bankroll ? Number(seat.bankroll) + payoff * bet : null,
    cost: costs.length > 0 || decisions.length === 0 ? costs.reduce((sum, cost) => sum + cost, 0) : null,
    decisions,
  };
}

/**
 * The rules as the words of an OPEN or a CHART, without what changes no decision.
 *
 * @param {Rules} rules
 */
export function rulesKey(rules) {
  return Object.entries(rules)
    .filter(([key]) => !NOT_OF_DECISIONS.includes(key))
    .map(([key, value]) => `${key}=${value}`)
    .join(" ");
}

/**
 * The decisions of one seat in the order of play, each with the hand that it then had.
 *
 * @param {Line} line
 * @param {number} you its place among those that were dealt in
 * @returns {KeptDecision[]}
 */
function decisionsOf(line, you) {
  const questions = questionsInOrder(line);
  const upcard = line.records.find(({ record }) => record === "upcard")?.card;
  /** @type {string[][]} */
  let hands = [[]];
  const found = [];
  for (const { record, seat, hand, card, decision } of line.records) {
    const question = record === "decided" ? questions.shift() : undefined;
    if (seat !== you) continue;
    if (record === "card") hands[hand]?.push(card);
    if (question === undefined) continue;
    found.push(judged(question, hands[hand] ?? [], upcard, line));
    if (decision === "SPLIT") hands = split(hands, hand);
  }
  return found;
}

/** @param {string[][]} hands @param {number} at */
function split(hands, at) {
  const [kept = "", moved = ""] = hands[at] ?? [];
  return [...hands.slice(0, at), [kept], [moved], ...hands.slice(at + 1)];
}

/**
 * @param {Asked} question
 * @param {string[]} cards
 * @param {string | undefined} upcard
 * @param {Line} line
 * @returns {KeptDecision}
 */
function judged({ options, decision, late, cost, best }, cards, upcard, { rules, time }) {
  const isInsurance = options.includes("INSURE");
  return {
    hand: isInsurance ? "insurance" : handClass(cards, rules.ace, options.includes("SPLIT")),
    upcard: upcard === undefined ? null : totalOf([upcard], "11").total,
    decision: /** @type {Decision} */ (decision),
    best: best ?? null,
    cost: cost ?? null,
    late: late === true,
    time: time ?? "",
  };
}

/**
 * Each decision of these rounds with what it cost, for whoever drills them: only those by exact values.
 *
 * @param {Kept[]} rounds
 * @returns {Situation[]}
 */
export function situationsOf(rounds) {
  return rounds.flatMap(({ rules, hasDealer, decisions }) =>
    decisions.flatMap(({ hand, upcard, decision, best, cost, late, time }) =>
      hasDealer && upcard !== null && best !== null && cost !== null && !late
        ? [{ rules, hand, upcard, decision, best, cost, time }]
        : [],
    ),
  );
}
