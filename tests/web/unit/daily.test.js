// The ten hands of a day: the same wherever and whenever on that day they are made.

import assert from "node:assert/strict";
import { test } from "node:test";

import { handClass, totalOf } from "../../../dealer/web/shared/hand.js";
import { randomOf, seedOf, shuffled } from "../../../dealer/web/trainer/chance.js";
import { UPCARDS } from "../../../dealer/web/trainer/charts.js";
import { dayOf, handsOf, untilNextDay } from "../../../dealer/web/trainer/daily.js";

const DAYS = Array.from({ length: 400 }, (_, at) => dayOf(new Date(Date.UTC(2026, 10, 27 + at))));
const short = (/** @type {{ cards: string[], upcard: number }} */ { cards, upcard }) =>
  `${cards.join(" ")} against ${upcard}`;

test("a day is one of UTC, and so is the time that is left of it", () => {
  const late = new Date("2026-11-27T23:59:59.000+00:00");
  assert.deepEqual([dayOf(late), untilNextDay(late)], ["2026-11-27", 1000]);
  assert.equal(dayOf(new Date("2026-11-28T01:30:00+02:00")), "2026-11-27");
  assert.equal(untilNextDay(new Date("2026-12-31T00:00:00Z")), 24 * 3600 * 1000);
});

test("the same day has the same hands, in this browser and any other, and each day others", () => {
  assert.deepEqual(handsOf("2026-11-27").map(short), [
    "Four Eight against 10",
    "Two Three Nine against 5",
    "Four Seven against 10",
    "Three Three Ten against 7",
    "Ace Two against 3",
    "Four Four against 4",
    "Ace Eight against 3",
    "Four Five against 2",
    "Six Nine against 9",
    "Three Four Seven against 4",
  ]);
  assert.equal(new Set(DAYS.map((day) => handsOf(day).map(short).join())).size, DAYS.length);
});

test("a day has ten different hands, three of three cards, none of which is too easy; every upcard comes", () => {
  for (const day of DAYS) {
    const hands = handsOf(day);
    assert.deepEqual([hands.length, new Set(hands.map(short)).size], [10, 10]);
    assert.equal(hands.filter(({ cards }) => cards.length === 3).length, 3);
    const totals = hands.map(({ cards }) =>
      handClass(cards).startsWith("pair") ? 12 : totalOf(cards).total,
    );
    assert.ok(Math.min(...totals) >= 9 && Math.max(...totals) <= 19);
  }
  const upcards = new Set(DAYS.flatMap((day) => handsOf(day).map(({ upcard }) => upcard)));
  assert.deepEqual(
    [...upcards].sort((one, other) => one - other),
    UPCARDS,
  );
});

test("a seed repeats its numbers, which do not prefer a part of the range; similar texts have other seeds", () => {
  const random = randomOf(1);
  const mean = Array.from({ length: 10_000 }, random).reduce((sum, one) => sum + one, 0) / 10_000;
  assert.ok(Math.abs(mean - 0.5) < 0.02);
  assert.equal(new Set(DAYS.map(seedOf)).size, DAYS.length);
  const things = ["a", "b", "c", "d"];
  assert.deepEqual([...shuffled(things, randomOf(5))].sort(), things);
  assert.deepEqual(things, ["a", "b", "c", "d"]);
});
