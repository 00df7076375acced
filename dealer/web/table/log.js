// The log beside the table. It is no live region: announcer.js says what is read out.

import { byId, made } from "../shared/elements.js";
import { text } from "../shared/texts.js";
import { freshLines } from "./sentences.js";

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
