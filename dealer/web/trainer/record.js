// The trainer's records in this browser: one for each set of rules, the newest eight.

import { browser } from "../shared/memory.js";
import { NO_RECORD } from "./grading.js";
import { forgetToday } from "./today.js";

const MOST_RULES = 8;
const KEY = "trainer";

/** @returns {[rules: string, record: TrainerRecord][]} */
function all() {
  const found = browser.read(KEY);
  return Array.isArray(found) ? found : [];
}

/** @param {string} rules @returns {TrainerRecord} */
export function recordOf(rules) {
  return { ...NO_RECORD, ...all().find(([key]) => key === rules)?.[1] };
}

/** @param {string} rules @param {TrainerRecord} record */
export function keep(rules, record) {
  const others = all().filter(([key]) => key !== rules);
  browser.write(KEY, [[rules, record], ...others].slice(0, MOST_RULES));
}

/** Forget all answers. What was played at the table stays in the archive, and is not counted again. */
export function forgetAll() {
  const emptied = all().map(([rules, { seen }]) => [rules, { ...NO_RECORD, seen }]);
  browser.write(KEY, emptied);
  forgetToday();
}
