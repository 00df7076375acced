// Moments as they are shown, in the time of a place.

import assert from "node:assert/strict";
import { test } from "node:test";

import { shortly, when } from "../../../dealer/web/shared/times.js";

test("a moment is shown in the time of this place, and what is no moment says so", () => {
  process.env.TZ = "Asia/Tokyo";
  assert.equal(when("2026-11-27T20:05:09.123Z"), "2026-11-28 05:05:09");
  assert.equal(shortly("2026-11-27T20:05:09.123Z"), "11-28 05:05");
  assert.equal(when(""), "no time");
});
