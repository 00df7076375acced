import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Connection } from "../../../dealer/web/shared/connection.js";
import { answered, FakeSocket, network, setGlobal } from "./fakes.js";

setGlobal("WebSocket", FakeSocket);
setGlobal("location", new URL("http://dealer/"));

/** @type {Handlers} */
const IDLE = { onOpen() {}, onLine() {}, onLost() {}, onReason() {} };

/** @type {string[]} */
let events = [];
let address = "";
/** @type {Connection} */
let connection;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  FakeSocket.all = [];
  events = [];
  address = "ws://dealer/ws";
  connection = new Connection(() => address, {
    onOpen: () => events.push("open"),
    onLine: (line) => events.push(line),
    onLost: () => events.push("lost"),
    onReason: (reason) => events.push(reason),
  });
});

test("it reports what happens, in order, and sends lines while it is open", () => {
  connection.say("before");
  connection.open();
  connection.say("too early");
  assert.equal(FakeSocket.last.address, "ws://dealer/ws");
  FakeSocket.last.accept();
  connection.say("WATCH");
  FakeSocket.last.say("BEGIN", "DECISION");
  FakeSocket.last.lose();
  connection.say("too late");
  assert.deepEqual(events, ["open", "BEGIN", "DECISION", "lost"]);
  assert.deepEqual(FakeSocket.last.read(), ["WATCH"]);
});

test("one that was given up is closed, and not heard of again", () => {
  connection.open();
  const first = FakeSocket.last;
  first.accept();
  connection.open();
  assert.ok(first.isClosedHere);
  first.say("BEGIN");
  first.lose();
  assert.deepEqual(events, ["open"]);
  connection.close();
  FakeSocket.last.accept();
  FakeSocket.last.lose();
  assert.deepEqual(events, ["open"]);
});

/** The milliseconds until the next attempt. */
function waitForAttempt() {
  const before = FakeSocket.all.length;
  connection.retry();
  for (let waited = 0; waited <= 20_000; waited += 100) {
    if (FakeSocket.all.length > before) return waited;
    mock.timers.tick(100);
  }
  return null;
}

test("the wait doubles from failure to failure up to 8 seconds, until the dealer answers", () => {
  const waits = Array.from({ length: 6 }, waitForAttempt);
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 8000]);
  connection.resetWait();
  assert.equal(waitForAttempt(), 500);
  const before = FakeSocket.all.length;
  connection.retry();
  connection.close();
  mock.timers.tick(20_000);
  assert.equal(FakeSocket.all.length, before, "closing ends the attempts");
});

test("a wait is up to a half shorter or longer, by chance", () => {
  const waits = [0, 0.25, 0.999].map((chance) => {
    connection = new Connection(
      () => address,
      IDLE,
      () => chance,
    );
    return waitForAttempt();
  });
  assert.deepEqual(waits, [300, 400, 800]);
});

/** An open connection, and the dealer's end of it. */
function opened() {
  connection.open();
  FakeSocket.last.accept();
  return FakeSocket.last;
}

test("a dealer is asked for a sign after ten seconds of silence, four after something was said, and is lost after five", () => {
  for (const [said, silence] of /** @type {[string[], number][]} */ ([
    [[], 10_000],
    [["HIT"], 4000],
  ])) {
    events = [];
    const dealer = opened();
    dealer.say("DECISION");
    for (const line of said) connection.say(line);
    mock.timers.tick(silence - 1);
    assert.deepEqual(dealer.read(), said);
    mock.timers.tick(1);
    assert.deepEqual(dealer.read(), ["RULES"]);
    mock.timers.tick(4999);
    assert.deepEqual(events, ["open", "DECISION"]);
    mock.timers.tick(1);
    assert.deepEqual([events.at(-1), dealer.isClosedHere], ["lost", true]);
    dealer.say("BEGIN");
    dealer.lose();
    assert.deepEqual(events, ["open", "DECISION", "lost"], "it is not heard of again");
  }
});

test("any line is a sign; the answer to RULES is the page's own only if the page asked", () => {
  const dealer = opened();
  mock.timers.tick(10_000);
  dealer.say("RULES preset=course");
  mock.timers.tick(10_000);
  dealer.say("BEGIN", "RULES preset=course");
  mock.timers.tick(9999);
  assert.deepEqual(dealer.read(), ["RULES", "RULES"]);
  connection.say("RULES");
  dealer.say("RULES preset=course");
  assert.deepEqual(events, ["open", "BEGIN", "RULES preset=course"]);
});

test("what is said again and again puts the question for a sign off no further", () => {
  const dealer = opened();
  for (let said = 0; said < 3; said += 1) {
    connection.say("NEXT");
    mock.timers.tick(1500);
  }
  assert.deepEqual(dealer.read(), ["NEXT", "NEXT", "NEXT", "RULES"]);
});

test("an attempt to connect is given up after ten seconds", () => {
  connection.open();
  mock.timers.tick(9999);
  assert.deepEqual(events, []);
  mock.timers.tick(1);
  assert.deepEqual(events, ["lost"]);
});

test("as the browser's network goes or comes a dealer is asked for a sign, and a lost one is called at once", () => {
  const dealer = opened();
  network.dispatchEvent(new Event("offline"));
  network.dispatchEvent(new Event("online"));
  assert.deepEqual(dealer.read(), ["RULES"]);
  mock.timers.tick(5000);
  assert.deepEqual(events, ["open", "lost"]);
  connection.retry();
  network.dispatchEvent(new Event("online"));
  assert.notEqual(FakeSocket.last, dealer);
  connection.close();
  const last = FakeSocket.last;
  network.dispatchEvent(new Event("online"));
  mock.timers.tick(60_000);
  assert.deepEqual([FakeSocket.last, last.read()], [last, []], "not after it was closed");
});

/** Answers to those who ask why, given one after the other. */
function answers() {
  /** @type {((status: number) => Promise<unknown>)[]} */
  const waiting = [];
  setGlobal("fetch", () => {
    return new Promise((resolve) => {
      waiting.push((status) => {
        resolve(new Response(null, { status }));
        return answered();
      });
    });
  });
  return waiting;
}

/** An attempt that does not succeed, and the next one after it. */
function fail() {
  FakeSocket.last.lose();
  connection.retry();
  mock.timers.tick(8000);
}

test("after two attempts in a row that have failed the dealer is asked why, once at a time", async () => {
  const waiting = answers();
  connection.open();
  fail();
  assert.equal(waiting.length, 0);
  fail();
  fail();
  assert.equal(waiting.length, 1);
  await waiting[0]?.(426);
  assert.deepEqual([events, connection.reason], [["lost", "lost", "lost", "no-websocket"], "no-websocket"]);
  fail();
  assert.equal(waiting.length, 2);
  FakeSocket.last.accept();
  await waiting[1]?.(403);
  assert.deepEqual(
    [events.slice(4), connection.reason],
    [["lost", "open"], null],
    "an answer that is too late",
  );
  fail();
  assert.equal(waiting.length, 2, "a connection that was open is no attempt");
});

test("an answer does not count once nobody tries any more, or another dealer is tried", async () => {
  const waiting = answers();
  connection.open();
  fail();
  fail();
  connection.close();
  await waiting[0]?.(403);
  connection.open();
  fail();
  address = "ws://dealer/ws?dealer=a";
  await waiting[1]?.(403);
  assert.deepEqual([waiting.length, events, connection.reason], [2, ["lost", "lost", "lost"], null]);
});
