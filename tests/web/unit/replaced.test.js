// A page whose dealer is replaced: it comes back by itself, to its seat or to the table that it watched.

import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";

import { statusText } from "../../../dealer/web/table/words.js";
import { seat, tableLine } from "./examples.js";
import { asked, connected, DEALT, keptToken, location } from "./page.js";

const ENDED = "REFUSED ended this dealer is being replaced";
const NOT_KEPT = "REFUSED not-kept no seat is kept under this token";

/** The next connection of a page, once it is made, and what is said on it. @param {ReturnType<typeof asked>} page */
function back(page, wait = 500) {
  const { dealer } = page;
  mock.timers.tick(wait - 1);
  assert.equal(page.dealer, dealer);
  mock.timers.tick(1);
  page.dealer.accept();
  return page.dealer.read();
}

describe("a seat that is kept", () => {
  test("is taken back, and until then it is said what has happened", () => {
    const page = asked();
    const token = keptToken();
    page.dealer.say(ENDED);
    page.dealer.lose();
    assert.equal(statusText(page.state), "The dealer is being replaced. This page comes back by itself.");
    assert.deepEqual(back(page), ["RULES", `RESUME ${token}`, "WATCH"]);
  });

  test("is asked for again at a dealer that still ends", () => {
    const page = asked();
    const token = keptToken();
    page.dealer.lose();
    back(page);
    page.dealer.say(ENDED, "QUIT");
    assert.equal(keptToken(), token);
    assert.deepEqual(back(page, 1000), ["RULES", `RESUME ${token}`, "WATCH"]);
  });

  test("is gone where another dealer refuses it, which is not asked again", () => {
    const page = asked();
    page.dealer.say(ENDED);
    page.dealer.lose();
    back(page);
    const { dealer } = page;
    dealer.say(NOT_KEPT, tableLine({ sequence: 1, phase: "waiting" }));
    mock.timers.tick(9000);
    assert.deepEqual([page.dealer, keptToken(), page.state.sitting], [dealer, null, "no"]);
    assert.match(statusText(page.state), /^Your seat is no longer kept/);
  });
});

describe("without a kept seat", () => {
  test("the table that was watched is watched again", () => {
    location.hash = "#table=7";
    const page = connected();
    page.dealer.say(tableLine({ table: 7 }), ENDED, "QUIT");
    assert.equal(page.state.connection, "lost");
    assert.deepEqual(back(page), ["RULES", "WATCH 7"]);
  });

  test("a seat whose player was told QUIT is not asked for", () => {
    const page = asked();
    page.dealer.say(ENDED, "QUIT");
    assert.deepEqual(back(page), ["RULES", "WATCH"]);
  });

  test("a dealer that ends again and again is called less and less often", () => {
    const page = connected();
    for (const wait of [500, 1000, 2000]) {
      page.dealer.say(ENDED, "QUIT");
      back(page, wait);
    }
  });

  test("a player who gave no answers was sent away for good", () => {
    const page = asked();
    page.dealer.say(
      "REFUSED ended no answer to DECISION in time, too often in a row",
      "RESULT LOOSE",
      "QUIT",
    );
    assert.equal(page.state.connection, "ended");
  });
});

describe("a round that was open is void", () => {
  const HAND = seat({ name: "ada", state: "playing", cards: ["Ten of Spades", "Two of Spades"], rounds: 4 });
  const DEALER = { upcard: "Six of Clubs", cards: ["Six of Clubs", null], total: null };

  /** The page after it has come back to what is shown first. @param {Partial<Table>} first @param {string[]} replay */
  function returned(first, replay = []) {
    const page = asked();
    page.dealer.say(tableLine({ sequence: 5, you: 0, turn: 0, seats: [HAND], dealer: DEALER }));
    page.dealer.lose();
    back(page);
    page.dealer.say(...replay, tableLine({ sequence: 1, you: 0, dealer: DEALER, ...first }));
    return page;
  }

  test("where our hand is gone without a result, and that is said until we answer", () => {
    const page = returned({ phase: "waiting", seats: [seat({ name: "ada", rounds: 4 })] });
    assert.match(statusText(page.state), /^The dealer was replaced in the middle of a round/);
    page.dealer.say(...DEALT, "DECISION");
    assert.equal(page.state.notice?.word, "void");
    page.session.decide("HIT");
    assert.equal(page.state.notice, null);
  });

  test("and the bet that is asked for then can be made", () => {
    const seats = [seat({ name: "ada", rounds: 4 })];
    const page = returned({ phase: "betting", seats }, ["DECISION BET 10 500 1000"]);
    assert.deepEqual([page.state.notice?.word, page.state.asked, page.state.missed], ["void", true, 0]);
    page.session.decide("BET 20");
    assert.equal(page.dealer.read().at(-1), "BET 20");
  });

  test("also where the round after it is over already; and not where it was the round itself", () => {
    const natural = (/** @type {string} */ first) => [
      ...["BEGIN", `CARD ${first}`, "CARD Ace of Hearts", "DEALER Six of Clubs", "RESULT WIN"],
      ...DEALT,
    ];
    const seats = [{ ...HAND, rounds: 5, cards: ["Nine of Hearts", "Two of Spades"] }];
    assert.equal(returned({ turn: 0, seats }, natural("King of Hearts")).state.notice?.word, "void");
    assert.equal(returned({ turn: 0, seats }, natural("Ten of Spades")).state.notice, null);
  });

  test("where another hand lies there, with its own lines in the log", () => {
    const cards = ["Nine of Hearts", "Two of Spades"];
    const page = returned({ turn: 0, seats: [{ ...HAND, cards }] }, [...DEALT, "DECISION"]);
    assert.equal(page.state.notice?.word, "void");
    assert.ok(
      page.state.log.some((line) => line.includes("Nine of Hearts")),
      page.state.log.join("\n"),
    );
  });

  test("but not where it goes on, where it is over, or where somebody else sits", () => {
    const [split, counted] = [["Ten of Spades", "Nine of Clubs"], { result: "WIN", rounds: 5 }];
    for (const first of /** @type {Partial<Table>[]} */ ([
      { turn: 0, seats: [HAND] },
      { turn: 0, seats: [{ ...HAND, cards: split }] },
      { phase: "results", seats: [{ ...HAND, ...counted }] },
      { phase: "waiting", seats: [seat({ name: "ada", rounds: 5 })] },
      { phase: "waiting", seats: [seat({ name: "bob", rounds: 4 })] },
      { phase: "waiting", seats: [seat()], you: null },
    ]))
      assert.equal(returned(first).state.notice, null, JSON.stringify(first));
  });
});
