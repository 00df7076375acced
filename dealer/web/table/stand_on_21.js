// Standing on 21 by itself. Pure.

import { ownSeat } from "./game.js";

/**
 * Whether what is asked has one sensible answer: to stand on 21, where the only other one is to hit.
 *
 * @param {State} state
 */
export function standsOn21(state) {
  const { asked, question, table } = state;
  if (!asked || question.options.join() !== "HIT,STAND") return false;
  const seat = ownSeat(state);
  const hand = seat?.hands?.[(table?.hand ?? 1) - 1] ?? seat;
  return hand?.total === 21;
}
