// Counting at the table: which cards are known of the shoe, and how an answer is graded.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { seat, table } from "./examples.js";
import { FakeStorage, setGlobal } from "./fakes.js";

setGlobal("localStorage", new FakeStorage());
setGlobal("sessionStorage", new FakeStorage());
setGlobal("document", { documentElement: { dataset: {} } });
setGlobal("addEventListener", () => null);
const { follow, graded } = await import("../../../dealer/web/table/count.js");

/** @type {CountKept} */
const NOTHING = { table: 0, fresh: 0, round: 0, seen: [], ours: [], asked: 0, right: 0 };

/**
 * A table with one seat in a shoe of six decks.
 *
 * @param {number} round @param {string[]} cards @param {(string | null)[]} dealer @param {Partial<Table>} fields
 */
function shown(round, cards, dealer, fields = {}) {
  return table({
    round,
    shoe: freshBefore(1),
    seats: [seat({ name: "ann", cards })],
    dealer: { upcard: null, cards: dealer, total: null },
    ...fields,
  });
}

const freshBefore = (/** @type {number} */ fresh) => ({ left: null, size: 312, fresh });
const afterAll = (/** @type {Table[]} */ ...tables) => tables.reduce(follow, NOTHING);

describe("what is known of the shoe", () => {
  test("has each card once, the hole card when it is turned", () => {
    const before = shown(1, ["Ten of Clubs", "Six of Clubs"], ["Five of Hearts", null]);
    const turned = shown(1, ["Ten of Clubs", "Six of Clubs"], ["Five of Hearts", "King of Hearts"]);
    assert.deepEqual(afterAll(before, before).ours, ["Ten of Clubs", "Six of Clubs", "Five of Hearts"]);
    assert.equal(afterAll(before, turned).ours.length, 4);
    assert.deepEqual(afterAll(before, turned).seen, []);
  });

  test("has the cards of hands after a split, and of other players", () => {
    const hand = (/** @type {string[]} */ ...cards) => ({ .../** @type {Hand} */ ({}), cards });
    const hands = [hand("Eight of Clubs", "Ten of Clubs"), hand("Eight of Hearts", "Two of Clubs")];
    const seats = [seat({ name: "ann", hands }), seat({ name: "bob", cards: ["Ace of Clubs"] })];
    assert.equal(afterAll(shown(1, [], ["Two of Hearts"], { seats })).ours.length, 6);
  });

  test("keeps the cards of a bot that gives its seat away when the round is over", () => {
    const ann = seat({ name: "ann", cards: ["Ten of Clubs", "Ten of Clubs"] });
    const bot = seat({ name: "bot-1", bot: true, cards: ["Ten of Clubs", "Ace of Hearts"] });
    const over = shown(1, [], ["Five of Hearts"], { seats: [ann, bot] });
    const free = shown(1, [], ["Five of Hearts"], { seats: [ann, seat()], sequence: 2 });
    assert.deepEqual(afterAll(over, free).ours.toSorted(), afterAll(over).ours.toSorted());
  });

  test("goes on over rounds, and begins anew with another shoe, another table, or another dealer", () => {
    const [first, second] = [shown(1, ["Ten of Clubs"], []), shown(2, ["Six of Clubs"], [])];
    assert.deepEqual(afterAll(first, second).seen, ["Ten of Clubs"]);
    assert.deepEqual(afterAll(first, shown(2, ["Six of Clubs"], [], { shoe: freshBefore(2) })).seen, []);
    assert.deepEqual(afterAll(first, shown(2, ["Six of Clubs"], [], { table: 2 })).seen, []);
    assert.deepEqual(afterAll(first, second, shown(1, ["Two of Clubs"], [])).seen, []);
  });

  test("has nothing of the round before, if the shoe is shuffled before the bets", () => {
    const first = shown(4, ["Ten of Clubs"], ["Five of Hearts"]);
    const bets = shown(4, ["Ten of Clubs"], ["Five of Hearts"], { shoe: freshBefore(5), phase: "betting" });
    const known = afterAll(first, bets, shown(5, ["Six of Clubs"], [], { shoe: freshBefore(5) }));
    assert.deepEqual([known.seen, known.ours], [[], ["Six of Clubs"]]);
  });
});

describe("an answer", () => {
  const kept = {
    ...NOTHING,
    seen: ["Two of Clubs", "Three of Clubs", "Nine of Clubs", "Four of Clubs"],
    ours: ["Ten of Clubs", "Six of Clubs"],
  };

  test("is right for the running count of all that was seen, and may be half off for the true count", () => {
    const { isRight, text } = graded(kept, 312, 3, null);
    assert.deepEqual(isRight, [true]);
    assert.ok(text.includes("+3 before this round, then Ten −1, Six +1: +3."), text);
    assert.deepEqual(graded(kept, 312, 2, null).isRight, [false]);
    const few = 6 + 52; // one deck is left: the true count is 3
    assert.deepEqual(graded(kept, few, 3, 3.5).isRight, [true, true]);
    assert.deepEqual(graded(kept, few, 3, 2).isRight, [true, false]);
  });
});
