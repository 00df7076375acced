// The rounds that were played in this browser: kept in its IndexedDB, up to a number, and sent nowhere.

import { keptOf } from "./rounds.js";

export const MOST_ROUNDS = 20_000; // some 40 MB; a year of evenings. The oldest give way.

const DATABASE = "twentyone";
const VERSION = 2; // grows with that of the lines
const ROUNDS = "rounds"; // what lists and plots need, by id
const LINES = "lines"; // the lines of the history, as text, by the same ids

/**
 * Keep a round, if it was one of ours. Keeping it again changes nothing, except costs that were not known before.
 *
 * @param {string} text a line of the history, as HISTORY has it
 * @param {number} [most] how many are kept
 * @returns {Promise<boolean>} whether it is kept; false also where this browser keeps nothing
 */
export function add(text, most = MOST_ROUNDS) {
  const kept = keptOf(JSON.parse(text));
  if (kept === null) return Promise.resolve(false);
  return attempt("readwrite", false, async (rounds, lines) => {
    const before = /** @type {Kept | undefined} */ (await result(rounds.get(kept.id)));
    if (before !== undefined && kept.cost === null) return true;
    rounds.put(kept);
    lines.put(text, kept.id);
    const excess = (await result(rounds.count())) - most;
    if (excess <= 0) return true;
    for (const id of await result(rounds.getAllKeys(null, excess))) {
      rounds.delete(id);
      lines.delete(id);
    }
    return true;
  });
}

/**
 * The rounds that are kept, the oldest first; null where this browser keeps nothing.
 *
 * @returns {Promise<Kept[] | null>}
 */
export function all() {
  return attempt("readonly", /** @type {Kept[] | null} */ (null), (rounds) => result(rounds.getAll()));
}

/** The number of rounds that are kept. */
export function count() {
  return attempt("readonly", 0, (rounds) => result(rounds.count()));
}

/**
 * The line of a round; null if it is not kept any more.
 *
 * @param {string} id
 * @returns {Promise<string | null>}
 */
export function lineOf(id) {
  return attempt("readonly", null, async (_, lines) => (await result(lines.get(id))) ?? null);
}

/**
 * The lines of the last rounds, the oldest first.
 *
 * @param {number} most how many
 * @returns {Promise<string[]>}
 */
export function lastLines(most) {
  return attempt("readonly", /** @type {string[]} */ ([]), async (_, lines) => {
    const from = (await result(lines.getAllKeys())).at(-most);
    return result(lines.getAll(from === undefined ? null : IDBKeyRange.lowerBound(from)));
  });
}

/** The kept lines, the oldest first, as `replay` and the page of that name read them. */
export async function exported() {
  /** @type {string[]} */
  const texts = await attempt("readonly", [], (_, lines) => result(lines.getAll()));
  return new Blob(
    texts.map((text) => `${text}\n`),
    { type: "application/x-ndjson" },
  );
}

/** Delete all. */
export function clear() {
  return attempt("readwrite", false, (rounds, lines) => {
    rounds.clear();
    lines.clear();
    return Promise.resolve(true);
  });
}

/**
 * Do something in one transaction, so that two tabs do not come in between.
 *
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {T} otherwise what it comes to in a browser that keeps nothing
 * @param {(rounds: IDBObjectStore, lines: IDBObjectStore) => Promise<T>} act
 * @returns {Promise<T>}
 */
async function attempt(mode, otherwise, act) {
  try {
    const database = await opened();
    try {
      const transaction = database.transaction([ROUNDS, LINES], mode);
      const done = finished(transaction);
      const value = await act(transaction.objectStore(ROUNDS), transaction.objectStore(LINES));
      await done;
      return value;
    } finally {
      database.close();
    }
  } catch {
    return otherwise; // a private window, or a full disk: the game goes on without
  }
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    for (const name of [...request.result.objectStoreNames]) request.result.deleteObjectStore(name);
    request.result.createObjectStore(ROUNDS, { keyPath: "id" });
    request.result.createObjectStore(LINES);
  };
  return result(request);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function finished(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
