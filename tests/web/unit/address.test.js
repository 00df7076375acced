// Where links lead, and where the WebSocket is.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addressOf,
  baseOf,
  isLoopback,
  linkTo,
  linkToToday,
  placeOf,
  queryOf,
  socketAddress,
} from "../../../dealer/web/shared/address.js";

test("an address tells the table, behind a hash where the dealer has no name", () => {
  for (const [address, dealer, table] of /** @type {[string, string | null, number | null][]} */ ([
    ["/", null, null],
    ["/#table=7", null, 7],
    ["/?dealer=a&table=7", "a", 7],
    ["/?dealer=B2", "B2", null],
    ["/?dealer=a-b&table=0", null, null],
    ["/?dealer=abcdefghijklmnopq#table=1234567890", null, null],
    ["/replay.html?table=7#round=7.3", null, 7],
    ["/replay.html?dealer=a&table=7#round=7.3", "a", 7],
  ]))
    assert.deepEqual(placeOf(new URL(address, "http://ten")), { dealer, table }, address);
});

test("links for others begin as the page does, and at a dealer with public addresses with one of these", () => {
  const [first, second, below] = ["https://ten/cards/", "http://ten.lan:8088/", "http://ten.lan:8088/cards/"];
  const three = [first, second, below];
  for (const [page, publicUrls, base] of /** @type {[string, string[], string][]} */ ([
    ["http://127.0.0.1:8088/?dealer=a&table=7", [], "http://127.0.0.1:8088/"],
    ["https://ten/cards/trainer.html?a=/#/b", [], first],
    ["http://127.0.0.1:8088/#table=7", three, first],
    ["https://ten/cards/#table=7", three, first],
    ["https://ten/cards/trainer.html", [second, first], first],
    ["http://ten.lan:8088/", three, second],
    ["http://ten.lan:8088/cards/", three, below],
    ["http://ten/cards/", three, first],
  ]))
    assert.equal(baseOf({ href: page }, publicUrls), base, `${page} ${publicUrls}`);
});

test("a link that begins with this machine's own address works nowhere else", () => {
  for (const base of ["http://127.0.0.1:8088/", "https://localhost/cards/", "http://[::1]/"])
    assert.ok(isLoopback(base), base);
  for (const base of ["http://10.0.0.7:8088/", "https://localhost.example/"])
    assert.ok(!isLoopback(base), base);
});

test("a link leads to the same place again", () => {
  for (const dealer of [null, "a"])
    for (const table of [null, 7]) {
      const link = linkTo("https://ten/cards/", { dealer, table });
      assert.equal(link, `https://ten/cards/${addressOf({ dealer, table })}`);
      assert.deepEqual(placeOf(new URL(link)), { dealer, table });
    }
  assert.equal(addressOf({ dealer: null, table: 7 }), "#table=7");
  assert.equal(addressOf({ dealer: "a", table: 7 }), "?dealer=a&table=7");
  assert.equal(queryOf({ dealer: null, table: 7 }), "?table=7");
  assert.equal(linkToToday("https://ten/cards/"), "https://ten/cards/trainer.html#today");
});

test("the WebSocket is beside the page, and names the dealer that is meant", () => {
  assert.equal(socketAddress({ href: "http://ten:8088/#table=7" }), "ws://ten:8088/ws");
  assert.equal(
    socketAddress({ href: "https://ten/cards/?dealer=b&table=7" }, "a"),
    "wss://ten/cards/ws?dealer=a",
  );
});
