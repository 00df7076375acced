// Rounds seen again: the steps of a line of a history, and where a file has its lines.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EXAMPLE } from "../../../dealer/web/replay/example.js";
import { indexOf, listed, roundOf, summarized } from "../../../dealer/web/replay/replay_file.js";
import { costOf, dearestOf, opensAt, readLine, stepsOf } from "../../../dealer/web/replay/steps.js";

const SPLIT = /** @type {Line} */ (
  /** @type {unknown} */ ({
    version: 2,
    round: 12,
    table: 1,
    rules: { ace: "either" },
    names: ["ann"],
    records: [
      { record: "card", seat: 0, hand: 0, card: "Eight of Spades" },
      { record: "card", seat: 0, hand: 0, card: "Eight of Hearts" },
      { record: "upcard", card: "Six of Clubs" },
      { record: "hole card", card: "Ten of Clubs" },
      { record: "asked", seat: 0, hand: 0, options: ["HIT", "STAND", "SPLIT"] },
      { record: "decided", seat: 0, hand: 0, decision: "SPLIT" },
      { record: "hand", seat: 0, hand: 0, hands: 2 },
      { record: "card", seat: 0, hand: 0, card: "Three of Hearts" },
      { record: "asked", seat: 0, hand: 0, options: ["HIT", "STAND", "DOUBLE"] },
      { record: "decided", seat: 0, hand: 0, decision: "DOUBLE" },
      { record: "card", seat: 0, hand: 0, card: "Ace of Clubs" },
      { record: "hand", seat: 0, hand: 1, hands: 2 },
      { record: "card", seat: 0, hand: 1, card: "Ten of Hearts" },
      { record: "asked", seat: 0, hand: 1, options: ["HIT", "STAND", "DOUBLE"] },
      { record: "decided", seat: 0, hand: 1, decision: "STAND" },
      { record: "revealed", card: "Ten of Clubs" },
      { record: "drew", card: "Six of Hearts" },
      { record: "hand settled", seat: 0, hand: 0, outcome: "WIN", payoff: "+2" },
      { record: "hand settled", seat: 0, hand: 1, outcome: "WIN", payoff: "+1" },
      { record: "settled", seat: 0, outcome: "WIN", payoff: "+3" },
    ],
    outcomes: ["WIN"],
    payoffs: ["+3"],
    seats: [
      {
        name: "ann",
        payoff: "+3",
        hands: [
          {
            cards: ["Eight of Spades", "Three of Hearts", "Ace of Clubs"],
            decisions: [
              { options: ["HIT", "STAND", "SPLIT"], decision: "SPLIT", cost: 0 },
              { options: ["HIT", "STAND", "DOUBLE"], decision: "DOUBLE", cost: 0.25, late: true },
            ],
          },
          {
            cards: ["Eight of Hearts", "Ten of Hearts"],
            decisions: [{ options: ["HIT", "STAND", "DOUBLE"], decision: "STAND", cost: 0.5 }],
          },
        ],
      },
    ],
  })
);

test("a round has a step for each record and one before them", () => {
  const steps = stepsOf(SPLIT);
  assert.equal(steps.length, SPLIT.records.length + 1);
  assert.deepEqual(steps[0]?.dealer, []);
  assert.equal(steps[1]?.text, "ann gets the Eight of Spades: 8.");
  assert.equal(steps[5]?.text, "ann has 16 and is asked: hit, stand or split?");
});

test("no step changes one before it, and each hand of a split has its cards and its stake", () => {
  const steps = stepsOf(SPLIT);
  assert.deepEqual(steps[5]?.seats[0]?.hands[0]?.cards, ["Eight of Spades", "Eight of Hearts"]);
  const hands = steps.at(-1)?.seats[0]?.hands ?? [];
  assert.equal(
    hands.map(({ cards, stake, payoff }) => `${cards}: ${stake} ${payoff}`).join("; "),
    "Eight of Spades,Three of Hearts,Ace of Clubs: 2 +2; Eight of Hearts,Ten of Hearts: 1 +1",
  );
});

test("the hole card is face down until it is turned over, and none is needed for that", () => {
  const steps = stepsOf(SPLIT);
  assert.deepEqual(steps[15]?.dealer, ["Six of Clubs", null]);
  assert.deepEqual(steps[16]?.dealer, ["Six of Clubs", "Ten of Clubs"]);
  assert.equal(steps[17]?.text, "The dealer draws the Six of Hearts: 22.");
});

test("each decision is told with its cost, and the costs add up", () => {
  const steps = stepsOf(SPLIT);
  assert.equal(
    steps[10]?.text,
    "ann, hand 1 of 2, doubles. The clock decided. A mistake, which costs 0.2500 bets.",
  );
  assert.equal(steps[15]?.text, "ann, hand 2 of 2, stands. A mistake, which costs 0.5000 bets.");
  assert.deepEqual([steps[6]?.cost, steps[10]?.cost, steps[15]?.cost], [0, 0.25, 0.75]);
  assert.equal(costOf(SPLIT), 0.75);
});

