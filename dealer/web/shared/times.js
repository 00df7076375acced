// Moments as they are shown: in the time of this place. Pure.

import { text } from "./texts.js";

/** @param {string} time by ISO 8601 */
export function when(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return text("time.none");
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** @param {string} time by ISO 8601: without the year and the seconds */
export function shortly(time) {
  return when(time).slice(5, 16);
}
