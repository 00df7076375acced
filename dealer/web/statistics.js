// The results and decisions of this tab's player, counted.

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
};

/** @type {Record<Outcome, number>} what each pays, in initial bets, where nothing else is said */
export const PAYOFFS = { WIN: 1, PUSH: 0, LOSE: -1, BUST: -1, SURRENDER: -0.5 };

const FIELDS = /** @type {const} */ ({
  WIN: "wins",
  PUSH: "pushes",
  LOSE: "losses",
  BUST: "losses",
  SURRENDER: "losses",
});

/**
 * The statistics with one more round: the outcome decides how it is counted, as in the dealer's result.
 *
 *
 * @param {Statistics} statistics
 * @param {Outcome} outcome
 * @param {number} [payoff] in initial bets
 * @returns {Statistics}
 */
export function counted(statistics, outcome, payoff = PAYOFFS[outcome]) {
  const field = FIELDS[outcome];
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
export function reviewed(statistics, { decisions, differed, cost }) {
  return {
    ...statistics,
    decisions: statistics.decisions + decisions,
    differed: statistics.differed + differed,
    cost: statistics.cost + cost,
  };
}

/**
 * Each label and its value, as the page shows them.
 *
 * @param {Statistics} statistics
 * @returns {[label: string, value: string][]}
 */
export function statisticsRows({ rounds, wins, pushes, losses, busts, payoff, decisions, differed, cost }) {
  return [
    ["Rounds", String(rounds)],
    ["Won / pushed / lost", `${wins} / ${pushes} / ${losses}`],
    ["Lost by going bust", String(busts)],
    ["Mean payoff", rounds === 0 ? "-" : signed(payoff / rounds)],
    ["Differed from basic strategy", `${differed} of ${decisions}`],
    ["Cost of differing, in bets", cost.toFixed(3)],
  ];
}

/** @param {number} number */
function signed(number) {
  return (number < 0 ? "" : "+") + number.toFixed(3);
}
