// The menu's texts, and the OPEN line of what was chosen.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { FIRST_CHOICES, openLine, problemOf, roomFor } from "../../../dealer/web/lobby/choices.js";
import { openParts } from "../../../dealer/web/lobby/parts.js";
import { PRESETS } from "../../../dealer/web/lobby/presets.js";
import { peopleText, roomText, shortRules, summaryOf, titleText } from "../../../dealer/web/lobby/tables.js";
import { madeUpName, nameProblem, tidyName } from "../../../dealer/web/shared/names.js";
import { named } from "../../../dealer/web/shared/terms.js";
import { INITIAL } from "../../../dealer/web/table/game.js";
import { RULES, seat, table } from "./examples.js";

test("a part that could not be loaded is told, and loaded when it is next asked for", async () => {
  /** @type {boolean[]} */
  const told = [];
  const parts = openParts(
    () => INITIAL,
    (isLoaded) => told.push(isLoaded),
  );
  const isGone = () => Promise.reject(new TypeError("another version"));
  assert.equal(await parts.get("menu", isGone), null);
  assert.ok(!parts.has("menu"));
  parts.update();
  const menu = { update: () => {} };
  assert.equal(await parts.get("menu", async () => menu), menu);
  assert.equal(await parts.get("menu", isGone), menu, "it is loaded once");
  assert.deepEqual(told, [false, true, true]);
});

describe("OPEN", () => {
  test("says what differs from the preset, and from what it means anyway", () => {
    const rules = { split: "2", decks: "6", bets: "5-50" };
    assert.equal(
      openLine({ ...FIRST_CHOICES, rules }),
      "OPEN preset=vegas split=2 bets=5-50 bankroll=1000 seats=4 bots=3 practice=on players=1",
    );
    const plain = { ...FIRST_CHOICES, preset: "casino", practice: false, bots: "1", friends: "2" };
    assert.equal(
      openLine({ ...plain, botPolicy: "random", pause: "0", botDelay: "2" }),
      "OPEN preset=casino seats=4 bots=1 bot-policy=random players=3 pause=0 bot-delay=2",
    );
  });

  test("has chips where bets mean something, unless they are not wanted", () => {
    /** @param {string} preset @param {Rules} [rules] */
    const opens = (preset, rules = {}) => openLine({ ...FIRST_CHOICES, preset, rules });
    for (const preset of ["vegas", "reno", "europe"])
      assert.match(opens(preset), / bets=10-500 bankroll=1000 /);
    for (const preset of ["casino", "course", "showdown"])
      assert.doesNotMatch(opens(preset), /bets|bankroll/);
    assert.doesNotMatch(opens("vegas", { bets: "1" }), /bets|bankroll/);
    assert.doesNotMatch(opens("vegas", { bankroll: "" }), /bankroll/);
  });

  test("is never longer than a line may be: the same rules are changes of a nearer preset", () => {
    const words =
      "decks=6 reshuffle=penetration:0.75 dealer-stands=hard17 naturals=3:2 double=any double-after-split=yes " +
      "split=4 split-aces=again surrender=late insurance=yes hole-card=peek bets=10-1000 bankroll=5000";
    const rules = Object.fromEntries(words.split(" ").map((word) => word.split("=")));
    const chosen = { preset: "course", botPolicy: "threshold:17", practice: true, rules };
    const line = openLine({ ...FIRST_CHOICES, ...chosen });
    assert.ok(line.length < 256);
    assert.match(line, /^OPEN preset=vegas bets=10-1000 bankroll=5000 /);
  });
});

test("friends and bots share the other seats, and stay as they are while these are being written", () => {
  assert.deepEqual(roomFor({ seats: "5", friends: "1" }), { friends: 4, bots: 3 });
  assert.deepEqual(roomFor({ seats: "3", friends: "4" }), { friends: 2, bots: 0 });
  for (const seats of ["", "0", "12", "2.5"]) assert.equal(roomFor({ seats, friends: "1" }), null);
});

