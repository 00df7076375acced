// The ways into a game against a scripted dealer: what the page sends from one click to a seat.

import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";

import { openWayIn } from "../../../dealer/web/lobby/way_in.js";
import { isKeptWaiting } from "../../../dealer/web/table/waiting.js";
import { statusText } from "../../../dealer/web/table/words.js";
import { RULES, RULES_LINE, seat, table, tableLine } from "./examples.js";
import { answerBy, answered } from "./fakes.js";
import { location, start } from "./page.js";

const OWN = "OPEN preset=vegas bets=10-500 bankroll=1000 seats=4 bots=3 practice=on players=1";
const FOR_FRIENDS = "OPEN preset=vegas bets=10-500 bankroll=1000 seats=5 bots=0";
const ALONE = RULES_LINE.replace("seats=3", "seats=1");
const FULL = "REFUSED no-seat every seat is taken";

/** @param {Partial<TableSummary>} fields @returns {TableSummary} */
function entry(fields = {}) {
  const { phase, round, practice } = table();
  const people = { seats: 3, people: [], bots: 0, away: 0, free: 3, watchers: 0 };
  return { table: 1, rules: RULES, phase, round, practice, waits_for: 0, ...people, ...fields };
}

/** @param {TableSummary[]} tables @param {boolean} [opens] @param {boolean} [full] */
function tablesLine(tables, opens = true, full = false) {
  return `TABLES ${JSON.stringify({ opens, full, more: 0, tables })}`;
}

/** A page that is connected and has been told this. @param {string[]} lines */
function open(...lines) {
  const page = start();
  page.dealer.accept();
  page.dealer.read();
  const wayIn = openWayIn(page.session, () => "ada");
  page.watch((state, before) => wayIn.update(state, before));
  page.dealer.say(...lines);
  return {
    page,
    wayIn,
    want: (/** @type {"now" | "friends" | "again"} */ what) => wayIn.want(what, page.state),
  };
}

