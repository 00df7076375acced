// The results and decisions of this tab's player, counted.

import { signed } from "../shared/numbers.js";
import { decisionName } from "../shared/terms.js";
import { text } from "../shared/texts.js";

/** @type {Statistics} */
export const NO_STATISTICS = {
  rounds: 0,
  wins: 0,
  pushes: 0,
  losses: 0,
  busts: 0,
  payoff: 0,
  decisions: 0,
  differed: 0,
  cost: 0,
  isWhole: false,
  last: [],
};

/** @type {Record<Outcome, number>} what each pays, in initial bets, where nothing else is said */
export const PAYOFFS = { WIN: 1, PUSH: 0, LOSE: -1, BUST: -1, SURRENDER: -0.5 };

/**
 * The statistics with one more round.
 *
 * @param {Statistics} statistics
 * @param {Outcome} outcome
 * @param {number} [payoff] in initial bets
 * @returns {Statistics}
 */
export function counted(statistics, outcome, payoff = PAYOFFS[outcome]) {
  const field = outcome === "WIN" ? "wins" : outcome === "PUSH" ? "pushes" : "losses";
  return {
    ...statistics,
    rounds: statistics.rounds + 1,
    [field]: statistics[field] + 1,
    busts: statistics.busts + (outcome === "BUST" ? 1 : 0),
    payoff: statistics.payoff + payoff,
  };
}

/**
 * The statistics with the decisions of one more round.
 *
 * @param {Statistics} statistics
 * @param {Review} review
 * @returns {Statistics}
 */
export function reviewed(statistics, { decisions, differed, cost, each }) {
  return {
    ...statistics,
    decisions: statistics.decisions + decisions,
    differed: statistics.differed + differed,
    cost: statistics.cost + cost,
    isWhole: decisions > 0 ? each.length > 0 : statistics.isWhole,
    last: each,
  };
}

/**
 * Each label and its value, as the page shows them.
 *
 * @param {Statistics} statistics
 */
export function statisticsRows({ last, ...statistics }) {
  const { rounds, wins, pushes, losses, busts, payoff, decisions, differed, cost, isWhole } = statistics;
  /** @type {[label: string, value: string][]} */
  const rows = [
    [text("statistics.rounds"), String(rounds)],
    [text("statistics.results"), `${wins} / ${pushes} / ${losses}`],
    [text("statistics.busts"), String(busts)],
    [text("statistics.payoff"), rounds === 0 ? "–" : signed(payoff / rounds, 3, 3)],
    [text("statistics.mistakes"), text("statistics.of", { part: differed, all: decisions })],
    [text("statistics.cost"), cost.toFixed(3)],
  ];
  if (isWhole) rows.push([text("statistics.lost"), (cost / decisions).toFixed(4)]);
  return [...rows, ...last.map(reviewRow)];
}

/**
 * The cost of a decision of the last round, and the best one.
 *
 * @param {ReviewedDecision} reviewed
 * @returns {[label: string, value: string]}
 */
function reviewRow({ decision, cost, best }) {
  const values = { decision: decisionName(decision), best: decisionName(best) };
  const label = decision === best ? values.decision : text("statistics.better", values);
  return [label, cost.toFixed(3)];
}