describe("choices that no table can have", () => {
  /** @param {string} preset @param {Rules} rules */
  const key = (preset, rules) => problemOf({ ...FIRST_CHOICES, preset, rules })?.key ?? null;

  test("are told for a table without a dealer", () => {
    assert.equal(key("showdown", { naturals: "3:2" }), "naturals");
    assert.equal(key("showdown", { naturals: "player" }), "naturals");
    const byTable = { ...FIRST_CHOICES, preset: "showdown", botPolicy: "qtable" };
    assert.equal(problemOf(byTable)?.key, "bot-policy");
    assert.equal(problemOf({ ...byTable, bots: "0" }), null);
  });

  test("are told by the field to change", () => {
    for (const [preset, rules, field] of /** @type {[string, Rules, string | null][]} */ ([
      ["casino", {}, null],
      ["vegas", {}, null],
      ["casino", { decks: "inf" }, "reshuffle"],
      ["reno", { reshuffle: "cutoff:53" }, "reshuffle"],
      ["vegas", { ace: "1" }, "naturals"],
      ["course", { insurance: "yes" }, "insurance"],
      ["course", { "hole-card": "peek" }, "hole-card"],
      ["casino", { naturals: "player", insurance: "yes" }, "insurance"],
      ["casino", { surrender: "late" }, "surrender"],
      ["casino", { double: "any", "double-after-split": "yes" }, "double-after-split"],
      ["casino", { "split-aces": "play" }, "split-aces"],
      ["vegas", { bets: "50-5" }, "bets"],
      ["vegas", { bets: "5-50", bankroll: "4" }, "bankroll"],
    ]))
      assert.equal(key(preset, rules), field);
  });
});

describe("a table of the list", () => {
  const seats = [seat({ name: "ada", away: true }), seat({ name: "bot-1", bot: true }), seat(), seat()];
  const summary = summaryOf(table({ table: 7, seats, waits_for: 2, practice: true, round: 0 }));

  test("has its number, who plays there, and whether there is room", () => {
    assert.equal(titleText(summary), "Table 7: Hit and stand");
    assert.equal(peopleText(summary), "ada, 1 bot (1 away)");
    assert.equal(roomText(summary), "2 free seats · waits for 2 more players · with hints");
    assert.match(roomText({ ...summary, waits_for: 1 }), / · begins when you sit down · /);
    assert.match(roomText({ ...summary, phase: "waiting", may_start: true }), / · begins when you want · /);
    const full = { ...summary, free: 0, waits_for: 0, round: 3, practice: false, watchers: 1 };
    assert.equal(roomText(full), "No free seat · round 3 · 1 watching");
    assert.equal(peopleText({ ...summary, people: [], bots: 0, away: 0 }), "Nobody sits there yet");
  });

  test("has its rules in short", () => {
    assert.equal(shortRules(RULES), "4 decks · hit and stand only");
    const whole = { decks: "1", naturals: "3:2", double: "any", insurance: "yes", bets: "5-50" };
    assert.equal(shortRules(whole), "1 deck · a natural pays 3 to 2 · double, insurance · bets 5 to 50");
    const showdown = { decks: "inf", "dealer-stands": "none" };
    assert.equal(shortRules(showdown), "infinite deck · no dealer · hit and stand only");
  });
});

test("every preset of the form has a name", () => {
  for (const name of PRESETS.keys()) assert.match(named("preset", name), /^[A-Z]/);
});

test("a name that is made up can be taken, and is spelt without a code", () => {
  for (const random of [0, 0.5, 0.999]) {
    const name = madeUpName(() => random);
    assert.match(name, /^[A-Z][a-z]+ [A-Z][a-z]+$/);
    assert.equal(nameProblem(name), "");
  }
});

test("a name has any letters, and single blanks between them", () => {
  assert.equal(tidyName("  Ada   Lovelace "), "Ada Lovelace");
  assert.equal(tidyName("\u2764\ufe0f ann"), "\u2764 ann"); // as phones write a heart
  for (const name of ["Ada Lovelace", "Дмитрий", "李白", "x".repeat(32)]) assert.equal(nameProblem(name), "");
  for (const name of ["", "x".repeat(33), "a\u202eb", "a\u0007", "\u3164", "a\uffa0", "bob\ufe0f", "\u034f"])
    assert.notEqual(nameProblem(name), "");
  for (const name of ["\u0301", "a \u0301", `q${"\u0323".repeat(4)}`]) assert.notEqual(nameProblem(name), "");
});
