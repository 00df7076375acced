import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { card, moved } from "../../../dealer/web/shared/cards.js";
import { FakeElement, setGlobal } from "./fakes.js";

setGlobal("document", {
  createElementNS: (/** @type {string} */ _, /** @type {string} */ tag) => new FakeElement(tag),
});

const SUITS = ["Clubs", "Diamonds", "Hearts", "Spades"];
const PIPS = { Two: 2, Three: 3, Four: 4, Five: 5, Six: 6, Seven: 7, Eight: 8, Nine: 9, Ten: 10, Ace: 1 };
const COURT = { Jack: "J", Queen: "Q", King: "K" };
const RANKS = [...Object.keys(PIPS), ...Object.keys(COURT)];

/** @param {string | null} name */
const drawn = (name) => /** @type {FakeElement} */ (/** @type {unknown} */ (card(name)));

/** @param {FakeElement} face */
const indices = (face) => face.ofClass("index").map((text) => text.textContent);

describe("a face", () => {
  test("has its index once, in the corner that stays in sight, and a pip for each of its rank", () => {
    for (const [rank, count] of Object.entries(PIPS)) {
      const face = drawn(`${rank} of Hearts`);
      assert.deepEqual(indices(face), [rank === "Ace" ? "A" : String(count)]);
      const [pips] = face.ofClass("pip");
      assert.equal(pips?.attributes.d?.match(/M/g)?.length, count + 1, rank); // and one below its index
    }
    for (const [rank, letter] of Object.entries(COURT)) {
      const face = drawn(`${rank} of Hearts`);
      assert.deepEqual(indices(face), [letter]);
      assert.equal(face.ofClass("skin")[0]?.attributes.d?.match(/M/g)?.length, 2); // two heads
    }
  });

  test("is a few elements: many cards lie on a table", () => {
    for (const rank of RANKS) assert.ok(drawn(`${rank} of Spades`).children.length <= 10, rank);
  });

  test("is drawn in as many ways as there are cards", () => {
    const cards = SUITS.flatMap((suit) =>
      RANKS.map((rank) => JSON.stringify(drawn(`${rank} of ${suit}`).children)),
    );
    assert.equal(new Set(cards).size, 52);
  });
});

test("a path is scaled and moved, its arcs too, and turned where the scale is negative", () => {
  assert.equal(moved("M1 2l3 4h5V6a2 2 0 0 1 3 3z", 10, 20, 1), "M11 22l3 4h5V26a2 2 0 0 1 3 3z");
  assert.equal(moved("M1 2l3 4a2 3 9 0 1 3-3z", 10, 20, -2), "M8 16l-6 -8a4 6 9 0 1 -6 6z");
});

test("a card says its name to those who cannot see it, and a face-down card nothing of its face", () => {
  const { attributes, dataset } = drawn("Ten of Spades");
  assert.deepEqual([attributes.role, attributes["aria-label"]], ["img", "Ten of Spades"]);
  assert.deepEqual(dataset, { card: "Ten of Spades", suit: "Spades" });
  const back = drawn(null);
  assert.equal(back.attributes["aria-label"], "face-down card");
  assert.deepEqual(back.dataset, { card: "face-down" });
  assert.deepEqual([back.ofClass("pip"), back.ofClass("index")], [[], []]);
  assert.equal(drawn("Ten of Stars").children.length, 1, "a card that does not exist has no face");
});
