// The steps in which a change of the table is drawn.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { beforeRound, cardsOn, framesBetween } from "../../../dealer/web/table/dealing.js";
import { seat, table } from "./examples.js";

const WAITING = table({ round: 0, phase: "waiting", seats: [seat({ name: "ada" }), seat({ name: "bob" })] });
const PLAYING = /** @type {const} */ ({ state: "playing", soft: false });
const ADA = seat({ ...PLAYING, name: "ada", cards: ["Ten of Spades", "Two of Spades"], total: 12 });
const BOB = seat({ ...PLAYING, name: "bob", cards: ["Nine of Clubs", "Ten of Clubs"], total: 19 });
const DEALT = table({
  ...{ you: 0, turn: 0, clock: 30, seats: [ADA, BOB] },
  dealer: { upcard: "Six of Hearts", cards: ["Six of Hearts", null], total: null },
});
const WON = /** @type {const} */ ({ state: "standing", result: "WIN", score: 1, rounds: 1 });
const DRAWN = ["Six of Hearts", "Ace of Hearts", "Nine of Hearts", "Eight of Hearts"];
const ENDED = table({
  ...{ you: 0, phase: "results" },
  seats: [
    { ...ADA, ...WON, cards: [...ADA.cards, "Seven of Spades"], total: 19 },
    { ...BOB, ...WON },
  ],
  dealer: { upcard: "Six of Hearts", cards: DRAWN, total: 24 },
});

/** @param {Table} shown */
const dealers = ({ dealer }) => dealer?.cards ?? [];
/** @param {Table} shown @param {number} number */
const cards = ({ seats }, number) => seats[number]?.cards ?? [];

describe("a deal", () => {
  const frames = framesBetween(WAITING, DEALT);

  test("two cards to each seat, then the upcard and the hole card, and the total of what is shown", () => {
    const counts = frames.map((one) =>
      [cards(one, 0), cards(one, 1), dealers(one)].map((held) => held.length),
    );
    assert.equal(counts.map((each) => each.join("")).join(" "), "100 200 210 220 221 222");
    assert.equal(frames.map((one) => one.seats[0]?.total).join(" "), "10 12 12 12 12 12");
    assert.ok(frames.every((one) => one.dealer?.total === null));
    assert.equal(frames.at(-1), DEALT);
  });

  test("nobody has a turn, and no clock runs, until the last card lies there", () => {
    assert.ok(frames.slice(0, -1).every((one) => one.turn === null && one.clock === null && one.isDealing));
  });

  test("the first round at a table that one has just sat down at", () => {
    assert.deepEqual(framesBetween(beforeRound(DEALT), DEALT).map(cardsOn), [1, 2, 3, 4, 5, 6]);
  });
});

describe("the end of a round", () => {
  const frames = framesBetween(DEALT, ENDED);

  test("a hit, then the hole card, then one card after the other, and then the results", () => {
    assert.deepEqual(frames.map(cardsOn), [7, 7, 8, 9, 9]);
    assert.equal(frames.map((one) => one.dealer?.total ?? "-").join(" "), "- 17 16 24 24");
    assert.deepEqual(dealers(frames[1] ?? WAITING), ["Six of Hearts", "Ace of Hearts"]);
  });

  test("no result and no score is there before the dealer's last card", () => {
    const early = frames.slice(0, -1);
    assert.ok(early.every(({ phase }) => phase === "playing"));
    const seats = early.flatMap((one) => one.seats);
    assert.ok(seats.every(({ result, score, rounds }) => result === null && score === 0 && rounds === 0));
    assert.equal(frames.at(-1), ENDED);
  });

  test("a whole round that came as one change, as with a natural of the dealer", () => {
    assert.deepEqual(framesBetween(WAITING, ENDED).map(cardsOn), [1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 9]);
  });
});

describe("what is shown at once", () => {
  const change = { ...DEALT, sequence: 2, clock: 29 };
  for (const [what, before, after] of /** @type {[string, Table | null, Table][]} */ ([
    ["the first table", null, DEALT],
    ["another table", { ...WAITING, table: 2 }, DEALT],
    ["a round whose beginning was missed", WAITING, { ...DEALT, round: 3 }],
    ["an earlier round, of a dealer that was restarted", { ...ENDED, round: 7 }, DEALT],
    ["a change without cards", DEALT, change],
    ["cards that go with their player", DEALT, { ...DEALT, seats: [ADA, seat()] }],
    ["the bets of the next round", ENDED, { ...ENDED, phase: "betting" }],
  ])) {
    test(what, () => assert.deepEqual(framesBetween(before, after), [after]));
  }
});

