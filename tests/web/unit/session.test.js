// The session against a scripted dealer: what it sends, given what the dealer says and what a person does.

import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";

import { RULES_LINE, tableLine } from "./examples.js";
import { answerBy, answered } from "./fakes.js";
import { asked, connected, DEALT, keptToken, location, OWN, saidAtStart, start, storage } from "./page.js";

const TOKEN = "x7Rk2mQ9vTz4LbW1cYp8Ns";
const OPEN_LINE = "OPEN preset=casino seats=5 bots=4";

describe("connecting", () => {
  test("asks for the rules, and to see the first table", () => {
    const page = start();
    assert.equal(page.dealer.address, "ws://dealer:8088/ws");
    assert.deepEqual(page.dealer.read(), []);
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", "WATCH"]);
    assert.deepEqual([page.state.connection, page.state.sitting], ["open", "no"]);
    assert.ok(!page.session.hasKeptSeat());
    location.href = "https://dealer:8088/cards/trainer.html?a#b";
    assert.equal(start().dealer.address, "wss://dealer:8088/cards/ws"); // a proxy has put it there
  });

  test("asks to see the table in the address, where that can be one", () => {
    location.hash = "#table=12";
    assert.deepEqual(saidAtStart(), ["RULES", "WATCH 12"]);
    for (const hash of ["#table=0", "#table=-1", "#table=1234567890", "#table=x", "#table="]) {
      location.hash = hash;
      assert.deepEqual(saidAtStart(), ["RULES", "WATCH"], hash);
    }
  });

  test("returns to the seat that this tab had", () => {
    storage.setItem("twentyone.seat", JSON.stringify(TOKEN));
    const page = start();
    assert.ok(page.session.hasKeptSeat());
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", `RESUME ${TOKEN}`, "WATCH"]);
    assert.equal(page.state.sitting, "returning");
    page.dealer.say(...DEALT, "DECISION");
    assert.deepEqual([page.state.sitting, page.state.asked], ["yes", true]);
    // The token goes on to keep the seat; the last round may have been over while nobody listened.
    assert.deepEqual(page.dealer.read(), ["HISTORY 1"]);
  });

  test("does not return by what cannot be a token", () => {
    for (const token of ["short", "x".repeat(65), `${TOKEN} `, 7, null]) {
      storage.setItem("twentyone.seat", JSON.stringify(token));
      assert.deepEqual(saidAtStart(), ["RULES", "WATCH"], `${token}`);
    }
  });

  test("is tried again when the connection is lost, and returns to the seat", () => {
    const page = asked();
    const token = keptToken();
    page.dealer.lose();
    assert.equal(page.state.connection, "lost");
    const lost = page.dealer;
    mock.timers.tick(500);
    assert.notEqual(page.dealer, lost);
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", `RESUME ${token}`, "WATCH"]);
  });

  test("is made again when an answer is followed by nothing, and the seat and its question are back", () => {
    const page = asked();
    const token = keptToken();
    const { dealer } = page;
    page.session.decide("HIT");
    for (const wait of [4000, 5000]) mock.timers.tick(wait);
    assert.equal(page.state.connection, "lost");
    mock.timers.tick(500);
    assert.notEqual(page.dealer, dealer);
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", `RESUME ${token}`, "WATCH"]);
    page.dealer.say(...DEALT, "DECISION");
    page.session.decide("STAND");
    assert.equal(page.dealer.read().at(-1), "STAND");
  });

  test("is tried less often as long as the dealer only refuses", () => {
    const page = start();
    for (const wait of [500, 1000, 2000]) {
      const attempt = page.dealer;
      attempt.accept();
      attempt.say("ERROR dealer is full", "REFUSED ended dealer is full");
      attempt.lose();
      mock.timers.tick(wait - 1);
      assert.equal(page.dealer, attempt);
      mock.timers.tick(1);
      assert.notEqual(page.dealer, attempt);
    }
    page.dealer.accept();
    page.dealer.say(RULES_LINE);
    page.dealer.lose();
    const last = page.dealer;
    mock.timers.tick(500);
    assert.notEqual(page.dealer, last);
  });
});

