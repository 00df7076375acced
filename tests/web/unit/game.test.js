import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  answerToRepeat,
  canAnswer,
  canAskHint,
  canContinue,
  canDecide,
  canReveal,
  INITIAL,
  isWithoutPause,
  ownSeat,
} from "../../../dealer/web/table/game.js";
import { after, OPEN, SEATED, seat, table, tableLine } from "./examples.js";

const ASKED = after(SEATED, "DECISION");
const PEOPLE = [seat({ name: "ada", state: "playing" }), seat({ name: "bob", state: "playing" }), seat()];

describe("a decision", () => {
  test("can be taken once, when the dealer asks, over a connection", () => {
    assert.ok(!canDecide(SEATED));
    assert.ok(canDecide(ASKED));
    assert.ok(!canDecide(after(ASKED, { kind: "lost" })));
    const answered = after(ASKED, { kind: "answered", decision: "HIT" });
    assert.ok(!canDecide(answered));
    assert.equal(answered.answer, "HIT");
    assert.ok(canDecide(after(answered, "CARD Two of Clubs", "DECISION")));
  });

  test("that is over without an answer was missed, and one that was answered was not", () => {
    for (const line of ["RESULT LOOSE", "BEGIN"]) {
      const missed = after(ASKED, line);
      assert.deepEqual([missed.missed, missed.asked], [1, false], line);
    }
    assert.equal(after(ASKED, { kind: "answered", decision: "STAND" }, "RESULT WIN").missed, 0);
  });

  test("that is over as the next player is asked was missed, once", () => {
    const ours = after(ASKED, tableLine({ sequence: 2, you: 0, turn: 0, seats: PEOPLE }));
    const theirs = after(ours, tableLine({ sequence: 3, you: 0, turn: 1, seats: PEOPLE }));
    assert.deepEqual([theirs.missed, theirs.asked], [1, false]);
    assert.equal(after(theirs, "RESULT WIN").missed, 1);
  });
});

describe("an answer that the dealer refuses as too late", () => {
  const LATE = "REFUSED too-late HIT came too late";

  test("is to be given again, if it was taken for one to a decision that was missed", () => {
    const state = after(ASKED, "RESULT WIN", "BEGIN", "DECISION", { kind: "answered", decision: "HIT" });
    assert.equal(answerToRepeat(state), "HIT");
    const refused = after(state, LATE);
    assert.ok(canDecide(refused));
    assert.equal(refused.missed, 0);
    assert.equal(refused.notice, null);
    const again = after(refused, { kind: "answered", decision: "HIT" });
    assert.equal(answerToRepeat(again), null);
  });

  test("is not given again, if it was for its own decision", () => {
    const state = after(ASKED, { kind: "answered", decision: "HIT" }, "RESULT WIN");
    assert.equal(answerToRepeat(state), null);
    assert.equal(after(state, LATE).notice?.word, "too-late");
    const next = after(state, "BEGIN", "DECISION", { kind: "answered", decision: "STAND" });
    assert.equal(answerToRepeat(next), null);
    assert.ok(!canDecide(after(next, LATE)));
  });

  test("is forgotten with its connection", () => {
    const state = after(ASKED, "RESULT WIN", { kind: "lost" }, { kind: "opened", sitting: "returning" });
    assert.equal(state.missed, 0);
  });
});