describe("Play now", () => {
  /** @param {string[]} lines */
  const asks = (...lines) => {
    const { page, want } = open(...lines);
    want("now");
    return page.dealer.read();
  };

  test("sits down where a game begins at once", () => {
    assert.deepEqual(asks(RULES_LINE, tablesLine([entry()])), ["WATCH 1", "JOIN ada"]);
    const waits = { waits_for: 2, phase: /** @type {const} */ ("waiting") };
    const may = entry({ ...waits, table: 2, may_start: true });
    assert.deepEqual(asks(RULES_LINE, tablesLine([may])), ["WATCH 2", "JOIN ada"]);
    assert.deepEqual(asks(RULES_LINE, tablesLine([entry({ waits_for: 1 })])), ["WATCH 1", "JOIN ada"]);
    assert.deepEqual(asks(ALONE, tablesLine([])), ["WATCH", "JOIN ada"]);
    const showdown = entry({ waits_for: 3, rules: { ...RULES, "dealer-stands": "none" } });
    const rules = RULES_LINE.replace("dealer-stands=all17", "dealer-stands=none");
    assert.deepEqual(asks(rules, tablesLine([showdown])), ["WATCH 1", "JOIN ada"]);
  });

  test("opens a table of its own where one would wait, and not at a table of other players", () => {
    assert.deepEqual(asks(RULES_LINE, tablesLine([entry({ waits_for: 2 })])), [OWN]);
    assert.deepEqual(asks(RULES_LINE, tablesLine([entry({ free: 0 })])), [OWN]);
    assert.deepEqual(asks(RULES_LINE, tablesLine([entry({ opened: true, people: ["eve"], free: 2 })])), [
      OWN,
    ]);
  });

  test("sits down at the table that the link leads to, whatever goes on there", () => {
    location.hash = "#table=7";
    const friends = entry({ table: 7, waits_for: 2, rules: { ...RULES, preset: "vegas" } });
    assert.deepEqual(asks(RULES_LINE, tablesLine([entry(), friends])), ["WATCH 7", "JOIN ada"]);
  });

  test("counts before the dealer has told its tables, and when the dealer has ended the connection", () => {
    const { page, want } = open();
    want("now");
    assert.deepEqual(page.dealer.read(), []);
    page.dealer.say(ALONE, tablesLine([]));
    assert.deepEqual(page.dealer.read(), ["WATCH", "JOIN ada"]);
    page.dealer.say("BEGIN", "RESULT WIN", "QUIT");
    want("now");
    page.dealer.accept();
    page.dealer.read();
    page.dealer.say(ALONE, tablesLine([]));
    assert.deepEqual(page.dealer.read(), ["WATCH", "JOIN ada"]);
  });

  test("waits where every seat is taken, and sits down as soon as one is free", () => {
    const taken = tablesLine([entry({ free: 0 })], false);
    const { page, wayIn, want } = open(RULES_LINE, taken);
    want("now");
    assert.deepEqual(page.dealer.read(), ["WATCH", "JOIN ada"]);
    page.dealer.say(FULL);
    assert.ok(wayIn.isWaiting());
    page.dealer.say(taken, taken);
    assert.deepEqual(page.dealer.read(), []);
    page.dealer.say(tablesLine([entry({ free: 1 })], false));
    assert.deepEqual(page.dealer.read(), ["WATCH 1", "JOIN ada"]);
    page.dealer.say("BEGIN");
    assert.ok(!wayIn.isLooking());
  });

  test("waits no more once it is given up, or another name is needed", () => {
    const { page, wayIn, want } = open(RULES_LINE, tablesLine([entry({ free: 0 })], false));
    want("now");
    page.dealer.say(FULL);
    wayIn.giveUp();
    page.dealer.read();
    page.dealer.say(tablesLine([entry()], false));
    assert.deepEqual(page.dealer.read(), []);
    want("now");
    page.dealer.say("REFUSED bad-token that name is kept");
    assert.ok(!wayIn.isLooking());
  });

  test("waits no more once another table is chosen, which is left as it is", () => {
    const { page, wayIn, want } = open(RULES_LINE, tablesLine([entry({ free: 0 })], false));
    want("now");
    page.dealer.say(FULL);
    page.dealer.read();
    wayIn.sit({ table: 7 });
    assert.deepEqual(page.dealer.read(), ["WATCH 7", "JOIN ada"]);
    const fields = { table: 7, you: 0, waits_for: 2, phase: /** @type {const} */ ("waiting") };
    const seats = [seat({ name: "ada", state: "waiting" }), seat(), seat()];
    page.dealer.say(tableLine({ ...fields, seats, may_start: true, may_add_bot: true }));
    assert.match(page.dealer.read().join(), /^KEEP [^,]+$/);
  });

  test("goes on waiting when the connection was lost", () => {
    const { page, want } = open(RULES_LINE, tablesLine([entry({ free: 0 })], false));
    want("now");
    page.dealer.say(FULL);
    page.dealer.lose();
    mock.timers.tick(500);
    page.dealer.accept();
    page.dealer.read();
    page.dealer.say(RULES_LINE, tablesLine([entry({ free: 0 })], false));
    assert.deepEqual(page.dealer.read(), ["WATCH", "JOIN ada"]);
  });
});

test("a seat that is wanted is asked for at any dealer once the one that is meant is gone", async () => {
  location.search = "?dealer=a&table=7";
  answerBy((where) => (where.includes("dealer=a") ? 502 : 426));
  for (const isEarly of [true, false]) {
    const page = start();
    const wayIn = openWayIn(page.session, () => "ada");
    page.watch((state, before) => wayIn.update(state, before));
    if (isEarly) wayIn.want("now", page.state);
    page.dealer.lose();
    mock.timers.tick(500);
    page.dealer.lose();
    await answered();
    if (!isEarly) assert.equal(page.dealer.address, "ws://dealer:8088/ws?dealer=a");
    if (!isEarly) wayIn.want("now", page.state);
    assert.equal(page.dealer.address, "ws://dealer:8088/ws");
    page.dealer.accept();
    page.dealer.read();
    page.dealer.say(RULES_LINE, tablesLine([entry()]));
    assert.deepEqual(page.dealer.read(), ["WATCH 1", "JOIN ada"]);
    location.search = "?dealer=a&table=7";
  }
});

