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

const TOKEN_BYTES = 24; // 32 characters
const OWN_PAUSE = 2500; // milliseconds to look at results where the dealer gives no time for it

/** Begin to speak with the dealer; `store` has `state` and `dispatch`. What can be done is returned. */
export function startSession(store) {
  const connection = new Connection(address(), report);
  let token = tab.read("seat");
  let wish = null; // the seat to ask for once that is possible: { name, choices } for a table of our own, or { name, table }
  let watched = numberInAddress();
  let canReview = true;
  let isReviewing = false;
  let pause = 0; // the timer while we look at results
  let later = []; // what the dealer said meanwhile

  function report(happening, line) {
    if (happening === "opened") opened();
    else if (happening === "lost") lost();
    else if (pause !== 0) later.push(parse(line));
    else hear(parse(line));
  }

  function opened() {
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
    if (wish !== null) ask();
  }

  function lost() {
    while (pause !== 0) endPause();
    if (["taken", "ended"].includes(store.state.connection)) return;
    store.dispatch({ kind: store.state.sitting === "leaving" ? "left" : "lost" });
    connection.retry();
  }

  function hear(message) {
    if (message === null) return;
    const before = store.state;
    if (message.kind === "ERROR" && isReviewing && !isRefusedAsLate(before) && !isTakeover(message.text)) {
      canReview = isReviewing = false; // there is nothing to review by: no fault of the player
      return;
    }
    if (message.kind === "ERROR" && watched !== null && before.sitting === "no" && before.isFresh) {
      watch(null); // the table that the address names is gone
      connection.say("WATCH");
      return;
    }
    store.dispatch(message);
    if (store.state.sitting === "yes" && token === null) keepSeat();
    if (before.sitting === "returning" && store.state.sitting === "no") forgetSeat();
    if (message.kind === "OPENED") sitAtOwn(message.number);
    if (message.kind === "RESULT") review();
    if (message.kind === "REVIEW") isReviewing = false;
    if (message.kind === "ERROR") refused(before);
    if (message.kind === "QUIT" || store.state.connection === "taken") quit(before);
    if (message.kind === "TABLE" && isWithoutPause(message.table)) pause = setTimeout(endPause, OWN_PAUSE);
  }

  function endPause() {
    clearTimeout(pause);
    pause = 0;
    while (pause === 0 && later.length > 0) hear(later.shift());
  }

  function ask() {
    store.dispatch({ kind: "sitting", sitting: "asking" });
    if (wish.choices) {
      connection.say(openLine(wish.choices));
    } else {
      connection.say(wish.table === null ? "WATCH" : `WATCH ${wish.table}`); // whose seat a JOIN is for
      connection.say(`JOIN ${wish.name}`);
      wish = null;
    }
  }

  function sitAtOwn(number) {
    if (wish === null) return;
    watch(number);
    connection.say(`JOIN ${wish.name}`);
    wish = null;
  }

  // The address leads whoever is given it to the same table.
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

  function refused(before) {
    if (isRefusedAsLate(before)) decide(before.answer);
    else if (before.sitting === "asking") wish = null;
  }

  function quit(before) {
    if (before.sitting === "leaving") {
      store.dispatch({ kind: "left" });
      connection.open();
      return;
    }
    connection.close();
    if (store.state.connection === "ended") forgetSeat();
  }

  function decide(decision) {
    if (!canDecide(store.state)) return;
    store.dispatch({ kind: "answered", decision });
    connection.say(decision);
  }

  function takeSeat(name, choices) {
    wish = { name, choices, table: freeSeats(store.state) === null ? null : store.state.table.table };
    const { connection: is, sitting } = store.state;
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
    if (pause !== 0) endPause();
    else connection.say("NEXT");
  }

  function leave() {
    if (pause !== 0) endPause();
    forgetSeat();
    store.dispatch({ kind: "sitting", sitting: "leaving" });
    connection.say("QUIT");
  }

  connection.open();
  return {
    decide,
    takeSeat,
    leave,
    reconnect,
    next: goOn,
    hint: () => canAskHint(store.state) && connection.say("HINT"),
    reveal: () => canReveal(store.state) && connection.say("REVEAL"),
  };
}

function address() {
  return `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws`;
}

function numberInAddress() {
  const found = /^#table=(\d{1,9})$/.exec(location.hash);
  return found === null ? null : Number(found[1]);
}

function newToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(TOKEN_BYTES));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}
