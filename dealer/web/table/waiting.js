// The people whom one waits for, in words, and whether somebody else keeps the table waiting.

import { text } from "../shared/texts.js";
import { ownSeat } from "./game.js";

/**
 * The others whose bets are missing, or that the cards are dealt.
 *
 * @param {Table} table
 */
export function betsText({ seats, you }) {
  const missing = seats.filter((seat, number) => number !== you && isBetMissing(seat));
  if (missing.length === 0) return text("status.dealt");
  return text("waiting.bets", { names: missing.map(({ name }) => name).join(", ") });
}

/** The number of people that are missing for the round, in words. @param {number} count */
export function playersText(count) {
  return text("waiting.players", { count });
}

/**
 * Whether one sits at a table of several that waits for people.
 *
 * @param {State} state
 */
export function isWaitingForPlayers(state) {
  const { table, connection } = state;
  const isOurs = connection === "open" && ownSeat(state) !== null;
  return isOurs && table?.phase === "waiting" && table.seats.length > 1 && table.waits_for > 0;
}

/**
 * Whether one can do nothing but leave: one waits for a seat that is promised, for the connection, or for what another
 * person decides, bets or goes on with. A table that waits for people says so itself.
 *
 * @param {State} state
 */
export function isKeptWaiting(state) {
  const { table, asked, connection, sitting } = state;
  if (table === null || asked) return false;
  if (sitting === "asking") return connection === "open" && table.gets_seat === true;
  const own = ownSeat(state);
  if (own === null) return false;
  if (connection !== "open") return connection === "lost";
  const others = table.seats.filter((seat) => seat !== own && seat.name !== null && !seat.bot);
  if (table.phase === "betting") return others.some(isBetMissing);
  if (table.phase === "results") return own.ready && others.some(({ away, ready }) => !away && !ready);
  const turn = table.turn === null ? undefined : table.seats[table.turn];
  return table.phase === "playing" && turn !== undefined && others.includes(turn);
}

/** @param {Seat} seat */
function isBetMissing({ name, bot, bet }) {
  return name !== null && !bot && (bet ?? null) === null;
}