describe("at a table that waits", () => {
  const mine = { name: "ada", state: /** @type {const} */ ("waiting") };
  const waits = {
    you: 0,
    phase: /** @type {const} */ ("waiting"),
    waits_for: 2,
    may_add_bot: /** @type {true} */ (true),
  };

  test("bots fill the seats, and then it is started, also if somebody has left meanwhile", () => {
    const { page, want } = open(RULES_LINE, tablesLine([entry({ may_start: true })]));
    want("now");
    page.dealer.read();
    const bot = seat({ name: "bot-1", bot: true });
    const seats = [seat(mine), seat({ name: "bob" }), seat(), seat(), bot];
    page.dealer.say(tableLine({ ...waits, seats, may_start: true }));
    assert.deepEqual(page.dealer.read().slice(0, 2), ["BOT", "BOT"]); // and KEEP
    page.dealer.say(tableLine({ ...waits, sequence: 2, seats: seats.with(2, bot), may_start: true }));
    assert.deepEqual(page.dealer.read(), []);
    const filled = [seat(mine), seat(), bot, bot, bot];
    page.dealer.say(tableLine({ ...waits, sequence: 3, seats: filled, may_start: true }));
    page.dealer.say(tableLine({ ...waits, sequence: 4, seats: filled, may_start: true }));
    assert.deepEqual(page.dealer.read(), ["START"]);
  });

  test("a guest does not start it later, when the host has gone", () => {
    const { page, want } = open(RULES_LINE, tablesLine([entry({ may_start: true })]));
    want("now");
    const seats = [seat(mine), seat({ name: "host" }), seat()];
    const guests = /** @type {const} */ ({ phase: "waiting", waits_for: 1, table: 1, you: 0, seats });
    page.dealer.say(tableLine(guests));
    page.dealer.read();
    page.dealer.say(tableLine({ ...guests, ...waits, sequence: 2, seats, may_start: true }));
    assert.deepEqual(page.dealer.read(), []);
  });

  test("nothing is done for those who play with friends", () => {
    const { page, want } = open(RULES_LINE, tablesLine([entry()]));
    want("friends");
    assert.deepEqual(page.dealer.read(), [FOR_FRIENDS]);
    page.dealer.say("OPENED 4");
    assert.deepEqual([page.dealer.read(), location.hash], [["JOIN ada"], "#table=4"]);
    page.dealer.say(tableLine({ ...waits, table: 4, seats: [seat(mine), seat()], may_start: true }));
    assert.match(page.dealer.read().join(), /^KEEP [^,]+$/);
  });
});

test("friends meet at one of the dealer's own tables where no others are opened, or nowhere", () => {
  const shared = open(RULES_LINE, tablesLine([entry()], false));
  shared.want("friends");
  assert.deepEqual(shared.page.dealer.read(), ["WATCH", "JOIN ada"]);
  const alone = open(ALONE, tablesLine([], false));
  alone.want("friends");
  assert.deepEqual(alone.page.dealer.read(), []);
  assert.ok(alone.wayIn.isNowhere() && !alone.wayIn.isLooking());
});

