// The presets that the menu offers, and what each rule is where nothing else is chosen. A test holds that they are
// those of cards/presets.py.

/** Every rule that may be chosen but the seats, as in OPEN, at its value in `course`. @type {Rules} */
const COURSE = {
  decks: "1",
  reshuffle: "round",
  ace: "either",
  "dealer-stands": "all17",
  naturals: "equal",
  double: "none",
  "double-after-split": "no",
  split: "1",
  "split-aces": "once",
  surrender: "none",
  insurance: "no",
  "hole-card": "last",
  bets: "1",
};

/** @type {Record<string, Rules>} */
const CHANGES = {
  vegas: {
    decks: "6",
    reshuffle: "penetration:0.75",
    "dealer-stands": "hard17",
    naturals: "3:2",
    double: "any",
    "double-after-split": "yes",
    split: "4",
    "split-aces": "again",
    surrender: "late",
    insurance: "yes",
    "hole-card": "peek",
  },
  reno: {
    reshuffle: "cutoff:26",
    "dealer-stands": "hard17",
    naturals: "3:2",
    double: "10-11",
    split: "4",
    insurance: "yes",
    "hole-card": "peek",
  },
  europe: {
    decks: "6",
    reshuffle: "penetration:0.75",
    naturals: "3:2",
    double: "9-11",
    "double-after-split": "yes",
    split: "2",
  },
  course: {},
  casino: { decks: "4", reshuffle: "penetration:0.75", naturals: "beat" },
  showdown: { "dealer-stands": "none", naturals: "beat" },
};

export const PRESETS = new Map(
  Object.entries(CHANGES).map(([name, changes]) => [name, { ...COURSE, ...changes }]),
);

/** The bets of the games that have any, unless others are chosen. @type {Rules} */
const CHIPS = { bets: "10-500", bankroll: "1000" };

/** The rules of a preset as the form offers them: with chips where bets mean something. @param {string} name */
export function offeredRules(name) {
  return { ...PRESETS.get(name), ...(["vegas", "reno", "europe"].includes(name) && CHIPS) };
}
