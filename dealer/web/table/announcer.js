// What a screen reader is given: one place of the page is read out, and nothing else at the table is. By default that
// is what concerns one's own hand and the dealer's, at most six short sentences in a round; a setting asks for all.

import { byId, made } from "../shared/elements.js";
import { setting } from "../shared/settings.js";
import { sentences } from "./sentences.js";

/** So many sentences stay, so that none is gone before it is read. */
const KEPT = 12;

/** Read out what is news in a state that is drawn. @param {State} state @param {State} before */
export function announce(state, before) {
  const fresh = sentences(state, before, setting("read") === "everything");
  if (fresh.length === 0) return;
  const place = byId("announcer");
  place.append(...fresh.map((sentence) => made("p", {}, sentence)));
  while (place.children.length > KEPT) place.firstElementChild?.remove();
}
