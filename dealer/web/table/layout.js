// Acts that wait until the browser has laid out the page by itself: done at once, they would make it do so twice.
//
// A hidden tab is not laid out. However often the page is drawn there, one observer waits, and nothing piles up.

/** @type {Map<Element, () => void>} the newest act for each element, done before the picture */
const before = new Map();
/** @type {Set<() => void>} done after the picture of the newest draw */
const after = new Set();
let isAwaited = false;
let draws = 0;

/**
 * Act on an element once the page has been laid out, before it is painted.
 *
 * @param {Element} element
 * @param {(() => void) | null} act in place of the one that waits; null for none
 */
export function beforePicture(element, act) {
  if (act === null) before.delete(element);
  else before.set(element, act);
}

/** Act after the picture, where reading the layout costs nothing. @param {() => void} act */
export function afterPicture(act) {
  after.add(act);
}

/** The page has been drawn: what was asked for since is due with its picture. */
export function noteDraw() {
  draws += 1;
  if (isAwaited || before.size + after.size === 0) return;
  isAwaited = true;
  const observer = new ResizeObserver(() => {
    observer.disconnect();
    isAwaited = false;
    actAll(before.values());
    before.clear();
    const draw = draws;
    setTimeout(() => settle(draw));
  });
  observer.observe(document.body); // tells its size first
}

/** @param {number} draw */
function settle(draw) {
  if (draw !== draws) return; // a newer one will see to it
  actAll(after);
  after.clear();
}

/** @param {Iterable<() => void>} acts */
function actAll(acts) {
  for (const act of acts) act();
}
