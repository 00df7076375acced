// What this page says to the dealer, and when: taking a seat, keeping it, coming back to it.

import { Connection } from "./connection.js";
import {
  canAskHint,
  canDecide,
  canGoOn,
  canReveal,
  freeSeats,
  isRefusedAsLate,
  isTakeover,
  isWithoutPause,
} from "./game.js";
import { tab } from "./memory.js";
import { openLine, parse } from "./messages.js";

/** @typedef {import("./game.js").State} State */
/** @typedef {import("./messages.js").Choices} Choices */
/** @typedef {import("./messages.js").Decision} Decision */
/** @typedef {import("./messages.js").DealerMessage} DealerMessage */

/**
 * The state of the page, and what changes it.
 *
 * @typedef {object} Store
 * @property {State} state
 * @property {(message: DealerMessage | import("./game.js").PageEvent) => void} dispatch
 */

/** @typedef {ReturnType<typeof startSession>} Session */

const TOKEN_BYTES = 24; // 32 characters
const OWN_PAUSE = 2500; // milliseconds to look at results where the dealer gives no time for it

/**
 * Begin to speak with the dealer. What can be done is returned.
 *
 * @param {Store} store
 */
export function startSession(store) {
  const connection = new Connection(address(), { onOpen, onLine, onLost });
  let token = keptToken();
  /**
   * The seat to ask for once that is possible: at a table of our own if there are choices.
   *
   * @type {{ name: string, choices: Choices | null, table: number | null } | null}
   */
  let wish = null;
  let watched = numberInAddress();
  let canReview = true;
  let isReviewing = false;
  /** @type {ReturnType<typeof setTimeout> | null} the timer while we look at results */
  let pause = null;
  /** @type {DealerMessage[]} what the dealer said meanwhile */
  let later = [];

  function onOpen() {
    canReview = true;
    isReviewing = false;
    store.dispatch({ kind: "opened" });
    connection.say("RULES"); // before there is a seat: those of the dealer's own tables
    if (token !== null && wish === null) {
      store.dispatch({ kind: "sitting", sitting: "returning" });
      connection.say(`RESUME ${token}`);
      connection.say("WATCH");
    } else {
      connection.say(watched === null ? "WATCH" : `WATCH ${watched}`);
    }
    ask();
  }

  /** @param {string} line */
  function onLine(line) {
    const message = parse(line);
    if (message === null) return;
    // Not at the opening: a dealer that is full opens too, only to close again.
    if (message.kind !== "ERROR") connection.resetWait();
    if (pause !== null) later.push(message);
    else hear(message);
  }

  function onLost() {
    while (pause !== null) endPause();
    if (["taken", "ended"].includes(store.state.connection)) return;
    store.dispatch({ kind: store.state.sitting === "leaving" ? "left" : "lost" });
    connection.retry();
  }

  /** @param {DealerMessage} message */
  function hear(message) {
    const before = store.state;
    if (message.kind === "ERROR" && isExpected(message.text)) return;
    store.dispatch(message);
    if (store.state.sitting === "yes" && token === null) keepSeat();
    if (before.sitting === "returning" && store.state.sitting === "no") forgetSeat();
    if (store.state.connection === "taken") quit(before);
    else answer(message, before);
  }

  /**
   * Whether a complaint is no fault of the player: then we ask for something else.
   *
   * @param {string} text
   */
  function isExpected(text) {
    const { state } = store;
    if (isReviewing && !isRefusedAsLate(state) && !isTakeover(text)) {
      canReview = isReviewing = false; // there is nothing to review by
      return true;
    }
    if (watched !== null && state.sitting === "no" && state.isFresh) {
      watch(null); // the table that the address names is gone
      connection.say("WATCH");
      return true;
    }
    return false;
  }

  /** @param {DealerMessage} message @param {State} before */
  function answer(message, before) {
    switch (message.kind) {
      case "OPENED":
        sitAtOwn(message.number);
        break;
      case "RESULT":
        review();
        break;
      case "REVIEW":
        isReviewing = false;
        break;
      case "ERROR":
        refused(before);
        break;
      case "QUIT":
        quit(before);
        break;
      case "TABLE":
        if (isWithoutPause(message.table)) pause = setTimeout(endPause, OWN_PAUSE);
    }
  }

  function endPause() {
    if (pause !== null) clearTimeout(pause);
    pause = null;
    const waiting = later;
    later = [];
    for (const message of waiting) {
      if (pause === null) hear(message);
      else later.push(message);
    }
  }

  function ask() {
    if (wish === null) return;
    store.dispatch({ kind: "sitting", sitting: "asking" });
    if (wish.choices) {
      connection.say(openLine(wish.choices));
    } else {
      connection.say(wish.table === null ? "WATCH" : `WATCH ${wish.table}`); // whose seat a JOIN is for
      connection.say(`JOIN ${wish.name}`);
      wish = null;
    }
  }

  /** @param {number} number */
  function sitAtOwn(number) {
    if (wish === null) return;
    watch(number);
    connection.say(`JOIN ${wish.name}`);
    wish = null;
  }

  /**
   * The address leads whoever is given it to the same table.
   *
   * @param {number | null} number
   */
  function watch(number) {
    watched = number;
    history.replaceState(null, "", number === null ? location.pathname : `#table=${number}`);
  }

  function keepSeat() {
    token = newToken();
    tab.write("seat", token);
    connection.say(`KEEP ${token}`);
  }

  function forgetSeat() {
    token = null;
    tab.forget("seat");
  }

  function review() {
    if (!canReview) return;
    isReviewing = true;
    connection.say("REVIEW");
  }

  /** @param {State} before */
  function refused(before) {
    if (isRefusedAsLate(before) && before.answer !== null) decide(before.answer);
    else if (before.sitting === "asking") wish = null;
  }

  /** @param {State} before */
  function quit(before) {
    if (before.sitting === "leaving") {
      store.dispatch({ kind: "left" });
      connection.open();
      return;
    }
    connection.close();
    if (store.state.connection === "ended") forgetSeat();
  }

  /** @param {Decision} decision */
  function decide(decision) {
    if (!canDecide(store.state)) return;
    store.dispatch({ kind: "answered", decision });
    connection.say(decision);
  }

  /** @param {string} name @param {Choices | null} choices */
  function takeSeat(name, choices) {
    const { connection: is, sitting, table } = store.state;
    wish = { name, choices, table: freeSeats(store.state) === null || table === null ? null : table.table };
    if (is === "open" && sitting !== "no") leave();
    else if (is === "open") ask();
    else {
      forgetSeat();
      reconnect();
    }
  }

  function reconnect() {
    store.dispatch({ kind: "connecting" });
    connection.open();
  }

  function goOn() {
    if (!canGoOn(store.state)) return;
    if (pause !== null) endPause();
    else connection.say("NEXT");
  }

  function leave() {
    if (pause !== null) endPause();
    forgetSeat();
    store.dispatch({ kind: "sitting", sitting: "leaving" });
    connection.say("QUIT");
  }

  function hint() {
    if (canAskHint(store.state)) connection.say("HINT");
  }

  function reveal() {
    if (canReveal(store.state)) connection.say("REVEAL");
  }

  connection.open();
  return { decide, takeSeat, leave, reconnect, next: goOn, hint, reveal };
}

function address() {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;
}

function numberInAddress() {
  const found = /^#table=(\d{1,9})$/.exec(location.hash);
  return found === null ? null : Number(found[1]);
}

function keptToken() {
  const token = tab.read("seat");
  return typeof token === "string" ? token : null;
}

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  const letters = btoa(String.fromCharCode(...bytes));
  return letters.replaceAll("+", "-").replaceAll("/", "_");
}
