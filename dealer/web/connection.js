// One WebSocket at a time. It reports what happens to it, and tries again when it is told to.

const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 8000;

/**
 * What is called when the connection is open, for each line that comes, and when the connection is gone.
 *
 * @typedef {{ onOpen: () => void, onLine: (line: string) => void, onLost: () => void }} Handlers
 */

export class Connection {
  #address;
  #handlers;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #wait = FIRST_WAIT;

  /**
   * @param {string} address of a WebSocket
   * @param {Handlers} handlers
   */
  constructor(address, handlers) {
    this.#address = address;
    this.#handlers = handlers;
  }

  /** Connect now; an older connection is given up without a report. */
  open() {
    this.close();
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => {
      if (this.#socket === socket) this.#handlers.onOpen();
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#handlers.onLine(String(data));
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.#handlers.onLost();
    };
  }

  /** Connect after a while, which doubles from one failure to the next. */
  retry() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  /** The dealer serves us: after the next failure the wait is short again. */
  resetWait() {
    this.#wait = FIRST_WAIT;
  }

  close() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /**
   * Send a line; nothing is sent while there is no connection.
   *
   * @param {string} line
   */
  say(line) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(line);
  }
}
