// Where each button of the start asks for a seat: places to try one after the other. Nothing here touches the document.

/** A table of one's own: with chips, hints and three bots, so that it begins at once. */
const OWN_TABLE = "OPEN preset=vegas bets=10-500 bankroll=1000 seats=4 bots=3 practice=on players=1";
/** A table that waits for friends, until somebody there starts it. */
const FRIENDS_TABLE = "OPEN preset=vegas bets=10-500 bankroll=1000 seats=5 bots=0";

/** At whichever of the dealer's own tables has room. @type {Destination} */
const ANY = {};

/**
 * The places where a game begins with one click: at the table that the link leads to, at one of the dealer's own that
 * begins at once, at a table of one's own, or at any of the dealer's.
 *
 * @param {Rules} rules of the dealer's own tables
 * @param {Tables} tables
 * @param {number | null} linked the number of the table in the page's address
 * @returns {Destination[]}
 */
export function toPlayNow(rules, { opens, tables }, linked) {
  const here = tables.filter(({ table, free }) => table === linked && free > 0).map(seatAt);
  const own = opens ? [{ opening: OWN_TABLE }] : [];
  if (rules.seats === "1") return [...here, ANY, ...own];
  // Tables that players have opened are for their guests.
  const begins = tables.filter((each) => !each.opened && beginsAtOnce(each)).map(seatAt);
  return [...here, ...begins, ...own, ANY];
}

/**
 * The places where friends can meet: a table of their own, or one of the dealer's. None where everybody has a table
 * alone.
 *
 * @param {Rules} rules of the dealer's own tables
 * @param {Tables} tables
 * @returns {Destination[]}
 */
export function toMeetFriends(rules, { opens }) {
  const own = opens ? [{ opening: FRIENDS_TABLE }] : [];
  return rules.seats === "1" ? own : [...own, ANY];
}

/**
 * The places for new chips: the same table, an equal one, or where one would play now.
 *
 * @param {Rules} rules of the dealer's own tables
 * @param {Tables} tables
 * @param {{ table: number | null, opening: string | null }} last where the chips were lost, and how it was opened
 * @returns {Destination[]}
 */
export function toPlayAgain(rules, tables, { table, opening }) {
  const equal = opening !== null && tables.opens ? [{ opening }] : [];
  const same = tables.tables.filter((each) => each.table === table && each.free > 0).map(seatAt);
  return [...same, ...equal, ...toPlayNow(rules, tables, null)];
}

/**
 * Whether a game begins as soon as one more sits there, or wants it. Without a dealer two are needed: where a table
 * waits for all seats, one of them may be a bot.
 *
 * @param {TableSummary} summary
 */
function beginsAtOnce({ free, waits_for, may_start, rules }) {
  const isForBots = rules["dealer-stands"] === "none" && waits_for === free;
  return free > 0 && (may_start === true || waits_for <= 1 || isForBots);
}

/** @param {TableSummary} summary @returns {Destination} */
function seatAt({ table }) {
  return { table };
}
