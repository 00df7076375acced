import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  handClass,
  pointsOf,
  RANKS,
  rankOf,
  rankOfUpcard,
  suitOf,
  totalOf,
} from "../../../dealer/web/shared/hand.js";
import {
  cardName,
  decisionsText,
  didText,
  handName,
  outcomeName,
  situationText,
  totalText,
} from "../../../dealer/web/shared/terms.js";

/** @param {string} ranks */
const hand = (ranks) => ranks.split(" ").map((rank) => `${rank} of Spades`);

describe("a card", () => {
  test("has a rank, a suit and points, where an ace counts 1", () => {
    assert.equal(rankOf("Ten of Spades"), "Ten");
    assert.equal(suitOf("Ten of Spades"), "Spades");
    assert.deepEqual(RANKS.map(pointsOf), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]);
    assert.equal(pointsOf("Queen of Hearts"), 10);
  });

  test("has a name, face up and face down", () => {
    assert.equal(cardName("Ten of Spades"), "Ten of Spades");
    assert.equal(cardName(null), "face-down card");
  });

  test("is an upcard by its points, where an ace counts 11", () => {
    assert.deepEqual([2, 10, 11].map(rankOfUpcard), ["Two", "Ten", "Ace"]);
  });
});

describe("a hand", () => {
  test("counts its aces as well as the rule lets it", () => {
    assert.deepEqual(totalOf(hand("Ace Seven")), { total: 18, soft: true });
    assert.deepEqual(totalOf(hand("Ace Ace Nine")), { total: 21, soft: true });
    assert.deepEqual(totalOf(hand("Ace Seven King")), { total: 18, soft: false });
    assert.deepEqual(totalOf(hand("Ace Seven"), "1"), { total: 8, soft: false });
    assert.deepEqual(totalOf(hand("Ace Seven King"), "11"), { total: 28, soft: true });
    assert.deepEqual(totalOf([...hand("Six"), null]), { total: 6, soft: false });
  });

  test("has the name of its row in a chart", () => {
    assert.equal(handClass(hand("Ten Six")), "hard 16");
    assert.equal(handClass(hand("Ace Seven")), "soft 18");
    assert.equal(handClass(hand("King Jack")), "pair of 10");
    assert.equal(handClass(hand("Ace Ace")), "pair of A");
    assert.equal(handClass(hand("Eight Eight"), "either", false), "hard 16");
  });

  test("is told against an upcard", () => {
    assert.equal(situationText("hard 16", 10), "hard 16 against Ten");
    assert.equal(situationText("pair of A", 11), "pair of aces against Ace");
    assert.equal(situationText("soft 18", null), "soft 18");
    assert.equal(situationText("insurance", 11), "insurance");
    assert.equal(handName("pair of 8"), "pair of 8s");
    assert.equal(totalText({ total: 18, soft: true }), "soft 18");
    assert.equal(totalText({ total: 18, soft: false }), "18");
    assert.equal(totalText({ total: null, soft: null }), "");
  });
});

test("decisions and outcomes have names, and a word that is not known is its own", () => {
  assert.equal(decisionsText(["HIT", "STAND", "DOUBLE"]), "hit, stand or double");
  assert.equal(didText("STAND"), "stood");
  assert.equal(outcomeName("LOSE"), "Lost");
  assert.equal(outcomeName("DRAW"), "DRAW");
});
