// One WebSocket at a time. It reports what happens to it, and tries again when it is told to.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

export class Connection {
  #address;
  #report;
  #socket = null;
  #timer = 0;
  #wait = FIRST_WAIT;

  /** `report` is called with "opened", "heard" (and the line) and "lost". */
  constructor(address, report) {
    this.#address = address;
    this.#report = report;
  }

  /** Connect now; an older connection is given up without a report. */
  open() {
    this.close();
    const socket = new WebSocket(this.#address);
    const whileCurrent = (act) => (event) => {
      if (this.#socket === socket) act(event);
    };
    this.#socket = socket;
    socket.onopen = whileCurrent(() => this.#report("opened"));
    socket.onmessage = whileCurrent(({ data }) => {
      // Not at the opening: a dealer that is full opens too, only to close again.
      if (!data.startsWith("ERROR")) this.#wait = FIRST_WAIT;
      this.#report("heard", data);
    });
    socket.onclose = whileCurrent(() => {
      this.#socket = null;
      this.#report("lost");
    });
  }

  /** Connect after a while, which doubles from one failure to the next. */
  retry() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }

  close() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  say(line) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(line);
  }
}
