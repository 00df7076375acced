import assert from "node:assert/strict";
import { test } from "node:test";

import { counted, NO_STATISTICS, reviewed, statisticsRows } from "../../../dealer/web/table/statistics.js";

/** @type {Outcome[]} */
const OUTCOMES = ["WIN", "WIN", "WIN", "PUSH", "LOSE", "BUST", "BUST"];

/** @param {Statistics} statistics */
const textsOf = (statistics) => statisticsRows(statistics).map(([, text]) => text);

test("before the first round there is no mean", () => {
  assert.deepEqual(Object.fromEntries(statisticsRows(NO_STATISTICS)), {
    Rounds: "0",
    "Won / pushed / lost": "0 / 0 / 0",
    "Lost by going bust": "0",
    "Mean payoff": "–",
    Mistakes: "0 of 0",
    "Cost of mistakes": "0.000",
  });
});

test("rounds are counted by their outcomes, and a bust is lost too", () => {
  const statistics = OUTCOMES.reduce((before, outcome) => counted(before, outcome), NO_STATISTICS);
  assert.deepEqual(statistics, { ...NO_STATISTICS, rounds: 7, wins: 3, pushes: 1, losses: 3, busts: 2 });
  assert.deepEqual(textsOf(statistics).slice(0, 4), ["7", "3 / 1 / 3", "2", "0.000"]);
  assert.equal(textsOf(counted(NO_STATISTICS, "LOSE"))[3], "−1.000");
  assert.equal(textsOf(counted(NO_STATISTICS, "WIN"))[3], "+1.000");
});

test("with its insurance a bust may pay nothing, and is lost all the same", () => {
  const even = counted(NO_STATISTICS, "BUST", 0);
  const both = counted(even, "SURRENDER", 0.5);
  assert.deepEqual(both, { ...NO_STATISTICS, rounds: 2, losses: 2, busts: 1, payoff: 0.5 });
});

test("reviews are added up", () => {
  const once = reviewed(NO_STATISTICS, { decisions: 3, differed: 1, cost: 0.25, each: [] });
  const twice = reviewed(once, { decisions: 2, differed: 2, cost: 0.5, each: [] });
  assert.deepEqual(textsOf(twice).slice(4), ["3 of 5", "0.750"]);
  assert.equal(NO_STATISTICS.decisions, 0);
});

test("where payoffs are told, the EV lost by each decision of the last round is shown", () => {
  /** @type {Review["each"]} */
  const each = [
    { decision: "SPLIT", cost: 0, best: "SPLIT" },
    { decision: "HIT", cost: 0.336072, best: "DOUBLE" },
    { decision: "STAND", cost: 0, best: "STAND" },
  ];
  const once = reviewed(NO_STATISTICS, { decisions: 3, differed: 1, cost: 0.336072, each });
  assert.deepEqual(statisticsRows(once).slice(4), [
    ["Mistakes", "1 of 3"],
    ["Cost of mistakes", "0.336"],
    ["EV lost per decision", "0.1120"],
    ["Split", "0.000"],
    ["Hit, better: Double", "0.336"],
    ["Stand", "0.000"],
  ]);
  const twice = reviewed(once, { decisions: 1, differed: 0, cost: 0, each: each.slice(2) });
  assert.deepEqual(textsOf(twice).slice(4), ["1 of 4", "0.336", "0.0840", "0.000"]);
  const natural = reviewed(twice, { decisions: 0, differed: 0, cost: 0, each: [] });
  assert.deepEqual(textsOf(natural).slice(4), ["1 of 4", "0.336", "0.0840"]);
  const simple = reviewed(natural, { decisions: 1, differed: 0, cost: 0, each: [] });
  assert.deepEqual(statisticsRows(simple)[4], ["Mistakes", "1 of 5"]);
});
