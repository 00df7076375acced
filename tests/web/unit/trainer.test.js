// The trainer's drills: which hand comes next, how answers are graded; and the count of known cards.

import assert from "node:assert/strict";
import { test } from "node:test";

import { isTrueCount, runningCount, tagOf, trueCount } from "../../../dealer/web/shared/count.js";
import { randomOf } from "../../../dealer/web/trainer/chance.js";
import { bestOf, cellValues, drillsOf, nextDrill, weightOf } from "../../../dealer/web/trainer/drills.js";
import { chartedFor, grade, NO_RECORD, recorded, withPlayed } from "../../../dealer/web/trainer/grading.js";
import { hasEntries } from "../../../dealer/web/trainer/sheet.js";

/** @type {Drill[]} */
const DRILLS = /** @type {Omit<Drill, "kind">[]} */ ([
  { hand: "hard 12", cards: ["Ten", "Two"], upcard: 4, values: { HIT: -0.21, STAND: -0.212 } },
  { hand: "hard 12", cards: ["Nine", "Three"], upcard: 4, values: { HIT: -0.22, STAND: -0.21 } },
  {
    hand: "hard 16",
    cards: ["Ten", "Six"],
    upcard: 10,
    values: { HIT: -0.54, STAND: -0.541, SURRENDER: -0.5 },
  },
  { hand: "soft 18", cards: ["Ace", "Seven"], upcard: 6, values: { HIT: 0.2, STAND: 0.28, DOUBLE: 0.38 } },
  { hand: "pair of 8", cards: ["Eight", "Eight"], upcard: 10, values: { HIT: -0.54, SPLIT: -0.48 } },
]).map((one) => ({ ...one, kind: "two" }));
const [TEN_TWO, NINE_THREE, SIXTEEN, SOFT] = /** @type {[Drill, Drill, Drill, Drill]} */ (DRILLS);
const WRONG = { isRight: false, best: /** @type {Decision} */ ("SURRENDER"), cost: 0.04 };
const RIGHT = { isRight: true, best: /** @type {Decision} */ ("SURRENDER"), cost: 0 };

/** @param {TrainerRecord} record @param {number} seed @param {string} mode */
function drawn(record, seed, mode = "all", count = 200) {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => nextDrill(DRILLS, record.cells, mode, random)?.hand);
}

test("the same seed asks the same hands, another one others, and every hand comes", () => {
  assert.deepEqual(drawn(NO_RECORD, 7), drawn(NO_RECORD, 7));
  assert.notDeepEqual(drawn(NO_RECORD, 7), drawn(NO_RECORD, 8));
  assert.equal(new Set(drawn(NO_RECORD, 7)).size, 4);
});

test("mistakes weigh by their cost, and each right answer halves that", () => {
  const once = recorded(NO_RECORD, SIXTEEN, WRONG);
  assert.equal(weightOf(SIXTEEN, once.cells), 9);
  assert.equal(weightOf(SIXTEEN, recorded(once, SIXTEEN, RIGHT).cells), 5);
  assert.equal(weightOf(SOFT, once.cells), 1);
  /** @param {TrainerRecord} record */
  const sixteens = (record) => drawn(record, 3).filter((hand) => hand === "hard 16").length;
  assert.ok(sixteens(once) > 2 * sixteens(NO_RECORD));
});

test("the modes ask what they are called", () => {
  assert.deepEqual([...new Set(drawn(NO_RECORD, 1, "pairs"))], ["pair of 8"]);
  assert.deepEqual([...new Set(drawn(NO_RECORD, 1, "soft"))], ["soft 18"]);
  assert.deepEqual([...new Set(drawn(NO_RECORD, 1, "close"))].sort(), ["hard 12", "hard 16"]);
  const once = recorded(NO_RECORD, SIXTEEN, WRONG);
  assert.deepEqual([...new Set(drawn(once, 1, "mistakes"))], ["hard 16"]);
});

/** @type {Chart} */
const CHART = {
  rules: { ace: "either" },
  upcard: 11,
  hands: [{ hand: "hard 16", cards: ["Ten", "Six"], values: { HIT: -0.51, STAND: -0.66, SURRENDER: -0.5 } }],
  three: {
    options: ["HIT", "STAND"],
    hands: { "2TA": [-0.3, -0.7], 556: [-0.53, -0.66], "34A": [-0.1, -0.6] },
  },
  insurance: { "6T": -0.0405, TA: -0.0388 },
};

