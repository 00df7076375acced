// The trainer's charts, asked of a scripted dealer, its cards to be counted, and what a browser keeps of it.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { PRESETS } from "../../../dealer/web/lobby/presets.js";
import { randomOf } from "../../../dealer/web/trainer/chance.js";
import { askForCharts, keyOf, rulesOf, wordsOf } from "../../../dealer/web/trainer/charts.js";
import { shoe } from "../../../dealer/web/trainer/counting.js";
import { NO_RECORD } from "../../../dealer/web/trainer/grading.js";
import { forgetAll, keep, recordOf } from "../../../dealer/web/trainer/record.js";
import { answersOfToday, keepAnswer, placeOfToday } from "../../../dealer/web/trainer/today.js";
import { FakeSocket, FakeStorage, setGlobal } from "./fakes.js";

const RULES = { preset: "vegas", decks: "6", split: "4", seats: "5", bets: "10-80", reshuffle: "round" };
const WORDS = "preset=course decks=6 split=4";
/** @type {Grade} */
const GRADE = { isRight: true, best: "HIT", cost: 0 };

setGlobal("WebSocket", FakeSocket);

/** @type {string[]} */
let events = [];

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  FakeSocket.all = [];
  events = [];
  setGlobal("location", { href: "http://dealer:8088/trainer.html" });
  setGlobal("localStorage", new FakeStorage());
});

/** The question for some charts, and the dealer's end of it. @param {Rules | null} rules */
function asked(rules) {
  const question = askForCharts(rules, [10, 11], {
    onRules: (told) => events.push(`rules of ${told.decks}`),
    onChart: ({ upcard }) => events.push(`chart ${upcard}`),
    onRefused: () => events.push("refused"),
    onLost: () => events.push("lost"),
  });
  const dealer = FakeSocket.last;
  dealer.accept();
  return { question, dealer };
}

test("rules are asked for by what changes a decision, from those of the course on", () => {
  assert.equal(wordsOf(RULES), WORDS);
  assert.deepEqual(rulesOf(WORDS), { preset: "course", decks: "6", split: "4" });
});

test("rules are the same whatever they are called, and whatever is at its first value", () => {
  const vegas = /** @type {Rules} */ (PRESETS.get("vegas"));
  assert.equal(keyOf({ ...vegas, preset: "vegas", seats: "3" }), keyOf({ ...vegas, bankroll: "500" }));
  assert.equal(keyOf({ decks: "1" }), keyOf({}));
  assert.notEqual(keyOf({ decks: "2" }), keyOf({}));
});

test("charts are asked for one after the other, and then no more", () => {
  const { dealer } = asked(RULES);
  assert.equal(dealer.address, "ws://dealer:8088/ws");
  assert.deepEqual(dealer.read(), [`CHART 10 ${WORDS}`]);
  dealer.say('CHART 10 {"upcard":10,"hands":[]}');
  assert.deepEqual([dealer.read(), dealer.isClosedHere], [[`CHART 11 ${WORDS}`], false]);
  dealer.say('CHART 11 {"upcard":11,"hands":[]}');
  assert.deepEqual([dealer.read(), dealer.isClosedHere, events], [[], true, ["chart 10", "chart 11"]]);
});

test("a dealer is asked for its own rules first, over TLS where the page is", () => {
  setGlobal("location", { href: "https://dealer/trainer.html" });
  const { dealer } = asked(null);
  assert.equal(dealer.address, "wss://dealer/ws");
  assert.deepEqual(dealer.read(), ["RULES"]);
  dealer.say("RULES preset=vegas decks=6 split=4 seats=1");
  assert.deepEqual([dealer.read(), events], [[`CHART 10 ${WORDS}`], ["rules of 6"]]);
});

