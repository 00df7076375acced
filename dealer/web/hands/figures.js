// What the rounds of ours come to: sums, sessions, mistakes, and the list that is shown. Pure.

const PAUSE = 30 * 60 * 1000; // milliseconds without a round that end a session

const UPCARDS = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Ace"];

/** @type {Record<string, string>} */
const DID = {
  HIT: "hit",
  STAND: "stood",
  DOUBLE: "doubled",
  SPLIT: "split",
  SURRENDER: "surrendered",
  INSURE: "insured",
  DECLINE: "declined",
};

/**
 * All rounds together.
 *
 * @param {Kept[]} rounds
 * @returns {HandsSummary}
 */
export function summaryOf(rounds) {
  const costed = rounds.filter(({ cost }) => cost !== null);
  const decisions = rounds.flatMap((round) => round.decisions).filter(({ cost }) => cost !== null);
  return {
    rounds: rounds.length,
    won: rounds.filter(({ payoff }) => payoff > 0).length,
    pushed: rounds.filter(({ payoff }) => payoff === 0).length,
    lost: rounds.filter(({ payoff }) => payoff < 0).length,
    payoff: sum(rounds, ({ payoff }) => payoff),
    chips: rounds.some(({ chips }) => chips !== null) ? sum(rounds, ({ chips }) => chips ?? 0) : null,
    decisions: decisions.length,
    differed: decisions.filter(({ cost }) => cost !== null && cost > 0).length,
    cost: sum(costed, ({ cost }) => cost ?? 0),
    costed: costed.length,
  };
}

/**
 * The parts of an evening: rounds that follow each other without a long pause.
 *
 * @param {Kept[]} rounds the oldest first
 * @returns {HandsSession[]}
 */
export function sessionsOf(rounds) {
  /** @type {HandsSession[]} */
  const found = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [at, round] of rounds.entries()) {
    const time = Date.parse(round.time) || 0;
    if (found.length === 0 || time - last > PAUSE) found.push({ at, rounds: [] });
    found.at(-1)?.rounds.push(round);
    last = time;
  }
  return found;
}

/**
 * The sum of some part of the rounds, before the first and after each.
 *
 * @param {Kept[]} rounds
 * @param {(round: Kept) => number} part
 * @returns {Point[]}
 */
export function running(rounds, part) {
  /** @type {Point[]} */
  const found = [[0, 0]];
  let total = 0;
  for (const [at, round] of rounds.entries()) {
    total += part(round);
    found.push([at + 1, total]);
  }
  return found;
}

/**
 * The course of each bankroll: another begins where a round begins with other chips than the one before ended with.
 *
 * @param {Kept[]} rounds those with bets, the oldest first
 * @returns {Point[][]}
 */
export function bankrollsOf(rounds) {
  /** @type {Point[][]} */
  const found = [];
  for (const [at, { bankroll, chips }] of rounds.entries()) {
    const after = bankroll ?? 0;
    const before = after - (chips ?? 0);
    if (found.at(-1)?.at(-1)?.[1] !== before) found.push([[at, before]]);
    found.at(-1)?.push([at + 1, after]);
  }
  return found;
}

/**
 * The same wrong decision in the same situation, taken together: the dearest first.
 *
 * @param {Kept[]} rounds the oldest first
 * @returns {Mistake[]}
 */
export function mistakesOf(rounds) {
  /** @type {Map<string, Mistake>} */
  const found = new Map();
  for (const round of rounds) {
    for (const made of round.decisions) {
      if (!made.cost) continue;
      const key = [made.hand, made.upcard, made.decision, made.best].join();
      const { times = 0, cost = 0 } = found.get(key) ?? {};
      found.set(key, { made, times: times + 1, cost: cost + made.cost, id: round.id });
    }
  }
  return [...found.values()].sort((a, b) => b.cost - a.cost);
}

/**
 * The rounds that are listed, the newest first.
 *
 * @param {Kept[]} rounds the oldest first
 * @param {string} which empty for all, `mistakes`, or a preset
 * @param {string} hand a part of the name of a situation, in any case; empty for all
 */
export function listed(rounds, which, hand) {
  const wanted = hand.trim().toLowerCase();
  return rounds
    .filter((round) => {
      if (which === "mistakes" && !round.cost) return false;
      if (which !== "" && which !== "mistakes" && presetOf(round) !== which) return false;
      return (
        wanted === "" || round.decisions.some((one) => situationText(one).toLowerCase().includes(wanted))
      );
    })
    .reverse();
}

/** @param {Kept} round */
export function presetOf({ rules }) {
  return /\bpreset=(\S+)/.exec(rules)?.[1] ?? "other";
}

/** @param {KeptDecision} decision such as `hard 16 against Ten` */
export function situationText({ hand, upcard }) {
  return upcard === null ? hand : `${hand} against ${UPCARDS[upcard - 2]}`;
}

/** @param {KeptDecision} decision such as `stood` */
export function didText({ decision, late }) {
  return `${DID[decision] ?? decision.toLowerCase()}${late ? " (the clock)" : ""}`;
}

/** @param {Mistake} mistake such as `stood 5 times` */
export function timesText({ made, times }) {
  return `${DID[made.decision]} ${times === 1 ? "once" : times === 2 ? "twice" : `${times} times`}`;
}

/** @param {string | null} word such as `SURRENDER` */
export function bestText(word) {
  return word === null ? "" : word.charAt(0) + word.slice(1).toLowerCase();
}

/** @param {number} number with its sign, at most this many decimals @param {number} [decimals] */
export function signed(number, decimals = 2) {
  const rounded = Number(number.toFixed(decimals)) || 0; // never -0
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded).toLocaleString("en", { maximumFractionDigits: decimals })}`;
}

/**
 * @template T
 * @param {T[]} all
 * @param {(one: T) => number} part
 */
export function sum(all, part) {
  return all.reduce((total, one) => total + part(one), 0);
}
