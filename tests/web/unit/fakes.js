// What a browser has and node has not, as far as the modules need it.

/**
 * Put something into the global scope.
 *
 * @param {string} name
 * @param {unknown} value
 */
export function setGlobal(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** A wait that is made longer or shorter by chance is as long as it is said. */
Math.random = () => 0.5;

/** What the browser says of its network, as `online` and `offline`. */
export const network = new EventTarget();
setGlobal("addEventListener", network.addEventListener.bind(network));
setGlobal("removeEventListener", network.removeEventListener.bind(network));

/** Answer what the page fetches, by its address. @param {(address: string) => number} statusOf */
export function answerBy(statusOf) {
  setGlobal("fetch", (/** @type {string} */ address) =>
    Promise.resolve(new Response(null, { status: statusOf(address) })),
  );
}

/** Until every answer has been taken. */
export function answered() {
  return new Promise(setImmediate);
}

/** A `Storage`. */
export class FakeStorage {
  /** @type {Map<string, string>} */
  #items = new Map();

  /** @param {string} key */
  getItem(key) {
    return this.#items.get(key) ?? null;
  }

  /** @param {string} key @param {string} value */
  setItem(key, value) {
    this.#items.set(key, value);
  }

  /** @param {string} key */
  removeItem(key) {
    this.#items.delete(key);
  }
}

/** An `SVGElement` that is only put together. */
export class FakeElement {
  /** @type {Record<string, string>} */
  attributes = {};
  /** @type {Record<string, string>} */
  dataset = {};
  /** @type {FakeElement[]} */
  children = [];
  textContent = "";

  /** @param {string} tag */
  constructor(tag) {
    this.tag = tag;
  }

  /** @param {string} name @param {string} value */
  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  /** @param {FakeElement[]} children */
  append(...children) {
    this.children.push(...children);
  }

  /** @returns {FakeElement} */
  cloneNode() {
    const copy = new FakeElement(this.tag);
    Object.assign(copy.attributes, this.attributes);
    Object.assign(copy.dataset, this.dataset);
    copy.children = this.children.map((child) => child.cloneNode());
    copy.textContent = this.textContent;
    return copy;
  }

  /**
   * This element and all inside it that are of this class.
   *
   * @param {string} name
   * @returns {FakeElement[]}
   */
  ofClass(name) {
    const inside = this.children.flatMap((child) => child.ofClass(name));
    return this.attributes.class === name ? [this, ...inside] : inside;
  }
}

/** A `WebSocket` whose other end is the test. */
export class FakeSocket {
  static OPEN = 1;
  /** @type {FakeSocket[]} all that were opened */
  static all = [];

  readyState = 0;
  /** @type {string[]} what was sent, and not read by the test */
  sent = [];
  isClosedHere = false;
  onopen = () => {};
  onmessage = (/** @type {{ data: string }} */ _) => {};
  onclose = () => {};

  /** @param {string} address */
  constructor(address) {
    this.address = address;
    FakeSocket.all.push(this);
  }

  /** The newest one. */
  static get last() {
    const socket = FakeSocket.all.at(-1);
    if (socket === undefined) throw new TypeError("no connection was opened");
    return socket;
  }

  /** @param {string} line */
  send(line) {
    this.sent.push(line);
  }

  close() {
    this.isClosedHere = true;
  }

  /** What was sent since the last time. */
  read() {
    return this.sent.splice(0);
  }

  accept() {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }

  /** @param {string[]} lines */
  say(...lines) {
    for (const data of lines) this.onmessage({ data });
  }

  lose() {
    this.readyState = 3;
    this.onclose();
  }
}
