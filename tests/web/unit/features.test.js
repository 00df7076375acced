// The pages use nothing that the oldest browsers do not know: Chrome 119, Firefox 120 and Safari 17.1.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { newInPages, newInScripts, newInStyles, ownNames } from "./features.js";

const FILES = ["dealer/web", "player/web", "tournament/results", "twentyone"];

/** What a page does without where it is not known, and why it can. */
const GRACEFUL = new Map([
  ["text-wrap", "lines break elsewhere"],
  ["text-wrap: balance", "the same"],
  ["text-size-adjust", "a phone in landscape may show larger text"],
  ["font-family: ui-monospace", "the next font of the list"],
  ["print-color-adjust", "the reader chooses whether backgrounds are printed"],
  ["print-color-adjust: exact", "the same"],
]);

const NAMES = FILES.flatMap((folder) =>
  readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`),
);
/** @param {string} end */
const textsOf = (end) =>
  NAMES.filter((name) => name.endsWith(end)).map((name) => [name, readFileSync(name, "utf8")]);
const OWN = ownNames([...textsOf(".js"), ...textsOf(".d.ts")].map(([, text = ""]) => text));

/** @param {string} kind @param {(text: string) => string[]} newIn */
function found(kind, newIn) {
  const files = textsOf(kind);
  assert.ok(files.length > 3);
  const all = files.flatMap(([file, text = ""]) => newIn(text).map((one) => `${file}: ${one}`));
  return all.filter((one) => !GRACEFUL.has(one.replace(/^[^:]*: | \([^(]*$/g, "")));
}

test("what is new is found", () => {
  assert.deepEqual(newInStyles("a { color: light-dark(red, blue); width: calc(sin(45deg) * 1cqw) }"), [
    "light-dark() (chrome, safari)",
  ]);
  assert.deepEqual(newInStyles("@supports (anchor-name: --a) { a { anchor-name: --a } }"), []);
  assert.deepEqual(newInStyles("a:has(b) { field-sizing: content }"), [
    ":has (firefox)",
    "field-sizing (chrome, firefox, safari)",
    "field-sizing: content (chrome, firefox, safari)",
  ]);
  assert.deepEqual(newInScripts("Promise.withResolvers(); list.toSorted(); // new Temporal", new Set()), [
    "withResolvers (firefox, safari)",
  ]);
  assert.deepEqual(newInPages('<details name="a" open><p popover>'), [
    "<details name> (chrome, firefox, safari)",
    "<p popover> (firefox)",
  ]);
});

test("the styles are known to the oldest browsers", () => assert.deepEqual(found(".css", newInStyles), []));
test("the scripts are known to the oldest browsers", () =>
  assert.deepEqual(
    found(".js", (text) => newInScripts(text, OWN)),
    [],
  ));
test("the pages are known to the oldest browsers", () => assert.deepEqual(found(".html", newInPages), []));
