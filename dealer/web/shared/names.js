// Names as they are spelt in messages. Their rules are in protocol/SPEC.md.

/** What no name has: nothing is seen of it, or it has no letter to be on; more than three marks are on one letter. */
const UNSEEN =
  /\p{C}|\p{Default_Ignorable_Code_Point}|\u2800|\u2D7F|\u{16FE4}|\u{1D159}|(?:^|\s)\p{M}|\p{M}{4}/u;

/**
 * A name without blanks at its ends, with one blank where there are several, and without the sign that phones put
 * behind a symbol for its picture.
 *
 * @param {string} text
 */
export function tidyName(text) {
  return text.replaceAll("\uFE0F", "").normalize("NFC").trim().replace(/\s+/gu, " ");
}

/**
 * Whether something in a name cannot be shown.
 *
 * @param {string} name
 */
export function hasUnseen(name) {
  return UNSEEN.test(name);
}

const HEX = "[0-9A-Fa-f]{2}";

/**
 * A name as JOIN spells it: a blank, and what is not printable ASCII, as %XX of its UTF-8 bytes; and so a % that would
 * begin such a byte.
 *
 * @param {string} text
 */
export function wireName(text) {
  return tidyName(text).replace(new RegExp(`[^!-~]|%(?=${HEX})`, "gu"), (character) =>
    Array.from(new TextEncoder().encode(character), toHex).join(""),
  );
}

/** @param {number} byte */
function toHex(byte) {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
