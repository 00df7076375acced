// The results of our rounds: sums, streaks, sessions, mistakes, and the list that is shown. Pure.

import { decisionName, didText, situationText } from "../shared/terms.js";
import { text } from "../shared/texts.js";

const PAUSE = 30 * 60 * 1000; // milliseconds without a round that end a session

/**
 * The sums over all rounds.
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
    mistakes: decisions.filter(({ cost }) => cost !== null && cost > 0).length,
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
 * The longest streaks: rounds won in a row, where a push neither counts nor ends one, and rounds in a row of which none
 * is known to have a mistake.
 *
 * @param {Kept[]} rounds the oldest first
 * @returns {{ won: Streak, clean: Streak }}
 */
export function streaksOf(rounds) {
  return {
    won: longest(rounds, ({ payoff }) => Math.sign(payoff)),
    clean: longest(rounds, ({ cost }) => (cost === null ? 0 : cost > 0 ? -1 : 1)),
  };
}

/** @param {Kept[]} rounds @param {(round: Kept) => number} kind 1 goes on, -1 ends it, 0 does neither @returns {Streak} */
function longest(rounds, kind) {
  let best = { from: 0, to: 0, count: 0 };
  let now = best;
  for (const [at, round] of rounds.entries()) {
    if (kind(round) < 0) now = { from: at + 1, to: at + 1, count: 0 };
    if (kind(round) > 0) now = { from: now.count > 0 ? now.from : at, to: at + 1, count: now.count + 1 };
    if (now.count > best.count) best = now;
  }
  return best;
}

/**
 * The points of lines after the rounds of a streak, and before its first.
 *
 * @param {Point[][]} lines
 * @param {Streak} streak
 * @returns {Point[]}
 */
export function streakPoints(lines, { from, to, count }) {
  return count < 2 ? [] : lines.flat().filter(([at]) => at >= from && at <= to);
}

/**
 * The points of lines after rounds with a mistake: if there are many, those that cost most.
 *
 * @param {Point[][]} lines
 * @param {Kept[]} rounds
 * @param {number} most
 */
export function mistakePoints(lines, rounds, most) {
  const costly = rounds
    .map(({ cost }, at) => ({ at: at + 1, cost: cost ?? 0 }))
    .filter(({ cost }) => cost > 0)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, most);
  const places = new Set(costly.map(({ at }) => at));
  return lines.flatMap((line) => line.slice(1)).filter(([at]) => places.has(at));
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
      return wanted === "" || round.decisions.some((one) => situationOf(one).toLowerCase().includes(wanted));
    })
    .reverse();
}

/** @param {Kept} round */
export function presetOf({ rules }) {
  return /\bpreset=(\S+)/.exec(rules)?.[1] ?? "other";
}

/** @param {KeptDecision} decision such as `hard 16 against Ten` */
export function situationOf({ hand, upcard }) {
  return situationText(hand, upcard);
}

/** @param {Mistake} mistake such as `stood 5 times` */
export function timesText({ made, times }) {
  return text("hands.times", { did: didText(made.decision), count: times });
}

/** @param {KeptDecision} decision a sentence about it, with its cost where that is known */
export function decisionText(decision) {
  const { cost, best, late } = decision;
  const did = didText(decision.decision);
  const values = { situation: situationOf(decision), did: late ? text("hands.by-clock", { did }) : did };
  if (cost === null) return text("hands.decided", values);
  if (!(cost > 0)) return text("hands.decided-best", values);
  return text("hands.decided-mistake", { ...values, best: decisionName(best ?? ""), cost: cost.toFixed(4) });
}

/**
 * @template T
 * @param {T[]} all
 * @param {(one: T) => number} part
 */
export function sum(all, part) {
  return all.reduce((total, one) => total + part(one), 0);
}