describe("one of several dealers", () => {
  const SEAT = { you: 0, seats: OWN };

  test("is met by what it tells, and then called and linked to by its name", () => {
    const page = connected();
    page.dealer.say('TABLES {"dealer_name":"a","opens":true,"full":false,"more":0,"tables":[]}');
    assert.equal(location.href, "http://dealer:8088/?dealer=a");
    page.session.watch(7);
    page.dealer.say(tableLine({ table: 7, dealer_name: "a" }));
    assert.equal(location.href, "http://dealer:8088/?dealer=a&table=7");
    page.dealer.lose();
    mock.timers.tick(500);
    assert.equal(page.dealer.address, "ws://dealer:8088/ws?dealer=a");
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", "WATCH 7"]);
    page.dealer.say(tableLine({ table: 7 })); // it has no name any more
    assert.equal(location.href, "http://dealer:8088/#table=7");
  });

  test("is called by the name in the address, or by that of the one that keeps the seat of this tab", () => {
    location.search = "?dealer=b&table=7";
    assert.equal(start().dealer.address, "ws://dealer:8088/ws?dealer=b");
    const page = connected();
    page.session.takeSeat("ada", [{}]);
    page.dealer.say(...DEALT, tableLine({ ...SEAT, dealer_name: "b" }));
    location.search = "";
    const back = start();
    assert.equal(back.dealer.address, "ws://dealer:8088/ws?dealer=b");
    assert.ok(back.session.hasKeptSeat());
    location.search = "?dealer=a";
    assert.ok(!start().session.hasKeptSeat(), "the token is not for that dealer");
  });

  test("keeps the seat of a page that knew no name yet", () => {
    const page = connected();
    page.session.takeSeat("ada", [{}]);
    page.dealer.say(...DEALT);
    page.dealer.say(tableLine({ ...SEAT, dealer_name: "a" }));
    assert.ok(start().session.hasKeptSeat());
  });

  /**
   * A page with a seat at dealer a, which is gone: others are there.
   *
   * @param {(page: ReturnType<typeof start>) => void} [meanwhile] before that is known
   */
  async function left(meanwhile = () => {}) {
    const page = connected();
    page.session.takeSeat("ada", [{ opening: OPEN_LINE }]);
    page.dealer.say("OPENED 3", ...DEALT, tableLine({ ...SEAT, table: 3, dealer_name: "a" }));
    answerBy((where) => (where.includes("dealer=a") ? 421 : 426));
    for (const wait of [500, 1000, 2000]) {
      page.dealer.lose();
      await answered();
      mock.timers.tick(wait);
      if (wait === 500) meanwhile(page);
    }
    return page;
  }

  test("that is gone is tried on, and keeps the seat as long as the visitor waits", async () => {
    const page = await left();
    const { connection, sitting, reason, table } = page.state;
    assert.deepEqual([connection, sitting, reason, table], ["lost", "no", "gone", null]);
    assert.equal(page.dealer.address, "ws://dealer:8088/ws?dealer=a");
    page.dealer.accept();
    assert.equal(page.dealer.read()[1], `RESUME ${keptToken()}`);
    assert.deepEqual([page.state.sitting, page.state.reason], ["returning", null]);
  });

  test("that is gone is left with its seat and its table for any other", async () => {
    const page = await left();
    page.session.reconnect();
    assert.equal(page.dealer.address, "ws://dealer:8088/ws");
    assert.deepEqual([location.href, keptToken()], ["http://dealer:8088/", null]);
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", "WATCH"]);
    page.dealer.say(tableLine({ table: 3, dealer_name: "b" }));
    assert.deepEqual([location.search, page.session.opening(3)], ["?dealer=b", null]);
  });

  test("that is gone takes with it what was asked of it, which was for its tables", async () => {
    const page = await left(({ session }) => session.takeSeat("ada", [{ table: 7 }]));
    page.session.reconnect();
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", "WATCH"]);
  });
});

