// The keys that lead through rounds seen again: to the left and right through one, up and down through the list.

/** Elements in which these keys have a meaning of their own: they move in a field, and scroll a list. */
const OWN_KEYS = "input, select, dialog, .scrolled";

/**
 * Follow the keys from now on.
 *
 * @param {object} rounds
 * @param {() => RoundView | null} rounds.view the round that is shown
 * @param {() => number} rounds.place where it is in the list, from 0
 * @param {() => number} rounds.count how long the list is
 * @param {(place: number) => unknown} rounds.goTo shows another one
 */
export function followKeys({ view, place, count, goTo }) {
  /** @param {number} steps */
  const walk = (steps) => {
    const shown = view();
    shown?.go(shown.step + steps);
  };
  /** @type {Record<string, () => unknown>} */
  const acts = {
    ArrowLeft: () => walk(-1),
    ArrowRight: () => walk(1),
    ArrowUp: () => goTo(place() - 1),
    ArrowDown: () => goTo(place() + 1),
    Home: () => goTo(0),
    End: () => goTo(count() - 1),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const act = acts[event.key];
    const isTaken = event.target instanceof Element && event.target.closest(OWN_KEYS) !== null;
    if (act === undefined || count() === 0 || isTaken) return;
    event.preventDefault();
    act();
  });
}
