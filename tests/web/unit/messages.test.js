import assert from "node:assert/strict";
import { test } from "node:test";

import { parse } from "../../../dealer/web/table/messages.js";
import { RULES, RULES_LINE, table, tableLine } from "./examples.js";

test("messages whose arguments do not matter to the page", () => {
  for (const line of ["BEGIN", "CARD Ten of Spades", "DEALER Six of Clubs", "DECISION", "QUIT"]) {
    assert.deepEqual(parse(line), { kind: line.split(" ")[0] });
  }
});

test("RESULT has an outcome, whose historical spelling goes no further", () => {
  const outcomes = ["WIN", "LOOSE", "LOSE", "PUSH", "BUST"].map((word) => parse(`RESULT ${word}`));
  assert.deepEqual(
    outcomes,
    ["WIN", "LOSE", "LOSE", "PUSH", "BUST"].map((outcome) => ({ kind: "RESULT", outcome })),
  );
});

test("DECISION names what is allowed, where the table has new rules", () => {
  const question = { options: ["HIT", "STAND", "SPLIT"] };
  assert.deepEqual(parse("DECISION HIT STAND SPLIT"), { kind: "DECISION", question });
  const limits = { minimum: 10, maximum: 80, bankroll: "487.5" };
  assert.deepEqual(parse("DECISION BET 10 80 487.5"), {
    kind: "DECISION",
    question: { options: ["BET"], limits },
  });
});

test("RESULT has a payoff, where the table has new rules", () => {
  assert.deepEqual(parse("RESULT LOOSE -0.5"), { kind: "RESULT", outcome: "LOSE", payoff: "-0.5" });
  assert.deepEqual(parse("RESULT SURRENDER -5"), { kind: "RESULT", outcome: "SURRENDER", payoff: "-5" });
});

test("REFUSED has a word and a sentence, ERROR only a sentence", () => {
  assert.deepEqual(parse("REFUSED no-seat every seat is taken"), {
    kind: "REFUSED",
    word: "no-seat",
    text: "every seat is taken",
  });
  assert.deepEqual(parse("REFUSED no-seat"), { kind: "REFUSED", word: "no-seat", text: "" });
  assert.deepEqual(parse("ERROR dealer is full"), { kind: "ERROR", text: "dealer is full" });
});

test("RULES, OPENED, HINT and REVIEW", () => {
  assert.deepEqual(parse(RULES_LINE), { kind: "RULES", rules: RULES });
  assert.deepEqual(parse("OPENED 12"), { kind: "OPENED", number: 12 });
  assert.deepEqual(parse("HINT STAND 0.042"), { kind: "HINT", decision: "STAND", cost: 0.042 });
  assert.deepEqual(parse("REVIEW 3 1 0.5"), {
    kind: "REVIEW",
    decisions: 3,
    differed: 1,
    cost: 0.5,
    each: [],
  });
});

test("a REVIEW of the whole game tells of each decision, and what follows is passed over", () => {
  const each = [
    { decision: "SPLIT", cost: 0, best: "SPLIT" },
    { decision: "HIT", cost: 0.336072, best: "DOUBLE" },
  ];
  const expected = { kind: "REVIEW", decisions: 2, differed: 1, cost: 0.336072, each };
  const line = "REVIEW 2 1 0.336072 SPLIT 0.000000 SPLIT HIT 0.336072 DOUBLE";
  assert.deepEqual(parse(line), expected);
  assert.deepEqual(parse(`${line} and more`), expected);
  assert.deepEqual(parse("HINT SURRENDER 0.1"), { kind: "HINT", decision: "SURRENDER", cost: 0.1 });
});

test("TABLE has one JSON object", () => {
  assert.deepEqual(parse(tableLine({ you: 2 })), { kind: "TABLE", table: table({ you: 2 }) });
});

test("a line end and blanks around a line do not matter", () => {
  assert.deepEqual(parse(" DECISION\r\n"), { kind: "DECISION" });
});

test("lines that are not read", () => {
  for (const line of [
    "",
    "HELLO",
    "decision",
    "RESULT",
    "RESULT DRAW",
    "RESULT constructor",
    "HINT",
    "HINT HIT",
    "HINT HIT much",
    "REVIEW 3 1",
    "REVIEW 3 one 0",
    "TABLE",
    "TABLE {",
    "TABLE null",
    "TABLE 5",
    'TABLE {"seats":5}',
  ]) {
    assert.equal(parse(line), null, line);
  }
});
