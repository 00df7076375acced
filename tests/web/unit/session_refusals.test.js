// The session against a scripted dealer that refuses something.

import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";

import { RULES_LINE, tableLine } from "./examples.js";
import { asked, connected, DEALT, keptToken, location, storage } from "./page.js";

const TOKEN = "x7Rk2mQ9vTz4LbW1cYp8Ns";
const OPEN_LINE = "OPEN preset=casino seats=5 bots=4";

describe("a refusal", () => {
  test("of a table of your own: that is not asked for again", () => {
    for (const word of ["no-seat", "cannot-open", "bad-table", "not-allowed", "malformed", "ended", "new"]) {
      const page = connected();
      page.session.takeSeat("ada", [{ opening: OPEN_LINE }]);
      page.dealer.read();
      page.dealer.say(`REFUSED ${word} and why`, "OPENED 3");
      assert.deepEqual(page.dealer.read(), [], word);
    }
  });

  test("no-place leaves the request for a seat as it is, and the table is asked for again, once", () => {
    const page = connected();
    page.session.takeSeat("ada", [{ opening: OPEN_LINE }]);
    page.dealer.read();
    page.dealer.say("REFUSED no-place and why", "REFUSED no-place and why", "OPENED 3");
    assert.deepEqual(page.dealer.read(), ["JOIN ada"]);
    mock.timers.tick(5000);
    assert.deepEqual(page.dealer.read(), ["RULES", "WATCH"]); // RULES asks for a sign of life
    page.dealer.say(RULES_LINE);
    mock.timers.tick(9000);
    assert.deepEqual(page.dealer.read(), []);
    page.dealer.say("REFUSED no-place and why");
    page.dealer.lose();
    mock.timers.tick(5000);
    assert.deepEqual(page.dealer.read(), []);
  });

  test("no-table shows the first table instead, and changes the address", () => {
    location.hash = "#table=12";
    const page = connected();
    page.dealer.say("REFUSED no-table there is no table 12");
    assert.deepEqual(page.dealer.read(), ["WATCH"]);
    assert.equal(location.hash, "");
    assert.equal(page.state.notice?.word, "no-table");
  });

  test("no-table does not give up a seat that the dealer grants all the same", () => {
    const page = connected();
    page.dealer.say(tableLine({ table: 7 }));
    page.session.takeSeat("ada", [{}]);
    page.dealer.say("REFUSED no-table there is no table 7", "BEGIN");
    assert.equal(page.state.sitting, "yes");
  });

  test("not-kept forgets the seat", () => {
    storage.setItem("twentyone.seat", JSON.stringify(TOKEN));
    const page = connected();
    page.dealer.say("REFUSED not-kept no seat is kept under this token");
    assert.deepEqual([page.state.sitting, keptToken()], ["no", null]);
    page.dealer.lose();
    mock.timers.tick(500);
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", "WATCH"]);
  });

  test("ended does not forget the seat", () => {
    storage.setItem("twentyone.seat", JSON.stringify(TOKEN));
    const page = connected();
    page.dealer.say("REFUSED ended dealer is full");
    page.dealer.lose();
    assert.equal(keptToken(), TOKEN);
    mock.timers.tick(500);
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", `RESUME ${TOKEN}`, "WATCH"]);
  });

  test("token-in-use keeps the seat under another token", () => {
    const page = asked();
    const before = keptToken();
    page.dealer.say("REFUSED token-in-use another seat is kept under this token");
    assert.notEqual(keptToken(), before);
    assert.deepEqual(page.dealer.read(), [`KEEP ${keptToken()}`]);
    assert.equal(page.state.notice, null);
  });

  test("taken-over gives up the connection, and the seat can be taken back", () => {
    const page = asked();
    const [token, { dealer }] = [keptToken(), page];
    dealer.say("REFUSED taken-over by another tab");
    assert.ok(dealer.isClosedHere);
    dealer.lose();
    mock.timers.tick(60_000);
    assert.equal(page.dealer, dealer); // two tabs do not fight
    assert.equal(page.state.connection, "taken");
    page.session.reconnect();
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", `RESUME ${token}`, "WATCH"]);
  });

  test("taken-over while returning does not forget the seat", () => {
    storage.setItem("twentyone.seat", JSON.stringify(TOKEN));
    const page = connected();
    page.dealer.say("REFUSED taken-over by another tab");
    assert.deepEqual([page.state.connection, keptToken()], ["taken", TOKEN]);
  });

  test("too-late of an answer to a missed decision has it given again", () => {
    const page = asked();
    page.dealer.say("RESULT LOOSE", ...DEALT, "DECISION");
    page.session.decide("HIT");
    page.dealer.read();
    page.dealer.say("REFUSED too-late HIT came too late");
    assert.deepEqual(page.dealer.read(), ["HIT"]);
    page.dealer.say("CARD Two of Clubs", "DECISION");
    assert.ok(page.state.asked);
  });

  test("too-late of an answer to its own decision is only shown, and an ERROR is not acted upon", () => {
    const page = asked();
    page.dealer.say("ERROR your seat was taken over");
    assert.ok(!page.dealer.isClosedHere);
    assert.deepEqual([page.state.connection, page.state.sitting], ["open", "yes"]);
    page.session.decide("HIT");
    page.dealer.read();
    page.dealer.say("RESULT LOOSE", "REFUSED too-late HIT came too late");
    assert.deepEqual(page.dealer.read(), []);
    assert.equal(page.state.notice?.word, "too-late");
  });
});