test("a dealer that has no time is asked again, and one that refuses is not", () => {
  const { dealer } = asked(RULES);
  dealer.read();
  dealer.say("REFUSED busy the dealer has no time for it now");
  assert.deepEqual(dealer.read(), []);
  mock.timers.tick(1000);
  assert.deepEqual(dealer.read(), [`CHART 10 ${WORDS}`]);
  dealer.say("REFUSED no-chart of these rules");
  assert.deepEqual([events, dealer.isClosedHere], [["refused"], true]);
});

test("a lost connection is tried again with the chart that is missing, until it is stopped", () => {
  const { question, dealer } = asked(RULES);
  dealer.say('CHART 10 {"upcard":10,"hands":[]}');
  dealer.lose();
  mock.timers.tick(500);
  const again = FakeSocket.last;
  assert.notEqual(again, dealer);
  again.accept();
  assert.deepEqual([again.read(), events], [[`CHART 11 ${WORDS}`], ["chart 10", "lost"]]);
  question.stop();
  again.say('CHART 11 {"upcard":11,"hands":[]}');
  assert.deepEqual([again.isClosedHere, events], [true, ["chart 10", "lost"]]);
});

test("a dealer that is replaced is asked again once the next one is there", () => {
  const { dealer } = asked(RULES);
  dealer.say("REFUSED ended this dealer is being replaced", "QUIT");
  assert.deepEqual([events, dealer.isClosedHere], [["lost"], true]);
  mock.timers.tick(500);
  FakeSocket.last.accept();
  assert.deepEqual(FakeSocket.last.read(), [`CHART 10 ${WORDS}`]);
});

test("after a lost connection a busy dealer is not asked twice for the same chart", () => {
  const { dealer } = asked(RULES);
  dealer.say("REFUSED busy the dealer has no time for it now");
  dealer.lose();
  mock.timers.tick(500);
  FakeSocket.last.accept();
  mock.timers.tick(1000);
  assert.deepEqual(FakeSocket.last.read(), [`CHART 10 ${WORDS}`]);
});

test("a browser keeps the records of the eight sets of rules that were trained last", () => {
  assert.deepEqual(recordOf("rules 1"), NO_RECORD);
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 1, 9]) {
    keep(`rules ${number}`, { ...NO_RECORD, asked: number });
  }
  const kept = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((number) => recordOf(`rules ${number}`).asked === number);
  assert.deepEqual(kept, [1, 3, 4, 5, 6, 7, 8, 9]);
  keepAnswer(placeOfToday(), GRADE);
  assert.equal(answersOfToday().length, 1);
  keep("rules 9", { ...NO_RECORD, asked: 9, seen: "2026-11-27T20:00:00Z" });
  forgetAll();
  assert.deepEqual(recordOf("rules 9"), { ...NO_RECORD, seen: "2026-11-27T20:00:00Z" });
  assert.deepEqual([recordOf("rules 8"), answersOfToday()], [NO_RECORD, []]);
});

test("an answer to a hand of today is kept once, by whichever tab, and not on another day", () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["Date"], now: new Date("2026-11-27T23:59:00Z") });
  const [here, inAnotherTab] = [placeOfToday(), placeOfToday()];
  keepAnswer(here, GRADE);
  keepAnswer(inAnotherTab, { ...GRADE, isRight: false });
  assert.deepEqual(answersOfToday(), [{ isRight: true, cost: 0 }]);
  const beforeMidnight = placeOfToday();
  mock.timers.tick(60_000);
  keepAnswer(beforeMidnight, GRADE);
  assert.deepEqual(answersOfToday(), []);
  keepAnswer(placeOfToday(), GRADE);
  assert.deepEqual(placeOfToday(), { day: "2026-11-28", at: 1 });
});

test("the cards to be counted are those of six decks, in an order that depends on the seed alone", () => {
  const cards = shoe(randomOf(7));
  assert.deepEqual(cards, shoe(randomOf(7)));
  assert.notDeepEqual(cards, shoe(randomOf(8)));
  const counts = new Map();
  for (const card of cards) counts.set(card, (counts.get(card) ?? 0) + 1);
  assert.deepEqual([counts.size, new Set(counts.values())], [52, new Set([6])]);
});
