import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { placesOn } from "../../../dealer/web/table/boxes.js";
import { cardWidth } from "../../../dealer/web/table/measures.js";

/** @typedef {import("../../../dealer/web/table/measures.js").Box} Box */

const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** @param {number} width @param {number} height @param {Partial<import("../../../dealer/web/table/boxes.js").Round>} round */
function places(width, height, round = {}) {
  return placesOn(
    { width, height, em: 16 },
    { count: 9, own: 0, hasDealer: true, isWaiting: false, ...round },
  );
}

/** Felts of every shape that a window can leave. */
function* felts() {
  for (let width = 200; width <= 2000; width += 60) {
    for (let height = 300; height <= 1200; height += 60) yield { width, height };
  }
}

/** @param {Box} one @param {Box} other */
function meets(one, other) {
  const across = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const down = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return across > 0.01 && down > 0.01;
}

/** @param {Box} box @param {{ width: number, height: number }} felt */
function isInside({ left, top, width, height }, felt) {
  return left > -0.01 && top > -0.01 && left + width < felt.width + 0.01 && top + height < felt.height + 0.01;
}

/** Every felt, with every number of seats. */
function* tables() {
  for (const felt of felts()) {
    for (const count of COUNTS) {
      for (const hasDealer of [true, false]) yield { felt, count, hasDealer };
    }
  }
}

/** @param {Box[]} boxes */
function areApart(boxes) {
  return boxes.every((one, at) => !boxes.slice(at + 1).some((other) => meets(one, other)));
}

test("no two places meet, and all lie on the felt, whatever its shape and however many sit there", () => {
  for (const { felt, count, hasDealer } of tables()) {
    const { seats, dealer, shoe, middle, room } = places(felt.width, felt.height, { count, hasDealer });
    assert.equal(seats.length, count);
    const others = [hasDealer && dealer, shoe, (hasDealer || room !== "beside") && middle];
    const all = [...seats, ...others.filter((one) => one !== false && one !== null)];
    const where = JSON.stringify([felt, count, hasDealer]);
    assert.ok(areApart(all), where);
    assert.ok(
      all.every((box) => isInside(box, felt)),
      where,
    );
  }
});

test("an invitation has the felt, below a line for each seat", () => {
  const { seats, middle } = places(370, 450, { count: 9, isWaiting: true });
  assert.deepEqual(new Set(seats.map(({ form }) => form)), new Set(["line"]));
  for (const seat of seats) assert.ok(!meets(seat, middle));
  assert.ok(middle.height > 200);
});

describe("around a wide felt", () => {
  const middles = (/** @type {Box[]} */ seats) =>
    seats.map(({ left, top, width, height }) => [left + width / 2, top + height / 2]);

  test("you are at the bottom, and the others go up the left side and down the right", () => {
    for (const count of COUNTS) {
      const [own = [], ...others] = middles(places(1040, 560, { count }).seats);
      assert.ok(Math.abs((own[0] ?? 0) - 520) < 1);
      const left = others.filter(([x = 0]) => x < 520).map(([, y = 0]) => y);
      const right = others.filter(([x = 0]) => x > 520).map(([, y = 0]) => y);
      assert.deepEqual(
        left,
        [...left].sort((a, b) => b - a),
      );
      assert.deepEqual(
        right,
        [...right].sort((a, b) => a - b),
      );
      assert.ok([0, 1].includes(left.length - right.length), `${count}`);
    }
  });

  test("they turn so that any one is at the bottom", () => {
    for (const count of COUNTS) {
      const seats = places(1040, 560, { count }).seats;
      for (const own of Array(count).keys()) {
        const turned = places(1040, 560, { count, own }).seats;
        assert.deepEqual([...turned.slice(own), ...turned.slice(0, own)], seats);
      }
    }
  });
});

describe("your cards", () => {
  const own = (/** @type {number} */ width, /** @type {number} */ height, /** @type {number} */ count) => {
    const [place] = places(width, height, { count }).seats;
    return place ? cardWidth(place, 1, 2) : 0;
  };

  test("are the larger, the fewer play", () => {
    for (const [width, height] of [
      [370, 440],
      [460, 320],
      [1040, 560],
      [750, 780],
    ]) {
      const sizes = [1, 3, 9].map((count) => own(width ?? 0, height ?? 0, count));
      assert.deepEqual(
        sizes,
        [...sizes].sort((a, b) => b - a),
        `${width}`,
      );
    }
    assert.ok(own(370, 440, 1) >= 140); // a phone
    assert.ok(own(370, 440, 9) >= 70);
    assert.ok(own(1040, 560, 9) >= 120); // a laptop
  });

  test("are the largest on the felt, and are no larger with more seats", () => {
    for (const { width, height } of felts()) {
      let last = Number.POSITIVE_INFINITY;
      for (const count of COUNTS) {
        const [yours = 0, ...others] = places(width, height, { count }).seats.map((one) =>
          cardWidth(one, 1, 2),
        );
        const where = JSON.stringify([width, height, count]);
        assert.ok(
          others.every((one) => one <= yours),
          where,
        );
        assert.ok(yours <= last, where);
        last = yours;
      }
    }
  });

  test("have room below them for what is said of the hand and its player", () => {
    for (const { width, height } of felts()) {
      for (const place of places(width, height).seats) {
        const high = 1.4 * cardWidth(place, 1, 2) + 2 * 1.4 * place.text;
        assert.ok(place.form === "line" || high <= place.height, `${width}x${height}`);
      }
    }
  });
});
