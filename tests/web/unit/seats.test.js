import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { spotsAround } from "../../../dealer/web/table/seats.js";

const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const BOTTOM = [50, 77];
const TOP = [50, 15];

for (const hasDealer of [true, false]) {
  describe(`around a table ${hasDealer ? "with" : "without"} a dealer`, () => {
    for (const count of COUNTS) {
      const spots = spotsAround(count, 0, hasDealer);

      test(`${count} seats have a spot each, the first one at the bottom`, () => {
        assert.equal(spots.length, count);
        assert.equal(new Set(spots.map(String)).size, count);
        assert.deepEqual(spots[0], BOTTOM);
      });

      test(`${count} seats are on the table, up the left side and down the right side`, () => {
        for (const [left, top] of spots) assert.ok(left > 0 && left < 100 && top > 0 && top < 100);
        const left = spots.slice(1).filter(([x]) => x < 50);
        const right = spots.slice(1).filter(([x]) => x > 50);
        assert.deepEqual(
          left.map(([, y]) => y),
          left.map(([, y]) => y).toSorted((a, b) => b - a),
        );
        assert.deepEqual(
          right.map(([, y]) => y),
          right.map(([, y]) => y).toSorted((a, b) => a - b),
        );
        assert.ok(left.length - right.length === 0 || left.length - right.length === 1);
      });

      test(`${count} seats turn so that any one is at the bottom`, () => {
        for (const first of Array(count).keys()) {
          const turned = spotsAround(count, first, hasDealer);
          assert.deepEqual([...turned.slice(first), ...turned.slice(0, first)], spots);
        }
      });
    }
  });
}

test("the top is the dealer's, or that of the seat opposite", () => {
  const isTop = (/** @type {number[]} */ spot) => String(spot) === String(TOP);
  for (const count of COUNTS) {
    assert.ok(!spotsAround(count, 0, true).some(isTop));
    assert.equal(spotsAround(count, 0, false).some(isTop), count % 2 === 0);
  }
});
