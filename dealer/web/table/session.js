// The conversation with the dealer: taking a seat, keeping it, returning to it, and playing.

import { socketAddress } from "../shared/address.js";
import { Connection } from "../shared/connection.js";
import { tab } from "../shared/memory.js";
import { wireName } from "../shared/names.js";
import { answerToRepeat, canAnswer, canAskHint, canContinue, canReveal, isWithoutPause } from "./game.js";
import { parse } from "./messages.js";
import { canReviewNow, isAlone } from "./mistakes.js";
import { openPlace } from "./place.js";

const PLACE_WAIT = 5000; // milliseconds until the dealer is asked again for a place to watch from
const OWN_PAUSE = 2500; // milliseconds to look at the results at a table without a pause
/** Refusals of one place for a seat: there may be one at the next place. */
const ELSEWHERE = ["no-seat", "cannot-open", "bad-table", "not-allowed", "busy"];

/** @param {Store} store @param {() => boolean} [tellsMistakes] whether the player wants them to be told at once */
export function startSession(store, tellsMistakes = () => false) {
  const place = openPlace();
  const handlers = { onOpen, onLine, onLost, onReason };
  const connection = new Connection(() => socketAddress(location, place.dealer), handlers);
  /**
   * The seat to ask for as soon as that is possible: at the first of these places that has one.
   *
   * @type {{ name: string, places: Destination[], asked: Destination | null, why: Extract<DealerMessage, Refusal> | null } | null}
   */
  let request = null;
  let isOnlyWatching = false;
  let isMistakeDue = false; // whether the open round is to be reviewed as far as it is played
  let isReviewDue = false; // whether a round of ours has not been reviewed yet
  let isRoundDue = false; // whether our last round may not have been kept in this browser yet
  let isHolding = false; // whether messages wait while results are looked at
  /** @type {ReturnType<typeof setTimeout> | undefined} the timer until they go on */
  let pause;
  /** @type {ReturnType<typeof setTimeout> | undefined} the timer until a table is asked for again */
  let placeWait;
  /** @type {DealerMessage[]} the messages that came meanwhile */
  let held = [];

  function onOpen() {
    const sitting = request !== null ? "asking" : place.token !== null ? "returning" : "no";
    isReviewDue = false;
    isRoundDue = sitting === "returning"; // its answer may have been lost with the connection
    store.dispatch({ kind: "opened", sitting });
    connection.say("RULES"); // without a seat: the rules of the dealer's own tables
    if (sitting === "returning") connection.say(`RESUME ${place.token}`);
    askToWatch();
    ask();
  }

  /** @param {string} line */
  function onLine(line) {
    const message = parse(line);
    if (message === null) return;
    // Not when the connection opens: a dealer that is full, or ends, accepts it too, and then closes it.
    if (!["ERROR", "REFUSED", "QUIT"].includes(message.kind)) connection.resetWait();
    if (message.kind === "HISTORY") keepRound(message.line);
    else if (isHolding) held.push(message);
    else receive(message);
  }

  function onLost() {
    stopWaitingForPlace();
    while (isHolding) endPause();
    if (store.state.sitting === "asking") request = null;
    if (["taken", "ended"].includes(store.state.connection)) return;
    store.dispatch({ kind: store.state.sitting === "leaving" ? "left" : "lost" });
    connection.retry();
  }

  /** @param {Reason} reason */
  function onReason(reason) {
    if (reason === "gone") request = null; // it may be for a table of that dealer
    store.dispatch({ kind: "refused", reason });
  }

  /** @param {DealerMessage} message */
  function receive(message) {
    const before = store.state;
    if (message.kind === "REFUSED" && isTriedElsewhere(message)) return;
    store.dispatch((message.kind === "REFUSED" && whyNot(message)) || message);
    if (before.sitting === "asking" && store.state.sitting === "yes") request = null;
    if (store.state.sitting === "yes" && place.token === null) keepSeat();
    react(message, before);
  }

  /**
   * Ask for a seat at the next place, if there is one, and the last has none.
   *
   * @param {Extract<DealerMessage, Refusal>} refusal
   */
  function isTriedElsewhere(refusal) {
    if (store.state.sitting !== "asking" || request === null || !ELSEWHERE.includes(refusal.word))
      return false;
    if (refusal.word === "cannot-open") request.why ??= refusal;
    if (request.places.length === 0) return false;
    ask();
    return true;
  }

  // That no table can be opened says more than that the seats are taken.
  /** @param {Refusal} refusal */
  function whyNot({ word }) {
    return word === "no-seat" ? (request?.why ?? null) : null;
  }

  /** @param {DealerMessage} message @param {State} before */
  function react(message, before) {
    switch (message.kind) {
      case "OPENED":
        joinOwnTable(message.number);
        break;
      case "RESULT":
        isReviewDue = isRoundDue = true;
        break;
      case "DECISION":
        isMistakeDue = tellsMistakes() && canReviewNow(store.state);
        break;
      case "BEGIN":
        archive().catch(() => null); // while the dealer is there: the round may be its last
        review();
        break;
      case "TABLES":
        place.meet(message.tables.dealer_name ?? null);
        break;
      case "TABLE":
        place.meet(message.table.dealer_name ?? null);
        stopWaitingForPlace();
        if (message.table.phase !== "playing") review();
        else if (isMistakeDue) askForReview(false); // with the question that follows it, so that all is drawn at once
        if (isWithoutPause(message.table)) hold();
        break;
      case "REFUSED":
        onRefused(message.word, before);
        break;
      case "QUIT":
        onClosed(before);
    }
  }

  /** @param {string} word @param {State} before */
  function onRefused(word, before) {
    if (word === "no-place") {
      placeWait ??= setTimeout(watchAgain, PLACE_WAIT);
      return; // a seat may still be given
    }
    if (before.sitting === "asking") request = null;
    switch (word) {
      case "taken-over":
        onClosed(before);
        return; // the token is kept, to take the seat back with
      case "too-late":
        decide(answerToRepeat(before));
        break;
      case "token-in-use":
        if (store.state.sitting === "yes") keepSeat(); // under another token
        break;
      case "no-table":
        isOnlyWatching = false;
        place.watch(null);
        connection.say("WATCH");
    }
    if (before.sitting === "returning" && store.state.sitting === "no") place.forgetSeat();
  }

  function askToWatch() {
    const isByNumber = store.state.sitting === "no" && place.table !== null;
    connection.say(isByNumber ? `WATCH ${place.table}` : "WATCH");
  }

  function stopWaitingForPlace() {
    clearTimeout(placeWait);
    placeWait = undefined;
  }

  function watchAgain() {
    placeWait = undefined;
    if (store.state.connection === "open") askToWatch();
  }

  // The time counts from when the last card lies there.
  function hold() {
    isHolding = true;
    store.whenShown(() => {
      clearTimeout(pause);
      if (isHolding) pause = setTimeout(endPause, OWN_PAUSE);
    });
  }

  function endPause() {
    clearTimeout(pause);
    isHolding = false;
    const waiting = held;
    held = [];
    for (const message of waiting) {
      if (!isHolding) receive(message);
      else held.push(message);
    }
  }

  function ask() {
    const destination = request?.places.shift();
    if (request === null || destination === undefined) return;
    const { opening, table } = destination;
    request.asked = destination;
    store.dispatch({ kind: "sitting", sitting: "asking" });
    if (opening !== undefined) {
      connection.say(opening);
      return;
    }
    // JOIN is for a seat at the table that is watched.
    place.watch(table ?? null);
    connection.say(table === undefined ? "WATCH" : `WATCH ${table}`);
    connection.say(`JOIN ${wireName(request.name)}`);
  }

  /** @param {number} number */
  function joinOwnTable(number) {
    if (request?.asked?.opening === undefined) return;
    tab.write("opened", { table: number, opening: request.asked.opening });
    place.watch(number);
    connection.say(`JOIN ${wireName(request.name)}`);
  }

  function keepSeat() {
    connection.say(`KEEP ${place.keepSeat()}`);
  }

  // Not at RESULT: after a bust others may still be playing, and the dealer reviews only finished rounds.
  function review() {
    if (isReviewDue) askForReview(true);
    if (isRoundDue) connection.say("HISTORY 1");
    isReviewDue = isRoundDue = false;
  }

  /** @param {boolean} isRound whether a round is over, so that its review is counted */
  function askForReview(isRound) {
    const tells = tellsMistakes() && isAlone(store.state.table);
    isMistakeDue = false;
    store.dispatch({ kind: "reviewing", isRound, tells });
    connection.say("REVIEW");
  }

  // Nothing of the game waits for it, and what is not our round is passed over.
  /** @param {string} line */
  function keepRound(line) {
    archive()
      .then(({ add }) => add(line))
      .catch(() => null);
  }

  /**
   * The dealer closes the connection, after QUIT or because our seat was taken over.
   *
   * @param {State} before
   */
  function onClosed(before) {
    if (before.sitting === "leaving") {
      store.dispatch({ kind: "left" });
      connection.open();
      return;
    }
    connection.close();
    const isBack = store.state.connection === "lost"; // the next dealer may have the seat that was asked for
    if (store.state.connection === "ended" || (isBack && before.sitting === "yes")) place.forgetSeat();
    if (isBack) connection.retry();
  }

  /** @param {string | null} decision or a bet: BET and the chips */
  function decide(decision) {
    if (!decision || !canAnswer(store.state, decision)) return;
    store.dispatch({ kind: "answered", decision });
    connection.say(decision);
  }

  /**
   * @param {string} name
   * @param {Destination[]} places at least one: where to ask for a seat, one after the other
   */
  function takeSeat(name, places) {
    const { connection: status, sitting } = store.state;
    request = { name, places: [...places], asked: null, why: null };
    isOnlyWatching = false;
    if (status === "open" && sitting !== "no") leave();
    else if (status === "open") ask();
    else {
      place.forgetSeat();
      reconnect();
    }
  }

  /**
   * Look at a table without a seat there; a seat elsewhere is given up.
   *
   * @param {number} number
   */
  function watchTable(number) {
    request = null;
    place.watch(number);
    isOnlyWatching = true;
    if (store.state.sitting !== "no") leave();
    else if (store.state.connection === "open") connection.say(`WATCH ${number}`);
    else reconnect();
  }

  function askTables() {
    if (store.state.connection === "open") connection.say("TABLES");
  }

  // To any dealer, where the one with the seat is gone.
  function reconnect() {
    if (store.state.reason === "gone") {
      place.leaveDealer();
      isOnlyWatching = false;
    }
    store.dispatch({ kind: "connecting" });
    connection.open();
  }

  function next() {
    if (!canContinue(store.state)) return;
    if (isHolding) endPause();
    else connection.say("NEXT");
  }

  // The table may be closed by it: no link leads there any more. Without a connection the dealer keeps the seat for a
  // while, and nobody takes it back.
  function leaveTable() {
    request = null;
    place.watch(null);
    if (store.state.connection === "open") leave();
    else {
      place.forgetSeat();
      store.dispatch({ kind: "left" });
      connection.open();
    }
  }

  function leave() {
    if (isHolding) endPause();
    place.forgetSeat();
    store.dispatch({ kind: "sitting", sitting: "leaving" });
    connection.say("QUIT");
  }

  function hint() {
    if (!canAskHint(store.state)) return;
    store.dispatch({ kind: "hinted" });
    connection.say("HINT");
  }

  function reveal() {
    if (canReveal(store.state)) connection.say("REVEAL");
  }

  connection.open();
  return {
    ...{ decide, takeSeat, reconnect, next, hint, reveal, askTables, watch: watchTable, leave: leaveTable },
    /** Let the first round begin with those who are there. */
    start: () => connection.say("START"),
    addBot: () => connection.say("BOT"),
    /** The number of the table in the page's address. */
    linked: () => place.table,
    /** The line that opened this table, if we did. @param {number | null} table */
    opening: (table) => openingOf(table),
    hasKeptSeat: () => place.token !== null,
    /** The page is left, perhaps to be shown again as it is: a browser would complain of an open connection. */
    suspend: () => connection.drop(),
    /** whether you have chosen to watch: then no menu is in the way */
    isWatching: () => isOnlyWatching,
  };
}

const archive = () => import("../shared/archive.js");

/** @param {number | null} table */
function openingOf(table) {
  const opened = /** @type {{ table: number, opening: string } | null} */ (tab.read("opened"));
  return opened !== null && opened.table === table ? opened.opening : null;
}