test("Buy in again leads to the same table, or to an equal one", () => {
  const { page, want } = open(RULES_LINE, tablesLine([entry({ free: 0 })]));
  const again = () => {
    want("again");
    page.dealer.accept();
    page.dealer.read();
  };
  want("now");
  page.dealer.say("OPENED 4", tableLine({ table: 4, you: 0, seats: [seat({ name: "ada" })] }), "QUIT");
  again();
  page.dealer.say(RULES_LINE, tablesLine([entry({ free: 0 })]));
  assert.deepEqual(page.dealer.read(), [OWN]);
  page.dealer.say("OPENED 5", tableLine({ table: 5, you: 0, seats: [seat({ name: "ada" })] }), "QUIT");
  again();
  page.dealer.say(RULES_LINE, tablesLine([entry({ table: 5, free: 1, waits_for: 3 })]));
  assert.deepEqual(page.dealer.read(), ["WATCH 5", "JOIN ada"]);
});

describe("a seat can be given up", () => {
  /** @param {ReturnType<typeof open>["page"]} page */
  const saidNext = (page) => {
    page.dealer.accept();
    return page.dealer.read();
  };

  test("that is promised: a bot gives way when the round is over", () => {
    const { page, wayIn, want } = open(RULES_LINE, tablesLine([entry()]));
    want("now");
    const seats = [seat({ name: "bot-1", bot: true })];
    page.dealer.say(tableLine({ seats, gets_seat: true }));
    assert.equal(statusText(page.state), "You get a bot’s seat when this round is over.");
    assert.ok(isKeptWaiting(page.state));
    page.dealer.read();
    wayIn.giveUp();
    page.session.leave();
    assert.deepEqual(page.dealer.read(), ["QUIT"]);
    page.dealer.say("QUIT");
    assert.deepEqual([saidNext(page), page.state.sitting], [["RULES", "WATCH"], "no"]);
  });

  test("without a connection too, and is not taken back then", () => {
    const { page, want } = open(ALONE, tablesLine([]));
    want("now");
    page.dealer.say("BEGIN", tableLine({ you: 0, seats: [seat({ name: "ada" })] }));
    page.dealer.lose();
    assert.ok(isKeptWaiting(page.state));
    page.session.leave();
    assert.deepEqual([saidNext(page), page.state.sitting], [["RULES", "WATCH"], "no"]);
  });
});

describe("waiting for others", () => {
  const people = [
    seat({ name: "ada", bet: "10" }),
    seat({ name: "bob", bet: null }),
    seat({ name: "eve", bet: null }),
  ];
  const betting = { you: 0, phase: /** @type {const} */ ("betting"), clock: 30 };

  test("names whose bets are missing, and says that the cards are dealt if none is", () => {
    const { page } = open(RULES_LINE, tableLine({ ...betting, seats: people }));
    assert.equal(statusText(page.state), "Waiting for the bet of bob, eve.");
    assert.ok(isKeptWaiting(page.state));
    const alone = open(RULES_LINE, tableLine({ ...betting, seats: [seat({ name: "ada", bet: null })] }));
    assert.equal(statusText(alone.page.state), "The cards are dealt.");
    assert.ok(!isKeptWaiting(alone.page.state));
  });

  test("is what another person's decision or Next keeps you from, and not a bot's", () => {
    const [ada, bob] = [seat({ name: "ada", ready: true }), seat({ name: "bob" })];
    const bot = seat({ name: "bot-1", bot: true });
    /** @param {Partial<Table>} fields */
    const isKept = (fields) => isKeptWaiting(open(RULES_LINE, tableLine({ you: 0, ...fields })).page.state);
    assert.ok(isKept({ turn: 1, seats: [ada, bob] }));
    assert.ok(!isKept({ turn: 1, seats: [ada, bot] }));
    assert.ok(isKept({ phase: "results", seats: [ada, bob] }));
    assert.ok(!isKept({ phase: "results", seats: [ada, bot] }));
    assert.ok(!isKept({ you: null, turn: 1, seats: [ada, bob] }));
    assert.ok(!isKept({ phase: "waiting", seats: [ada, bob] }), "the invitation has a button of its own");
  });
});
