import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { INITIAL } from "../../../dealer/web/table/game.js";
import { sentences } from "../../../dealer/web/table/sentences.js";
import * as words from "../../../dealer/web/table/words.js";
import { after, OPEN, RULES, SEATED, seat, table, tableLine } from "./examples.js";

const { statusText } = words;

/** @param {Partial<Seat>} fields */
const ada = (fields = {}) => seat({ name: "ada", state: "playing", total: 12, soft: false, ...fields });
const BOB = seat({ name: "bob", state: "playing" });
const BOT = seat({ name: "bot-1", state: "playing", bot: true });

/** @param {Partial<Table>} fields */
const seated = (fields) => after(SEATED, tableLine({ sequence: 2, you: 0, ...fields }));

describe("the status", () => {
  test("of the connection", () => {
    assert.equal(statusText(INITIAL), "Connecting to the dealer.");
    assert.equal(statusText(after(SEATED, { kind: "lost" })), "Connection lost, trying again.");
    const taken = after(SEATED, "REFUSED taken-over so it is");
    assert.equal(statusText(taken), "Your seat is now played from another tab or window.");
    const ended = /^The dealer has ended the game: all its rounds are dealt, or it was stopped\.$/;
    assert.match(statusText(after(SEATED, "QUIT")), ended);
  });

  test("of a request, without a table, or at one that is closed", () => {
    const texts = /** @type {const} */ (["asking", "returning", "leaving"]).map((sitting) =>
      statusText(after(OPEN, { kind: "sitting", sitting })),
    );
    assert.deepEqual(texts, ["Asking for a seat.", "Returning to your seat.", "Leaving the table."]);
    assert.equal(statusText(OPEN), "Press Play now to take a seat.");
    assert.equal(statusText(after(OPEN, "BEGIN")), "The round begins.");
    const closed = after(OPEN, tableLine({ phase: "closed" }));
    assert.equal(statusText(closed), "This table is closed. Press New game to choose another one.");
  });

  test("of a table that waits for players", () => {
    const watching = after(OPEN, tableLine({ phase: "waiting" }));
    assert.equal(statusText(watching), "You are watching table 1. It waits for players.");
    const seats = [ada({ state: "waiting" }), seat()];
    /** @param {Partial<Table>} fields */
    const waiting = (fields) => statusText(seated({ phase: "waiting", seats, ...fields }));
    assert.equal(waiting({}), "Waiting for the next round.");
    assert.equal(waiting({ waits_for: 2 }), "Waiting for 2 more players.");
    assert.equal(waiting({ dealer: null }), "Waiting for another player: two are needed.");
  });

  test("of your turn", () => {
    const upcard = { upcard: "Six of Clubs", cards: ["Six of Clubs", null], total: null };
    /** @param {Seat} own @param {Dealer | null} dealer */
    const asked = (own, dealer) => statusText(after(seated({ turn: 0, seats: [own], dealer }), "DECISION"));
    assert.equal(asked(ada(), upcard), "Your turn: you have 12 against the Six of Clubs. Hit or stand?");
    assert.equal(asked(ada({ total: 17, soft: true }), null), "Your turn: you have soft 17. Hit or stand?");
    assert.equal(asked(ada({ total: null }), null), "Your turn: hit or stand?");
  });

  test("of a round that is played by others", () => {
    const late = ada({ state: "waiting" });
    for (const [seats, turn, text] of /** @type {[Seat[], number | null, string][]} */ ([
      [[ada(), BOB], 1, "bob is deciding."],
      [[ada(), BOB], 0, "Your answer is on its way."],
      [[ada({ state: "bust" })], 0, "You are bust."],
      [[ada({ state: "standing" })], 0, "You are done."],
      [[ada(), { ...BOB, state: "bust" }], 1, "bob is bust."],
      [[ada(), { ...BOB, state: "standing" }], 1, "bob is done."],
      [[ada(), BOB], null, "The dealer plays."],
      [[late, BOB], 1, "You will be dealt in next round. bob is deciding."],
    ]))
      assert.equal(statusText(seated({ seats, turn })), text);
    assert.equal(statusText(seated({ seats: [ada(), BOB], dealer: null })), "The cards are compared.");
  });

  test("of the results", () => {
    for (const [result, text] of /** @type {[Outcome | null, string][]} */ ([
      ["WIN", "You won with 22."],
      ["LOSE", "You lost with 22."],
      ["PUSH", "A push with 22."],
      ["BUST", "You went bust with 22."],
      [null, "The round is over."],
    ])) {
      const over = seated({ phase: "results", seats: [ada({ result, total: 22 })] });
      assert.equal(statusText(over), `${text} The next round starts soon.`);
    }
  });

  test("of a pause that waits for others, but for no bots and nobody who is away", () => {
    const own = ada({ result: "WIN", ready: true });
    const [carl, away] = [seat({ name: "carl" }), seat({ name: "dora", away: true })];
    const ready = seat({ name: "eve", ready: true });
    const text = statusText(seated({ phase: "results", seats: [own, BOB, BOT, carl, away, ready, seat()] }));
    assert.equal(text, "You won with 12. Waiting for bob, carl.");
  });
});

