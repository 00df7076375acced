// What the page says where the dealer refuses something or ends: what has happened, and what to do.

import { counted } from "../shared/counts.js";

/** By the words of REFUSED. Those of `bad-table` and `ended` are told more exactly below. @type {Map<string, string>} */
export const REFUSALS = new Map([
  ["malformed", "The dealer did not understand this page. Reload the page, and try again."],
  ["not-allowed", "That is not possible now."],
  ["too-late", "Your answer came too late."],
  ["bad-token", "This name, or one that looks like it, is kept for somebody else. Choose another name."],
  ["time-over", "Your time was over, so the dealer has decided for you."],
  ["no-seat", "No seat is free there. Choose another table, or open one."],
  ["no-table", "That table does not exist or is closed. Choose another one, or open one."],
  ["no-place", "Too many people watch: you will see the table as soon as there is a place."],
  [
    "not-kept",
    "Your seat is no longer kept: you were away for too long, or the dealer was started again. Sit down again.",
  ],
  ["token-in-use", "Your seat could not be kept for a reload of the page."],
  ["no-hint", "There is no hint at the moment."],
  ["no-review", "Your last round cannot be reviewed."],
  ["no-round", "That round is no longer kept."],
  ["busy", "The dealer has too much to do at the moment. Try again in a while."],
  ["no-chart", "There is no chart for these rules."],
  ["no-reveal", "The cards cannot be revealed at the moment."],
  [
    "cannot-open",
    "The dealer can open no further table. Sit down at one of those that there are, or try again in two minutes.",
  ],
  ["bad-table", "The dealer cannot open such a table. Choose other rules."],
  ["taken-over", "Your seat is now played from another tab or window."],
  ["ended", "The dealer has closed the connection."],
]);

/** What each field of OPEN is called in the menu. */
const LABELS = new Map([
  ["preset", "the game"],
  ["seats", "Seats"],
  ["bots", "Bots"],
  ["bot-policy", "The bots"],
  ["players", "Friends to wait for"],
  ["decks", "Decks"],
  ["reshuffle", "New shoe"],
  ["ace", "An ace counts"],
  ["dealer-stands", "The dealer"],
  ["naturals", "A natural"],
  ["double-after-split", "Double after a split"],
  ["double", "Double"],
  ["split-aces", "Split aces"],
  ["split", "Split"],
  ["surrender", "Surrender"],
  ["insurance", "Insurance"],
  ["hole-card", "The dealer's second card"],
  ["bets", "Bets"],
  ["bankroll", "Chips to begin with"],
  ["pause", "Pause after a round"],
  ["bot-delay", "A bot thinks"],
  ["practice", "Practice"],
]);

const UNKNOWN = "The dealer has refused that. Try again, or reload the page.";

/** Why a connection ends, by what is said in the dealer's sentence. @type {[RegExp, string][]} */
const ENDS = [
  [/is full/i, "The dealer has as many visitors as it can take. Try again in a while."],
  [
    /too many connections/i,
    "Too many pages are open at your address. Close the other ones, or try again in a while.",
  ],
  [
    /too often in a row/i,
    "Your seat was given up, since you did not answer three times in a row. Sit down again.",
  ],
];

/** What an address has no more of, by what is said in the dealer's sentence. @type {[RegExp, string][]} */
const SHARES = [
  [
    /your address has/,
    "As many tables are open from your address as may be. Sit down at one of them, or try again once one has been empty for two minutes.",
  ],
  [
    /from your address watch/,
    "As many pages from your address watch as may. Close other ones: then there is a place for this one.",
  ],
];

/**
 * The last refusal in a sentence of the page; empty without one.
 *
 * @param {State["notice"]} notice
 * @param {Table | null} [table] the one that is shown: who is away there is told where every seat is taken
 */
export function noticeText(notice, table = null) {
  if (notice === null) return "";
  const { word, text } = notice;
  if (word === "bad-table") return badTableText(text);
  const share = SHARES.find(([pattern]) => pattern.test(text))?.[1];
  if (share !== undefined) return share;
  if (word === "no-seat") return `${REFUSALS.get(word)} ${table === null ? "" : awayText(table)}`.trim();
  if (word !== "ended" && word !== "") return REFUSALS.get(word) ?? UNKNOWN;
  const known = ENDS.find(([pattern]) => pattern.test(text))?.[1];
  return known ?? REFUSALS.get(word) ?? UNKNOWN;
}

// The dealer's sentence names the fields that it refuses; here they are called as in the menu.
/** @param {string} text */
function badTableText(text) {
  const named = [...LABELS].filter(([key]) => new RegExp(`\\b${key}\\b(?!-)`).test(text));
  const [first] = named.map(([, label]) => `“${label}”`);
  if (first === undefined) return REFUSALS.get("bad-table") ?? UNKNOWN;
  return `The dealer cannot open such a table. Choose another value for ${first}.`;
}

/**
 * Why the dealer has ended the game, and what to do.
 *
 * @param {State} state
 */
export function endText({ notice, table }) {
  const seat = table !== null && table.you !== null ? table.seats[table.you] : undefined;
  const least = Number(table?.rules.bets?.split("-")[0]);
  if (seat?.bankroll !== undefined && Number(seat.bankroll) < least) {
    const left =
      Number(seat.bankroll) === 0
        ? "You have no chips left"
        : `You have ${counted(seat.bankroll, "chip")} left`;
    return `${left}, and the least bet is ${least}. Sit down again to get new ones.`;
  }
  if (notice?.word === "ended") return noticeText(notice);
  return "The dealer has ended the game: all its rounds are dealt, or it was stopped. Try to sit down again.";
}

/**
 * Until when the seats of those who are away are kept; empty if nobody is away.
 *
 * @param {Table} table
 * @param {Date} [now]
 */
export function awayText({ seats }, now = new Date()) {
  const away = seats.filter((seat) => seat.name !== null && seat.away && !seat.bot);
  const first = away.reduce(
    (best, seat) =>
      (seat.kept ?? Number.POSITIVE_INFINITY) < (best?.kept ?? Number.POSITIVE_INFINITY) ? seat : best,
    away[0],
  );
  if (first === undefined) return "";
  const kept = first.kept ?? null;
  const until = kept === null ? "for now" : `${untilText(kept, now)} at the latest`;
  return `${first.name} is away: that seat is kept ${until}.`;
}

/**
 * The time of the day `seconds` after `now`, in full minutes that are over by then: "until 21:04".
 *
 * @param {number} seconds
 * @param {Date} now
 */
export function untilText(seconds, now) {
  return `until ${timeText(seconds, now)}`;
}

/** The same without a word: "21:04". @param {number} seconds @param {Date} now */
export function timeText(seconds, now) {
  const end = new Date(Math.ceil((now.getTime() + 1000 * seconds) / 60_000) * 60_000);
  return [end.getHours(), end.getMinutes()].map((one) => String(one).padStart(2, "0")).join(":");
}
