// The types of the page's messages against SPEC.md, which both sides follow.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** @param {string} path from the top of the repository */
const read = (path) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

const SPEC = read("protocol/SPEC.md");
const TYPES = read("dealer/web/types.d.ts");

/** The keys in the first column of each table in a section of SPEC.md. @param {string} heading */
function keysOfTables(heading) {
  const section = SPEC.split(`\n### ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? "";
  const parts = section.trim().split("\n\n");
  const tables = parts.filter((part) => part.startsWith("| key |"));
  return tables.map((lines) => [...lines.matchAll(/^\| `(\w+)` \|/gm)].map((found) => found[1]).sort());
}

/** The properties of an interface in types.d.ts. @param {string} name */
function propertiesOf(name) {
  const body = TYPES.split(`\ninterface ${name} {\n`)[1]?.split("\n}")[0] ?? "";
  return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map((found) => found[1]).sort();
}

test("TABLE, its seats, its dealer and its hands have the keys that SPEC.md lists", () => {
  const [table = [], seat = [], dealer] = keysOfTables("The keys of TABLE");
  const [ofTable = [], ofSeat = [], hand] = keysOfTables("The keys of TABLE at a table with payoffs");
  const listed = [[...table, ...ofTable].sort(), [...seat, ...ofSeat].sort(), dealer, hand];
  assert.deepEqual(listed, ["Table", "Seat", "Dealer", "Hand"].map(propertiesOf));
});

test("TABLES and its tables have the keys that SPEC.md lists", () => {
  const section = SPEC.split("\n## The tables\n")[1]?.split("\n## ")[0] ?? "";
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = ""]) => cell);
  const keys = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map((found) => found[1]));
  assert.deepEqual([...keys].sort(), [...propertiesOf("Tables"), ...propertiesOf("TableSummary")].sort());
});

test("every word of a REFUSED that the page knows is in SPEC.md", () => {
  const type = /type RefusalWord =([^;]*);/.exec(TYPES)?.[1] ?? "";
  const words = [...type.matchAll(/"([a-z-]+)"/g)].map((found) => found[1]);
  assert.equal(words.length, 19);
  const missing = words.filter((word) => !SPEC.includes(`\`${word}\``));
  assert.deepEqual(missing, []);
});