test("the cards of a pair that is split lie apart before a new one comes", () => {
  const eights = ["Eight of Spades", "Eight of Hearts"];
  /** @param {string[]} held @param {number} total @returns {Hand} */
  const hand = (held, total) => ({
    cards: held,
    total,
    soft: false,
    stake: "20",
    outcome: null,
    payoff: null,
  });
  const pair = { ...ADA, cards: eights, total: 16, hands: [hand(eights, 16)], payoff: null, insured: false };
  const [first = "", second = ""] = eights;
  const split = { ...pair, cards: [first, "Three of Clubs"], total: 11 };
  const hands = [hand([first, "Three of Clubs"], 11), hand([second], 8)];
  const before = { ...DEALT, hand: 1, seats: [pair, BOB] };
  const after = { ...before, seats: [{ ...split, hands }, BOB] };
  const shown = framesBetween(before, after).map((one) => one.seats[0]?.hands);
  assert.deepEqual(shown, [[hand([first], 8), hand([second], 8)], hands]);
  const fresh = framesBetween({ ...before, round: 0, phase: "waiting" }, after);
  assert.deepEqual(fresh.map(cardsOn), [1, 2, 3, 4, 5, 6, 6, 7]);
});

test("in a showdown, hands are turned at the end, one seat after the other", () => {
  const hidden = { ...BOB, cards: [null, null], total: null, soft: null };
  const before = { ...DEALT, dealer: null, seats: [ADA, hidden, { ...hidden, name: "carl" }] };
  const ended = { state: /** @type {const} */ ("standing"), result: /** @type {const} */ ("WIN") };
  const after = {
    ...{ ...before, phase: /** @type {const} */ ("results"), turn: null },
    seats: [
      { ...ADA, ...ended },
      { ...BOB, ...ended },
      { ...BOB, ...ended, name: "carl" },
    ],
  };
  const shown = framesBetween(before, after).map(({ seats }) =>
    seats.map(({ cards: held, result }) => (held.includes(null) ? "down" : (result ?? "open"))).join(" "),
  );
  assert.deepEqual(shown, ["open open down", "open open open", "WIN WIN WIN"]);
});

// Every frame's cards begin with those of the one before, whatever was dealt and wherever it began.
test("cards only come, whatever the hands are", () => {
  const names = ["Ace", "Five", "Ten", "King", "Nine"].map((rank) => `${rank} of Clubs`);
  for (let number = 0; number < 200; number++) {
    const draw = (/** @type {number} */ at) => names[(number * 7 + at * at) % names.length] ?? "";
    const held = (/** @type {number} */ count, /** @type {number} */ at) =>
      Array.from({ length: count }, (_, one) => draw(one + at));
    const seats = [held(2 + (number % 4), 1), held(2 + (number % 3), 9)].map((own, at) => ({
      ...(at === 0 ? ADA : BOB),
      ...{ cards: own, result: /** @type {const} */ ("WIN") },
    }));
    const shown = held(2 + (number % 5), 20);
    const after = { ...ENDED, seats, dealer: { upcard: shown[0] ?? "", cards: shown, total: 0 } };
    const two = seats.map((one) => ({ ...one, cards: one.cards.slice(0, 2), result: null }));
    const dealer = { ...after.dealer, cards: [shown[0] ?? "", null] };
    const before = number % 2 ? WAITING : { ...DEALT, seats: two, dealer };
    const frames = framesBetween(before, after);
    assert.equal(frames.at(-1), after);
    for (const [at, one] of frames.slice(1).entries()) {
      const last = frames[at] ?? before;
      for (const [now, then] of [0, 1].map((who) => [cards(one, who), cards(last, who)])) {
        assert.deepEqual(now?.slice(0, then?.length), then);
      }
      assert.ok(dealers(last).every((card, place) => card === null || card === dealers(one)[place]));
      assert.ok(cardsOn(one) - cardsOn(last) <= 1);
    }
  }
});
