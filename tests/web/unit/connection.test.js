import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Connection } from "../../../dealer/web/shared/connection.js";
import { FakeSocket, setGlobal } from "./fakes.js";

setGlobal("WebSocket", FakeSocket);

/** @type {string[]} */
let events = [];
/** @type {Connection} */
let connection;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  FakeSocket.all = [];
  events = [];
  connection = new Connection("ws://dealer/ws", {
    onOpen: () => events.push("open"),
    onLine: (line) => events.push(line),
    onLost: () => events.push("lost"),
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