describe("taking a seat", () => {
  test("where the dealer has one for everybody, or at the table that is shown", () => {
    const page = connected();
    page.session.takeSeat("ada", [{}]);
    assert.deepEqual(page.dealer.read(), ["WATCH", "JOIN ada"]);
    assert.equal(page.state.sitting, "asking");
    const other = connected();
    other.dealer.say(tableLine({ table: 7 }));
    other.session.takeSeat("ada", [{ table: 7 }]);
    assert.deepEqual(other.dealer.read(), ["WATCH 7", "JOIN ada"]);
  });

  test("at a table of your own, to which the address then leads", () => {
    const page = connected();
    page.session.takeSeat("ada", [{ opening: OPEN_LINE }]);
    assert.deepEqual(page.dealer.read(), [OPEN_LINE]);
    page.dealer.say("OPENED 3");
    assert.deepEqual(page.dealer.read(), ["JOIN ada"]);
    assert.equal(location.hash, "#table=3");
  });

  test("keeps it under a token that the tab remembers", () => {
    const page = connected();
    page.session.takeSeat("ada", [{}]);
    page.dealer.read();
    page.dealer.say("BEGIN");
    const token = keptToken();
    assert.match(token, /^[A-Za-z0-9_-]{32}$/);
    assert.deepEqual(page.dealer.read(), [`KEEP ${token}`]);
    page.dealer.say("CARD Ten of Spades");
    assert.deepEqual(page.dealer.read(), []);
  });

  test("from another table leaves that first", () => {
    const page = asked();
    const { dealer } = page;
    page.session.takeSeat("ada", [{ opening: OPEN_LINE }]);
    assert.deepEqual(dealer.read(), ["QUIT"]);
    assert.equal(keptToken(), null);
    dealer.say("RESULT LOOSE", "QUIT");
    page.dealer.accept();
    assert.notEqual(page.dealer, dealer);
    assert.deepEqual(page.dealer.read(), ["RULES", "WATCH", OPEN_LINE]);
  });

  test("at a table of the list, to which the address then leads, and elsewhere if its link is dead", () => {
    const page = connected();
    page.dealer.say(tableLine({ table: 7 }));
    page.session.takeSeat("ada", [{ table: 9 }]);
    assert.deepEqual(page.dealer.read(), ["WATCH 9", "JOIN ada"]);
    assert.equal(location.hash, "#table=9");
    const other = start();
    other.session.takeSeat("ada", [{ opening: OPEN_LINE }]);
    other.dealer.accept();
    assert.deepEqual(other.dealer.read(), ["RULES", "WATCH", OPEN_LINE]);
  });

  test("is tried at one place after the other, until there is one", () => {
    const page = connected();
    page.session.takeSeat("ada", [{ table: 7 }, { opening: OPEN_LINE }, {}]);
    assert.deepEqual(page.dealer.read(), ["WATCH 7", "JOIN ada"]);
    page.dealer.say("REFUSED no-seat every seat is taken");
    assert.deepEqual(page.dealer.read(), [OPEN_LINE]);
    page.dealer.say("REFUSED cannot-open your address has 5 tables open");
    assert.deepEqual([page.dealer.read(), location.hash], [["WATCH", "JOIN ada"], ""]);
    assert.equal(page.state.sitting, "asking");
    page.dealer.say("REFUSED no-seat every seat is taken");
    assert.deepEqual([page.dealer.read(), page.state.sitting], [[], "no"]);
    assert.equal(page.state.notice?.word, "cannot-open"); // which says more than that all seats are taken
  });

  test("is given up if the connection is lost before the dealer answers", () => {
    const page = connected();
    page.session.takeSeat("ada", [{}]);
    page.dealer.lose();
    mock.timers.tick(500);
    page.dealer.accept();
    assert.deepEqual([page.state.connection, page.state.sitting], ["open", "no"]);
  });
});

describe("watching", () => {
  test("shows a table without a seat, and gives up a seat elsewhere first", () => {
    const page = connected();
    page.session.watch(4);
    assert.deepEqual([page.dealer.read(), location.hash], [["WATCH 4"], "#table=4"]);
    assert.ok(page.session.isWatching());
    page.session.takeSeat("ada", [{}]);
    assert.ok(!page.session.isWatching());
    const seated = asked();
    const { dealer } = seated;
    seated.session.watch(4);
    assert.deepEqual(dealer.read(), ["QUIT"]);
    dealer.say("RESULT LOOSE", "QUIT");
    seated.dealer.accept();
    assert.deepEqual(seated.dealer.read(), ["RULES", "WATCH 4"]);
  });
});

test("the tables are asked for while the connection is open", () => {
  const page = start();
  page.session.askTables();
  page.dealer.accept();
  page.dealer.read();
  page.session.askTables();
  assert.deepEqual(page.dealer.read(), ["TABLES"]);
  page.dealer.say('TABLES {"opens":true,"full":false,"more":0,"tables":[]}');
  assert.deepEqual(page.state.tables, { opens: true, full: false, more: 0, tables: [] });
});