describe("a seat", () => {
  test("has its total, its state and its result", () => {
    assert.equal(words.totalText({ total: null, soft: null }), "");
    assert.equal(words.totalText({ total: 21, soft: false }), "21");
    assert.equal(words.totalText({ total: 13, soft: true }), "soft 13");
    const results = /** @type {const} */ ({
      WIN: "Won +1",
      PUSH: "Push 0",
      LOSE: "Lost −1",
      BUST: "Bust −1",
    });
    for (const [result, text] of Object.entries(results))
      assert.equal(words.resultText(/** @type {Outcome} */ (result)), text);
    assert.equal(words.resultText(null), "");
    assert.equal(words.resultText("LOSE", "-2.1"), "Lost −2.1"); // as the dealer says
    assert.equal(words.resultText("SURRENDER", "+0.5"), "Surrendered +0.5");
  });

  test("is free, or says what its player does", () => {
    assert.equal(words.stateText(seat(), false), "free");
    assert.equal(words.stateText(BOB, false), "playing");
    assert.equal(words.stateText(BOB, true), "deciding");
    assert.equal(words.stateText({ ...BOB, away: true }, true), "away");
    assert.equal(words.stateText({ ...BOB, away: true, kept: 60, state: "bust" }, false), "bust, away");
    assert.equal(words.stateText({ ...BOB, state: "bust" }, true), "bust");
    assert.equal(words.stateText({ ...BOB, state: "standing" }, true), "standing");
    const now = new Date(2026, 0, 1, 21, 2, 50);
    assert.equal(words.stateText({ ...BOB, away: true, kept: 60 }, false, now), "away until about 21:04");
    assert.equal(words.stateText({ ...BOB, state: "natural" }, false), "Blackjack!");
  });

  test("has a score after its first round", () => {
    assert.equal(words.scoreText(seat()), "");
    assert.equal(words.scoreText({ ...BOB, rounds: 0 }), "");
    const scores = [2, 0, -1].map((score) => words.scoreText({ ...BOB, rounds: 3, score }));
    assert.deepEqual(scores, ["score +2", "score 0", "score −1"]);
  });

  test("has a bankroll in groups of thousands, which the question for a bet has too", () => {
    assert.equal(words.scoreText({ ...BOB, bankroll: "1492.5" }), "bankroll 1,492.5");
    /** @type {State["question"]} */
    const question = { options: ["BET"], limits: { minimum: 10, maximum: 500, bankroll: "1492.5" } };
    const state = { ...seated({ seats: [ada(), BOB] }), asked: true, question };
    assert.equal(statusText(state), "Your bet: 10 to 500 chips. Your bankroll is 1,492.5.");
    assert.deepEqual(sentences(state, { ...state, asked: false }, false), [
      "Bet 10 to 500 of your 1,492.5 chips.",
    ]);
  });
});

test("where we are", () => {
  assert.equal(words.placeText(null), "");
  assert.equal(words.placeText(table({ round: 0 })), "Table 1");
  assert.equal(words.placeText(table({ table: 3, round: 2, practice: true })), "Table 3, round 2, practice");
});

test("a hint says which decision is better, and what the other would cost", () => {
  assert.equal(words.hintText({ hint: null, question: { options: ["HIT", "STAND"] } }), "");
  for (const [decision, cost, options, text] of /** @type {[Decision, number, Decision[], string][]} */ ([
    ["HIT", 0.0421, ["HIT", "STAND"], "Hit (the next best option loses 0.042 bets)"],
    ["STAND", 0.5, ["HIT", "STAND"], "Stand (the next best option loses 0.500 bets)"],
    ["HIT", 0, ["HIT", "STAND"], "Hit or stand: both are worth the same."],
    ["SPLIT", 0.25, ["HIT", "STAND", "SPLIT"], "Split (the next best option loses 0.250 bets)"],
    ["DECLINE", 0, ["INSURE", "DECLINE"], "Decline (the next best option loses 0.000 bets)"],
  ]))
    assert.equal(words.hintText({ hint: { decision, cost }, question: { options } }), text);
});

test("the rules as prose, whatever they are", () => {
  assert.equal(words.rulesText(null), "");
  assert.equal(
    words.rulesText(RULES),
    "Hit and stand rules: 4 decks, shuffled after 75 % of the cards. Aces count 1 or 11. " +
      "The dealer stands on every 17. A natural beats any other 21.",
  );
  const study = { preset: "study", decks: "1", reshuffle: "cutoff:26", ace: "1", naturals: "equal" };
  assert.equal(
    words.rulesText({ ...RULES, ...study }),
    "Study rules: 1 deck, shuffled when fewer than 26 cards are left. Aces count 1. " +
      "The dealer stands on every 17. A natural is a 21 like any other.",
  );
  const europe = { naturals: "3:2", double: "9-11", "double-after-split": "yes", split: "2", bets: "10-80" };
  assert.match(
    words.rulesText({ ...RULES, ...europe }),
    / pays 3 to 2 at once\. Split pairs, up to 2 hands\. Double on 9 to 11 only\. Hands from a split may be doubled\. Bets are 10 to 80 chips\.$| pays 3 to 2/,
  );
  for (const [key, value] of Object.entries({ decks: "inf", "dealer-stands": "none", ace: "11" }))
    assert.doesNotMatch(words.rulesText({ ...RULES, [key]: value }), /[=:{]\d|none|undefined/);
});
