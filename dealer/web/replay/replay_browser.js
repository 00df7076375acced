// The last rounds that were played in this browser; before the first, an example.

import * as archive from "../shared/archive.js";
import { summarized } from "./replay_file.js";
import { readLine } from "./steps.js";

const MOST = 200; // rounds: more are on the page of one's own hands

/** @returns {Promise<{ rounds: RoundSource, isExample: boolean }>} the newest first */
export async function ownRounds() {
  const kept = await archive.lastLines(MOST);
  if (kept.length > 0) return { rounds: sourceOf(kept.map(readLine).reverse()), isExample: false };
  const { EXAMPLE } = await import("./example.js");
  return { rounds: sourceOf([EXAMPLE]), isExample: true };
}

/** @param {Line[]} lines @returns {RoundSource} */
function sourceOf(lines) {
  const rounds = lines.map((line, at) => ({ ...summarized(line), at, start: 0, end: 0 }));
  return { rounds, read: ({ at }) => Promise.resolve(/** @type {Line} */ (lines[at])) };
}
