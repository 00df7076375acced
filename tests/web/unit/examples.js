// Seats, tables and states to test with.

import { INITIAL, reduce } from "../../../dealer/web/table/game.js";
import { parse } from "../../../dealer/web/table/messages.js";

export const RULES_LINE =
  "RULES preset=casino decks=4 reshuffle=penetration:0.75 ace=either dealer-stands=all17 naturals=beat seats=3";

/** @type {Table["rules"]} */
export const RULES = Object.fromEntries(
  RULES_LINE.split(" ")
    .slice(1)
    .map((word) => word.split("=")),
);

/**
 * A seat; a free one, unless it has a name.
 *
 * @param {Partial<Seat>} fields
 * @returns {Seat}
 */
export function seat(fields = {}) {
  return {
    name: null,
    bot: false,
    away: false,
    kept: null,
    ready: false,
    cards: [],
    total: null,
    soft: null,
    state: fields.name === undefined ? "empty" : "waiting",
    result: null,
    score: 0,
    rounds: 0,
    ...fields,
  };
}

/**
 * A TABLE against the dealer, with three free seats unless they are given.
 *
 * @param {Partial<Table>} fields
 * @returns {Table}
 */
export function table(fields = {}) {
  return {
    table: 1,
    sequence: 1,
    practice: false,
    clock: null,
    round: 1,
    phase: "playing",
    rules: RULES,
    turn: null,
    waits_for: 0,
    shoe: { left: null, size: null, fresh: 0 },
    you: null,
    revealed: false,
    seats: [seat(), seat(), seat()],
    dealer: { upcard: null, cards: [], total: null },
    log: [],
    logged: 0,
    ...fields,
  };
}

/** @param {Partial<Table>} fields */
export function tableLine(fields = {}) {
  return `TABLE ${JSON.stringify(table(fields))}`;
}

/**
 * The state after these messages.
 *
 * @param {State} state
 * @param {(string | PageEvent)[]} messages lines from the dealer, and events of the page
 */
export function after(state, ...messages) {
  return messages.reduce((before, message) => {
    const parsed = typeof message === "string" ? parse(message) : message;
    if (parsed === null) throw new TypeError(`the page cannot read ${message}`);
    return reduce(before, parsed);
  }, state);
}

/** Connected, without a seat. */
export const OPEN = after(INITIAL, { kind: "opened", sitting: "no" });

/** Connected, with the first of three seats, in the first round. */
export const SEATED = after(
  OPEN,
  { kind: "sitting", sitting: "asking" },
  "BEGIN",
  "CARD Ten of Spades",
  "CARD Two of Spades",
  "DEALER Six of Clubs",
  tableLine({
    you: 0,
    seats: [seat({ name: "ada", state: "playing", total: 12, soft: false }), seat(), seat()],
  }),
);
