// What outlives a reload (this tab) or the tab (this browser). A browser that keeps nothing is no reason to stop.

const PREFIX = "twentyone.";

export const tab = notes(() => sessionStorage);
export const browser = notes(() => localStorage);

/** @param {() => Storage} place a function, since a browser may refuse to give it */
function notes(place) {
  /** @param {(storage: Storage) => unknown} act */
  const attempt = (act) => {
    try {
      return act(place());
    } catch {
      return null;
    }
  };
  return {
    /**
     * The value under a key; null if there is none.
     *
     * @param {string} key
     * @returns {unknown}
     */
    read: (key) => attempt((storage) => JSON.parse(storage.getItem(PREFIX + key) ?? "null")),

    /**
     * @param {string} key
     * @param {unknown} value anything that JSON can hold
     */
    write: (key, value) => attempt((storage) => storage.setItem(PREFIX + key, JSON.stringify(value))),

    /** @param {string} key */
    forget: (key) => attempt((storage) => storage.removeItem(PREFIX + key)),
  };
}
