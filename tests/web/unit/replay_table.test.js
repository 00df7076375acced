// The last rounds of a running table, against a scripted dealer, and the keys that lead through what it told.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { followKeys } from "../../../dealer/web/replay/replay_keys.js";
import { followTable } from "../../../dealer/web/replay/replay_table.js";
import { answerBy, answered, FakeSocket, setGlobal } from "./fakes.js";

const ADDRESS = "ws://dealer:8088/ws";
const NO_ROUND = "REFUSED no-round no round of this table is over yet";

/** @type {RoundSource | null} */
let told = null;
/** @type {string[]} */
let troubles = [];
/** @type {Place[]} */
let met = [];

setGlobal("WebSocket", FakeSocket);
setGlobal("location", new URL("http://dealer:8088/replay.html"));

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  FakeSocket.all = [];
  told = null;
  troubles = [];
  met = [];
});

/** The dealer's end, once the page has asked to see table 7. */
function watched() {
  const onRounds = (/** @type {RoundSource} */ source) => {
    told = source;
  };
  const onTrouble = (/** @type {string} */ sentence) => troubles.push(sentence);
  followTable({ dealer: null, table: 7 }, { onRounds, onTrouble, onPlace: (place) => met.push(place) });
  const dealer = FakeSocket.last;
  assert.equal(dealer.address, ADDRESS);
  dealer.accept();
  assert.deepEqual(dealer.read(), ["WATCH 7"]);
  return dealer;
}

/** @param {number} round */
const shown = (round) => `TABLE {"round":${round}}`;

/** @param {number} back @param {number} of @param {number} round */
function history(back, of, round) {
  const common = { version: 2, table: 7, round, rules: {}, names: ["ann"], records: [], seats: [] };
  const line = { ...common, payoffs: [`+${round}`] };
  return `HISTORY ${back} ${of} ${JSON.stringify(line)}`;
}

/** The rounds that the page was told of, as they stand in its list. */
const rounds = () => told?.rounds.map(({ round }) => round);

test("all rounds are asked for from the last one on, and told in their order", async () => {
  const dealer = watched();
  dealer.say(shown(4));
  assert.deepEqual(dealer.read(), ["HISTORY 1"]);
  dealer.say(history(1, 2, 3));
  assert.deepEqual([dealer.read(), told], [["HISTORY 2"], null]);
  dealer.say(history(2, 2, 2));
  assert.deepEqual([dealer.read(), rounds(), troubles], [[], [2, 3], []]);
  const last = told?.rounds[1];
  assert.deepEqual([last?.at, last?.seats[0]?.payoff], [1, 3]);
  assert.deepEqual(last && (await told?.read(last))?.payoffs, ["+3"]);
});

test("of a further round only that is asked for which is not known", () => {
  const dealer = watched();
  dealer.say(shown(4), history(1, 1, 3));
  dealer.read();
  dealer.say(shown(4), shown(4));
  assert.deepEqual(dealer.read(), []);
  dealer.say(shown(5), shown(5));
  assert.deepEqual(dealer.read(), ["HISTORY 1"]);
  dealer.say(shown(6)); // while it is asking
  assert.deepEqual(dealer.read(), []);
  dealer.say(history(1, 2, 4));
  assert.deepEqual([dealer.read(), rounds()], [["HISTORY 2"], [3]]);
  dealer.say(history(2, 2, 3));
  assert.deepEqual([dealer.read(), rounds()], [[], [3, 4]]);
});

test("a table without rounds is told, and its first one comes by itself", () => {
  const dealer = watched();
  dealer.say(shown(1), NO_ROUND);
  assert.match(troubles.join(), /^No round of this table has ended/);
  dealer.read();
  dealer.say(shown(2));
  assert.deepEqual(dealer.read(), ["HISTORY 1"]);
  dealer.say(history(1, 1, 1));
  assert.deepEqual(rounds(), [1]);
});

