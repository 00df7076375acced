// Whether a round that was open does not count: a dealer that was killed, and is there again, goes on before it.

/**
 * Whether our hand is gone from a table without a result.
 *
 * @param {Table | null} before the last one that the dealer has shown before it was lost; null if there is none
 * @param {Table} after the first one since then
 * @param {Since} [since] what has come before it since then
 */
export function isVoid(before, after, { card, results } = { card: null, results: 0 }) {
  if (before === null || before.table !== after.table) return false;
  const [old, now] = [handOf(before), handOf(after)];
  if (old === null || now === null || old.name !== now.name || old.result !== null) return false;
  if (before.phase !== "playing" || old.cards.length === 0 || now.rounds - results !== old.rounds)
    return false;
  // Its result may have come, or that of a round that began after it, as with a natural.
  if (results > 0) return card !== null && card !== old.cards[0];
  // A split, or a card that has come meanwhile, leaves the first card of the seat and the upcard as they were.
  const isSame = old.cards[0] === now.cards[0] && before.dealer?.upcard === after.dealer?.upcard;
  return after.phase !== "playing" || !isSame;
}

/** @param {Table} table */
function handOf({ you, seats }) {
  return (you !== null && seats[you]) || null;
}
