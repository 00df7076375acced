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
    ["Rounds", String(rounds)],
    ["Won / pushed / lost", `${wins} / ${pushes} / ${losses}`],
    ["Lost by going bust", String(busts)],
    ["Mean payoff", rounds === 0 ? "-" : signed(payoff / rounds)],
    [`Differed from ${isWhole ? "the best" : "basic strategy"}`, `${differed} of ${decisions}`],
    ["Cost of differing, in bets", cost.toFixed(3)],
  ];
  if (isWhole) rows.push(["EV lost per decision", (cost / decisions).toFixed(4)]);
  return [...rows, ...last.map(reviewRow)];
}

/**
 * What a decision of the last round has cost, and which was the best.
 *
 * @param {ReviewedDecision} reviewed
 * @returns {[label: string, value: string]}
 */
function reviewRow({ decision, cost, best }) {
  const better = decision === best ? "" : `, better: ${capital(best)}`;
  return [capital(decision) + better, cost.toFixed(3)];
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

/** @param {number} number */
function signed(number) {
  const digits = Math.abs(number).toFixed(3);
  return `${number < 0 && Number(digits) > 0 ? "-" : "+"}${digits}`;
}