describe("a refusal", () => {
  test("ends the request for a seat, and is shown", () => {
    const asking = after(OPEN, { kind: "sitting", sitting: "asking" });
    const words = "no-seat no-table cannot-open bad-table not-allowed malformed new";
    for (const word of words.split(" ")) {
      const refused = after(asking, `REFUSED ${word} and why`);
      assert.equal(refused.sitting, "no", word);
      assert.deepEqual(refused.notice, { word, text: "and why" });
    }
  });

  test("not-kept ends the return to a seat, and is shown; ended leaves it to be tried again", () => {
    const returning = after(INITIAL, { kind: "opened", sitting: "returning" });
    const refused = after(returning, "REFUSED not-kept no seat is kept under this token");
    assert.deepEqual([refused.sitting, refused.notice?.word], ["no", "not-kept"]);
    assert.equal(after(returning, "REFUSED ended dealer is full").sitting, "returning");
  });

  test("does not touch a seat, and is shown, unless it is for the page alone", () => {
    for (const word of ["no-hint", "no-reveal", "no-place", "no-table", "not-allowed", "ended", "new"]) {
      const refused = after(ASKED, `REFUSED ${word} and why`);
      assert.deepEqual(refused, { ...ASKED, notice: { word, text: "and why" } });
    }
    for (const word of ["no-review", "token-in-use"]) {
      assert.equal(after(ASKED, `REFUSED ${word} and why`), ASKED, word);
    }
  });

  test("taken-over ends the seat here, whatever the sentence is", () => {
    const taken = after(ASKED, "REFUSED taken-over so it is");
    assert.deepEqual([taken.connection, taken.sitting, taken.asked], ["taken", "no", false]);
    assert.equal(after(taken, "QUIT").connection, "taken");
    assert.equal(after(ASKED, "REFUSED not-allowed your seat was taken over").connection, "open");
  });

  test("is shown until something else is asked for, or the next round begins", () => {
    const refused = after(ASKED, "REFUSED no-hint and why");
    assert.equal(after(refused, { kind: "answered", decision: "HIT" }).notice, null);
    assert.equal(after(refused, { kind: "sitting", sitting: "leaving" }).notice, null);
    assert.equal(after(refused, "RESULT WIN", "BEGIN").notice, null);
    assert.notEqual(after(refused, "RESULT WIN").notice, null);
  });

  test("an ERROR is shown, and changes nothing else", () => {
    const asking = after(OPEN, { kind: "sitting", sitting: "asking" });
    const error = after(asking, "ERROR your seat was taken over");
    assert.deepEqual(error, { ...asking, notice: { word: "", text: "your seat was taken over" } });
  });
});

describe("the connection", () => {
  test("opens without a seat, or returns to one, and is given up on leaving, and with it the table", () => {
    const lost = after(ASKED, { kind: "lost" });
    assert.deepEqual([lost.connection, lost.sitting, lost.asked], ["lost", "yes", false]);
    assert.equal(after(lost, { kind: "opened", sitting: "returning" }).sitting, "returning");
    assert.equal(after(lost, { kind: "opened", sitting: "no" }).sitting, "no");
    const left = after(SEATED, { kind: "sitting", sitting: "leaving" }, "QUIT", { kind: "left" });
    assert.deepEqual([left.connection, left.sitting, left.table], ["connecting", "no", null]);
  });

  test("ends by QUIT", () => {
    const ended = after(ASKED, "QUIT");
    assert.deepEqual([ended.connection, ended.sitting, ended.asked], ["ended", "no", false]);
    assert.notEqual(ended.table, null); // the last results stay in sight
  });
});

describe("TABLE", () => {
  test("an older one of the same table is passed over, but not the first one on a connection", () => {
    const state = after(OPEN, tableLine({ sequence: 5, round: 2 }));
    assert.equal(after(state, tableLine({ sequence: 4, round: 1 })), state);
    assert.equal(after(state, tableLine({ table: 2, sequence: 1 })).table?.table, 2);
    const again = after(state, { kind: "opened", sitting: "no" }, tableLine({ sequence: 1, round: 1 }));
    assert.equal(again.table?.round, 1);
  });

  test("it shows whether we have a seat", () => {
    assert.equal(after(OPEN, tableLine({ you: 1 })).sitting, "yes");
    const leaving = after(SEATED, { kind: "sitting", sitting: "leaving" });
    assert.equal(after(leaving, tableLine({ sequence: 2, you: 0 })).sitting, "leaving");
  });

  test("its log has what changes made, the same list if nothing has, and begins anew at another table", () => {
    const first = after(OPEN, tableLine({ round: 1 }));
    assert.deepEqual([first.log, first.logged], [["Round 1"], 1]);
    assert.equal(after(first, tableLine({ sequence: 2 })).log, first.log);
    const second = after(first, tableLine({ sequence: 2, round: 2 }));
    assert.deepEqual([second.log, second.logged], [["Round 1", "Round 2"], 2]);
    assert.deepEqual(after(second, tableLine({ table: 2, round: 7 })).log, ["Round 7"]);
    const again = after(second, { kind: "opened", sitting: "no" }, tableLine({ round: 1 }));
    assert.deepEqual(again.log.at(-1), "Round 1");
  });

  test("its log is as long as 300 lines at most", () => {
    const rounds = Array.from({ length: 400 }, (_, at) => tableLine({ sequence: at + 1, round: at + 1 }));
    const { log, logged } = after(OPEN, ...rounds);
    assert.deepEqual([log.length, log.at(0), log.at(-1), logged], [300, "Round 101", "Round 400", 400]);
  });
});

