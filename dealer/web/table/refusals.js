// The sentences for a refusal, and for a dealer that ends: what has happened, and what to do.

import { named } from "../shared/terms.js";
import { TEXTS, text } from "../shared/texts.js";
import { isBroke, leastBet } from "./game.js";

/** The fields of OPEN, each before any whose name begins alike, as the form calls them. */
const FIELDS =
  "seats bots bot-policy decks reshuffle ace dealer-stands naturals double-after-split double split-aces split " +
  "surrender insurance hole-card bets bankroll pause bot-delay practice";
const LABELS = new Map([
  ["preset", text("group.game")],
  ["players", text("field.friends")],
  ...FIELDS.split(" ").map((key) => /** @type {[string, string]} */ ([key, named("field", key)])),
]);

/** Why a connection ends, by what is said in the dealer's sentence. */
const ENDS = /** @type {const} */ ([
  [/is full/i, "refused.full"],
  [/too many connections/i, "refused.connections"],
  [/too often in a row/i, "refused.missed"],
  [/being replaced/i, "lost.replaced"],
]);

/** The texts for a limit that an address has reached, by the words of the dealer's sentence. */
const SHARES = /** @type {const} */ ([
  [/your address has/, "refused.tables"],
  [/from your address watch/, "refused.watchers"],
]);

/**
 * The last refusal in a sentence of the page; empty without one.
 *
 * @param {State["notice"]} notice
 * @param {Table | null} [table] the one that is shown: who is away there is told where every seat is taken
 */
export function noticeText(notice, table = null) {
  if (notice === null) return "";
  const { word, text: told } = notice;
  if (word === "bad-table") return badTableText(told);
  const exact = (word === "ended" || word === "" ? ENDS : SHARES).find(([pattern]) => pattern.test(told));
  if (exact !== undefined) return text(exact[1]);
  const key = `refused.${word || "ended"}`;
  const general = text(
    Object.hasOwn(TEXTS, key) ? /** @type {import("../shared/texts.js").TextKey} */ (key) : "refused.unknown",
  );
  return word === "no-seat" && table !== null ? `${general} ${awayText(table)}`.trim() : general;
}

// The dealer's sentence names the fields that it refuses; here they are called as in the form.
/** @param {string} told */
function badTableText(told) {
  const [first] = [...LABELS].filter(([key]) => new RegExp(`\\b${key}\\b(?!-)`).test(told));
  return first === undefined ? text("refused.bad-table") : text("refused.bad-field", { field: first[1] });
}

/**
 * Why the dealer has ended the game.
 *
 * @param {State} state
 */
export function endText(state) {
  const { notice, table } = state;
  if (isBroke(state)) {
    const left = table?.seats[table.you ?? 0]?.bankroll ?? "0";
    const least = leastBet(table);
    return Number(left) === 0
      ? text("ended.no-chips", { least })
      : text("ended.few-chips", { count: left, least });
  }
  return notice?.word === "ended" ? noticeText(notice) : text("ended.over");
}

/**
 * Until when the seats of those who are away are kept; empty if nobody is away.
 *
 * @param {Table} table
 * @param {Date} [now]
 */
export function awayText({ seats }, now = new Date()) {
  const away = seats.filter((seat) => seat.name !== null && seat.away && !seat.bot);
  const [first] = away.sort((a, b) => keptFor(a) - keptFor(b));
  if (first === undefined) return "";
  const name = first.name ?? "";
  const { kept = null } = first;
  return kept === null
    ? text("away.for-now", { name })
    : text("away.until", { name, time: timeText(kept, now) });
}

/** @param {Seat} seat */
function keptFor({ kept }) {
  return kept ?? Number.MAX_VALUE;
}

/**
 * The time of the day `seconds` after `now`, in full minutes that are over by then: "21:04".
 *
 * @param {number} seconds
 * @param {Date} now
 */
export function timeText(seconds, now) {
  const end = new Date(Math.ceil((now.getTime() + 1000 * seconds) / 60_000) * 60_000);
  return [end.getHours(), end.getMinutes()].map((one) => String(one).padStart(2, "0")).join(":");
}
