// One WebSocket at a time. It reports what happens, finds out when the network is lost and why no attempt succeeds, and
// connects again when asked to.

import { reasonFor } from "./reasons.js";

const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 8000;
const OPENING_WAIT = 10_000; // milliseconds until an attempt to connect is given up
const TRIED = 2; // attempts in a row that have failed before the dealer is asked why
const SILENCE = 10_000; // milliseconds without a line from the dealer until it is asked for a sign of life
const ANSWER_WAIT = 4000; // the same after something was said to it
const SIGN_WAIT = 5000; // milliseconds until a dealer that was asked, and says nothing, is lost
const SIGN = "RULES"; // cheap, always allowed, and answered at once

export class Connection {
  #address;
  #handlers;
  #random;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} the timer until the next attempt to connect */
  #timer;
  #wait = FIRST_WAIT;
  /** @type {ReturnType<typeof setTimeout> | undefined} the timer until the dealer is asked for a sign, or is lost */
  #watch;
  #isWaiting = false; // whether something was said, or a sign was asked for, since the dealer's last line
  #signs = 0; // the answers to come that are for us, and not for the page
  #attempts = 0; // since one has succeeded
  #isAsking = false;
  /** @type {Reason | null} why the last attempts have failed, once that is known */
  reason = null;

  /**
   * @param {() => string} address of the WebSocket to open next
   * @param {Handlers} handlers
   * @param {() => number} [random] from 0 to 1
   */
  constructor(address, handlers, random = Math.random) {
    this.#address = address;
    this.#handlers = handlers;
    this.#random = random;
  }

  /** Connect now. An older connection is closed, and not reported as lost. */
  open() {
    this.close();
    addEventListener("online", this.#onNetwork);
    addEventListener("offline", this.#onNetwork);
    const socket = new WebSocket(this.#address());
    this.#socket = socket;
    this.#signs = 0;
    this.#attempts += 1;
    this.#watchFor(OPENING_WAIT, () => this.#lose());
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#attempts = 0;
      this.reason = null;
      this.#noteSign();
      this.#handlers.onOpen();
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return;
      this.#noteSign();
      const line = String(data);
      if (this.#signs > 0 && line.startsWith(`${SIGN} `)) this.#signs -= 1;
      else this.#handlers.onLine(line);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lose();
    };
  }

  /**
   * Connect after a wait, which doubles with every failure. It is up to a half shorter or longer: all pages of a dealer
   * that is started again have lost it at once.
   */
  retry() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), this.#wait * (0.5 + this.#random()));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  /** The dealer has answered: the wait after the next failure is the shortest again. */
  resetWait() {
    this.#wait = FIRST_WAIT;
  }

  /** Close the connection, if there is one; it is not reported as lost. */
  close() {
    removeEventListener("online", this.#onNetwork);
    removeEventListener("offline", this.#onNetwork);
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#letGo();
  }

  /** Break the connection off; it is reported as lost. */
  drop() {
    this.#socket?.close();
  }

  /**
   * Send a line. Without an open connection nothing is sent.
   *
   * @param {string} line
   */
  say(line) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(line);
    if (!this.#isWaiting) this.#watchFor(ANSWER_WAIT, () => this.#askForSign());
    this.#isWaiting = true;
  }

  // A network that is gone says so to nobody: a dealer that is silent is asked, and one that stays so is lost.

  #noteSign() {
    this.#isWaiting = false;
    this.#watchFor(SILENCE, () => this.#askForSign());
  }

  #askForSign() {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(SIGN);
    this.#signs += 1;
    this.#isWaiting = true;
    this.#watchFor(SIGN_WAIT, () => this.#lose());
  }

  // What the browser says of its network is no more than a hint: a dealer may be on the same machine.
  #onNetwork = () => {
    if (this.#timer !== undefined) this.open();
    else if (this.#socket?.readyState === WebSocket.OPEN && this.#signs === 0) this.#askForSign();
  };

  #lose() {
    this.#letGo();
    this.#handlers.onLost();
    if (this.#attempts >= TRIED && !this.#isAsking) this.#askWhy();
  }

  // Nothing waits for the answer, and it counts only if the same dealer is still tried to be reached.
  async #askWhy() {
    this.#isAsking = true;
    const address = this.#address();
    const reason = await reasonFor(address, location.origin, fetch);
    this.#isAsking = false;
    if (!this.#isTrying || address !== this.#address()) return;
    this.reason = reason;
    this.#handlers.onReason(reason);
  }

  get #isTrying() {
    const isOpening = this.#socket !== null && this.#socket.readyState !== WebSocket.OPEN;
    return isOpening || this.#timer !== undefined;
  }

  // The socket closes when it can. Without a network that takes long, so the page does not wait for it.
  #letGo() {
    clearTimeout(this.#watch);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /** @param {number} wait @param {() => void} then */
  #watchFor(wait, then) {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(then, wait);
  }
}