describe("what can be done", () => {
  /** @param {Partial<Table>} fields */
  const seated = (fields) => after(SEATED, tableLine({ sequence: 2, you: 0, seats: PEOPLE, ...fields }));

  test("the pause can be ended once, by somebody at the table", () => {
    const results = seated({ phase: "results", clock: 3 });
    assert.ok(canContinue(results));
    assert.ok(!canContinue(SEATED));
    assert.ok(!canContinue(after(results, { kind: "lost" })));
    assert.ok(!canContinue(after(OPEN, tableLine({ phase: "results", seats: PEOPLE }))));
    const ready = [seat({ name: "ada", ready: true }), seat(), seat()];
    assert.ok(!canContinue(seated({ phase: "results", seats: ready })));
  });

  test("a hint can be asked for once for each decision, at a practice table", () => {
    assert.ok(!canAskHint(ASKED));
    const asked = after(seated({ practice: true }), "DECISION");
    assert.ok(canAskHint(asked));
    const waiting = after(asked, { kind: "hinted" });
    const hint = after(waiting, "HINT HIT 0.25");
    assert.deepEqual(hint.hint, { decision: "HIT", cost: 0.25 });
    assert.ok(!canAskHint(hint));
    assert.ok(
      canAskHint(after(hint, { kind: "answered", decision: "HIT" }, "CARD Two of Clubs", "DECISION")),
    );
  });

  test("cards can be revealed once in a round, at a practice table", () => {
    assert.ok(canReveal(seated({ practice: true })));
    assert.ok(!canReveal(seated({ practice: false })));
    assert.ok(!canReveal(seated({ practice: true, revealed: true })));
    assert.ok(!canReveal(seated({ practice: true, phase: "results" })));
    assert.ok(!canReveal(after(OPEN, tableLine({ practice: true }))));
  });

  test("our own seat", () => {
    assert.equal(ownSeat(SEATED)?.name, "ada");
    assert.equal(ownSeat(OPEN), null);
    assert.equal(ownSeat(after(OPEN, tableLine({ seats: PEOPLE }))), null);
  });
});

test("results without a pause are those of a player, without a clock", () => {
  assert.ok(isWithoutPause(table({ phase: "results", you: 0 })));
  assert.ok(!isWithoutPause(table({ phase: "results", you: 0, clock: 3 })));
  assert.ok(!isWithoutPause(table({ phase: "results" })));
  assert.ok(!isWithoutPause(table({ you: 0 })));
});

test("RESULT and REVIEW are counted", () => {
  const { statistics } = after(SEATED, "RESULT LOOSE", "REVIEW 2 1 0.5");
  assert.deepEqual(
    [statistics.rounds, statistics.losses, statistics.decisions, statistics.differed, statistics.cost],
    [1, 1, 2, 1, 0.5],
  );
});

