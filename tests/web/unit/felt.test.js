import assert from "node:assert/strict";
import { test } from "node:test";

import { paidBetween } from "../../../dealer/web/table/chips_moving.js";
import { printed } from "../../../dealer/web/table/print.js";
import { RULES, seat, table } from "./examples.js";

const rules = (/** @type {Record<string, string>} */ changed) => ({ ...RULES, ...changed });

test("what is printed on the felt is what the rules of the table say", () => {
  assert.deepEqual(printed(null), []);
  const vegas = printed(rules({ naturals: "3:2", "dealer-stands": "hard17", insurance: "yes" }));
  assert.deepEqual(vegas, ["Blackjack pays 3 to 2", "Dealer draws on soft 17", "Insurance pays 2 to 1"]);
  const casino = printed(rules({ naturals: "beat", "dealer-stands": "all17" }));
  assert.deepEqual(casino, ["Blackjack beats any other 21", "Dealer stands on all 17s"]);
  const { "dealer-stands": _, ...hidden } = RULES;
  assert.deepEqual(printed(hidden), [], "a table without a dealer");
});

test("chips move once for each seat that wins or loses some", () => {
  const lost = { name: "ada", result: /** @type {const} */ ("LOSE"), payoff: "-20", bankroll: "480" };
  const won = { name: "bob", result: /** @type {const} */ ("WIN"), payoff: "15.5", bankroll: "515.5" };
  const push = { name: "carl", result: /** @type {const} */ ("PUSH"), payoff: "0", bankroll: "500" };
  const bare = { name: "dan", result: /** @type {const} */ ("WIN"), payoff: "1" };
  const seats = [lost, won, push, bare].map(seat);
  const before = table({ seats: seats.map((one) => ({ ...one, result: null, payoff: null })) });
  const after = table({ seats, phase: "results" });
  const paid = [
    { seat: 0, chips: -20 },
    { seat: 1, chips: 15.5 },
  ];
  assert.deepEqual(paidBetween(before, after), paid);
  assert.deepEqual(paidBetween(after, after), []);
  assert.deepEqual(paidBetween(null, after), [], "who comes later sees no chips move");
  assert.deepEqual(paidBetween({ ...after, round: 0 }, after), paid, "a round that is shown at once");
});
