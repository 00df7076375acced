import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { INITIAL } from "../../../dealer/web/table/game.js";
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
    assert.equal(
      statusText(after(SEATED, "REFUSED taken-over so it is")),
      "Your seat is now played from another tab or window.",
    );
    assert.match(
      statusText(after(SEATED, "QUIT")),
      /^The dealer has ended the game: .* Try to sit down again\.$/,
    );
  });

  test("of a request", () => {
    const texts = /** @type {const} */ (["asking", "returning", "leaving"]).map((sitting) =>
      statusText(after(OPEN, { kind: "sitting", sitting })),
    );
    assert.deepEqual(texts, ["Asking for a seat.", "Returning to your seat.", "Leaving the table."]);
  });

  test("without a table, or at one that is closed", () => {
    assert.equal(statusText(OPEN), "Press New game to take a seat.");
    assert.equal(statusText(after(OPEN, "BEGIN")), "The round begins.");
    assert.equal(
      statusText(after(OPEN, tableLine({ phase: "closed" }))),
      "This table is closed. Press New game to choose another one.",
    );
  });

  test("of a table that waits for players", () => {
    const watching = after(OPEN, tableLine({ phase: "waiting" }));
    assert.equal(statusText(watching), "You are watching table 1. It waits for players.");
    const seats = [ada({ state: "waiting" }), seat()];
    assert.equal(statusText(seated({ phase: "waiting", seats })), "Waiting for the next round.");
    assert.equal(
      statusText(seated({ phase: "waiting", seats, waits_for: 2 })),
      "Waiting for 2 more players.",
    );
    assert.equal(
      statusText(seated({ phase: "waiting", seats, dealer: null })),
      "Waiting for another player: two are needed.",
    );
  });

  test("of your turn", () => {
    const upcard = { upcard: "Six of Clubs", cards: ["Six of Clubs", null], total: null };
    /** @param {Partial<Table>} fields */
    const asked = (fields) => statusText(after(seated({ turn: 0, ...fields }), "DECISION"));
    assert.equal(
      asked({ seats: [ada()], dealer: upcard }),
      "Your turn: you have 12 against the Six of Clubs. Hit or stand?",
    );
    assert.equal(
      asked({ seats: [ada({ total: 17, soft: true })], dealer: null }),
      "Your turn: you have soft 17. Hit or stand?",
    );
    assert.equal(asked({ seats: [ada({ total: null })] }), "Your turn: hit or stand?");
  });

  test("of a round that is played by others", () => {
    const seats = [ada(), BOB];
    assert.equal(statusText(seated({ seats, turn: 1 })), "bob is deciding.");
    assert.equal(statusText(seated({ seats, turn: 0 })), "Your answer is on its way.");
    assert.equal(statusText(seated({ seats: [ada({ state: "bust" })], turn: 0 })), "You are bust.");
    assert.equal(
      statusText(seated({ seats: [ada({ state: "standing" })], turn: 0 })),
      "Your hand is played.",
    );
    assert.equal(statusText(seated({ seats: [ada(), { ...BOB, state: "bust" }], turn: 1 })), "bob is bust.");
    assert.equal(
      statusText(seated({ seats: [ada(), { ...BOB, state: "standing" }], turn: 1 })),
      "bob's hand is played.",
    );
    assert.equal(statusText(seated({ seats })), "The dealer plays.");
    assert.equal(statusText(seated({ seats, dealer: null })), "The cards are compared.");
    assert.equal(
      statusText(seated({ seats: [ada({ state: "waiting" }), BOB], turn: 1 })),
      "You will be dealt in next round. bob is deciding.",
    );
  });

  test("of the results", () => {
    /** @param {Seat[]} seats */
    const over = (...seats) => statusText(seated({ phase: "results", seats }));
    assert.equal(over(ada({ result: "WIN" })), "You won with 12. The next round starts soon.");
    assert.equal(over(ada({ result: "LOSE" })), "You lost with 12. The next round starts soon.");
    assert.equal(over(ada({ result: "PUSH" })), "A push with 12. The next round starts soon.");
    assert.equal(
      over(ada({ result: "BUST", total: 22 })),
      "You went bust with 22. The next round starts soon.",
    );
    assert.equal(over(ada({ result: null })), "The round is over. The next round starts soon.");
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
    assert.equal(words.resultText(null), "");
    assert.deepEqual(
      /** @type {const} */ (["WIN", "PUSH", "LOSE", "BUST"]).map((one) => words.resultText(one)),
      ["Won +1", "Push 0", "Lost -1", "Bust -1"],
    );
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
    assert.deepEqual(
      [2, 0, -1].map((score) => words.scoreText({ ...BOB, rounds: 3, score })),
      ["score +2", "score 0", "score -1"],
    );
  });
});

