// Memory of this tab, which lasts when it is reloaded, and of this browser. A browser that stores nothing is no error.

const PREFIX = "twentyone.";

export const tab = memory(() => sessionStorage);
export const browser = memory(() => localStorage);

/** @param {() => Storage} storage a function, since a browser may refuse access */
function memory(storage) {
  /** @param {(storage: Storage) => unknown} act */
  const attempt = (act) => {
    try {
      return act(storage());
    } catch {
      return null;
    }
  };
  return {
    /**
     * The value of a key; null if there is no such key.
     *
     * @param {string} key
     * @returns {unknown}
     */
    read: (key) => attempt((kept) => JSON.parse(kept.getItem(PREFIX + key) ?? "null")),

    /**
     * @param {string} key
     * @param {unknown} value anything that JSON can represent
     */
    write: (key, value) => attempt((kept) => kept.setItem(PREFIX + key, JSON.stringify(value))),

    /** @param {string} key */
    forget: (key) => attempt((kept) => kept.removeItem(PREFIX + key)),
  };
}
