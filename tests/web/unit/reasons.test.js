// Why a WebSocket does not open, by what is answered to the same address without a handshake.

import assert from "node:assert/strict";
import { test } from "node:test";

import { reasonFor, reasonText } from "../../../dealer/web/shared/reasons.js";

const ORIGIN = "https://ten";
const AT_ANY = "https://ten/cards/ws?origin=https%3A%2F%2Ften";
const AT_A = "https://ten/cards/ws?dealer=a&origin=https%3A%2F%2Ften";

/** @typedef {number | [status: number, body: string] | Error} Answer */

/**
 * The reason where these are the answers, and the addresses that were asked.
 *
 * @param {string} address
 * @param {...Answer} answers
 */
async function told(address, ...answers) {
  /** @type {string[]} */
  const asked = [];
  const reason = await reasonFor(address, ORIGIN, (where, { signal }) => {
    asked.push(where);
    assert.ok(signal instanceof AbortSignal);
    const answer = answers.shift() ?? 500;
    if (answer instanceof Error) return Promise.reject(answer);
    const [status, body] = typeof answer === "number" ? [answer, ""] : answer;
    return Promise.resolve(new Response(body, { status }));
  });
  return { reason, asked };
}

test("the answer tells it", async () => {
  for (const [answer, reason] of /** @type {[Answer, Reason][]} */ ([
    [403, "other-name"],
    [426, "no-websocket"],
    [429, "too-many"],
    [505, "no-websocket"],
    [[503, "dealer is full\n"], "full"],
    [[503, "this dealer is being replaced: try again\n"], "replaced"],
    [[503, "<h1>503 Service Unavailable</h1> No server is available"], "unreached"],
    [502, "unreached"],
    [200, "unreached"],
    [421, "unreached"],
    [new TypeError("Failed to fetch"), "unreached"],
    [new DOMException("signal timed out", "TimeoutError"), "unreached"],
  ]))
    assert.deepEqual(await told("wss://ten/cards/ws", answer), { reason, asked: [AT_ANY] }, `${answer}`);
});

test("one of several dealers is gone if another would take the handshake in its place", async () => {
  const address = "wss://ten/cards/ws?dealer=a";
  for (const absent of /** @type {Answer[]} */ ([421, 502, [503, "<h1>503</h1>"], new TypeError("Failed")]))
    for (const [other, reason] of /** @type {[Answer, Reason][]} */ ([
      [426, "gone"],
      [502, "unreached"],
      [[503, "dealer is full"], "full"],
    ]))
      assert.deepEqual(await told(address, absent, other), { reason, asked: [AT_A, AT_ANY] });
});

test("what the dealer that is meant says itself counts, and no other is asked", async () => {
  for (const [answer, reason] of /** @type {[Answer, Reason][]} */ ([
    [403, "other-name"],
    [426, "no-websocket"],
    [429, "too-many"],
    [[503, "dealer is full"], "full"],
  ]))
    assert.deepEqual(await told("wss://ten/cards/ws?dealer=a", answer), { reason, asked: [AT_A] });
});

test("each reason has a sentence of its own", () => {
  const reasons = /** @type {const} */ ([
    "other-name",
    "no-websocket",
    "too-many",
    "full",
    "replaced",
    "unreached",
    "gone",
  ]);
  assert.equal(new Set([null, ...reasons].map(reasonText)).size, reasons.length + 1);
});
