// Mistakes that are told at once, standing on 21 by itself, and a table's ranking.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rankingOf } from "../../../dealer/web/table/beside.js";
import { standsOn21 } from "../../../dealer/web/table/game.js";
import { isAlone } from "../../../dealer/web/table/mistakes.js";
import { adviceText } from "../../../dealer/web/table/words.js";
import { after, OPEN, SEATED, seat, table, tableLine } from "./examples.js";

const NOW = /** @type {const} */ ({ kind: "reviewing", isRound: false, tells: true });
const THEN = /** @type {const} */ ({ kind: "reviewing", isRound: true, tells: true });
const hit = /** @type {const} */ ({ kind: "answered", decision: "HIT" });

test("a mistake is told once, and only a round that is over is counted", () => {
  const asked = after(SEATED, "DECISION HIT STAND DOUBLE", hit, "CARD Two of Clubs", "DECISION HIT STAND");
  const told = after(asked, NOW, "REVIEW 1 1 0.123 HIT 0.123 STAND");
  assert.equal(adviceText(told), "A mistake: Stand was better (costs 0.123 bets).");
  assert.equal(told.statistics.decisions, 0);
  const over = after(told, { kind: "answered", decision: "STAND" }, "RESULT LOOSE -1");
  assert.equal(adviceText(over), "");
  const reviewed = after(over, THEN, "REVIEW 2 1 0.123 HIT 0.123 STAND STAND 0 STAND");
  assert.equal(adviceText(reviewed), "", "it was told before");
  assert.deepEqual([reviewed.statistics.decisions, reviewed.statistics.differed], [2, 1]);
  const wrong = after(over, THEN, "REVIEW 2 2 0.5 HIT 0.123 STAND STAND 0.377 HIT");
  assert.equal(adviceText(wrong), "A mistake: Hit was better (costs 0.377 bets).");
});

test("a mistake is told no longer than its round, its seat and its connection are there", () => {
  const asked = after(SEATED, "DECISION HIT STAND DOUBLE", hit, "CARD Two of Clubs", "DECISION HIT STAND");
  const told = after(asked, NOW, "REVIEW 1 1 0.123 HIT 0.123 STAND");
  const lost = /** @type {const} */ ({ kind: "lost" });
  const left = /** @type {const} */ ({ kind: "left" });
  const connecting = /** @type {const} */ ({ kind: "connecting" });
  const sitting = /** @type {const} */ ({ kind: "sitting", sitting: "leaving" });
  for (const end of ["BEGIN", "QUIT", "REFUSED taken-over because", lost, left, connecting, sitting]) {
    assert.equal(adviceText(after(told, end)), "", JSON.stringify(end));
  }
});

test("without payoffs the better of hit and stand is the other one", () => {
  const asked = after(SEATED, "DECISION", hit, "CARD Two of Clubs", "DECISION");
  assert.equal(
    adviceText(after(asked, NOW, "REVIEW 1 1 0.25")),
    "A mistake: Stand was better (costs 0.250 bets).",
  );
  const silent = after(asked, { ...NOW, tells: false }, "REVIEW 1 1 0.25");
  assert.equal(adviceText(silent), "");
  assert.deepEqual(after(asked, NOW, "REFUSED no-review because", THEN, "REVIEW 1 0 0").reviews, []);
});

test("one is alone where all others are bots", () => {
  const [own, bot] = [seat({ name: "ada" }), seat({ name: "bot-1", bot: true })];
  assert.ok(isAlone(table({ you: 0, seats: [own, bot, seat()] })));
  assert.ok(!isAlone(table({ you: 0, seats: [own, bot, seat({ name: "bob" })] })));
  assert.ok(!isAlone(table({ you: null, seats: [bot] })));
});

test("21 stands by itself, whatever else may be decided", () => {
  /** @param {string} question @param {number} total */
  const stands = (question, total) => {
    const seats = [seat({ name: "ada", state: "playing", total, cards: ["Ten of Spades", "Two of Spades"] })];
    return standsOn21(after(OPEN, "BEGIN", tableLine({ you: 0, turn: 0, seats }), question));
  };
  assert.ok(stands("DECISION", 21));
  assert.ok(stands("DECISION HIT STAND", 21));
  assert.ok(!stands("DECISION HIT STAND", 20));
  assert.ok(stands("DECISION HIT STAND DOUBLE", 21), "a ten that was split, and an ace");
  assert.ok(!stands("DECISION INSURE DECLINE", 21));
});

test("the ranking goes by chips, or by the score", () => {
  const chips = [seat({ name: "ada", bankroll: "90.5" }), seat(), seat({ name: "bob", bankroll: "400" })];
  const names = (/** @type {Seat[]} */ seats) => rankingOf(table({ you: 0, seats })).map(({ name }) => name);
  assert.deepEqual(names(chips), ["bob", "ada"]);
  assert.deepEqual(names([seat({ name: "ada", score: -1 }), seat({ name: "bob", score: -3 })]), [
    "ada",
    "bob",
  ]);
});
