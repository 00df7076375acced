// Chips that move when a round is over: from the dealer to a seat that has won, and from one that has lost.

import { byId } from "../shared/elements.js";
import { stack } from "./chips.js";
import { wayFromDealer } from "./felt.js";

const LONG = 700; // milliseconds
const lessMotion = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/**
 * The chips that each seat wins or loses between two tables.
 *
 * @param {Frame | null} before
 * @param {Frame | null} after
 * @returns {{ seat: number, chips: number }[]} less than 0 for a loss
 */
export function paidBetween(before, after) {
  if (before === null || after === null || before.table !== after.table) return [];
  return after.seats.flatMap(({ bankroll, result, payoff }, seat) => {
    const isNew = result !== null && (before.seats[seat]?.result === null || before.round !== after.round);
    const chips = Number(payoff ?? 0);
    return bankroll !== undefined && isNew && chips !== 0 ? [{ seat, chips }] : [];
  });
}

/** @param {Frame | null} before @param {Frame | null} after */
export function fly(before, after) {
  if (lessMotion?.matches) return;
  for (const { seat, chips } of paidBetween(before, after)) {
    const way = wayFromDealer(seat);
    if (way === null) continue;
    const drawn = stack(Math.abs(chips));
    byId("flying").append(drawn);
    const ends = [way.from, way.to].map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
    const frames = chips > 0 ? ends : ends.reverse();
    const moving = drawn.animate(frames, { duration: LONG, easing: "ease-in-out" });
    moving.finished.catch(() => {}).then(() => drawn.remove());
  }
}
