// What the page says, made from the state. Only text: whoever shows it uses textContent.

import { freeSeats, ownSeat } from "./game.js";

const OUTCOMES = { WIN: "Won", PUSH: "Push", LOOSE: "Lost", LOSE: "Lost", BUST: "Bust" };
const PAYOFFS = { WIN: "+1", PUSH: "0", LOOSE: "-1", LOSE: "-1", BUST: "-1" };
const OWN_OUTCOMES = { WIN: "You won", PUSH: "A push", LOOSE: "You lost", LOSE: "You lost", BUST: "You went bust" };
const STATES = {
  empty: "free",
  waiting: "waits",
  playing: "in play",
  standing: "stands",
  bust: "bust",
  natural: "natural",
  forfeited: "gave up",
};
const ACES = { 1: "aces count 1", 11: "aces count 11", either: "aces count 1 or 11" };

/** What is expected of you now, or what you wait for. */
export function expectation(state) {
  const { connection, error } = state;
  if (connection === "connecting") return "Connecting to the dealer.";
  if (connection === "lost") return `Connection lost, trying again. ${complaint(error)}`.trim();
  if (connection === "taken") return "Your seat is played from another tab or window now.";
  if (connection === "ended") return `${complaint(error)} The dealer deals no more for you.`.trim();
  return `${complaint(error)} ${atTable(state)}`.trim();
}

function atTable(state) {
  const { table, sitting } = state;
  if (sitting === "returning") return "Back to your seat.";
  if (sitting === "asking") return "Asking for a seat.";
  if (sitting === "leaving") return "Leaving the table.";
  if (table === null) return sitting === "yes" ? "The round begins." : "Press New game to take a seat.";
  if (state.asked) return yourTurn(state);
  if (table.phase === "closed") return "This table is closed.";
  if (table.phase === "waiting") return waiting(state);
  if (table.phase === "results") return results(state);
  return playing(state);
}

function yourTurn(state) {
  const seat = ownSeat(state);
  if (seat === null || seat.total === null) return "Your turn: hit or stand?";
  const upcard = state.table.dealer?.upcard;
  return `Your turn: you have ${totalWord(seat)}${upcard ? ` against the ${upcard}` : ""}. Hit or stand?`;
}

function waiting(state) {
  if (ownSeat(state) === null) return "The table waits for players. Press New game to take a seat.";
  const others = state.table.seats.filter((seat) => seat.name !== null).length - 1;
  const isShort = state.table.dealer === null && others === 0;
  return isShort ? "Waiting for another player: two are needed." : "Waiting for the next round.";
}

function results(state) {
  const { seats } = state.table;
  const seat = ownSeat(state);
  const slow = seats.filter((one) => one.name !== null && !one.bot && !one.away && !one.ready && one !== seat);
  const wait = seat?.ready && slow.length > 0 ? `Waiting for ${names(slow)}.` : "The next round comes soon.";
  if (seat === null || seat.result === null) return `The round is over. ${wait}`;
  const total = seat.total === null ? "" : ` with ${totalWord(seat)}`;
  return `${OWN_OUTCOMES[seat.result] ?? "Over"}${total}. ${wait}`;
}

function playing(state) {
  const { table } = state;
  const seat = ownSeat(state);
  const asked = table.turn === null ? null : table.seats[table.turn];
  const nobody = table.dealer === null ? "The cards are compared." : "The dealer plays.";
  const now = asked === null ? nobody : asked === seat ? "Your answer is on its way." : `${asked.name} is to decide.`;
  return seat?.state === "waiting" ? `You are dealt in with the next round. ${now}` : now;
}

function names(seats) {
  return seats.map((seat) => seat.name).join(", ");
}

/** The dealer's last complaint, if there is one. */
export function complaint(error) {
  return error && `The dealer says: ${error}${/[.!?]$/.test(error) ? "" : "."}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function totalWord({ total, soft }) {
  return total === null || total === undefined ? "" : `${soft ? "soft " : ""}${total}`;
}

export function stateWord(seat, hasTurn) {
  if (seat.name === null) return "free";
  const state = hasTurn ? "to decide" : STATES[seat.state] ?? seat.state;
  return seat.away ? `${state}, away` : state;
}

export function outcomeWord(result) {
  return OUTCOMES[result] ?? "";
}

export function resultWord(result) {
  return result === null ? "" : `${outcomeWord(result)} ${PAYOFFS[result] ?? ""}`;
}

export function scoreWord({ name, score, rounds }) {
  return name === null || !rounds ? "" : `score ${score > 0 ? "+" : ""}${score}`;
}

export function hintWord(hint) {
  if (hint === null) return "";
  const [better, other] = hint.decision === "HIT" ? ["Hit", "Standing"] : ["Stand", "Hitting"];
  if (!(hint.cost > 0)) return `${better}, or not: both are worth the same.`;
  return `${better}. ${other} would cost ${hint.cost.toFixed(3)} of a bet.`;
}

/** The rules in one line. */
export function rulesLine(rules) {
  if (rules === null) return "";
  const { decks, reshuffle, ace } = rules;
  const parts = [decks === "inf" ? "infinite deck" : `${decks} ${String(decks) === "1" ? "deck" : "decks"}`];
  if (decks !== "inf") parts.push(shuffled(reshuffle));
  parts.push(ACES[ace] ?? `aces ${ace}`);
  if (rules["dealer-stands"] === "all17") parts.push("the dealer stands on every 17");
  if (rules["dealer-stands"] === "hard17") parts.push("the dealer draws on a soft 17");
  if (rules.naturals === "beat") parts.push("a natural beats any other 21");
  return `${capital(String(rules.preset))} rules: ${parts.join(", ")}.`;
}

function shuffled(reshuffle) {
  const [way, amount] = String(reshuffle).split(":");
  if (way === "cutoff") return `shuffled below ${amount} cards`;
  if (way === "penetration") return `shuffled when ${Math.round(100 * Number(amount))} % is dealt`;
  return "shuffled every round";
}

/** What the menu says of a seat that can be taken at once. */
export function seatOffer(state) {
  const free = freeSeats(state);
  if (free === null) return `The dealer has a table for you. ${rulesLine(state.rules)}`;
  const { table } = state;
  const players = names(table.seats.filter((seat) => seat.name !== null));
  const seats = free === 1 ? "a free seat" : `${free} free seats`;
  return `Table ${table.table} has ${seats}${players && `, beside ${players}`}. ${rulesLine(table.rules)}`;
}
