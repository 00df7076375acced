// When what is drawn: the steps of a change, their beats, and what ends them.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { cardsOn } from "../../../dealer/web/table/dealing.js";
import { INITIAL, reduce } from "../../../dealer/web/table/game.js";
import { openStage } from "../../../dealer/web/table/stage.js";
import { after, OPEN, seat, table } from "./examples.js";

const CARDS = ["Ten of Spades", "Two of Spades"];
/** @param {Table} shown */
const lineOf = (shown) => `TABLE ${JSON.stringify(shown)}`;

const OWN = seat({ name: "ada", state: "playing", cards: CARDS, total: 12, soft: false });
const UPCARD = "Six of Clubs";
const WAITING = table({ ...{ round: 0, phase: "waiting", you: 0 }, seats: [seat({ name: "ada" })] });
const ASKED = table({
  ...{ sequence: 2, you: 0, turn: 0, clock: 30, seats: [OWN] },
  dealer: { upcard: UPCARD, cards: [UPCARD, null], total: null },
});
const ENDED = table({
  ...{ sequence: 3, you: 0, phase: "results", clock: 3, log: ["ada wins"], logged: 1 },
  seats: [{ ...OWN, state: "standing", result: "WIN", score: 1, rounds: 1 }],
  dealer: { upcard: UPCARD, cards: [UPCARD, "Ten of Clubs", "Nine of Clubs"], total: 25 },
});
const WATCHING = after(OPEN, lineOf(WAITING));
const DECIDING = after(WATCHING, "BEGIN", "DECISION", lineOf(ASKED));

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
});

/** Let time pass: a timer that is set by another may run in it, too. */
function pass(/** @type {number} */ time) {
  for (let passed = 0; passed < time; passed += 5) mock.timers.tick(5);
}

/** A stage, and every state that it has drawn. */
function opened({ pace = 1 } = {}) {
  /** @type {State[]} */
  const drawn = [];
  const draw = (/** @type {State} */ one) => drawn.push(one);
  const stage = openStage(draw, () => pace);
  let state = INITIAL;
  /** @param {string[]} messages */
  const hear = (...messages) => {
    for (const message of messages) {
      state = after(state, message);
      stage.present(state);
    }
  };
  state = reduce(state, { kind: "opened", sitting: "asking" });
  stage.present(state);
  hear(lineOf(WAITING));
  pass(100);
  drawn.length = 0;
  return { stage, drawn, hear, last: () => /** @type {State} */ (drawn.at(-1)) };
}

/** @param {State[]} drawn */
const counts = (drawn) => drawn.map((state) => (state.table === null ? 0 : cardsOn(state.table)));

test("a card each beat, and the question with the last one", () => {
  const { stage, drawn, hear, last } = opened();
  hear("BEGIN", "DECISION", lineOf(ASKED));
  assert.equal(drawn.length, 0);
  pass(15);
  assert.deepEqual([counts(drawn), stage.isAsking, stage.isBusy], [[1], false, true]);
  pass(350);
  assert.deepEqual(counts(drawn), [1, 2]);
  pass(700);
  assert.deepEqual([counts(drawn), last().asked, stage.isAsking], [[1, 2, 3, 4], true, true]);
  assert.ok(drawn.slice(0, -1).every((state) => !state.asked));
  assert.equal(last().table?.clock, 29); // a second has passed
});

test("results, log and statistics come behind the dealer's last card", () => {
  const { stage, drawn, hear, last } = opened({ pace: 1 });
  hear("BEGIN", "DECISION", lineOf(ASKED));
  stage.finish();
  drawn.length = 0;
  hear("RESULT WIN");
  pass(20); // before the cards have come
  assert.equal(last().statistics.rounds, 0);
  hear(lineOf(ENDED));
  pass(15 + 700);
  assert.equal(counts(drawn).at(-1), 5);
  const early = [last().statistics.rounds, last().log.at(-1), last().table?.phase];
  assert.deepEqual(early, [0, "The dealer shows Six of Clubs", "playing"]);
  pass(700);
  assert.deepEqual([last().statistics.rounds, last().log.at(-1)], [1, "ada wins with 12"]);
  assert.deepEqual(last().table, { ...ENDED, clock: 2 });
});

