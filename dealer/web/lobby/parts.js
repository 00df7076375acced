// The parts of the lobby that are loaded when they are needed, and kept up to date from then on. One that could not be
// loaded is tried again when it is next asked for. Nothing here touches the document.

/** @typedef {{ update: (state: State) => void }} Part */

/**
 * @param {() => State} state
 * @param {(isLoaded: boolean) => void} note called when a part is there, or could not be loaded
 */
export function openParts(state, note) {
  /** @type {Map<string, Promise<Part>>} */
  const parts = new Map();

  return {
    /**
     * The part of this name; null if it cannot be loaded.
     *
     * @template {Part} P
     * @param {string} name
     * @param {() => Promise<P>} load
     */
    async get(name, load) {
      const loading = /** @type {Promise<P> | undefined} */ (parts.get(name)) ?? load();
      parts.set(name, loading);
      const loaded = await loading.catch(() => null);
      if (loaded === null) parts.delete(name);
      note(loaded !== null);
      loaded?.update(state());
      return loaded;
    },

    /** @param {string} name */
    has: (name) => parts.has(name),

    /** Bring all up to date that are there. */
    update() {
      for (const each of parts.values()) each.then(({ update }) => update(state())).catch(() => null);
    },
  };
}
