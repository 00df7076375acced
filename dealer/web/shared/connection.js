// One WebSocket at a time. It reports what happens, and connects again when asked to.

const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 8000;

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

  /** Connect now. An older connection is closed, and not reported as lost. */
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

  /** Connect after a wait, which doubles with every failure. */
  retry() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  /** The dealer has answered: the wait after the next failure is the shortest again. */
  resetWait() {
    this.#wait = FIRST_WAIT;
  }

  /** Close the connection, if there is one; it is not reported as lost. */
  close() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
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
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(line);
  }
}