describe("a table that tells payoffs", () => {
  test("a question is answered by what it allows", () => {
    const asked = after(SEATED, "DECISION BET 10 80 500");
    assert.ok(canAnswer(asked, "BET 20"));
    assert.ok(!canAnswer(asked, "HIT"));
    const insuring = after(asked, "DECISION INSURE DECLINE");
    assert.ok(canAnswer(insuring, "INSURE") && !canAnswer(insuring, "BET 20"));
    assert.ok(canAnswer(after(insuring, "DECISION"), "STAND"));
  });

  test("a question that the clock takes is missed at once, and once", () => {
    const over = after(ASKED, "REFUSED time-over no answer came in time");
    assert.deepEqual([over.missed, over.asked, over.notice?.word], [1, false, "time-over"]);
    const next = after(over, "DECISION HIT STAND", { kind: "answered", decision: "STAND" });
    assert.equal(answerToRepeat(next), "STAND");
  });

  test("an answer that was taken ends what was missed: the next one that comes too late is not repeated", () => {
    const missed = after(ASKED, "REFUSED time-over no answer came in time", "DECISION BET 10 80 500");
    const taken = after(missed, { kind: "answered", decision: "BET 10" }, "BEGIN", "CARD Two of Clubs");
    assert.deepEqual([taken.missed, taken.answer], [0, null]);
  });

  test("payoffs in chips are counted in bets, also of who leaves, and before a TABLE has said the bet", () => {
    const seats = [seat({ name: "ada", state: "playing", bankroll: "480", bet: "20" })];
    const played = after(SEATED, tableLine({ sequence: 2, you: 0, seats }));
    const won = after(played, "RESULT WIN +30");
    assert.deepEqual([won.statistics.wins, won.statistics.payoff], [1, 1.5]);
    const left = after(played, { kind: "sitting", sitting: "leaving" }, "RESULT LOOSE -20");
    assert.equal(left.statistics.payoff, -1);
    const before = [seat({ name: "ada", bankroll: "500", bet: null })];
    const line = tableLine({ sequence: 2, phase: "betting", you: 0, seats: before });
    const asked = after(SEATED, "DECISION BET 10 80 500", line);
    const bet = after(asked, { kind: "answered", decision: "BET 20" }, "BEGIN", "RESULT WIN +30");
    assert.equal(bet.statistics.payoff, 1.5);
    assert.equal(after(asked, "BEGIN", "RESULT LOOSE -10").statistics.payoff, -1); // the clock has staked the minimum
  });

  test("has hints for every decision, but for no bet", () => {
    const rules = { naturals: "3:2", double: "any", bets: "10-80" };
    const line = tableLine({ sequence: 2, you: 0, practice: true, rules });
    for (const options of ["HIT STAND DOUBLE SPLIT", "INSURE DECLINE", "SURRENDER DECLINE"]) {
      assert.ok(canAskHint(after(SEATED, line, `DECISION ${options}`)));
    }
    assert.ok(!canAskHint(after(SEATED, line, "DECISION BET 10 80 500")));
  });

  test("a hint that comes when something else is asked, or from a lost connection, is not shown or waited for", () => {
    const asked = after(SEATED, "DECISION INSURE DECLINE", { kind: "hinted" });
    assert.deepEqual(after(asked, "HINT DECLINE 0.04").hint, { decision: "DECLINE", cost: 0.04 });
    assert.equal(after(asked, "HINT DOUBLE 0.1").hint, null);
    assert.equal(after(asked, { kind: "answered", decision: "DECLINE" }, "HINT DECLINE 0.04").hint, null);
    const back = after(asked, { kind: "lost" }, { kind: "opened", sitting: "returning" });
    const again = after(back, "DECISION HIT STAND", { kind: "hinted" }, "HINT STAND 0.25");
    assert.deepEqual(again.hint, { decision: "STAND", cost: 0.25 });
  });

  test("a hint for a question that is over is not shown as one for the next, which may have its own", () => {
    const missed = after(SEATED, "DECISION HIT STAND", { kind: "hinted" }, "RESULT LOOSE -1", "BEGIN");
    const next = after(missed, "DECISION HIT STAND", { kind: "hinted" });
    const late = after(next, "HINT HIT 0.5");
    assert.equal(late.hint, null);
    assert.deepEqual(after(late, "HINT STAND 0.25").hint, { decision: "STAND", cost: 0.25 });
    assert.deepEqual(after(next, "REFUSED no-hint and why", "HINT STAND 0.25").hint?.decision, "STAND");
  });
});
