// The menu: the tables that there are, and a table of your own. The session does what is chosen.

import { byId, write } from "../shared/elements.js";
import { browser } from "../shared/memory.js";
import { hasUnseen, tidyName } from "../shared/names.js";
import { ownSeat } from "../table/game.js";
import { awayText, noticeText } from "../table/refusals.js";
import { rulesText, statusText } from "../table/words.js";
import { startInvite } from "./invite.js";
import { fill, showTables, summaryOf } from "./tables.js";

const REFRESH = 2500; // milliseconds between two looks at the tables
const LONGEST_NAME = 32;

/**
 * Make the menu work.
 *
 * @param {Session} session
 */
export function startMenu(session) {
  const dialog = byId("menu", HTMLDialogElement);
  const name = byId("name", HTMLInputElement);
  const list = byId("tables");
  const lastName = browser.read("name");
  name.value = typeof lastName === "string" ? lastName : "guest";
  // It is not needed for a seat at a table that is there, so the page does not wait for it.
  const form = import("./form.js").then(({ startForm }) => startForm());
  const invite = startInvite();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let refreshing;
  /** @type {number | null} the table in front */
  let front = null;

  /** @param {string | null} opening the line that opens a table @param {number | null} table */
  function sit(opening, table) {
    name.value = tidyName(name.value);
    name.setCustomValidity(nameProblem(name.value));
    if (!name.reportValidity()) return;
    browser.write("name", name.value);
    session.takeSeat(name.value, opening, table);
  }

  async function openTable() {
    const opening = (await form).read();
    if (opening !== null) sit(opening, null);
  }

  /** @param {number} table */
  function watch(table) {
    session.watch(table);
    dialog.close();
  }

  byId("close-menu").addEventListener("click", () => dialog.close());
  byId("leave").addEventListener("click", () => session.leave());
  byId("to-own-table").addEventListener("click", () => {
    byId("own-table").scrollIntoView();
    byId("opponent").querySelector("input")?.focus();
  });
  name.addEventListener("input", () => name.setCustomValidity(""));
  dialog.addEventListener("close", () => clearInterval(refreshing));
  byId("watch").addEventListener("click", () => front !== null && watch(front));
  list.addEventListener("click", ({ target }) => {
    const card = target instanceof HTMLButtonElement ? target.closest("li") : null;
    if (!(target instanceof Element) || card === null) return;
    const number = Number(card.dataset.table);
    if (target.className === "watch") watch(number);
    else sit(null, number);
  });
  byId("menu-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.submitter?.id === "take-seat" && isOffered("take-seat")) sit(null, front);
    else openTable();
  });

  return {
    show() {
      if (dialog.open) return;
      list.replaceChildren(); // what was new last time takes its place
      dialog.showModal();
      session.askTables();
      refreshing = setInterval(() => session.askTables(), REFRESH);
    },

    /**
     * Keep the menu up to date.
     *
     * @param {State} state
     * @param {State} before the state before this one
     */
    update(state, before) {
      invite.update(state);
      if (state.connection === "open" && before.connection !== "open" && dialog.open) session.askTables();
      front = showFront(state);
      showList(state, front);
      showNotes(state);
      const isSeatedNow = state.sitting === "yes" && before.sitting !== "yes";
      if (isSeatedNow && dialog.open) {
        dialog.close();
        byId("actions").focus(); // so that the keyboard goes on from there
      } else if (isLeftWithout(state, before, session.isWatching())) this.show();
    },
  };
}

/** @param {State} state */
function showNotes(state) {
  const isBusy = state.connection !== "open" || state.sitting === "asking";
  write("menu-status", isBusy ? statusText(state) : noticeText(state.notice, state.table));
  const isSeated = ownSeat(state) !== null;
  write("leaving-note", isSeated ? "A new game gives up your seat; a hand in play is lost." : "");
}

/**
 * Whether a seat was just lost or refused, or the table that was asked for is not there.
 *
 * @param {State} state
 * @param {State} before
 * @param {boolean} isWatching whether that was chosen, so that no seat is missed
 */
function isLeftWithout(state, before, isWatching) {
  const wasWaiting = ["asking", "returning", "leaving"].includes(before.sitting);
  const isMissing = state.notice?.word === "no-table" && before.notice !== state.notice;
  return state.sitting === "no" && ((wasWaiting && !isWatching) || isMissing);
}

/** @param {string} id */
function isOffered(id) {
  return byId(id).closest("[hidden]") === null;
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
    const texts = {
      "card-title": "A table for you alone",
      "short-rules": "Rules",
      "all-rules": rulesText(rules),
    };
    for (const [name, text] of Object.entries(texts)) setPart(card, name, text);
    for (const name of ["people", "room", "kept"]) setPart(card, name, "");
    byId("take-seat").hidden = false;
    return null;
  }
  const listed = state.tables?.tables.find((one) => one.table === table.table);
  const watchers = Math.max(0, (listed?.watchers ?? 0) - 1); // this page is one of them
  fill(card, { ...summaryOf(table), watchers }, null);
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
  byId("own-table").hidden = isClosed;
  byId("to-own-table").hidden = isClosed;
  const offer = isClosed
    ? "This dealer opens no tables for players."
    : "Open one: others can join you there.";
  write("no-tables", isEmpty ? `There is no table yet. ${offer}` : "");
  write("more-tables", tables !== null && tables.more > 0 ? `${tables.more} more tables are open.` : "");
  const isFull = tables?.opens === true && tables.full;
  byId("open-table", HTMLButtonElement).disabled = isFull;
  write(
    "full-note",
    isFull ? "No further table can be opened until one is left: sit down at one of those, or wait." : "",
  );
}

/** @param {HTMLElement} card @param {string} name @param {string} text */
function setPart(card, name, text) {
  const part = card.querySelector(`.${name}`);
  if (part !== null && part.textContent !== text) part.textContent = text;
}

/**
 * Why a tidy name cannot be taken; empty if it can.
 *
 * @param {string} name
 */
export function nameProblem(name) {
  if (name === "") return "Write the name that the others see: 1 to 32 characters.";
  if ([...name].length > LONGEST_NAME) return "This name is too long: 1 to 32 characters.";
  return hasUnseen(name) ? "This name has a character that cannot be shown: leave it out." : "";
}
