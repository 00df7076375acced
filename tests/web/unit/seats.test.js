import assert from "node:assert/strict";
import { test } from "node:test";

import { spotsAround } from "../../../dealer/web/table/seats.js";

const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const BOTTOM = [50, 77];
const TOP = [50, 15];

/** The spots of 1 to 9 seats, with a dealer and without; the first seat is at the bottom. */
const AROUND = COUNTS.flatMap((count) =>
  [true, false].map((hasDealer) => ({ count, hasDealer, spots: spotsAround(count, 0, hasDealer) })),
);

test("each seat has a spot on the table, the first one at the bottom", () => {
  for (const { count, spots } of AROUND) {
    assert.equal(spots.length, count);
    assert.equal(new Set(spots.map(String)).size, count);
    assert.deepEqual(spots[0], BOTTOM);
    for (const [left, top] of spots) assert.ok(left > 0 && left < 100 && top > 0 && top < 100);
  }
});

test("the others go up the left side and down the right side", () => {
  for (const { count, spots } of AROUND) {
    const left = spots.slice(1).flatMap(([x, y]) => (x < 50 ? [y] : []));
    const right = spots.slice(1).flatMap(([x, y]) => (x > 50 ? [y] : []));
    assert.deepEqual(
      [...left].sort((a, b) => b - a),
      left,
      `${count}`,
    );
    assert.deepEqual(
      [...right].sort((a, b) => a - b),
      right,
      `${count}`,
    );
    assert.ok([0, 1].includes(left.length - right.length), `${count}`);
  }
});

test("they turn so that any one is at the bottom", () => {
  for (const { count, hasDealer, spots } of AROUND) {
    for (const first of Array(count).keys()) {
      const turned = spotsAround(count, first, hasDealer);
      assert.deepEqual([...turned.slice(first), ...turned.slice(0, first)], spots);
    }
  }
});

test("the top is the dealer's, or that of the seat opposite", () => {
  const isTop = (/** @type {number[]} */ spot) => String(spot) === String(TOP);
  for (const count of COUNTS) {
    assert.ok(!spotsAround(count, 0, true).some(isTop));
    assert.equal(spotsAround(count, 0, false).some(isTop), count % 2 === 0);
  }
});
