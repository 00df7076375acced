import assert from "node:assert/strict";
import { test } from "node:test";

import { browser, tab } from "../../../dealer/web/shared/memory.js";
import { FakeStorage, setGlobal } from "./fakes.js";

test("what is written is read, until it is forgotten", () => {
  setGlobal("sessionStorage", new FakeStorage());
  assert.equal(tab.read("seat"), null);
  for (const value of ["token", 7, true, { rounds: 3 }]) {
    tab.write("seat", value);
    assert.deepEqual(tab.read("seat"), value);
  }
  tab.forget("seat");
  assert.equal(tab.read("seat"), null);
});

test("a tab and its browser have memories of their own, apart from other pages of the same address", () => {
  const storage = new FakeStorage();
  setGlobal("sessionStorage", new FakeStorage());
  setGlobal("localStorage", storage);
  tab.write("name", "ada");
  assert.equal(browser.read("name"), null);
  storage.setItem("name", "not JSON");
  assert.equal(browser.read("name"), null);
  browser.write("name", "ada");
  assert.equal(storage.getItem("twentyone.name"), '"ada"');
  storage.setItem("twentyone.name", "not JSON"); // somebody else has written there
  assert.equal(browser.read("name"), null);
});

test("a browser that stores nothing is not an error", () => {
  Object.defineProperty(globalThis, "sessionStorage", {
    configurable: true,
    get() {
      throw new Error("access is denied");
    },
  });
  tab.write("seat", "token");
  tab.forget("seat");
  assert.equal(tab.read("seat"), null);
});
