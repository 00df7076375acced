// What waits for the layout of the page: also in a hidden tab, which is never laid out.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { afterPicture, beforePicture, noteDraw } from "../../../dealer/web/table/layout.js";
import { FakeElement, setGlobal } from "./fakes.js";

/** @type {(() => void)[]} the observers that wait */
let observers = [];
setGlobal(
  "ResizeObserver",
  class {
    /** @param {() => void} tell */
    constructor(tell) {
      this.tell = tell;
    }
    observe() {
      observers.push(this.tell);
    }
    disconnect() {
      observers = observers.filter((one) => one !== this.tell);
    }
  },
);
setGlobal("document", { body: new FakeElement("body") });

test("however often a hidden tab is drawn, one observer waits, and each act is done once", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {string[]} */
  const done = [];
  const button = /** @type {any} */ (new FakeElement("button"));
  const scroll = () => done.push("scroll");
  for (let draw = 0; draw < 100; draw++) {
    beforePicture(button, () => done.push(`button of draw ${draw}`));
    afterPicture(scroll);
    noteDraw();
  }
  assert.equal(observers.length, 1);
  observers[0]?.();
  assert.deepEqual(done, ["button of draw 99"]);
  noteDraw(); // before the picture is done with
  mock.timers.tick(0);
  assert.deepEqual(done.slice(1), [], "the newest draw has no picture yet");
  observers[0]?.();
  mock.timers.tick(0);
  assert.deepEqual(done.slice(1), ["scroll"]);
  noteDraw();
  assert.deepEqual(observers, []);
});
