// A page without a browser: its session and its state, with a scripted dealer at the other end of its connection.

import { beforeEach, mock } from "node:test";

import { INITIAL, reduce } from "../../../dealer/web/table/game.js";
import { startSession } from "../../../dealer/web/table/session.js";
import { seat, tableLine } from "./examples.js";
import { FakeSocket, FakeStorage, setGlobal } from "./fakes.js";

export const OWN = [seat({ name: "ada", state: "playing" }), seat({ name: "bob" }), seat()];
export const DEALT = ["BEGIN", "CARD Ten of Spades", "CARD Two of Spades", "DEALER Six of Clubs"];

export let storage = new FakeStorage();
export let location = new URL("http://dealer:8088/");

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  FakeSocket.all = [];
  storage = new FakeStorage();
  location = new URL("http://dealer:8088/");
  setGlobal("fetch", () => new Promise(() => {})); // nobody answers
  setGlobal("WebSocket", FakeSocket);
  setGlobal("sessionStorage", storage);
  setGlobal("location", location);
  setGlobal("history", {
    replaceState: (/** @type {null} */ _, /** @type {string} */ __, /** @type {string} */ url) => {
      location.href = new URL(url, location.href).href;
    },
  });
});

/** A page: its session, its state, and the dealer's end of its connection. */
export function start() {
  /** @type {(state: State, before: State) => void} */
  let look = () => {};
  /** @type {Store} */
  const store = {
    state: INITIAL,
    dispatch(message) {
      const before = this.state;
      this.state = reduce(before, message);
      look(this.state, before);
    },
    whenShown: (act) => act(),
  };
  const session = startSession(store);
  return {
    session,
    get state() {
      return store.state;
    },
    get dealer() {
      return FakeSocket.last;
    },
    /** Have each state looked at. @param {typeof look} act */
    watch(act) {
      look = act;
    },
  };
}

/** What a page says as soon as it is connected. */
export function saidAtStart() {
  const page = start();
  page.dealer.accept();
  return page.dealer.read();
}

/** A page that is connected, and has said that. */
export function connected() {
  const page = start();
  page.dealer.accept();
  page.dealer.read();
  return page;
}

/** A page whose player has a seat, and has been asked for a decision. */
export function asked() {
  const page = connected();
  page.session.takeSeat("ada", [{}]);
  page.dealer.say(...DEALT, "DECISION", tableLine({ sequence: 1, you: 0, turn: 0, clock: 30, seats: OWN }));
  page.dealer.read();
  return page;
}

/** The token in this tab's memory. */
export function keptToken() {
  const kept = storage.getItem("twentyone.seat");
  return kept === null ? null : JSON.parse(kept);
}
