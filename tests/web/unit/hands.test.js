// What is kept of rounds, and what figures and plots are made of it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  bankrollsOf,
  listed,
  mistakePoints,
  mistakesOf,
  running,
  sessionsOf,
  situationOf,
  streakPoints,
  streaksOf,
  summaryOf,
  timesText,
} from "../../../dealer/web/hands/figures.js";
import { thinned, ticksOf } from "../../../dealer/web/hands/plot.js";
import { keptOf, rulesKey, situationsOf } from "../../../dealer/web/shared/rounds.js";

const WORDS = "preset=vegas decks=6 ace=either dealer-stands=hard17";
/** @type {Rules} */
const RULES = Object.fromEntries(`${WORDS} seats=2 bets=10-80`.split(" ").map((word) => word.split("=")));

/** @param {Decision} decision @param {number} cost @param {Decision} best @returns {Asked} */
function asked(decision, cost, best) {
  return { options: ["HIT", "STAND", "DOUBLE", "SPLIT"], decision, cost, best };
}

/** Eights are split, the first hand is hit and stood on, the second stood on; the other seat stands. */
function splitLine() {
  const [two, one] = [
    [asked("SPLIT", 0, "SPLIT"), asked("HIT", 0, "HIT"), asked("STAND", 0.1, "HIT")],
    [asked("STAND", 0.25, "HIT")],
  ];
  /** @param {string[]} cards @param {Asked[]} decisions */
  const hand = (cards, decisions) => ({ cards, stake: "1", decisions, outcome: "LOSE", payoff: "-1" });
  return /** @type {Line} */ ({
    version: 2,
    round: 3,
    table: 2,
    time: "2026-11-23T20:00:00.000Z",
    rules: RULES,
    names: ["bob", "ada"],
    you: 1,
    records: [
      { record: "card", seat: 0, hand: 0, card: "Ten of Clubs" },
      { record: "card", seat: 1, hand: 0, card: "Eight of Clubs" },
      { record: "card", seat: 0, hand: 0, card: "Nine of Clubs" },
      { record: "card", seat: 1, hand: 0, card: "Eight of Hearts" },
      { record: "upcard", card: "Ace of Spades" },
      { record: "decided", seat: 0, hand: 0, decision: "STAND" },
      { record: "decided", seat: 1, hand: 0, decision: "SPLIT" },
      { record: "card", seat: 1, hand: 0, card: "Two of Clubs" },
      { record: "decided", seat: 1, hand: 0, decision: "HIT" },
      { record: "card", seat: 1, hand: 0, card: "Three of Clubs" },
      { record: "decided", seat: 1, hand: 0, decision: "STAND" },
      { record: "card", seat: 1, hand: 1, card: "Ace of Hearts" },
      { record: "decided", seat: 1, hand: 1, decision: "STAND" },
    ],
    outcomes: ["LOSE", "LOSE"],
    payoffs: ["-1", "-2"],
    seats: [
      {
        name: "bob",
        bet: "10",
        bankroll: "100",
        payoff: "-1",
        hands: [hand([], [asked("STAND", 0.5, "HIT")])],
      },
      { name: "ada", bet: "20", bankroll: "100", payoff: "-2", hands: [hand([], two), hand([], one)] },
    ],
  });
}

/** @param {Partial<Kept>} fields @returns {Kept} */
function round(fields) {
  const kept = keptOf(splitLine());
  assert.ok(kept);
  return { ...kept, ...fields };
}

describe("what is kept of a round", () => {
  test("our decisions in the order of play, each with the hand that we had", () => {
    const kept = round({});
    const decided = kept.decisions.map((one) => [situationOf(one), one.decision, one.best, one.cost].join());
    assert.deepEqual(decided, [
      "pair of 8s against Ace,SPLIT,SPLIT,0",
      "hard 10 against Ace,HIT,HIT,0",
      "hard 13 against Ace,STAND,HIT,0.1",
      "soft 19 against Ace,STAND,HIT,0.25",
    ]);
    assert.deepEqual([kept.payoff, kept.chips, kept.bankroll, kept.cost], [-2, -40, 60, 0.35]);
    assert.equal(kept.id, "2026-11-23T20:00:00.000Z 2.000000003.1");
  });

  test("nothing of a round of others, and no cost where none is told", () => {
    for (const you of [null, undefined, 2]) assert.equal(keptOf({ ...splitLine(), you }), null);
    const line = splitLine();
    for (const seat of line.seats ?? [])
      for (const hand of seat.hands) for (const one of hand.decisions) delete one.cost;
    assert.equal(keptOf(line)?.cost, null);
  });

  test("the rules without what changes no decision", () => assert.equal(rulesKey(RULES), WORDS));

  test("a drill gets what has a cost, and what we decided ourselves", () => {
    const [first, ...others] = round({}).decisions;
    assert.ok(first);
    const late = { ...first, late: true };
    assert.equal(situationsOf([round({ decisions: [first, late] })]).length, 1);
    assert.equal(situationsOf([round({ hasDealer: false })]).length, 0);
    assert.deepEqual(situationsOf([round({ decisions: others })]).at(-1), {
      ...{ rules: WORDS, time: "2026-11-23T20:00:00.000Z" },
      ...{ hand: "soft 19", upcard: 11, decision: "STAND", best: "HIT", cost: 0.25 },
    });
  });
});