test("where we are", () => {
  assert.equal(words.placeText(null), "");
  assert.equal(words.placeText(table({ round: 0 })), "Table 1");
  assert.equal(words.placeText(table({ table: 3, round: 2, practice: true })), "Table 3, round 2, practice");
});

test("a hint says which decision is better, and what the other would cost", () => {
  /** @param {Hint | null} hint @param {Decision[]} options */
  const told = (hint, ...options) => words.hintText({ hint, question: { options } });
  assert.equal(told(null, "HIT", "STAND"), "");
  const [hit, stand] = [
    { decision: /** @type {const} */ ("HIT"), cost: 0.0421 },
    { decision: /** @type {const} */ ("STAND"), cost: 0.5 },
  ];
  assert.equal(told(hit, "HIT", "STAND"), "Hit. Standing would cost 0.042 bets.");
  assert.equal(told(stand, "HIT", "STAND"), "Stand. Hitting would cost 0.500 bets.");
  assert.equal(told({ ...hit, cost: 0 }, "HIT", "STAND"), "Hit or stand: both are worth the same.");
  const [split, decline] = [
    { decision: /** @type {const} */ ("SPLIT"), cost: 0.25 },
    { decision: /** @type {const} */ ("DECLINE"), cost: 0 },
  ];
  assert.equal(told(split, "HIT", "STAND", "SPLIT"), "Split. The next best would cost 0.250 bets.");
  assert.equal(told(decline, "INSURE", "DECLINE"), "Decline. The next best would cost 0.000 bets.");
});

test("the rules in one sentence", () => {
  assert.equal(words.rulesText(null), "");
  assert.equal(
    words.rulesText(RULES),
    "Casino rules: 4 decks, shuffled after 75% of the cards, aces count 1 or 11, " +
      "the dealer stands on every 17, a natural beats any other 21.",
  );
  assert.equal(
    words.rulesText({
      ...RULES,
      preset: "study",
      decks: "1",
      reshuffle: "cutoff:26",
      ace: "1",
      naturals: "equal",
    }),
    "Study rules: 1 deck, shuffled below 26 cards, aces count 1, the dealer stands on every 17.",
  );
  assert.equal(
    words.rulesText({ ...RULES, preset: "showdown", decks: "inf", "dealer-stands": "none", ace: "11" }),
    "Showdown rules: infinite deck, aces count 11, a natural beats any other 21.",
  );
  assert.match(
    words.rulesText({ ...RULES, reshuffle: "round", "dealer-stands": "hard17" }),
    /4 decks, shuffled every round, .* the dealer draws on a soft 17,/,
  );
});

test("a result says the payoff that the dealer has given, or the one of its outcome", () => {
  assert.equal(words.resultText("LOSE", "-2.1"), "Lost -2.1");
  assert.equal(words.resultText("SURRENDER", "+0.5"), "Surrendered +0.5");
  assert.equal(words.resultText("WIN"), "Won +1");
  assert.equal(words.resultText(null), "");
});
