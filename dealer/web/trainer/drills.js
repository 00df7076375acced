// The hands that are drilled: what a chart makes of them, their values, and which comes next. Pure: chance is an argument.

import { handClass, RANKS } from "../shared/hand.js";

/** The weight that a hand gains for each bet that mistakes with it have cost. */
const FOR_A_BET = 200;
const MOST_ERROR = 0.5; // bets: one dear mistake is not all that there is
/** The weight of a hand of each kind: there are three times as many of three cards as of two. */
const WEIGHTS = { two: 1, three: 0.1, insurance: 0.3 };
/** Decisions are close where the second best costs less than this, in bets. */
export const CLOSE = 0.05;
/** The characters of a CHART for the ranks from the ace to the ten. */
const LETTERS = "A23456789T";

/**
 * The hands against the upcard of a chart: those of two cards, of three, and those that may be insured.
 *
 * @param {Chart} chart
 * @returns {Drill[]}
 */
export function drillsOf({ rules, upcard, hands, three, insurance = {} }) {
  const ofThree = Object.entries(three.hands).map(([letters, values]) => {
    const cards = ranksOf(letters);
    const found = Object.fromEntries(three.options.map((option, at) => [option, values[at] ?? 0]));
    return drill("three", handClass(cards, rules.ace, false), cards, upcard, found);
  });
  const insured = Object.entries(insurance).map(([letters, value]) =>
    drill("insurance", "insurance", ranksOf(letters), upcard, { INSURE: value, DECLINE: 0 }),
  );
  return [
    ...hands.map((one) => drill("two", one.hand, one.cards, upcard, one.values)),
    ...ofThree,
    ...insured,
  ];
}

/**
 * @param {Drill["kind"]} kind
 * @param {string} hand
 * @param {string[]} cards
 * @param {number} upcard
 * @param {Values} values
 * @returns {Drill}
 */
const drill = (kind, hand, cards, upcard, values) => ({ kind, hand, cards, upcard, values });

/** The highest first, as hands of two cards have it. @param {string} letters such as `2TA` */
function ranksOf(letters) {
  return [...letters].reverse().map((letter) => RANKS[LETTERS.indexOf(letter)] ?? "");
}

/**
 * The name of what is remembered of a hand: of all that share a cell of the chart, and have as many cards.
 *
 * @param {string} hand
 * @param {number} upcard
 * @param {Drill["kind"]} [kind]
 */
export const cellOf = (hand, upcard, kind = "two") =>
  `${hand}${kind === "three" ? " of three" : ""}:${upcard}`;

/**
 * The weight of two cards of these ranks as they are dealt: a ten is four ranks.
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
const PLAINEST_FIRST = ["STAND", "HIT", "DOUBLE", "SPLIT", "DECLINE", "SURRENDER", "INSURE"];

/** @param {Values} values @returns {Decision} */
export function bestOf(values) {
  const known = PLAINEST_FIRST.filter((decision) => decision in values);
  return known.reduce(
    (best, one) => ((values[one] ?? 0) > (values[best] ?? 0) ? one : best),
    known[0] ?? "STAND",
  );
}

/** The cost of the second best, in bets. @param {Values} values */
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
function belongs({ kind, hand, upcard, values }, mode, cells) {
  if (mode === "three" || mode === "insurance") return kind === mode;
  if (mode === "pairs") return hand.startsWith("pair");
  if (mode === "soft") return hand.startsWith("soft");
  if (mode === "close") return margin(values) < CLOSE;
  if (mode === "mistakes") return (cells[cellOf(hand, upcard, kind)]?.error ?? 0) > 0;
  return true;
}

/**
 * The weight of a hand: the text `trainer.rule` says it in words.
 *
 * @param {Drill} drill
 * @param {Cells} cells
 */
export function weightOf({ kind, hand, upcard }, cells) {
  const error = cells[cellOf(hand, upcard, kind)]?.error ?? 0;
  return WEIGHTS[kind] * (1 + FOR_A_BET * Math.min(MOST_ERROR, error));
}

/**
 * The next hand; not the one before again, unless there is no other. Where none belongs to what is drilled, it is any
 * hand of two or three cards; but null for hands of three cards and insurance, which are asked for by name.
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
  const all = some.length > 0 || mode === "three" || mode === "insurance" ? some : drills;
  const fresh = all.filter((one) => one !== last);
  const left = fresh.length > 0 ? fresh : all;
  let at = random() * left.reduce((sum, one) => sum + weightOf(one, cells), 0);
  for (const one of left) {
    at -= weightOf(one, cells);
    if (at < 0) return one;
  }
  return left.at(-1) ?? null;
}