test("a round that the dealer has forgotten ends the question, not the list; refusals and its end are told", () => {
  const dealer = watched();
  dealer.say(shown(4), history(1, 2, 3), NO_ROUND);
  assert.deepEqual([rounds(), troubles], [[3], []]);
  dealer.say("REFUSED no-table there is no table 7");
  dealer.say("QUIT");
  assert.deepEqual(troubles, [
    "The dealer says: there is no table 7.",
    "The dealer is gone: the rounds that were loaded stay here.",
  ]);
  mock.timers.tick(60_000);
  assert.equal(FakeSocket.last, dealer, "it is not called again");
});

test("a dealer that is replaced is called again", () => {
  const dealer = watched();
  dealer.say("REFUSED ended this dealer is being replaced", "QUIT");
  mock.timers.tick(500);
  FakeSocket.last.accept();
  assert.deepEqual([FakeSocket.last.read(), troubles.length], [["WATCH 7"], 1]);
});

test("a lost connection is made again, for the rounds played meanwhile; a new dealer's replace the old ones", () => {
  const first = watched();
  first.say(shown(4), history(1, 1, 3));
  first.lose();
  assert.match(troubles.join(), /^The connection is lost/);
  mock.timers.tick(500);
  const second = FakeSocket.last;
  second.accept();
  assert.deepEqual(second.read(), ["WATCH 7"]);
  second.say(shown(4));
  assert.deepEqual(second.read(), ["HISTORY 1"]);
  second.say(history(1, 1, 3).replace("{", '{"time":"2026-11-26T05:00:00Z",'), shown(5), history(1, 2, 4));
  assert.deepEqual([second.read(), rounds()], [["HISTORY 1", "HISTORY 2"], [3]]);
});

test("a dealer that tells its name is called by it, and why it does not come back is told", async () => {
  const first = watched();
  first.say('TABLE {"round":1,"table":7,"dealer_name":"a"}', 'TABLE {"round":1,"table":7,"dealer_name":"a"}');
  assert.deepEqual(met, [{ dealer: "a", table: 7 }]);
  const statuses = [502, 426, 502, 502];
  answerBy(() => statuses.shift() ?? 500);
  const said = [];
  for (const wait of [500, 1000, 2000, 4000]) {
    FakeSocket.last.lose();
    await answered();
    said.push(troubles.at(-1)?.split(":")[0]);
    mock.timers.tick(wait);
    assert.equal(FakeSocket.last.address, `${ADDRESS}?dealer=a`);
  }
  const lost = "The connection is lost";
  assert.deepEqual(said, [lost, lost, "The dealer is gone", "The dealer does not answer"]);
});

test("keys lead through a round and the list, and are left alone where they mean something else", () => {
  class Field {
    /** @param {string} kinds */
    closest = (kinds) => (kinds.split(", ").includes("input") ? this : null);
  }
  /** @type {(event: object) => void} */
  let press = () => {};
  setGlobal("Element", Field);
  setGlobal("document", {
    addEventListener: (/** @type {string} */ _, /** @type {typeof press} */ act) => {
      press = act;
    },
  });
  /** @type {string[]} */
  let went = [];
  let count = 9;
  const view = { step: 3, steps: [], go: (/** @type {number} */ step) => went.push(`step ${step}`) };
  const goTo = (/** @type {number} */ place) => went.push(`round ${place}`);
  followKeys({ view: () => view, place: () => 4, count: () => count, goTo });
  /** @param {string} key @param {object} fields */
  const after = (key, fields = {}) => {
    went = [];
    press({ key, target: null, preventDefault: () => went.push("taken"), ...fields });
    return went;
  };
  const places = { ArrowLeft: "step 2", ArrowRight: "step 4", ArrowUp: "round 3", ArrowDown: "round 5" };
  for (const [key, place] of Object.entries({ ...places, Home: "round 0", End: "round 8" })) {
    assert.deepEqual(after(key), ["taken", place]);
    for (const held of ["ctrlKey", "altKey", "metaKey", "shiftKey"]) {
      assert.deepEqual(after(key, { [held]: true }), [], held);
    }
    assert.deepEqual(after(key, { target: new Field() }), []);
  }
  assert.deepEqual(after("a"), []);
  count = 0;
  assert.deepEqual(after("End"), []);
});