describe("figures", () => {
  test("sums, of rounds with costs and without", () => {
    const all = summaryOf([
      round({}),
      round({ payoff: 1.5, chips: 30 }),
      round({ cost: null, decisions: [], payoff: 0 }),
    ]);
    assert.deepEqual([all.rounds, all.won, all.pushed, all.lost], [3, 1, 1, 1]);
    assert.deepEqual([all.payoff, all.chips, all.decisions, all.mistakes], [-0.5, -50, 8, 4]);
    assert.deepEqual([all.costed, all.cost], [2, 0.7]);
  });

  test("a session ends after half an hour without a round", () => {
    const at = (/** @type {string} */ time) => round({ time: `2026-11-23T${time}:00.000Z` });
    const sessions = sessionsOf([at("20:00"), at("20:30"), at("21:01"), at("21:02")]);
    assert.equal(sessions.map((one) => `${one.at}: ${one.rounds.length}`).join(), "0: 2,2: 2");
    assert.deepEqual(sessionsOf([]), []);
  });

  test("the same mistake is taken together, the dearest first", () => {
    const found = mistakesOf([round({ id: "1" }), round({ id: "2" })]);
    const told = found.map((one) => [situationOf(one.made), timesText(one), one.cost, one.id].join());
    assert.deepEqual(told, [
      "soft 19 against Ace,stood 2 times,0.5,2",
      "hard 13 against Ace,stood 2 times,0.2,2",
    ]);
  });

  test("the list is filtered, the newest first", () => {
    const all = [round({ id: "1" }), round({ id: "2", cost: 0, decisions: [], rules: "preset=reno" })];
    const ids = (/** @type {string} */ which, /** @type {string} */ hand) =>
      listed(all, which, hand).map(({ id }) => id);
    assert.deepEqual(ids("", ""), ["2", "1"]);
    assert.deepEqual(ids("mistakes", ""), ["1"]);
    assert.deepEqual(ids("reno", ""), ["2"]);
    assert.deepEqual(ids("", "SOFT 19 against ace"), ["1"]);
    assert.deepEqual(ids("", "soft 18"), []);
  });
});

/** @param {number} at @param {number} value @returns {Point} */
function point(at, value) {
  return [at, value];
}

describe("a plot", () => {
  test("has round numbers at its axes, which cover all", () => {
    assert.deepEqual(ticksOf(-3, 11, 5), [-5, 0, 5, 10, 15]);
    assert.deepEqual(ticksOf(0, 0.013, 4), [0, 0.005, 0.01, 0.015]);
    assert.deepEqual(ticksOf(0, 1, 8, 1), [0, 1]);
    assert.deepEqual(ticksOf(0, 0, 4).length >= 2, true);
  });

  test("of a long line keeps the ends and the extremes", () => {
    const line = Array.from({ length: 20_001 }, (_, at) => point(at, at === 7_777 ? 99 : at % 7));
    const kept = thinned(line, 800);
    assert.ok(kept.length <= 802);
    assert.deepEqual([kept[0]?.[0], kept.at(-1)?.[0]], [0, 20_000]);
    assert.ok(kept.some(([at, value]) => at === 7_777 && value === 99));
    assert.equal(thinned([point(0, 1), point(1, 2), point(2, 3)], 800).length, 3);
  });

  test("begins another line where the chips are not those of the round before", () => {
    /** @param {number} chips @param {number} bankroll */
    const after = (chips, bankroll) => round({ chips, bankroll });
    const lines = bankrollsOf([after(-20, 10), after(-10, 0), after(15, 115), after(0, 115)]);
    const told = lines.map((line) => line.map(([at, chips]) => `${at}: ${chips}`).join(" "));
    assert.deepEqual(told, ["0: 30 1: 10 2: 0", "2: 100 3: 115 4: 115"]);
  });

  test("marks the mistakes, those that cost most, and the longest winning streak", () => {
    const rounds = [-1, 1, 0, 1, -1, 1].map((payoff, at) => round({ payoff, cost: at === 4 ? 0.5 : at % 2 }));
    const line = running(rounds, ({ payoff }) => payoff);
    assert.deepEqual(streaksOf(rounds).won, { from: 1, to: 4, count: 2 });
    assert.deepEqual(streaksOf(rounds).clean, { from: 0, to: 1, count: 1 });
    assert.deepEqual(
      streakPoints([line], streaksOf(rounds).won),
      [
        [1, -1],
        [2, 0],
        [3, 0],
        [4, 1],
      ].map(([at = 0, value = 0]) => point(at, value)),
    );
    assert.deepEqual(streakPoints([line], { from: 0, to: 1, count: 1 }), []);
    assert.deepEqual(mistakePoints([line], rounds, 3), [point(2, 0), point(4, 1), point(6, 1)]);
  });

  test("of a sum has its value after each round", () => {
    const sums = running([round({ payoff: -1 }), round({ payoff: 1.5 })], ({ payoff }) => payoff);
    assert.deepEqual(sums, [point(0, 0), point(1, -1), point(2, 0.5)]);
  });
});
