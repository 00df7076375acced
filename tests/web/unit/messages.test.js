import assert from "node:assert/strict";
import { test } from "node:test";

import { parse } from "../../../dealer/web/table/messages.js";
import { RULES, RULES_LINE, table, tableLine } from "./examples.js";

test("messages whose arguments do not matter to the page, and blanks around them", () => {
  for (const line of ["BEGIN", "DEALER Six of Clubs", "DECISION", "QUIT", " BEGIN\r\n"]) {
    assert.deepEqual(parse(line), { kind: line.trim().split(" ")[0] });
  }
});

test("CARD has a card", () => {
  assert.deepEqual(parse("CARD Ten of Spades"), { kind: "CARD", card: "Ten of Spades" });
});

test("RESULT has an outcome, whose historical spelling goes no further, and a payoff at a table with payoffs", () => {
  for (const [word, outcome] of Object.entries({ LOOSE: "LOSE", LOSE: "LOSE", WIN: "WIN", PUSH: "PUSH" })) {
    assert.deepEqual(parse(`RESULT ${word}`), { kind: "RESULT", outcome });
    assert.deepEqual(parse(`RESULT ${word} -0.5`), { kind: "RESULT", outcome, payoff: "-0.5" });
  }
  for (const outcome of ["BUST", "SURRENDER"])
    assert.deepEqual(parse(`RESULT ${outcome} -5`), { kind: "RESULT", outcome, payoff: "-5" });
});

test("DECISION names what is allowed, at a table with payoffs", () => {
  const question = { options: ["HIT", "STAND", "SPLIT"] };
  assert.deepEqual(parse("DECISION HIT STAND SPLIT"), { kind: "DECISION", question });
  const bet = { options: ["BET"], limits: { minimum: 10, maximum: 80, bankroll: "487.5" } };
  assert.deepEqual(parse("DECISION BET 10 80 487.5"), { kind: "DECISION", question: bet });
});

test("REFUSED has a word and a sentence, ERROR only a sentence", () => {
  const text = "every seat is taken";
  assert.deepEqual(parse(`REFUSED no-seat ${text}`), { kind: "REFUSED", word: "no-seat", text });
  assert.deepEqual(parse("REFUSED no-seat"), { kind: "REFUSED", word: "no-seat", text: "" });
  assert.deepEqual(parse("ERROR dealer is full"), { kind: "ERROR", text: "dealer is full" });
});

test("RULES, OPENED, HINT, REVIEW and TABLE", () => {
  assert.deepEqual(parse(RULES_LINE), { kind: "RULES", rules: RULES });
  assert.deepEqual(parse("OPENED 12"), { kind: "OPENED", number: 12 });
  assert.deepEqual(parse("HINT STAND 0.042"), { kind: "HINT", decision: "STAND", cost: 0.042 });
  const review = { decisions: 3, differed: 1, cost: 0.5, each: [] };
  assert.deepEqual(parse("REVIEW 3 1 0.5"), { kind: "REVIEW", ...review });
  assert.deepEqual(parse(tableLine({ you: 2 })), { kind: "TABLE", table: table({ you: 2 }) });
});

test("a REVIEW by the cards of hands tells of each decision, and what follows is passed over", () => {
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

test("lines that are not read", () => {
  const results = ["RESULT", "RESULT DRAW", "RESULT constructor"];
  const advice = ["HINT", "HINT HIT", "HINT HIT much", "REVIEW 3 1", "REVIEW 3 one 0"];
  const tables = ["TABLE", "TABLE {", "TABLE null", "TABLE 5", 'TABLE {"seats":5}'];
  for (const line of ["", "HELLO", "decision", ...results, ...advice, ...tables]) {
    assert.equal(parse(line), null, line);
  }
});
