// Numbers as they are shown: with groups of thousands, and one sign for minus. Pure.

/** The language of the texts, by which numbers and dates are written, and forms of the plural are chosen. */
export const LANGUAGE = "en-GB";
const MINUS = "\u2212";

// Making one takes longer than all else that is done for a seat.
/** @type {Map<string, Intl.NumberFormat>} by the most and the least decimals */
const formats = new Map();

/**
 * A number with at most, and at least, so many decimals: `1,234.5`, `−0.25`; never `−0`.
 *
 * @param {number} number
 * @param {number} [most]
 * @param {number} [least]
 */
export function rounded(number, most = 2, least = 0) {
  const near = Number(number.toFixed(most)) || 0; // never -0
  return minus(formatOf(most, least).format(near));
}

/** @param {number} most @param {number} least */
function formatOf(most, least) {
  const key = `${most} ${least}`;
  const found =
    formats.get(key) ??
    new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: most, minimumFractionDigits: least });
  formats.set(key, found);
  return found;
}

/**
 * The same with its sign, `+` too; nothing before a zero.
 *
 * @param {number} number
 * @param {number} [most]
 * @param {number} [least]
 */
export function signed(number, most = 2, least = 0) {
  const text = rounded(number, most, least);
  return Number(number.toFixed(most)) > 0 ? `+${text}` : text;
}

/**
 * A number as the dealer writes it, such as `-0.5`, with the sign that is shown.
 *
 * @param {string} text
 */
export function minus(text) {
  return text.replace(/-(?=\d)/g, MINUS);
}

/**
 * A word with a capital, whatever its letters were: `Surrender` for `SURRENDER`.
 *
 * @param {string} text
 */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}
