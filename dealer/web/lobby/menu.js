// The list of the tables that there are, and the name that the others see. The session does what is chosen.

import { byId, setText, write } from "../shared/elements.js";
import { keepName, nameProblem, ownName, tidyName } from "../shared/names.js";
import { text } from "../shared/texts.js";
import { ownSeat } from "../table/game.js";
import { awayText, noticeText } from "../table/refusals.js";
import { rulesText, statusText } from "../table/words.js";
import { fill, showTables, summaryOf } from "./tables.js";

/**
 * Make the list work.
 *
 * @param {Session} session
 * @param {(destination: Destination, name: string) => void} sitDown called with the table that is chosen
 * @param {() => void} onName called when another name is kept
 */
export function startMenu(session, sitDown, onName) {
  const dialog = byId("menu", HTMLDialogElement);
  const name = byId("name", HTMLInputElement);
  const list = byId("tables");
  /** @type {number | null} the table in front */
  let front = null;

  /** Whether the name is one that can be taken; then it is kept. */
  function isNamed() {
    name.value = tidyName(name.value);
    name.setCustomValidity(nameProblem(name.value));
    if (!name.checkValidity()) return false;
    keepName(name.value);
    onName();
    return true;
  }

  /** @param {number | null} table */
  function sit(table) {
    if (!isNamed()) name.reportValidity();
    else sitDown(table === null ? {} : { table }, name.value);
  }

  /** @param {number} table */
  function watch(table) {
    session.watch(table);
    dialog.close();
  }

  byId("close-menu").addEventListener("click", () => dialog.close());
  byId("leave").addEventListener("click", () => {
    dialog.close();
    session.leave();
  });
  name.addEventListener("input", () => name.setCustomValidity(""));
  name.addEventListener("change", isNamed);
  byId("watch").addEventListener("click", () => front !== null && watch(front));
  list.addEventListener("click", ({ target }) => {
    const card = target instanceof HTMLButtonElement ? target.closest("li") : null;
    if (!(target instanceof Element) || card === null) return;
    const number = Number(card.dataset.table);
    if (target.className === "watch") watch(number);
    else sit(number);
  });
  byId("menu-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (byId("take-seat").closest("[hidden]") === null) sit(front);
    else if (!isNamed()) name.reportValidity();
  });

  return {
    show() {
      if (dialog.open) return;
      name.value = ownName();
      list.replaceChildren(); // what was new last time takes its place
      dialog.showModal();
      name.focus();
    },

    /** @param {State} state */
    update(state) {
      front = showFront(state);
      showList(state, front);
      showNotes(state);
    },
  };
}

/** @param {State} state */
function showNotes(state) {
  const isBusy = state.connection !== "open" || state.sitting === "asking";
  write("menu-status", isBusy ? statusText(state) : noticeText(state.notice, state.table));
  write("leaving-note", ownSeat(state) === null ? "" : text("tables.gives-up"));
}

/**
 * The table that is shown, or that the link leads to; or the one that a dealer opens for everybody. Its number, if it
 * has one.
 *
 * @param {State} state
 */
function showFront(state) {
  const { table, rules } = state;
  const card = byId("free-seat");
  const isSeated = ownSeat(state) !== null;
  const isAlone = table?.seats.length === 1 && rules?.seats === "1"; // somebody else's
  const isShared = table !== null && table.phase !== "closed" && !isAlone;
  const isForEverybody = !isShared && rules?.seats === "1";
  card.hidden = isSeated || !(isShared || isForEverybody);
  if (card.hidden) return null;
  byId("watch").hidden = !isShared;
  if (table === null || !isShared) {
    setPart(card, "card-title", text("tables.alone"));
    setPart(card, "short-rules", text("tables.rules"));
    setPart(card, "all-rules", rulesText(rules));
    for (const name of ["people", "room", "kept"]) setPart(card, name, "");
    byId("take-seat").hidden = false;
    return null;
  }
  const listed = state.tables?.tables.find((one) => one.table === table.table);
  const watchers = Math.max(0, (listed?.watchers ?? 0) - 1); // this page is one of them
  const summary = { ...summaryOf(table), watchers };
  fill(card, listed?.may_start ? { ...summary, may_start: true } : summary, null);
  setPart(card, "kept", awayText(table));
  return table.table;
}

/** @param {State} state @param {number | null} front */
function showList(state, front) {
  const { tables, table } = state;
  const own = ownSeat(state) === null ? null : (table?.table ?? null);
  const others = (tables?.tables ?? []).filter((one) => one.table !== front);
  showTables(byId("tables"), others, own);
  const isEmpty = tables !== null && others.length === 0 && front === null;
  const isClosed = tables !== null && !tables.opens;
  write("no-tables", isEmpty ? text(isClosed ? "tables.none-here" : "tables.none") : "");
  const count = tables?.more ?? 0;
  write("more-tables", count > 0 ? text("tables.more", { count }) : "");
}

/** @param {HTMLElement} card @param {string} name @param {string} value */
function setPart(card, name, value) {
  const part = card.querySelector(`.${name}`);
  if (part !== null) setText(part, value);
}
