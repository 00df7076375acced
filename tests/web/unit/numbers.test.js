import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { capital, minus, rounded, signed } from "../../../dealer/web/shared/numbers.js";

describe("a number", () => {
  test("is rounded, in groups, with the sign for minus that typography has", () => {
    assert.equal(rounded(1234.567), "1,234.57");
    assert.equal(rounded(-1234.5), "−1,234.5");
    assert.equal(rounded(2, 4, 4), "2.0000");
    assert.equal(rounded(-0.001), "0");
  });

  test("has its sign where it is a difference, and none at zero", () => {
    assert.deepEqual(
      [1.5, -1.5, 0, -0].map((one) => signed(one)),
      ["+1.5", "−1.5", "0", "0"],
    );
    assert.equal(signed(0.0004), "0");
    assert.equal(signed(0.0004, 4), "+0.0004");
    assert.equal(signed(-0.00004, 4, 4), "0.0000");
  });

  test("as a message has it gets that sign too", () => {
    assert.equal(minus("-20"), "−20");
    assert.equal(minus("+1.5"), "+1.5");
    assert.equal(minus("face-down"), "face-down");
  });
});

test("a word gets a capital", () => assert.equal(capital("SURRENDER"), "Surrender"));