test("another version is refused by its name", () => {
  for (const version of [1, 3])
    assert.throws(
      () => readLine(JSON.stringify({ ...SPLIT, version })),
      new RegExp(`of version ${version} of the history: expected version 2`),
    );
  const { version: _, ...older } = SPLIT;
  assert.throws(
    () => readLine(JSON.stringify(older)),
    /not a round of a history. A round has these keys: version,/,
  );
});

test("lines and records that do not fit are refused in a sentence", () => {
  assert.throws(() => readLine("{"), /not a line of JSON: expected/);
  for (const text of ["[]", '{"version":2,"names":[],"records":3,"payoffs":[],"seats":[],"rules":{}}'])
    assert.throws(() => readLine(text), /not a round of a history. A round has these keys/);
  /** @param {Line["records"]} records */
  const stepping = (records) => () => stepsOf({ ...SPLIT, records });
  assert.throws(stepping([{ record: "sang", seat: 0 }]), /“sang” is not a record/);
  assert.throws(
    stepping([{ record: "card", seat: 7, hand: 0, card: "Ace of Spades" }]),
    /Record 1 .* does not fit/,
  );
  assert.throws(
    stepping([...SPLIT.records.slice(0, 5), { record: "hand", seat: 0, hand: 3, hands: 4 }]),
    /Record 6/,
  );
});

/** @param {number} round @param {string} name @param {string} payoff */
const lineOf = (round, name, payoff) => JSON.stringify({ ...SPLIT, round, names: [name], payoffs: [payoff] });

test("the rounds of a file are found and read again one by one", async () => {
  const lines = [1, 2, 3].map((round) => lineOf(round, "ann", "+1"));
  for (const end of ["", "\n", "\r\n\n"]) {
    const file = new Blob([lines.join("\n") + end]);
    const parts = /** @type {number[]} */ ([]);
    const found = await indexOf(file, (part) => parts.push(part));
    assert.equal(found.map(({ round, at }) => `${round} at ${at}`).join(), "1 at 0,2 at 1,3 at 2");
    assert.equal(parts.at(-1), 1);
    for (const summary of found) assert.equal((await roundOf(file, summary)).round, summary.round);
  }
});

test("lines that lie across two pieces are whole", async () => {
  const count = 6000; // more than one piece of 4 MiB
  const file = new Blob(Array.from({ length: count }, (_, round) => `${lineOf(round, "änn", "+1")}\n`));
  assert.ok(file.size > 5_000_000);
  const found = await indexOf(file, () => {});
  assert.equal(found.length, count);
  assert.ok(found.every(({ round, seats }, at) => round === at && seats[0]?.name === "änn"));
});

test("a faulty file is refused with the number of its line", async () => {
  const good = lineOf(1, "ann", "+1");
  const read = (/** @type {string} */ text) => indexOf(new Blob([text]), () => {});
  await assert.rejects(read(`${good}\n\nhello\n`), /^Error: Line 3: This is not a line of JSON/);
  await assert.rejects(read(""), /has no round: expected/);
  await assert.rejects(read("x".repeat(2 ** 20 + 1)), /Line 1 is longer/);
  await assert.rejects(read("x".repeat(2 ** 23)), /Line 1 is longer/);
});

test("the list is filtered by name, and sorted by cost on request", () => {
  const rounds = ["ann", "bob", "anna"].map((name, at) => {
    const line = { ...SPLIT, round: at, names: [name] };
    const summary = { ...summarized(line), at, start: 0, end: 0 };
    return { ...summary, seats: summary.seats.map((seat) => ({ ...seat, cost: at === 0 ? null : at })) };
  });
  assert.equal(
    listed(rounds, " ANN", false)
      .map(({ round }) => round.at)
      .join(),
    "0,2",
  );
  const dearest = listed(rounds, "", true).map(({ round, cost }) => `${round.at} ${cost}`);
  assert.deepEqual(dearest, ["2 2", "1 1", "0 null"]);
});

test("the step of the decision that cost most, or the first step", () => {
  const line = structuredClone(SPLIT);
  const hands = (line.seats ?? []).flatMap((seat) => seat.hands);
  for (const { decisions } of hands) for (const one of decisions) one.cost = 0;
  assert.equal(dearestOf(stepsOf(line)), 0);
  assert.equal(opensAt(stepsOf(line)), line.records.length);
  const last = /** @type {Asked} */ (hands[1]?.decisions.at(-1));
  last.cost = 0.25;
  const steps = stepsOf(line);
  assert.equal(
    steps[dearestOf(steps)]?.text,
    "ann, hand 2 of 2, stands. A mistake, which costs 0.2500 bets.",
  );
});

test("the example is a round, and has a mistake to open it at", () => {
  const steps = stepsOf(readLine(JSON.stringify(EXAMPLE)));
  assert.equal(
    steps[opensAt(steps)]?.text,
    "ada, hand 1 of 2, hits. A mistake, which costs 0.3361 bets; the best decision: double.",
  );
  assert.equal(steps[opensAt(steps, 1)]?.text, "ada wins: +2.");
});
