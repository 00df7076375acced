import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { wireName } from "../../../dealer/web/shared/names.js";

/** Names and their spellings, which the tests of the codec share. */
const EXAMPLES = JSON.parse(readFileSync(new URL("../../protocol/names.json", import.meta.url), "utf-8"));

test("a name is spelt as the codec spells it", () => {
  for (const [text, wire] of EXAMPLES) assert.equal(wireName(text), wire);
  assert.equal(wireName("  ann \t lee "), "ann%20lee");
  assert.equal(wireName("Jose\u0301"), "Jos%C3%A9"); // typed as two characters, spelt as one
});
