// Names as they are spelt in messages. Their rules are in protocol/SPEC.md.

/** Hangul's fillers and Braille's pattern without dots: no control characters, but nothing is seen. */
export const BLANK_LETTERS = /[\u115F\u1160\u2800\u3164\uFFA0]/u;

const HEX = "[0-9A-Fa-f]{2}";

/**
 * A name as JOIN spells it: a blank, and what is not printable ASCII, as %XX of its UTF-8 bytes; and so a % that would
 * begin such a byte. Blanks at the ends are left out, and of several in a row all but one.
 *
 * @param {string} text
 */
export function wireName(text) {
  const name = text.trim().replace(/\s+/gu, " ").normalize("NFC");
  return name.replace(new RegExp(`[^!-~]|%(?=${HEX})`, "gu"), (character) =>
    Array.from(new TextEncoder().encode(character), toHex).join(""),
  );
}

/** @param {number} byte */
function toHex(byte) {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
