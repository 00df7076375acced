// Grading an answer, and the record of all answers. Pure.

import { bestOf, cellOf, cellValues } from "./drills.js";

/** A right answer leaves this part of what is remembered of a cell's mistakes. */
const KEPT = 0.5;

/**
 * The chart's decision for a hand, among its options. A chart is for two cards: for three its best decision without
 * doubling and surrender counts. It never insures.
 *
 * @param {Drill} drill
 * @param {ChartHand[]} hands all against this upcard
 */
export function chartedFor({ kind, hand, values }, hands) {
  if (kind === "insurance") return "DECLINE";
  const cell = Object.entries(cellValues(hands, hand)).filter(([decision]) => decision in values);
  return bestOf(cell.length > 0 ? Object.fromEntries(cell) : values);
}

/**
 * An answer is right if it is the best for exactly these cards, or the chart's for all such hands.
 *
 * @param {Drill} drill
 * @param {Decision | null} decision null where the time was over: it costs what the worst would
 * @param {Decision} charted
 * @returns {Grade}
 */
export function grade({ values }, decision, charted) {
  const best = bestOf(values);
  const value = decision === null ? Math.min(...Object.values(values)) : (values[decision] ?? 0);
  const cost = Math.max(0, (values[best] ?? 0) - value);
  return { best, cost, isRight: decision === best || (decision === charted && charted in values) };
}

/**
 * The record after an answer.
 *
 * @param {TrainerRecord} record
 * @param {Drill} drill
 * @param {Grade} graded
 * @returns {TrainerRecord}
 */
export function recorded(record, { kind, hand, upcard }, { isRight, cost }) {
  const name = cellOf(hand, upcard, kind);
  const cell = record.cells[name] ?? { asked: 0, wrong: 0, lost: 0, error: 0 };
  const streak = isRight ? record.streak + 1 : 0;
  return {
    asked: record.asked + 1,
    right: record.right + (isRight ? 1 : 0),
    lost: record.lost + cost,
    streak,
    best: Math.max(record.best, streak),
    seen: record.seen,
    cells: {
      ...record.cells,
      [name]: {
        asked: cell.asked + 1,
        wrong: cell.wrong + (isRight ? 0 : 1),
        lost: cell.lost + cost,
        error: isRight ? cell.error * KEPT : cell.error + cost,
      },
    },
  };
}

/** @type {TrainerRecord} */
export const NO_RECORD = { asked: 0, right: 0, lost: 0, streak: 0, best: 0, seen: "", cells: {} };

/**
 * The record with the mistakes of the rounds that this browser has kept since they were looked at last.
 *
 * @param {TrainerRecord} record
 * @param {Situation[]} situations of these rules
 * @returns {TrainerRecord}
 */
export function withPlayed(record, situations) {
  const fresh = situations.filter(({ time }) => time > record.seen);
  const cells = { ...record.cells };
  for (const { hand, upcard, cost } of fresh) {
    const name = cellOf(hand, upcard);
    const cell = cells[name] ?? { asked: 0, wrong: 0, lost: 0, error: 0 };
    cells[name] = { ...cell, error: cost > 0 ? cell.error + cost : cell.error * KEPT };
  }
  const seen = [record.seen, ...fresh.map(({ time }) => time)].sort().at(-1) ?? "";
  return { ...record, cells, seen };
}
