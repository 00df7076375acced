// The choices that hold for every page of this browser. The first value of each is the one without a choice.

import { browser } from "./memory.js";

export const CHOICES = {
  theme: ["system", "light", "dark"],
  /** how fast cards are dealt; `instant` shows every change at once */
  speed: ["normal", "slow", "fast", "instant"],
  sound: ["off", "on"],
  suits: ["two", "four"],
  /** whether the count is asked after each round */
  count: ["off", "running", "true"],
  /** whether a hand of 21 stands without a question */
  stand: ["on", "off"],
  /** whether mistakes are told at once, where nobody else plays */
  mistakes: ["on", "off"],
  /** whether letters act as shortcuts: some people dictate, or press keys by accident (WCAG 2.1.4) */
  keys: ["on", "off"],
  /** the messages that a screen reader reads out */
  read: ["own", "everything"],
};

/** @typedef {keyof typeof CHOICES} Setting */

/** @type {Set<() => void>} */
const listeners = new Set();
let kept = read();

/** @param {Setting} name */
export function setting(name) {
  const value = kept[name];
  return CHOICES[name].find((one) => one === value) ?? CHOICES[name][0] ?? "";
}

/** @param {Setting} name @param {string} value one of its choices */
export function choose(name, value) {
  kept = { ...read(), [name]: value }; // another page may have changed the others
  browser.write("settings", kept);
  apply();
}

/**
 * Call a function now and after every change, also one that another page of this browser makes.
 *
 * @param {() => void} listener
 */
export function onSettings(listener) {
  listeners.add(listener);
  listener();
}

/** @returns {Record<string, unknown>} */
function read() {
  const found = browser.read("settings");
  return typeof found === "object" && found !== null ? { ...found } : {};
}

function apply() {
  for (const listener of listeners) listener();
}

onSettings(() => {
  const [theme, suits, keys] = [setting("theme"), setting("suits"), setting("keys")];
  Object.assign(document.documentElement.dataset, { theme, suits, keys });
});
addEventListener("storage", () => {
  kept = read();
  apply();
});
