// The log beside the table, and what a screen reader is given of it: one place of the page is read out, and nothing else
// at the table is. By default that is what concerns one's own hand and the dealer's; a setting asks for all.

import { byId, made } from "../shared/elements.js";
import { setting } from "../shared/settings.js";
import { text } from "../shared/texts.js";
import { freshLines, sentences } from "./sentences.js";

/** The number of sentences that stay, so that none is gone before it is read. */
const KEPT = 12;

/** Add what has happened. @param {State} state @param {State} before */
export function showLog(state, before) {
  const log = byId("log");
  const fresh = freshLines(state, before);
  if (fresh.length === state.log.length) log.replaceChildren(); // it is that of another table
  log.append(...fresh.map((line) => made("p", { "data-round": isOfRound(line) }, line)));
  while (log.children.length > state.log.length) log.firstElementChild?.remove();
}

/** Whether a line says that a round begins. @param {string} line */
function isOfRound(line) {
  return String(line === text("log.round", { round: /\d+/.exec(line)?.[0] ?? "" }));
}

/** Read out what is news in a state that is drawn. @param {State} state @param {State} before */
export function announce(state, before) {
  const fresh = sentences(state, before, setting("read") === "everything");
  if (fresh.length === 0) return;
  const place = byId("announcer");
  place.append(...fresh.map((sentence) => made("p", {}, sentence)));
  while (place.children.length > KEPT) place.firstElementChild?.remove();
}
