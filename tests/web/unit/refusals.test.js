// What the page says where the dealer refuses something or ends.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { awayText, endText, noticeText, timeText } from "../../../dealer/web/table/refusals.js";
import { statusText } from "../../../dealer/web/table/words.js";
import { after, RULES, SEATED, seat, table, tableLine } from "./examples.js";

const SOURCE = readFileSync(new URL("../../../protocol/refusals.py", import.meta.url), "utf8");
const WORDS = [...SOURCE.matchAll(/^ {4}[A-Z_]+ = "([a-z-]+)"/gm)].map((found) => found[1] ?? "");
const NOW = new Date(2026, 0, 1, 21, 2, 50);

describe("a notice", () => {
  test("has a sentence of the page for every word of a dealer", () => {
    assert.ok(WORDS.length >= 18);
    for (const word of WORDS) {
      const text = noticeText({ word, text: "raw words of the dealer" });
      assert.notEqual(text, noticeText({ word: "new-word", text: "" }), word);
      assert.match(text, /^[A-Z].*\.$/);
      assert.doesNotMatch(text, /raw words/);
    }
  });

  test("is a general sentence for what is not known, and for an ERROR", () => {
    assert.equal(noticeText(null), "");
    for (const word of ["new-word", "constructor", ""]) {
      assert.doesNotMatch(noticeText({ word, text: "raw words" }), /raw words/);
      assert.match(noticeText({ word, text: "raw words" }), /^The dealer has /);
    }
  });

  test("names the field of a table that cannot be opened as the menu calls it", () => {
    /** @param {string} text */
    const told = (text) => noticeText({ word: "bad-table", text });
    assert.match(told("OPEN: surrender is 'wrong': expected none, late or early"), /value for “Surrender”/);
    assert.match(told("OPEN: double-after-split is 'x': expected no or yes"), /for “Double after a split”/);
    assert.match(told("OPEN: decks is '99': expected 1 to 8, or inf"), /another value for “Decks”/);
    assert.match(told("something else"), /^The dealer cannot open such a table\. Choose other rules/);
  });

  test("says why a connection ends", () => {
    /** @param {string} text */
    const told = (text) => noticeText({ word: "ended", text });
    assert.match(told("dealer is full"), /The dealer is full/);
    assert.match(told("too many connections from your address"), /Too many pages/);
    assert.match(told("no answer to DECISION in time, too often in a row"), /missed three answers/);
    assert.match(told("this dealer is being replaced"), /comes back by itself/);
    assert.match(told("anything else"), /^The dealer has closed the connection/);
  });

  test("says what an address has no more of", () => {
    const tables = "your address has 5 tables open, as many as it may: try again in 9 s";
    const watchers = "there is no place to watch from: 50 others from your address watch";
    assert.match(
      noticeText({ word: "cannot-open", text: tables }),
      /^Too many tables are open from your address/,
    );
    assert.match(
      noticeText({ word: "cannot-open", text: watchers }),
      /^Too many pages from your address are watching/,
    );
    assert.match(
      noticeText({ word: "no-place", text: watchers }),
      /^Too many pages from your address are watching/,
    );
  });

  test("tells a newcomer until when the seats of those who are away are kept", () => {
    const [ada, bob] = [
      seat({ name: "ada", away: true, kept: 400 }),
      seat({ name: "bob", away: true, kept: 60 }),
    ];
    const shown = table({ seats: [ada, bob, seat({ name: "eve" })] });
    assert.equal(awayText(shown, NOW), "bob is away: that seat is kept until 21:04 at the latest.");
    assert.match(noticeText({ word: "no-seat", text: "" }, shown), /^No seat is free .* bob is away/);
    assert.equal(awayText(table()), "");
    const unknown = table({ seats: [{ ...ada, kept: null }] });
    assert.equal(awayText(unknown), "ada is away: that seat is kept for now.");
    assert.equal(timeText(0, new Date(2026, 0, 1, 23, 59, 30)), "00:00");
  });

  test("comes before the status", () => {
    const seats = [seat({ name: "ada", state: "playing" }), seat({ name: "bob" })];
    const line = tableLine({ sequence: 2, you: 0, turn: 1, seats });
    const refused = after(SEATED, line, "REFUSED no-reveal it is so");
    assert.equal(statusText(refused), "The cards cannot be revealed at the moment. bob is deciding.");
    const lost = after(SEATED, "REFUSED ended dealer is full", { kind: "lost" });
    assert.match(statusText(lost), /^Connection lost, trying again. The dealer is full/);
  });
});

describe("the end", () => {
  test("of a bankroll is told with what is left of it, and what the least bet is", () => {
    const rules = { ...RULES, bets: "5-50" };
    /** @param {string} bankroll */
    const told = (bankroll) => {
      const seats = [seat({ name: "ada", bankroll })];
      return endText(after(SEATED, tableLine({ sequence: 2, you: 0, rules, seats }), "QUIT"));
    };
    assert.equal(told("0"), "You have no chips left, and the least bet is 5.");
    assert.match(told("2.5"), /^You have 2.5 chips left/);
    assert.match(told("1"), /^You have 1 chip left/);
    assert.match(told("5"), /^The dealer has ended the game/);
  });

  test("after decisions that were missed says so", () => {
    const ended = after(SEATED, "REFUSED ended no answer to DECISION in time, too often in a row", "QUIT");
    assert.match(statusText(ended), /^Your seat was given up, since you missed three answers/);
  });

  test("that lasts is no short disturbance", () => {
    const lost = /** @type {const} */ ({ kind: "lost" });
    assert.equal(statusText(after(SEATED, lost)), "Connection lost, trying again.");
    assert.match(statusText(after(SEATED, lost, lost, lost, lost)), /^The dealer does not answer: /);
    const unreached = /** @type {const} */ ({ kind: "refused", reason: "unreached" });
    assert.equal(statusText(after(SEATED, lost, unreached)), "Connection lost, trying again.");
    const full = /** @type {const} */ ({ kind: "refused", reason: "full" });
    assert.match(statusText(after(SEATED, lost, lost, full, lost)), /^The dealer is full. /);
    assert.equal(after(SEATED, lost, full, { kind: "opened", sitting: "no" }).reason, null);
  });
});
