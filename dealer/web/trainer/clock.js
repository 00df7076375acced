// The clock of the trainer: some seconds for each hand, or a sprint over as many hands as one can decide.

import { byId, write } from "../shared/elements.js";
import { text } from "../shared/texts.js";

/** The seconds of a sprint, which hands do not begin again. */
export const SPRINT = 60;

/**
 * A clock that shows its seconds on the felt.
 *
 * @param {() => void} ranOut called when its time is over
 */
export function clock(ranOut) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let ticking;
  let end = 0; // in milliseconds of performance.now

  function tick() {
    const left = Math.max(0, end - performance.now());
    write("time", text("trainer.seconds", { seconds: Math.ceil(left / 1000) }));
    if (left > 0) return;
    stop();
    ranOut();
  }

  function stop() {
    clearInterval(ticking);
    ticking = undefined;
    byId("time").hidden = true;
  }

  return {
    get isRunning() {
      return ticking !== undefined;
    },
    stop,
    /** @param {number} seconds */
    start(seconds) {
      stop();
      end = performance.now() + 1000 * seconds;
      byId("time").hidden = false;
      tick();
      ticking = setInterval(tick, 100);
    },
  };
}
