// The charts of some rules, asked of the dealer one upcard after the other.

import { PRESETS } from "../lobby/presets.js";
import { socketAddress } from "../shared/address.js";
import { Connection } from "../shared/connection.js";

export const UPCARDS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
/** Milliseconds until a chart is asked for again that the dealer has no time for. */
const BUSY_WAIT = 1000;
const NOT_OF_DECISIONS = ["preset", "seats", "bets", "bankroll", "reshuffle"];

/**
 * The words of a CHART for rules. They begin from `course`, at which a field that RULES leaves out is.
 *
 * @param {Rules} rules
 */
export function wordsOf(rules) {
  const fields = Object.entries(rules).filter(([key]) => !NOT_OF_DECISIONS.includes(key));
  return ["preset=course", ...fields.map(([key, value]) => `${key}=${value}`)].join(" ");
}

/** A key that is the same for the same rules, whatever preset they come from. @param {Rules} rules */
export function keyOf(rules) {
  const all = { ...PRESETS.get("course"), ...rules };
  const fields = Object.entries(all).filter(([key]) => !NOT_OF_DECISIONS.includes(key));
  return fields
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(" ");
}

/** @param {string} words as `preset=vegas decks=6` @returns {Rules} */
export function rulesOf(words) {
  return Object.fromEntries(words.split(" ").map((word) => word.split("=")));
}

/**
 * Ask for all charts of some rules. What comes after `stop` is passed over.
 *
 * @param {Rules | null} rules null for those of the dealer's own tables
 * @param {number[]} upcards in the order in which they are asked for
 * @param {{ onRules: (rules: Rules) => void, onChart: (chart: Chart) => void, onRefused: () => void,
 *   onLost: (reason: Reason | null) => void }} handlers the reason is null until it is known
 */
export function askForCharts(rules, upcards, handlers) {
  const waiting = [...upcards];
  let words = rules === null ? "" : wordsOf(rules);
  /** @type {ReturnType<typeof setTimeout> | undefined} the timer until a busy dealer is asked again */
  let timer;
  const connection = new Connection(() => socketAddress(location), {
    onOpen() {
      if (words === "") connection.say("RULES");
      else ask();
    },
    onLine,
    onLost,
    onReason: handlers.onLost,
  });

  function onLost() {
    clearTimeout(timer); // a new connection asks by itself
    handlers.onLost(connection.reason);
    connection.retry();
  }

  function ask() {
    if (waiting.length === 0) connection.close();
    else connection.say(`CHART ${waiting[0]} ${words}`);
  }

  /** @param {string} line */
  function onLine(line) {
    const [verb, ...rest] = line.split(" ");
    if (verb === "RULES") {
      const told = rulesOf(rest.join(" "));
      words = wordsOf(told);
      handlers.onRules(told);
      ask();
    } else if (verb === "CHART") {
      connection.resetWait();
      waiting.shift();
      handlers.onChart(JSON.parse(rest.slice(1).join(" ")));
      ask();
    } else if (verb === "REFUSED" && rest[0] === "busy") {
      timer = setTimeout(ask, BUSY_WAIT);
    } else if (verb === "REFUSED" && rest[0] === "ended") {
      connection.close(); // the next dealer has them, too
      onLost();
    } else if (verb === "REFUSED" || verb === "ERROR") {
      connection.close();
      handlers.onRefused();
    }
  }

  connection.open();
  return {
    stop() {
      clearTimeout(timer);
      connection.close();
    },
  };
}
