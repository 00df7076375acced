// Chance that a seed repeats, so that everybody gets the same hands on the same day. Pure.

/**
 * Numbers from 0 to 1 that a seed repeats (mulberry32, a public-domain generator of 32 bits).
 *
 * @param {number} seed
 */
export function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seed of 32 bits for a text (FNV-1a). @param {string} text */
export function seedOf(text) {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

/**
 * Things in an order of chance; the list itself stays as it is.
 *
 * @template T
 * @param {T[]} things
 * @param {() => number} random
 */
export function shuffled(things, random) {
  const found = [...things];
  for (let left = found.length - 1; left > 0; left--) {
    const at = Math.floor(random() * (left + 1));
    const [one, other] = /** @type {[T, T]} */ ([found[left], found[at]]);
    [found[left], found[at]] = [other, one];
  }
  return found;
}