describe("playing", () => {
  test("sends each answer once, and NEXT, HINT and REVEAL only when they apply", () => {
    const { session, dealer } = asked();
    session.next();
    session.hint();
    session.reveal();
    assert.deepEqual(dealer.read(), []);
    dealer.say(tableLine({ sequence: 2, you: 0, turn: 0, practice: true, seats: OWN }));
    session.hint();
    session.reveal();
    session.decide("HIT");
    session.decide("STAND");
    assert.deepEqual(dealer.read(), ["HINT", "REVEAL", "HIT"]);
    dealer.say("RESULT WIN", tableLine({ sequence: 3, you: 0, phase: "results", clock: 3, seats: OWN }));
    dealer.read();
    session.next();
    assert.deepEqual(dealer.read(), ["NEXT"]);
  });

  test("asks for a review when the round is over for the whole table", () => {
    const { dealer } = asked();
    dealer.say("CARD King of Clubs", "RESULT BUST");
    dealer.say(tableLine({ sequence: 2, you: 0, turn: 1, seats: OWN }));
    assert.deepEqual(dealer.read(), []);
    dealer.say(tableLine({ sequence: 3, you: 0, phase: "results", clock: 3, seats: OWN }));
    assert.deepEqual(dealer.read(), ["REVIEW", "HISTORY 1"]);
    dealer.say(tableLine({ sequence: 4, you: 0, phase: "results", clock: 2, seats: OWN }));
    assert.deepEqual(dealer.read(), []);
  });

  test("asks for a review as the next round begins, if the results were not shown, also after a refusal", () => {
    const { dealer } = asked();
    dealer.say("RESULT BUST", "BEGIN");
    assert.deepEqual(dealer.read(), ["REVIEW", "HISTORY 1"]);
    dealer.say("REFUSED no-review no round of yours is over", "RESULT WIN", "BEGIN");
    assert.deepEqual(dealer.read(), ["REVIEW", "HISTORY 1"]);
  });

  test("keeps nothing, and says nothing, where a round is not told", () => {
    const page = asked();
    page.dealer.say("RESULT WIN", "BEGIN");
    const before = page.state;
    page.dealer.say(
      "REFUSED no-round that round is not kept: the last 2 are",
      "HISTORY 1 1 {}",
      "HISTORY 1 1 {",
    );
    assert.equal(page.state, before);
  });

  test("starts a table, and lets bots sit down there", () => {
    const { session, dealer } = asked();
    session.addBot();
    session.start();
    assert.deepEqual(dealer.read(), ["BOT", "START"]);
  });

  test("leaves the table, and connects again", () => {
    const page = asked();
    const { dealer } = page;
    page.session.leave();
    assert.deepEqual([dealer.read(), page.state.sitting], [["QUIT"], "leaving"]);
    dealer.say("RESULT LOOSE", "QUIT");
    assert.notEqual(page.dealer, dealer);
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", "WATCH"]);
  });

  test("ends with the dealer's QUIT, until a person asks for more", () => {
    const page = asked();
    const { dealer } = page;
    dealer.say("RESULT WIN", "QUIT");
    dealer.lose();
    mock.timers.tick(60_000);
    assert.deepEqual([page.state.connection, keptToken()], ["ended", null]);
    assert.equal(page.dealer, dealer);
    page.session.reconnect();
    page.dealer.accept();
    assert.deepEqual(page.dealer.read(), ["RULES", "WATCH"]);
  });
});

describe("a pause of the page's own, where the dealer makes none", () => {
  const RESULTS = tableLine({ sequence: 2, you: 0, phase: "results", seats: OWN });

  test("holds the next round back while the results are looked at, until NEXT, which the dealer is not told", () => {
    for (const isCut of [false, true]) {
      storage.removeItem("twentyone.seat");
      const page = asked();
      page.dealer.say("RESULT WIN", RESULTS, ...DEALT, "DECISION");
      page.dealer.read();
      assert.deepEqual([page.state.table?.phase, page.state.asked], ["results", false]);
      mock.timers.tick(2499);
      assert.ok(!page.state.asked);
      if (isCut) page.session.next();
      else mock.timers.tick(1);
      assert.ok(page.state.asked);
      assert.deepEqual(page.dealer.read(), []);
    }
  });

  test("comes again when results were held back, too", () => {
    const page = asked();
    const again = tableLine({ sequence: 3, round: 2, you: 0, phase: "results", seats: OWN });
    page.dealer.say("RESULT WIN", RESULTS, "BEGIN", "RESULT LOOSE", again, "QUIT");
    mock.timers.tick(2500);
    assert.deepEqual([page.state.table?.round, page.state.connection], [2, "open"]);
    mock.timers.tick(2500);
    assert.equal(page.state.connection, "ended");
  });

  test("is over when the connection is lost, and nothing that was said is lost with it", () => {
    const page = asked();
    page.dealer.say("RESULT WIN", RESULTS, "RESULT LOOSE", "QUIT");
    page.dealer.lose();
    assert.equal(page.state.connection, "ended");
    assert.equal(page.state.statistics.rounds, 2);
  });
});
