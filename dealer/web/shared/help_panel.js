// The dialog that teaches the game and lists the keys of the page. It is made when it is first opened.

import { openDialog } from "./dialog.js";
import { fact, made } from "./elements.js";
import { setting } from "./settings.js";
import { text } from "./texts.js";

/**
 * Show the dialog, with the keys that the page has.
 *
 * @param {(button: Element) => boolean} [isThere] whether a button is ever shown, as at a table with such rules
 */
export function openHelp(isThere = () => true) {
  const dialog = openDialog("help-panel", text("help.title"), text("help.close"), () => [
    ...PARAGRAPHS.map((key) => made("p", {}, text(key))),
    made("section", { class: "keys" }, made("h3", {}, text("help.keys")), made("dl")),
    made("p", {}, text("help.programs")),
  ]);
  const areOff = setting("keys") === "off";
  const keys = areOff ? [made("dd", {}, text("help.keys-off"))] : keysOfPage(isThere).map(row);
  const others = [row({ key: "Esc", what: text("help.closes") })];
  dialog.querySelector(".keys dl")?.replaceChildren(...keys, ...others);
}

/** @type {Record<string, string>} */
const ARROWS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };
const PARAGRAPHS = /** @type {const} */ (["help.aim", "help.turn", "help.showdown", "help.learn"]);

/** The keys of all buttons of the page, each with the words of its button. @param {(button: Element) => boolean} isThere */
function keysOfPage(isThere) {
  const some = (/** @type {string} */ where) => [
    ...document.querySelectorAll(`${where} [aria-keyshortcuts]`),
  ];
  const buttons = [...some("main"), ...some("header")]; // first those that play
  return buttons.filter(isThere).map((button) => ({
    key: button.getAttribute("aria-keyshortcuts") ?? "",
    what: button.getAttribute("aria-label") ?? wordsOf(button),
  }));
}

/** The text of an element without what only eyes see: its key and its icon. @param {Element} element */
function wordsOf(element) {
  const seen = [...element.childNodes].filter(
    (node) => !(node instanceof Element) || node.ariaHidden !== "true",
  );
  return seen
    .map(({ textContent }) => textContent)
    .join("")
    .trim();
}

/** @param {{ key: string, what: string }} key */
function row({ key, what }) {
  return fact(made("kbd", {}, ARROWS[key] ?? key), what);
}
