// The start on the felt: the ways into a game, and what is waited for where there is none yet. The list of tables, a
// table with rules of one's own, and how others are invited are loaded when they are needed.

import { byId, write } from "../shared/elements.js";
import { tellIncomplete } from "../shared/loading.js";
import { ownName } from "../shared/names.js";
import { reasonText } from "../shared/reasons.js";
import { text } from "../shared/texts.js";
import { isBroke } from "../table/game.js";
import { awayText, endText, noticeText } from "../table/refusals.js";
import { takeFocus } from "../table/view.js";
import { isKeptWaiting, isWaitingForPlayers } from "../table/waiting.js";
import { openParts } from "./parts.js";
import { openWayIn } from "./way_in.js";

const REFRESH = 2500; // milliseconds between two looks at the tables

/**
 * Make the lobby work.
 *
 * @param {Session} session
 * @param {() => State} state
 * @param {Store["whenShown"]} whenShown
 */
export function startLobby(session, state, whenShown) {
  const panel = byId("start");
  const dialogs = ["menu", "new-table"].map((id) => byId(id, HTMLDialogElement));
  const wayIn = openWayIn(session, ownName);
  let isEndDue = false; // whether the last cards are still being drawn
  let isComplete = true; // whether the last part that was needed could be loaded
  const parts = openParts(state, (isLoaded) => {
    if (isComplete && isLoaded) return;
    isComplete = isLoaded;
    if (!isLoaded && (panel.hidden || dialogs.some(({ open }) => open))) tellIncomplete();
    showStart(state());
  });

  const invite = () => parts.get("invite", async () => (await import("./invite.js")).startInvite(session));
  const menu = () =>
    parts.get("menu", async () => (await import("./menu.js")).startMenu(session, wayIn.sit, showName));
  const form = () =>
    parts.get("form", async () => {
      const { startForm } = await import("./form.js");
      return startForm((opening) => wayIn.sit({ opening }));
    });

  async function showTables() {
    const list = await menu();
    if (list === null) return;
    want(null);
    if (state().reason === "gone") session.reconnect(); // the tables are those of another dealer
    list.show();
    session.askTables();
  }

  async function showForm() {
    const choices = await form();
    if (choices === null) return;
    want(null);
    for (const dialog of dialogs) if (dialog.open) dialog.close(); // one that is closed would be laid out all the same
    choices.show();
    session.askTables();
  }

  /** @param {"now" | "friends" | "again" | null} what null to wait no more */
  function want(what) {
    if (what === null) wayIn.giveUp();
    else wayIn.want(what, state());
    showStart(state());
  }

  function watch() {
    const { table } = state();
    if (table !== null) session.watch(table.table);
    want(null);
    byId("actions").focus(); // so that the keyboard goes on from there
  }

  function leave() {
    wayIn.giveUp();
    session.leave();
  }

  function showName() {
    write("start-name", text("start.player", { name: ownName() }));
  }

  /** @type {Record<string, () => void>} */
  const buttons = {
    "play-now": () => want("now"),
    "play-friends": () => want("friends"),
    "buy-in": () => want("again"),
    "stop-waiting": () => want(null),
    "choose-rules": showForm,
    "to-own-table": showForm,
    "show-tables": showTables,
    "start-name": showTables,
    "watch-table": watch,
    "leave-now": leave,
  };
  for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", act);
  showName();
  setInterval(() => {
    if (!panel.hidden || dialogs.some(({ open }) => open)) session.askTables();
  }, REFRESH);

  // Not while the last cards lie there to be looked at.
  /** @param {State} now */
  function isAtStart({ connection, sitting, reason }) {
    if (reason === "gone") return true;
    const hasEnded = connection === "ended";
    const isReturning = session.hasKeptSeat() && !hasEnded && connection !== "open";
    const isElsewhere = connection === "taken" || isReturning || session.isWatching();
    return sitting === "no" && !isElsewhere && !(hasEnded && isEndDue);
  }

  /** @param {State} now */
  function showStart(now) {
    const { connection, table, tables } = now;
    const isLooking = wayIn.isLooking();
    const hasEnded = connection === "ended";
    const isFree = isAtStart(now);
    const hadFocus = panel.hidden || panel.contains(document.activeElement);
    panel.hidden = !isFree;
    document.body.dataset.panel = isFree ? "start" : isWaitingForPlayers(now) ? "waiting" : "none";
    const canBuyIn = hasEnded && isBroke(now) && !isLooking;
    byId("buy-in").hidden = !canBuyIn;
    byId("play-now").hidden = isLooking || canBuyIn;
    byId("stop-waiting").hidden = !isLooking;
    byId("choose-rules").hidden = byId("to-own-table").hidden = tables?.opens === false;
    byId("watch-table").hidden = hasEnded || table === null;
    write("start-note", noteText(now));
    write("start-waiting", waitingText(now));
    if (isFree && hadFocus && isFocusNowhere()) focusFirst();
  }

  /** @param {State} now */
  function noteText(now) {
    if (!isComplete) return text("reload.incomplete");
    if (wayIn.isNowhere()) return text("start.nowhere-together");
    if (now.connection === "ended") return endText(now);
    if (now.reason === "gone") return reasonText(now.reason);
    return wayIn.isLooking() ? "" : noticeText(now.notice, now.table);
  }

  /** @param {State} now */
  function waitingText({ notice, table }) {
    if (!wayIn.isLooking()) return "";
    if (!wayIn.isWaiting()) return text("start.looking");
    const told = noticeText(notice);
    const isShare = told === text("refused.tables");
    if (notice !== null && notice.word !== "no-seat")
      return `${isShare ? text("start.own-full") : told} ${text("start.waiting")}`;
    const kept = table === null ? "" : awayText(table); // when a seat may be free
    return [text("start.all-taken"), kept, text("start.waiting")].filter(Boolean).join(" ");
  }

  function endOnceShown() {
    isEndDue = true;
    whenShown(() => {
      isEndDue = false;
      showStart(state());
    });
  }

  function sitDown() {
    for (const dialog of dialogs) if (dialog.open) dialog.close(); // one that is closed would be laid out all the same
    takeFocus(); // so that the keyboard goes on from there
  }

  return {
    showTables,

    /**
     * Keep it up to date.
     *
     * @param {State} now
     * @param {State} before the state before this one
     */
    update(now, before) {
      wayIn.update(now, before);
      const isNew = now.connection === "open" && before.connection !== "open";
      if (isNew && now.sitting !== "yes") session.askTables();
      if (now.connection === "ended" && before.connection !== "ended") endOnceShown();
      showStart(now);
      if ((now.table?.seats.length ?? 0) > 1 && isComplete && !parts.has("invite")) invite();
      parts.update();
      byId("leave-now").hidden = !isKeptWaiting(now);
      if (now.sitting === "yes" && before.sitting === "asking") sitDown();
    },
  };
}

function focusFirst() {
  const first = byId("start").querySelector("button:not([hidden])");
  if (first instanceof HTMLElement) first.focus();
}

// An element that is hidden has lost the focus, at once or soon.
function isFocusNowhere() {
  const { activeElement } = document;
  const isGone = activeElement?.closest("[hidden], dialog:not([open])") !== null;
  return activeElement === document.body || isGone || activeElement === byId("actions");
}
