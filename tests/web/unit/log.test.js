// The page's own log, and what a screen reader is given of it. tests/web/test_log.py holds whole rounds to the dealer's.

import assert from "node:assert/strict";
import { test } from "node:test";

import { linesBetween } from "../../../dealer/web/table/log_lines.js";
import { sentences } from "../../../dealer/web/table/sentences.js";
import { after, OPEN, seat, table, tableLine } from "./examples.js";

const UPCARD = "Six of Clubs";
const DEALER = { upcard: UPCARD, cards: [UPCARD, null], total: null };

/** @param {string[]} cards @param {number} total @param {Partial<Seat>} fields */
const ada = (cards, total, fields = {}) =>
  seat({ name: "ada", state: "playing", cards, total, soft: false, ...fields });

test("those who come, go, buy in and are sent away", () => {
  const [bob, rich] = [seat({ name: "bob", bankroll: "5" }), seat({ name: "bob", bankroll: "500" })];
  const rules = { preset: "vegas", bets: "10-80" };
  /** @param {Seat} before @param {Seat} now @param {Partial<Table>} fields */
  const lines = (before, now, fields = {}) =>
    linesBetween(table({ rules, seats: [before], ...fields }), table({ rules, seats: [now] }));
  assert.deepEqual(lines(seat(), bob), ["bob sits down"]);
  assert.deepEqual(lines(bob, seat()), ["bob leaves"]);
  assert.deepEqual(lines({ ...bob, cards: ["Two of Clubs", "Ten of Clubs"] }, seat()), [
    "bob leaves",
    "bob gives up the hand",
  ]);
  assert.deepEqual(lines(bob, seat({ name: "carl" })), ["bob leaves", "carl sits down"]);
  assert.deepEqual(lines(bob, seat(), { phase: "results" }), ["bob has too few chips for another bet"]);
  assert.deepEqual(lines(bob, rich, { phase: "results" }), ["bob buys in again"]);
});

test("a table that is seen in the middle of a round tells it from its beginning", () => {
  const shown = table({
    ...{ round: 3, turn: 0, you: 0, dealer: DEALER },
    seats: [ada(["Ten of Spades", "Two of Spades", "Five of Hearts"], 17)],
  });
  assert.deepEqual(linesBetween(null, shown), [
    "Round 3",
    "ada gets Ten of Spades and Two of Spades: 12",
    "The dealer shows Six of Clubs",
    "ada hits and gets Five of Hearts: 17",
  ]);
  assert.deepEqual(linesBetween(shown, shown), []);
});

test("own hand and the dealer's in a few sentences, or everything", () => {
  const bots = Array.from({ length: 8 }, (_, at) =>
    seat({
      name: `bot-${at}`,
      bot: true,
      state: "playing",
      cards: ["Ten of Hearts", "Six of Hearts"],
      total: 16,
    }),
  );
  const hand = ["Ten of Spades", "Two of Spades"];
  const shared = { round: 1, you: 0, dealer: DEALER };
  const states = [
    after(
      OPEN,
      tableLine({ ...shared, round: 0, phase: "waiting", seats: [seat({ name: "ada" }), ...bots] }),
    ),
  ];
  /** @param {(string | PageEvent)[]} messages */
  const go = (...messages) => states.push(after(/** @type {State} */ (states.at(-1)), ...messages));
  go("BEGIN", "DECISION", tableLine({ ...shared, sequence: 2, turn: 0, seats: [ada(hand, 12), ...bots] }));
  const drawn = ada([...hand, "Seven of Spades"], 19);
  const hit = tableLine({ ...shared, sequence: 3, turn: 0, seats: [drawn, ...bots] });
  go({ kind: "answered", decision: "HIT" }, "CARD Seven of Spades", "DECISION", hit);
  go({ kind: "answered", decision: "STAND" });
  for (let turn = 1; turn < 9; turn++) {
    const seats = [
      { ...drawn, state: "standing" },
      ...bots.map((bot, at) => ({ ...bot, state: at < turn - 1 ? "standing" : "playing" })),
    ];
    go(tableLine({ ...shared, sequence: 3 + turn, turn, seats: /** @type {Seat[]} */ (seats) }));
  }
  const over = [
    { ...drawn, state: "standing", result: "WIN" },
    ...bots.map((bot) => ({ ...bot, state: "standing", result: "LOSE" })),
  ];
  const cards = [UPCARD, "Ten of Clubs", "Nine of Clubs"];
  go(
    "RESULT WIN",
    tableLine({
      ...{ ...shared, sequence: 12, phase: "results", dealer: { upcard: UPCARD, cards, total: 25 } },
      seats: /** @type {Seat[]} */ (over),
    }),
  );
  const told = (/** @type {boolean} */ isAll) =>
    states.slice(1).flatMap((state, at) => sentences(state, /** @type {State} */ (states[at]), isAll));
  assert.deepEqual(told(false), [
    "You have Ten and Two, 12, against Six: hit or stand?",
    "You get Seven, 19: hit or stand?",
    "The dealer is bust, you won with 19.",
  ]);
  assert.ok(told(true).length > 20);
});
