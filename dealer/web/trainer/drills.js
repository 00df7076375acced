// Which hand is drilled next, and how an answer is graded. Pure: chance is an argument.

/** A right answer leaves this part of what is remembered of a cell's mistakes. */
const KEPT = 0.5;
/** How much more often a hand comes for each bet that mistakes with it have cost. */
const FOR_A_BET = 200;
const MOST_ERROR = 0.5; // bets: one dear mistake is not all that there is
/** Decisions are close where the second best costs less than this, in bets. */
export const CLOSE = 0.05;

/** The rule of choice in words; the page shows it. */
export const RULE =
  "Every hand may come. A hand comes more often the more your mistakes with it have cost, here and at the table: " +
  "each hundredth of a bet adds twice the weight of a hand without mistakes, and each right answer halves it. " +
  "An answer is right if the chart has it, or if it is the best with just these cards; what it loses is counted either way.";

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

/** @param {string} hand @param {number} upcard */
export const cellOf = (hand, upcard) => `${hand}:${upcard}`;

/**
 * How often two cards of these ranks are dealt, against others: a ten is four ranks.
 *
 * @param {string[]} cards two ranks
 */
function share([first = "", second = ""]) {
  const ranks = (/** @type {string} */ rank) => (rank === "Ten" ? 4 : 1);
  return ranks(first) * ranks(second) * (first === second ? 1 : 2);
}

/**
 * The values of a cell of a chart: the mean over the hands of two cards that share it, as often as they come.
 *
 * @param {ChartHand[]} hands all against one upcard
 * @param {string} name
 */
export function cellValues(hands, name) {
  const own = hands.filter(({ hand }) => hand === name);
  const total = own.reduce((sum, { cards }) => sum + share(cards), 0);
  /** @type {Partial<Record<Decision, number>>} */
  const found = {};
  for (const { cards, values } of own) {
    for (const [decision, value] of Object.entries(values)) {
      const name_ = /** @type {Decision} */ (decision);
      found[name_] = (found[name_] ?? 0) + (value * share(cards)) / total;
    }
  }
  return found;
}

/** @type {Decision[]} of equal values the first is the better one */
const PLAINEST_FIRST = ["STAND", "HIT", "DOUBLE", "SPLIT", "SURRENDER"];

/** @param {Values} values @returns {Decision} */
export function bestOf(values) {
  const known = PLAINEST_FIRST.filter((decision) => decision in values);
  return known.reduce(
    (best, one) => ((values[one] ?? 0) > (values[best] ?? 0) ? one : best),
    known[0] ?? "STAND",
  );
}

/** What the second best costs, in bets. @param {Values} values */
export function margin(values) {
  const [best = 0, second = 0] = Object.values(values).sort((one, other) => other - one);
  return best - second;
}

/**
 * Whether a hand belongs to what is drilled.
 *
 * @param {Drill} drill
 * @param {string} mode
 * @param {Cells} cells
 */
function belongs({ hand, upcard, values }, mode, cells) {
  if (mode === "pairs") return hand.startsWith("pair");
  if (mode === "soft") return hand.startsWith("soft");
  if (mode === "close") return margin(values) < CLOSE;
  if (mode === "mistakes") return (cells[cellOf(hand, upcard)]?.error ?? 0) > 0;
  return true;
}

/**
 * The weight of a hand: see RULE.
 *
 * @param {Drill} drill
 * @param {Cells} cells
 */
export function weightOf({ hand, upcard }, cells) {
  return 1 + FOR_A_BET * Math.min(MOST_ERROR, cells[cellOf(hand, upcard)]?.error ?? 0);
}

/**
 * The next hand; not the one before again, unless there is no other.
 *
 * @param {Drill[]} drills all hands against all upcards
 * @param {Cells} cells
 * @param {string} mode
 * @param {() => number} random
 * @param {Drill | null} last
 * @returns {Drill | null}
 */
export function nextDrill(drills, cells, mode, random, last = null) {
  const some = drills.filter((one) => belongs(one, mode, cells));
  const all = some.length > 0 ? some : drills;
  const fresh = all.filter((one) => one !== last);
  const left = fresh.length > 0 ? fresh : all;
  let at = random() * left.reduce((sum, one) => sum + weightOf(one, cells), 0);
  for (const one of left) {
    at -= weightOf(one, cells);
    if (at < 0) return one;
  }
  return left.at(-1) ?? null;
}

/**
 * An answer is right if it is the best with these cards, or what the chart says of all such hands.
 *
 * @param {Drill} drill
 * @param {Decision | null} decision null where the time was over: it costs what the worst would
 * @param {Decision} charted
 * @returns {Grade}
 */
export function grade({ values }, decision, charted) {
  const best = bestOf(values);
  const value = decision === null ? Math.min(...Object.values(values)) : (values[decision] ?? 0);
  const cost = Math.max(0, (values[best] ?? 0) - value);
  return { best, cost, isRight: decision === best || (decision === charted && charted in values) };
}

/**
 * The record after an answer.
 *
 * @param {TrainerRecord} record
 * @param {Drill} drill
 * @param {Grade} graded
 * @returns {TrainerRecord}
 */
export function recorded(record, { hand, upcard }, { isRight, cost }) {
  const name = cellOf(hand, upcard);
  const cell = record.cells[name] ?? { asked: 0, wrong: 0, lost: 0, error: 0 };
  const streak = isRight ? record.streak + 1 : 0;
  return {
    asked: record.asked + 1,
    right: record.right + (isRight ? 1 : 0),
    lost: record.lost + cost,
    streak,
    best: Math.max(record.best, streak),
    seen: record.seen,
    cells: {
      ...record.cells,
      [name]: {
        asked: cell.asked + 1,
        wrong: cell.wrong + (isRight ? 0 : 1),
        lost: cell.lost + cost,
        error: isRight ? cell.error * KEPT : cell.error + cost,
      },
    },
  };
}

/** @type {TrainerRecord} */
export const NO_RECORD = { asked: 0, right: 0, lost: 0, streak: 0, best: 0, seen: "", cells: {} };

/**
 * The record with the mistakes of the rounds that this browser has kept since they were looked at last.
 *
 * @param {TrainerRecord} record
 * @param {Situation[]} situations of these rules
 * @returns {TrainerRecord}
 */
export function withPlayed(record, situations) {
  const fresh = situations.filter(({ time }) => time > record.seen);
  const cells = { ...record.cells };
  for (const { hand, upcard, cost } of fresh) {
    const name = cellOf(hand, upcard);
    const cell = cells[name] ?? { asked: 0, wrong: 0, lost: 0, error: 0 };
    cells[name] = { ...cell, error: cost > 0 ? cell.error + cost : cell.error * KEPT };
  }
  const seen = [record.seen, ...fresh.map(({ time }) => time)].sort().at(-1) ?? "";
  return { ...record, cells, seen };
}
