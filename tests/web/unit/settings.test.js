// What a user has chosen for every page, and what is to be heard where sound is on.

import assert from "node:assert/strict";
import { test } from "node:test";

import { soundOf } from "../../../dealer/web/table/sound.js";
import { after, SEATED, seat, tableLine } from "./examples.js";
import { FakeStorage, setGlobal } from "./fakes.js";

const storage = new FakeStorage();
const root = { dataset: /** @type {Record<string, string>} */ ({}) };
/** @type {Record<string, () => void>} */
const heard = {};

/** @param {unknown} settings */
const write = (settings) => storage.setItem("twentyone.settings", JSON.stringify(settings));

setGlobal("localStorage", storage);
setGlobal("document", { documentElement: root });
setGlobal("addEventListener", (/** @type {string} */ name, /** @type {() => void} */ act) => {
  heard[name] = act;
});
write({ theme: "dark", speed: "no such speed" });
const { choose, onSettings, setting } = await import("../../../dealer/web/shared/settings.js");

test("a choice is kept, and one that does not exist is the first", () => {
  assert.deepEqual([setting("theme"), setting("speed"), setting("sound")], ["dark", "normal", "off"]);
  assert.deepEqual(root.dataset, { theme: "dark", suits: "two", keys: "on" });
  choose("suits", "four");
  assert.deepEqual(root.dataset, { theme: "dark", suits: "four", keys: "on" });
  const kept = JSON.parse(storage.getItem("twentyone.settings") ?? "");
  assert.deepEqual(kept, { theme: "dark", speed: "no such speed", suits: "four" });
});

test("listeners are called at once and after every change, also one of another page", () => {
  /** @type {string[]} */
  const speeds = [];
  onSettings(() => speeds.push(setting("speed")));
  choose("speed", "slow");
  write({ speed: "fast", count: "true" });
  heard.storage?.();
  assert.deepEqual(speeds, ["normal", "slow", "fast"]);
  write({ count: "running" });
  choose("sound", "on");
  assert.equal(setting("count"), "running", "what another page has changed is kept");
});

test("settings that are none are those of a new visitor", () => {
  write(null);
  heard.storage?.();
  assert.deepEqual([setting("theme"), setting("count")], ["system", "off"]);
});

test("of what is to be heard the most important is, and nothing twice", () => {
  /** @param {Partial<Seat>} fields @param {number} sequence */
  const shown = (fields, sequence) =>
    after(SEATED, tableLine({ sequence, you: 0, seats: [seat({ name: "ada", ...fields }), seat(), seat()] }));
  const playing = shown({ state: "playing", cards: ["Ten of Spades"] }, 2);
  const natural = shown({ state: "natural", cards: ["Ten of Spades", "Ace of Spades"] }, 3);
  assert.equal(soundOf(natural, playing), "natural");
  assert.equal(soundOf(natural, natural), null);
  const sounds = { WIN: "win", BUST: "lose", SURRENDER: "lose", PUSH: "chip" };
  for (const [result, sound] of Object.entries(sounds)) {
    const over = shown({ state: "standing", result: /** @type {Outcome} */ (result) }, 4);
    assert.equal(soundOf(over, playing), sound);
    assert.equal(soundOf(over, over), null);
  }
  const dealt = shown({ state: "playing", cards: ["Ten of Spades", "Two of Spades"] }, 3);
  assert.equal(soundOf(dealt, playing), "card");
  const asked = after(playing, "DECISION");
  assert.deepEqual([soundOf(asked, playing), soundOf(asked, asked)], ["turn", null]);
  const bet = { ...playing, answer: "BET 20" };
  assert.deepEqual([soundOf(bet, playing), soundOf(bet, bet)], ["chip", null]);
});
