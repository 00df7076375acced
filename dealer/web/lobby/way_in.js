// From a button of the start to a game: a seat is asked for, and waited for where none is free; and the table does not
// wait for people: bots fill it, and it is started. Nothing here touches the document.

import { toMeetFriends, toPlayAgain, toPlayNow } from "./destinations.js";

/** Refusals after which there may be a seat later. */
const MAY_CHANGE = ["no-seat", "no-table", "no-place", "cannot-open", "busy", "ended"];

/**
 * The wish for a seat until there is one; the table where one sat last; and the tables as they were when a seat was asked
 * for, empty before that.
 *
 * @typedef {{ what: "now" | "friends" | "again", last: number | null, tried: string }} Wish
 */

/**
 * @param {Pick<Session, "takeSeat" | "reconnect" | "linked" | "opening" | "start" | "addBot">} session
 * @param {() => string} name of the player
 */
export function openWayIn(session, name) {
  /** @type {Wish | null} */
  let wish = null;
  let isNowhere = false;
  const filling = openFilling(session);

  /** @param {Wish} wish @param {Rules} rules @param {Tables} tables */
  function placesFor({ what, last }, rules, tables) {
    if (what === "friends") return toMeetFriends(rules, tables);
    if (what === "now") return toPlayNow(rules, tables, session.linked());
    return toPlayAgain(rules, tables, { table: last, opening: session.opening(last) });
  }

  // Where all were taken, only once something has changed.
  /** @param {State} state */
  function tryWish({ connection, sitting, rules, tables }) {
    if (wish === null || connection !== "open" || sitting !== "no" || rules === null || tables === null)
      return;
    const now = JSON.stringify([tables.full, tables.tables.map(({ table, free }) => [table, free])]);
    if (wish.tried === now) return;
    wish.tried = now;
    const places = placesFor(wish, rules, tables);
    isNowhere = places.length === 0;
    if (isNowhere) wish = null;
    else session.takeSeat(name(), places);
  }

  /** @param {State} state */
  function noteRefusal({ notice }) {
    if (wish?.what === "friends" || !MAY_CHANGE.includes(notice?.word ?? "")) wish = null;
  }

  function noteSeat() {
    filling.begin(wish !== null && wish.what !== "friends");
    wish = null;
  }

  function giveUp() {
    wish = null;
    isNowhere = false;
  }

  return {
    /**
     * Ask for a seat, until there is one.
     *
     * @param {Wish["what"]} what
     * @param {State} state
     */
    want(what, state) {
      isNowhere = false;
      wish = { what, last: state.table?.table ?? null, tried: "" };
      if (state.connection === "ended" || state.reason === "gone") session.reconnect();
      else tryWish(state);
    },

    giveUp,

    /**
     * Ask for a seat that was chosen: nothing else is wanted any more, and that table is left as it is.
     *
     * @param {Destination} destination
     * @param {string} [as] the name
     */
    sit(destination, as = name()) {
      giveUp();
      session.takeSeat(as, [destination]);
    },

    /** Whether a seat is wanted. */
    isLooking: () => wish !== null,
    /** Whether it was refused, and is waited for. */
    isWaiting: () => wish !== null && wish.tried !== "",
    /** Whether there is no table where friends could sit together. */
    isNowhere: () => isNowhere,

    /**
     * @param {State} state
     * @param {State} before the state before this one
     */
    update(state, before) {
      if (wish !== null && state.reason === "gone") return session.reconnect(); // a seat at any dealer is wanted
      const isNew = state.connection === "open" && before.connection !== "open";
      if (wish !== null && isNew) wish.tried = "";
      if (state.sitting === "yes" && before.sitting !== "yes") noteSeat();
      if (state.sitting === "no" && before.sitting === "asking" && !isNew) noteRefusal(state);
      else tryWish(state);
      filling.update(state.table);
    },
  };
}

/** @param {Pick<Session, "start" | "addBot">} session */
function openFilling(session) {
  let isFilling = false;
  /** How many sit there once the bots have come that were asked for; null until then. @type {Sitting | null} */
  let goal = null;

  /** @param {Table} table @returns {Sitting} */
  function askForBots(table) {
    const { taken, bots } = sittingAt(table);
    const more = table.may_add_bot ? table.seats.length - taken : 0;
    for (let bot = 0; bot < more; bot += 1) session.addBot();
    return { taken: taken + more, bots: bots + more };
  }

  return {
    /** Fill the table where there is a seat now. @param {boolean} isWanted */
    begin(isWanted) {
      isFilling = isWanted;
      goal = null;
    },

    /** @param {Table | null} table the newest one */
    update(table) {
      if (!isFilling || table === null || table.you === null) return;
      // Who may do neither is a guest, and stays one: a table is not begun by itself once its host is gone.
      const isGuest = goal === null && !table.may_start && !table.may_add_bot;
      if (table.phase !== "waiting" || isGuest) {
        isFilling = false;
        return;
      }
      goal ??= askForBots(table);
      const { taken, bots } = sittingAt(table);
      // Somebody may leave meanwhile, or take the seat of a bot.
      const isComplete = taken >= goal.taken || bots >= goal.bots;
      if (!isComplete || !table.may_start) return;
      isFilling = false;
      session.start();
    },
  };
}

/** @typedef {{ taken: number, bots: number }} Sitting how many seats are taken, and by bots */

/** @param {Table} table @returns {Sitting} */
function sittingAt({ seats }) {
  const taken = seats.filter(({ name }) => name !== null);
  return { taken: taken.length, bots: taken.filter(({ bot }) => bot).length };
}
