// The results and decisions of this tab's player, counted.

/** @typedef {import("./types.d.ts").Outcome} Outcome */
/** @typedef {import("./types.d.ts").Statistics} Statistics */

/** @type {Statistics} */
export const NO_STATISTICS = {
  rounds: 0,
  wins: 0,
  pushes: 0,
  losses: 0,
  busts: 0,
  decisions: 0,
  differed: 0,
  cost: 0,
};

const FIELDS = /** @type {const} */ ({ WIN: "wins", PUSH: "pushes", LOSE: "losses", BUST: "losses" });

/**
 * The statistics with one more round.
 *
 * @param {Statistics} statistics
 * @param {Outcome} outcome
 * @returns {Statistics}
 */
export function counted(statistics, outcome) {
  const field = FIELDS[outcome];
  const busts = statistics.busts + (outcome === "BUST" ? 1 : 0);
  return { ...statistics, rounds: statistics.rounds + 1, [field]: statistics[field] + 1, busts };
}

/**
 * The statistics with the decisions of one more round.
 *
 * @param {Statistics} statistics
 * @param {import("./types.d.ts").Review} review
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
export function statisticsRows({ rounds, wins, pushes, losses, busts, decisions, differed, cost }) {
  return [
    ["Rounds", String(rounds)],
    ["Won / pushed / lost", `${wins} / ${pushes} / ${losses}`],
    ["Lost by going bust", String(busts)],
    ["Mean payoff", rounds === 0 ? "-" : signed((wins - losses) / rounds)],
    ["Differed from basic strategy", `${differed} of ${decisions}`],
    ["Cost of differing, in bets", cost.toFixed(3)],
  ];
}

/** @param {number} number */
function signed(number) {
  return (number < 0 ? "" : "+") + number.toFixed(3);
}
