import assert from "node:assert/strict";
import { test } from "node:test";

import { chipsOf, offered } from "../../../dealer/web/table/chips.js";
import { rulesLines } from "../../../dealer/web/table/rules.js";

test("an amount lies in as few chips as it can, and at most six", () => {
  assert.deepEqual(chipsOf(0), []);
  assert.deepEqual(chipsOf(22.5), [10, 10, 1, 1]);
  assert.deepEqual(chipsOf(640), [500, 100, 25, 10, 5]);
  assert.equal(chipsOf(99999).length, 6);
});

test("the chips that are offered fit the limits and the bankroll", () => {
  assert.deepEqual(offered({ minimum: 5, maximum: 500, bankroll: "1000" }), [5, 10, 25, 100, 500]);
  assert.deepEqual(offered({ minimum: 5, maximum: 500, bankroll: "60" }), [1, 5, 10, 25]);
  assert.deepEqual(offered({ minimum: 100, maximum: 800, bankroll: "9000" }), [25, 100, 500]);
});

test("each rule is a line of its own", () => {
  assert.deepEqual(rulesLines(null), []);
  const rules = { preset: "vegas", decks: "6", reshuffle: "round", naturals: "3:2", split: "4" };
  const [first, ...others] = rulesLines(rules);
  assert.equal(first, "Vegas rules: 6 decks, shuffled before every round.");
  assert.ok(others.includes("Split pairs, up to 4 hands."));
});