test("a chart gives hands of two cards, of three, and those that may be insured", () => {
  const drills = drillsOf(CHART);
  assert.deepEqual(
    drills.map(({ kind, hand, cards }) => [kind, hand, cards.join(" ")]),
    [
      ["two", "hard 16", "Ten Six"],
      ["three", "hard 16", "Six Five Five"],
      ["three", "hard 13", "Ace Ten Two"],
      ["three", "soft 18", "Ace Four Three"],
      ["insurance", "insurance", "Ten Six"],
      ["insurance", "insurance", "Ace Ten"],
    ],
  );
  assert.deepEqual(drills.at(-1)?.values, { INSURE: -0.0388, DECLINE: 0 });
  /** @param {string} mode */
  const kinds = (mode) => {
    const random = randomOf(3);
    const found = Array.from({ length: 200 }, () => nextDrill(drills, {}, mode, random)?.kind);
    return [...new Set(found)].sort();
  };
  assert.deepEqual(kinds("three"), ["three"]);
  assert.deepEqual(kinds("insurance"), ["insurance"]);
  assert.deepEqual(kinds("all"), ["insurance", "three", "two"]);
  assert.equal(nextDrill(DRILLS, {}, "insurance", randomOf(1)), null, "not under rules without insurance");
});

test("with three cards the chart says what it has without giving up, and insurance is never taken", () => {
  const [, sixteen, , eighteen, insured] = /** @type {[Drill, Drill, Drill, Drill, Drill]} */ (
    drillsOf(CHART)
  );
  assert.equal(chartedFor(sixteen, CHART.hands), "HIT");
  assert.equal(chartedFor(eighteen, CHART.hands), "HIT", "the best, where the chart has no such cell");
  assert.equal(chartedFor(insured, CHART.hands), "DECLINE");
  const record = recorded(NO_RECORD, sixteen, { isRight: false, best: "HIT", cost: 0.13 });
  assert.deepEqual(Object.keys(record.cells), ["hard 16 of three:11"]);
});

test("a cell of the chart is the mean of its hands, a ten being four ranks", () => {
  const values = cellValues([TEN_TWO, NINE_THREE], "hard 12");
  assert.ok(Math.abs((values.HIT ?? 0) - (-0.21 * 4 - 0.22) / 5) < 1e-12);
  assert.equal(bestOf(values), "STAND");
  assert.equal(bestOf({ HIT: 0.1, STAND: 0.1 }), "STAND");
});

test("an answer costs what the best is better by, and what the chart says is right too", () => {
  assert.deepEqual(grade(SIXTEEN, "SURRENDER", "SURRENDER"), RIGHT);
  const stood = grade(SIXTEEN, "STAND", "SURRENDER");
  assert.equal(stood.isRight, false);
  assert.ok(Math.abs(stood.cost - 0.041) < 1e-12);
  const charted = grade(TEN_TWO, "STAND", "STAND");
  assert.equal(charted.isRight, true);
  assert.ok(Math.abs(charted.cost - 0.002) < 1e-12);
  assert.ok(Math.abs(grade(SOFT, null, "DOUBLE").cost - 0.18) < 1e-12, "no answer costs what the worst does");
});

test("the record counts decisions, bets and streaks", () => {
  const record = [RIGHT, RIGHT, WRONG, RIGHT].reduce((all, one) => recorded(all, SIXTEEN, one), NO_RECORD);
  assert.deepEqual([record.asked, record.right, record.streak, record.best], [4, 3, 1, 2]);
  assert.deepEqual(record.cells["hard 16:10"], { asked: 4, wrong: 1, lost: 0.04, error: 0.02 });
});

test("mistakes at the table are taken in once", () => {
  /** @type {Situation} */
  const one = {
    ...{ rules: "preset=vegas", hand: "hard 16", upcard: 10, time: "2026-01-01T00:00:00Z" },
    ...{ decision: "STAND", best: "SURRENDER", cost: 0.04 },
  };
  const record = withPlayed(NO_RECORD, [one]);
  assert.equal(record.cells["hard 16:10"]?.error, 0.04);
  assert.deepEqual(withPlayed(record, [one]), record);
});

test("there is a chart of mistakes once something was answered here, or was wrong at a table", () => {
  const none = { asked: 0, wrong: 0, lost: 0, error: 0 };
  assert.equal(hasEntries({ "hard 16:10": none }), false, "a right decision at a table");
  assert.equal(hasEntries({ "hard 16:10": { ...none, error: 0.1 } }), true);
  assert.equal(hasEntries({ "hard 16:10": { ...none, asked: 1 } }), true);
});

test("Hi-Lo: a whole deck counts 0, and the true count is for each deck unseen", () => {
  assert.equal(tagOf("Six of Hearts"), 1);
  assert.equal(tagOf("Seven of Hearts"), 0);
  assert.equal(tagOf("Ace of Hearts"), -1);
  assert.equal(runningCount(["Two of Clubs", "Five of Clubs", "King of Clubs", "Nine of Clubs"]), 1);
  assert.equal(trueCount(6, 156), 2);
  assert.ok(isTrueCount(2, 2.4) && isTrueCount(2.5, 2.4) && !isTrueCount(3, 2.4));
});