test("the end of the game, and that the seat is free, come behind its last round", () => {
  const { stage, drawn, hear, last } = opened();
  hear("BEGIN", "DECISION", lineOf(ASKED));
  stage.finish();
  drawn.length = 0;
  hear(lineOf(ENDED), "QUIT");
  pass(15 + 700);
  assert.ok(drawn.length > 0);
  assert.ok(drawn.every(({ connection, sitting }) => connection === "open" && sitting === "yes"));
  pass(700);
  assert.deepEqual([last().table?.phase, last().connection, last().sitting], ["results", "ended", "no"]);
});

test("finish draws the newest state at once, and only once", () => {
  const { stage, drawn, hear, last } = opened();
  hear("BEGIN", "DECISION", lineOf(ASKED));
  pass(15);
  stage.finish();
  assert.deepEqual([counts(drawn), last().asked, stage.isBusy], [[1, 4], true, false]);
  pass(5000);
  assert.deepEqual(counts(drawn), [1, 4]);
  stage.finish();
  assert.deepEqual(counts(drawn), [1, 4]);
});

test("without beats every change is drawn at once, and a question that another has replaced is not asked", () => {
  const { drawn, hear, stage } = opened({ pace: 0 });
  hear("BEGIN", "DECISION", lineOf(ASKED));
  pass(15);
  assert.deepEqual(counts(drawn), [4]);
  stage.present(DECIDING);
  pass(20);
  assert.equal(stage.isAsking, true);
  stage.present(after(DECIDING, "DECISION HIT STAND DOUBLE"));
  assert.equal(stage.isAsking, false); // nobody has seen it yet
});

test("what comes while cards are dealt is drawn behind them, and never too late", () => {
  const { drawn, hear, last } = opened();
  hear("BEGIN", lineOf(ASKED), lineOf(ENDED));
  for (let round = 2; round < 6; round++) {
    hear(lineOf({ ...ASKED, round, sequence: 2 * round }));
    hear(lineOf({ ...ENDED, round, sequence: 2 * round + 1 }));
  }
  pass(6100);
  assert.equal(last().table?.round, 5);
  assert.equal(last().table?.phase, "results");
  const rounds = drawn.map((state) => state.table?.round ?? 0);
  assert.deepEqual(rounds, [...rounds].sort());
});

test("nine seats are dealt in two and a half seconds, so that the clock of the question is not used up", () => {
  const { hear, last } = opened();
  const seats = Array.from({ length: 9 }, () => OWN);
  hear("BEGIN", "DECISION", lineOf({ ...ASKED, seats }));
  pass(2300);
  assert.equal(last().asked, false);
  pass(250);
  assert.equal(last().asked, true);
});

test("a question is not drawn before its table, unless that does not come", () => {
  const { stage, hear, last } = opened();
  hear("BEGIN", "DECISION");
  pass(100);
  assert.deepEqual([last().asked, stage.isAsking], [false, false]);
  pass(500);
  assert.deepEqual([last().asked, stage.isAsking], [true, true]);
});

test("a seat that is taken back is shown as it is, without its past", () => {
  /** @type {State[]} */
  const drawn = [];
  const draw = (/** @type {State} */ one) => drawn.push(one);
  const stage = openStage(draw, () => 1);
  let returned = reduce(INITIAL, { kind: "opened", sitting: "returning" });
  stage.present(returned);
  for (const message of ["BEGIN", "DECISION", lineOf(ASKED)]) {
    returned = after(returned, message);
    stage.present(returned);
  }
  pass(15);
  assert.deepEqual(counts(drawn), [4]);
});

test("what waits for the drawing is called with the last step", () => {
  const { stage, hear } = opened();
  let called = 0;
  hear(lineOf(ASKED));
  const count = () => {
    called++;
  };
  stage.whenShown(count);
  pass(1000);
  assert.equal(called, 0);
  pass(100);
  assert.equal(called, 1);
  stage.whenShown(count);
  assert.equal(called, 2);
});
