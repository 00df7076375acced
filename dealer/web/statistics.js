// What this tab's player has done so far: counted, and shown.

export const NO_STATISTICS = { rounds: 0, wins: 0, pushes: 0, losses: 0, busts: 0, decisions: 0, differed: 0, cost: 0 };

const FIELDS = { WIN: "wins", PUSH: "pushes", LOOSE: "losses", LOSE: "losses", BUST: "busts" };

/** With one more round, given its outcome. */
export function counted(statistics, outcome) {
  const field = FIELDS[outcome];
  if (field === undefined) return statistics;
  return { ...statistics, rounds: statistics.rounds + 1, [field]: statistics[field] + 1 };
}

/** With the decisions of one more round. */
export function reviewed(statistics, { decisions, differed, cost }) {
  if (![decisions, differed, cost].every(Number.isFinite)) return statistics;
  return {
    ...statistics,
    decisions: statistics.decisions + decisions,
    differed: statistics.differed + differed,
    cost: statistics.cost + cost,
  };
}

/** Write them into a list of terms. */
export function showStatistics(list, statistics) {
  const { rounds, wins, pushes, losses, busts, decisions, differed, cost } = statistics;
  const lines = [
    ["Rounds", String(rounds)],
    ["Won / pushed / lost", `${wins} / ${pushes} / ${losses + busts}`],
    ["Lost by going bust", String(busts)],
    ["Mean payoff", rounds === 0 ? "-" : signed((wins - losses - busts) / rounds)],
    ["Differed from basic strategy", `${differed} of ${decisions}`],
    ["What that cost, in bets", cost.toFixed(3)],
  ];
  list.replaceChildren(...lines.map(([term, value]) => row(term, value)));
}

function signed(number) {
  return (number < 0 ? "" : "+") + number.toFixed(3);
}

function row(term, value) {
  const group = document.createElement("div");
  const [dt, dd] = ["dt", "dd"].map((tag) => document.createElement(tag));
  dt.textContent = term;
  dd.textContent = value;
  group.append(dt, dd);
  return group;
}
