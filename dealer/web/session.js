// What this page says to the dealer, and when: taking a seat, keeping it, coming back to it.

import { Connection } from "./connection.js";
import {
  answerToRepeat,
  canAskHint,
  canDecide,
  canGoOn,
  canReveal,
  freeSeats,
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
  let isReviewDue = false; // whether a round of ours is not reviewed yet
  /** @type {ReturnType<typeof setTimeout> | null} the timer while we look at results */
  let pause = null;
  /** @type {DealerMessage[]} what the dealer said meanwhile */
  let later = [];

  function onOpen() {
    const isReturning = token !== null && wish === null;
    isReviewDue = false;
    store.dispatch({ kind: "opened", sitting: isReturning ? "returning" : wish === null ? "no" : "asking" });
    connection.say("RULES"); // before there is a seat: those of the dealer's own tables
    if (isReturning) connection.say(`RESUME ${token}`);
    const isByAddress = !isReturning && wish === null && watched !== null;
    connection.say(isByAddress ? `WATCH ${watched}` : "WATCH");
    ask();
  }

  /** @param {string} line */
  function onLine(line) {
    const message = parse(line);
    if (message === null) return;
    // Not at the opening: a dealer that is full opens too, only to close again.
    if (message.kind !== "ERROR" && message.kind !== "REFUSED") connection.resetWait();
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
    store.dispatch(message);
    if (store.state.sitting === "yes" && token === null) keepSeat();
    react(message, before);
  }

  /** @param {DealerMessage} message @param {State} before */
  function react(message, before) {
    switch (message.kind) {
      case "OPENED":
        sitAtOwn(message.number);
        break;
      case "RESULT":
        isReviewDue = true;
        break;
      case "BEGIN":
        review();
        break;
      case "TABLE":
        if (message.table.phase !== "playing") review();
        if (isWithoutPause(message.table)) pause = setTimeout(endPause, OWN_PAUSE);
        break;
      case "REFUSED":
        onRefused(message.word, before);
        break;
      case "QUIT":
        onEnd(before);
    }
  }

  /** @param {string} word @param {State} before */
  function onRefused(word, before) {
    if (before.sitting === "asking") wish = null;
    switch (word) {
      case "taken-over":
        onEnd(before);
        return; // the token is good for taking the seat back
      case "too-late":
        giveAgain(answerToRepeat(before));
        break;
      case "token-in-use":
        if (store.state.sitting === "yes") keepSeat(); // under another one
        break;
      case "no-table":
        watch(null);
        connection.say("WATCH");
    }
    if (before.sitting === "returning" && store.state.sitting === "no") forgetSeat();
  }

  /** @param {Decision | null} answer */
  function giveAgain(answer) {
    if (answer !== null) decide(answer);
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

  // Not at the RESULT: after a bust others may still play, and the dealer reviews what is over.
  function review() {
    if (isReviewDue) connection.say("REVIEW");
    isReviewDue = false;
  }

  /**
   * The dealer closes the connection, by QUIT or because our seat was taken over.
   *
   * @param {State} before
   */
  function onEnd(before) {
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
  return { decide, takeSeat, leave, reconnect, next: goOn, hint, reveal, hasKeptSeat: () => token !== null };
}

function address() {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;
}

function numberInAddress() {
  const found = /^#table=([1-9]\d{0,8})$/.exec(location.hash);
  return found === null ? null : Number(found[1]);
}

function keptToken() {
  const token = tab.read("seat");
  return typeof token === "string" && /^[\w-]{22,64}$/.test(token) ? token : null;
}

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  const letters = btoa(String.fromCharCode(...bytes));
  return letters.replaceAll("+", "-").replaceAll("/", "_");
}
