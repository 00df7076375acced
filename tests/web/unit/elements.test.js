import assert from "node:assert/strict";
import { test } from "node:test";

import { drawn, made, pressable } from "../../../dealer/web/shared/elements.js";
import { FakeElement, setGlobal } from "./fakes.js";

class Pressable extends FakeElement {
  /** @type {(() => void)[]} */
  listeners = [];

  /** @param {string} _ @param {() => void} listener */
  addEventListener(_, listener) {
    this.listeners.push(listener);
  }
}

setGlobal("document", {
  createElement: (/** @type {string} */ tag) => new Pressable(tag),
  createElementNS: (/** @type {string} */ namespace, /** @type {string} */ tag) =>
    new FakeElement(`${namespace} ${tag}`),
});

/** @param {unknown} element */
const fake = (element) => /** @type {Pressable} */ (element);

test("an element is made with its attributes and what is in it", () => {
  const { tag, attributes, children } = fake(made("td", { class: "wide", colspan: 2 }, "five"));
  assert.deepEqual([tag, attributes, children], ["td", { class: "wide", colspan: "2" }, ["five"]]);
});

test("an attribute that is false or null is left out, and one that is true is empty", () => {
  assert.deepEqual(fake(made("input", { hidden: true, disabled: false, name: null })).attributes, {
    hidden: "",
  });
});

test("an element of a drawing is one of SVG", () => {
  assert.equal(fake(drawn("path", { d: "M0 0" })).tag, "http://www.w3.org/2000/svg path");
});

test("a button does what it is for when it is pressed, and sends no form", () => {
  let pressed = 0;
  const button = fake(pressable("Deal", () => pressed++, { id: "deal" }));
  assert.deepEqual(button.attributes, { type: "button", id: "deal" });
  for (const listener of button.listeners) listener();
  assert.equal(pressed, 1);
});
