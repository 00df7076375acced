// Names as they are spelt in messages, whose rules are in protocol/SPEC.md; and the name of this browser's player, which
// is made up at the first visit, kept, and changed where the tables are listed.

import { browser } from "./memory.js";
import { text } from "./texts.js";

const LONGEST_NAME = 32;
const FIRST =
  "Amber Bold Brave Bright Calm Clever Cosy Gentle Jolly Keen Lucky Merry Nimble Quiet Swift Witty";
const SECOND =
  "Badger Beaver Falcon Finch Fox Hare Heron Lynx Magpie Marten Otter Owl Panda Puffin Robin Swan";

/** Characters that no name has: nothing is seen of it, or it has no letter to be on; more than three marks are on one letter. */
const UNSEEN =
  /\p{C}|\p{Default_Ignorable_Code_Point}|\u2800|\u2D7F|\u{16FE4}|\u{1D159}|(?:^|\s)\p{M}|\p{M}{4}/u;

/**
 * A name without blanks at its ends, with one blank where there are several, and without the sign that phones put
 * behind a symbol for its picture.
 *
 * @param {string} typed
 */
export function tidyName(typed) {
  return typed.replaceAll("\uFE0F", "").normalize("NFC").trim().replace(/\s+/gu, " ");
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
 * @param {string} name
 */
export function wireName(name) {
  return tidyName(name).replace(new RegExp(`[^!-~]|%(?=${HEX})`, "gu"), (character) =>
    Array.from(new TextEncoder().encode(character), toHex).join(""),
  );
}

/** @param {number} byte */
function toHex(byte) {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** The name to play by. */
export function ownName() {
  const kept = browser.read("name");
  if (typeof kept === "string" && nameProblem(kept) === "") return kept;
  const made = madeUpName();
  keepName(made);
  return made;
}

/** @param {string} name a tidy one */
export function keepName(name) {
  browser.write("name", name);
}

/** Two plain words, such as "Calm Otter". @param {() => number} [random] */
export function madeUpName(random = Math.random) {
  const words = [FIRST, SECOND].map((all) => all.split(" "));
  return words.map((all) => all[Math.floor(all.length * random())]).join(" ");
}

/**
 * Why a tidy name cannot be taken; empty if it can.
 *
 * @param {string} name
 */
export function nameProblem(name) {
  if (name === "") return text("name.empty");
  if ([...name].length > LONGEST_NAME) return text("name.long");
  return hasUnseen(name) ? text("name.unseen") : "";
}
