// Mistakes told at once: what the page asks for after each decision, and what is new in the answer. Pure.

/**
 * Whether nobody but this player and bots sits at a table: then what was wrong tells nothing to others.
 *
 * @param {Table | null} table
 */
export function isAlone(table) {
  if (table === null || table.you === null) return false;
  return table.seats.every(({ name, bot }, number) => name === null || bot || number === table.you);
}

/**
 * Whether to ask for a review when a decision is asked: one of this round has been taken, and the dealer reviews open
 * rounds at this table, which is for one player.
 *
 * @param {State} state
 */
export function canReviewNow({ table, decided, question }) {
  return table?.seats.length === 1 && decided.length > 0 && question.limits === undefined;
}

/**
 * A review that has come: a whole round is counted, and a mistake that was not told yet is told.
 *
 * @param {State} state
 * @param {Review} review
 * @returns {Pick<State, "reviews" | "told" | "mistake">}
 */
export function withReview({ reviews, told, mistake, decided }, review) {
  const [asked, ...others] = reviews;
  const fresh = asked?.tells ? newMistake(told, review, decided) : null;
  return { reviews: others, told: asked?.isRound ? null : review, mistake: fresh ?? mistake };
}

/**
 * The last mistake that a review has and the one before it had not.
 *
 * @param {Review | null} before
 * @param {Review} review
 * @param {Decision[]} decided the answers of this round
 * @returns {ToldMistake | null}
 */
export function newMistake(before, review, decided) {
  const { decisions = 0, differed = 0, cost = 0 } = before ?? {};
  if (review.decisions <= decisions || review.differed <= differed) return null;
  const found = review.each.slice(decisions).findLast((one) => one.decision !== one.best);
  if (found !== undefined) return { best: found.best, cost: found.cost };
  // Without payoffs only the sum is told: the better of two is the one that was not taken.
  const isOne = review.decisions === decisions + 1 && decided.length === review.decisions;
  const best = isOne ? (decided.at(-1) === "HIT" ? "STAND" : "HIT") : null;
  return { best, cost: review.cost - cost };
}
