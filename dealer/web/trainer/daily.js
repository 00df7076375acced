// The ten hands of a day: the same for everybody on that day, whichever dealer and browser. Pure.

import { handClass, RANKS, totalOf } from "../shared/hand.js";
import { randomOf, seedOf, shuffled } from "./chance.js";
import { UPCARDS } from "./charts.js";

/** The preset of every day. */
export const PRESET = "vegas";
export const HANDS = 10;
const OF_THREE = 3; // how many of these have three cards
/** The ranks that count differently: a ten stands for the pictures. */
const DIFFERENT = RANKS.slice(0, 10);

/** The day of a moment, in UTC: `2026-11-27`. @param {Date} now */
export function dayOf(now) {
  return now.toISOString().slice(0, 10);
}

/** Milliseconds from a moment to the next day. @param {Date} now */
export function untilNextDay(now) {
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime();
}

/**
 * The hands of a day, in their order. None comes twice, and none is too easy to be asked.
 *
 * @param {string} day
 * @returns {{ cards: string[], upcard: number }[]}
 */
export function handsOf(day) {
  const random = randomOf(seedOf(`twentyone ${day}`));
  const two = shuffled(dealt(2).filter(isWorthAsking), random).slice(0, HANDS - OF_THREE);
  const three = shuffled(dealt(3).filter(isWorthAsking), random).slice(0, OF_THREE);
  const upcard = () => UPCARDS[Math.floor(random() * UPCARDS.length)] ?? 0;
  return shuffled([...two, ...three], random).map((cards) => ({ cards, upcard: upcard() }));
}

/** All hands of this number of cards, in one order of their ranks each. @param {number} number @returns {string[][]} */
function dealt(number, from = 0) {
  if (number === 0) return [[]];
  return DIFFERENT.flatMap((rank, at) =>
    at < from ? [] : dealt(number - 1, at).map((others) => [rank, ...others]),
  );
}

/** @param {string[]} cards */
function isWorthAsking(cards) {
  const { total, soft } = totalOf(cards);
  if (handClass(cards).startsWith("pair")) return total !== 20;
  if (cards.length > 2 && !soft) return total >= 12 && total <= 17;
  return soft ? total >= 13 && total <= 19 : total >= 9 && total <= 17;
}
