// The seats and the dealer: a TABLE, brought into the page with as few changes as possible. felt.js says where they lie.

import { card, indexOf } from "../shared/cards.js";
import { made, setText } from "../shared/elements.js";
import { text } from "../shared/texts.js";
import { stack } from "./chips.js";
import {
  BLACKJACK,
  hasDealerNatural,
  outcomeText,
  resultText,
  scoreText,
  stakeText,
  stateText,
  totalText,
} from "./words.js";

/** @type {WeakMap<HTMLElement, string>} what is shown of each seat: most changes are of one seat alone */
const known = new WeakMap();

/**
 * Show the seats of a table; none without a table.
 *
 * @param {HTMLElement} place
 * @param {Table | null} table
 */
export function showSeats(place, table) {
  fit(place, table?.seats.length ?? 0, newSeat);
  if (table === null) return;
  for (const [number, element] of [...place.children].entries()) {
    const seat = table.seats[number];
    if (element instanceof HTMLElement && seat !== undefined) showSeat(element, seat, number, table);
  }
}

/**
 * Give a place this number of children.
 *
 * @param {HTMLElement} place
 * @param {number} count
 * @param {(number: number) => HTMLElement} create
 */
function fit(place, count, create) {
  while (place.children.length > count) place.lastElementChild?.remove();
  while (place.children.length < count) place.append(create(place.children.length));
}

/** @param {number} number */
function newSeat(number) {
  const marks = line("hand", "total", "state", "stake", "insured", "result");
  const parts = [made("ul", { class: "cards" }), line("who", "name", "kind", "score"), marks];
  const attributes = { class: "seat", role: "group", "data-seat": number };
  return made("div", attributes, ...parts, made("div", { class: "hands" }));
}

// One of several hands, made by splitting.
function newHand() {
  const cards = made("ul", { class: "cards" });
  return made("div", { class: "split", role: "group" }, cards, line("hand", "total", "stake", "result"));
}

/** @param {HTMLElement} element @param {Seat} seat @param {number} number @param {Table} table */
function showSeat(element, seat, number, table) {
  const isOwn = number === table.you;
  const hasTurn = number === table.turn;
  const all = JSON.stringify([seat, isOwn, hasTurn, table.phase, table.hand, stateText(seat, hasTurn)]);
  if (known.get(element) === all) return;
  known.set(element, all);
  const kind = isOwn ? "you" : seat.bot ? "bot" : "";
  // While bets are asked, the last round's hands still lie there; how it ended in all is no news any more.
  const result = table.phase === "betting" ? null : seat.result;
  const { hands = [] } = seat;
  const isSplit = hands.length > 1;
  mark(element, { turn: hasTurn, own: isOwn, result: result ?? "", away: seat.away, split: isSplit });
  name(element, seatName(seat, number + 1, kind));
  markCurrent(element, hasTurn);
  write(element, ".name", seat.name ?? text("felt.seat", { number: number + 1 }));
  write(element, ".kind", kind && text(`felt.${kind}`));
  write(element, ".insured", seat.insured ? text("felt.insured") : "");
  writeAmount(part(element, ".result"), resultText(result, seat.payoff));
  writeAmount(part(element, ".score"), scoreText(seat));
  mark(part(element, ".score"), { chips: seat.bankroll !== undefined });
  // What is true of the first hand is not said of all.
  showHand(element, isSplit ? { ...seat, cards: [], total: null, state: "playing" } : seat, hasTurn);
  part(element, ".cards").hidden = isSplit;
  const isInChips = seat.bankroll !== undefined;
  showStake(part(element, ".stake"), stakedOn(seat, table), isInChips);
  showHands(part(element, ".hands"), isSplit ? hands : [], hasTurn ? table.hand : null);
}

/** @param {Seat} seat @param {number} number @param {"you" | "bot" | ""} kind */
function seatName({ name: player }, number, kind) {
  if (player === null) return text("felt.seat-free", { number });
  const key = kind === "you" ? "felt.your-seat" : kind === "bot" ? "felt.seat-of-bot" : "felt.seat-of";
  return text(key, { number, name: player });
}

/**
 * The stake of a seat: on all its hands, or while bets are asked what has been bet on the next round.
 *
 * @param {Seat} seat
 * @param {Table} table
 * @returns {Pick<Hand, "stake"> | undefined}
 */
function stakedOn({ bet, bankroll, hands = [] }, { phase }) {
  if (phase === "betting") return bet ? { stake: bet } : undefined;
  if (hands.length <= 1) return hands[0];
  if (bankroll === undefined) return undefined;
  return { stake: String(hands.reduce((sum, { stake }) => sum + Number(stake), 0)) };
}

/** @param {HTMLElement} element @param {Seat} seat @param {boolean} hasTurn */
function showHand(element, seat, hasTurn) {
  const state = stateText(seat, hasTurn);
  mark(element, { state: seat.state });
  // A natural is not called soft: nothing is drawn to it.
  writeAmount(part(element, ".total"), totalText({ ...seat, soft: seat.soft && seat.state !== "natural" }));
  const isInResult = seat.result !== null && !["bust", "natural"].includes(seat.state);
  write(element, ".state", isInResult ? "" : state);
  part(element, ".state").hidden = outcomeText(seat.result).toLowerCase() === state.toLowerCase();
  showCards(part(element, ".cards"), seat.name === null ? [] : seat.cards);
}

/**
 * @param {HTMLElement} place
 * @param {Hand[]} hands
 * @param {number | null | undefined} current the number of the one that is played, from 1
 */
function showHands(place, hands, current) {
  fit(place, hands.length, newHand);
  for (const [number, element] of [...place.children].entries()) {
    const hand = hands[number];
    if (!(element instanceof HTMLElement) || hand === undefined) continue;
    const isCurrent = number + 1 === current;
    const state = (hand.total ?? 0) > 21 ? "bust" : "";
    mark(element, { state, turn: isCurrent, result: hand.outcome ?? "" });
    name(element, text("felt.hand-of", { number: number + 1, hands: hands.length }));
    markCurrent(element, isCurrent);
    writeAmount(part(element, ".total"), totalText(hand));
    showStake(part(element, ".stake"), hand, false);
    writeAmount(part(element, ".result"), resultText(hand.outcome, hand.payoff));
    showCards(part(element, ".cards"), hand.cards);
  }
}

/**
 * The text of a stake, beside its chips where bets are in chips.
 *
 * @param {HTMLElement} place
 * @param {Pick<Hand, "stake"> | undefined} hand
 * @param {boolean} isInChips
 */
function showStake(place, hand, isInChips) {
  // Without chips every bet is 1, until it is doubled.
  const shown = isInChips || hand?.stake !== "1" ? stakeText(hand) : "";
  if (writeAmount(place, shown) && isInChips && shown !== "") place.prepend(stack(Number(hand?.stake)));
}

const AMOUNT = /[+\u2212-]?\d+(?:[.,]\d+)*/;

/**
 * A text with an amount in it: the words about it are for screen readers where only the amount has room.
 *
 * @param {HTMLElement} place
 * @param {string} words
 * @returns whether anything changed
 */
function writeAmount(place, words) {
  if (place.textContent === words) return false;
  const found = AMOUNT.exec(words);
  const [amount, at] = [found?.[0] ?? "", found?.index ?? words.length];
  const parts = [words.slice(0, at), amount, words.slice(at + amount.length)];
  const spans = parts.map(
    (one, number) => one && made("span", { class: number === 1 ? "amount" : "words" }, one),
  );
  place.replaceChildren(...spans.filter((one) => one !== ""));
  return true;
}

/**
 * Show the dealer's hand; at a table without a dealer the element is hidden.
 *
 * @param {HTMLElement} element
 * @param {Table | null} table
 */
export function showDealer(element, table) {
  const dealer = table?.dealer ?? null;
  element.hidden = table !== null && dealer === null;
  const isBust = (dealer?.total ?? 0) > 21;
  const isNatural = hasDealerNatural(table);
  mark(element, { turn: hasDealersTurn(table), state: isBust ? "bust" : isNatural ? "natural" : "" });
  write(element, ".total", totalText({ total: dealer?.total ?? null, soft: false }));
  write(element, ".state", isBust ? text("felt.bust") : isNatural ? BLACKJACK : "");
  showCards(part(element, ".cards"), dealer?.cards ?? []);
}

/** @param {Frame | null} table */
function hasDealersTurn(table) {
  return table?.phase === "playing" && table.turn === null && table.round > 0 && !table.isDealing;
}

/** @param {HTMLElement} list @param {(string | null)[]} names */
function showCards(list, names) {
  fit(list, names.length, () => made("li"));
  for (const [number, item] of [...list.children].entries()) {
    if (item instanceof HTMLElement) showCard(item, names[number] ?? null);
  }
}

/** @param {HTMLElement} item @param {string | null} shown */
function showCard(item, shown) {
  const old = item.firstElementChild?.getAttribute("data-card");
  if (old === (shown ?? "face-down")) return;
  // A face-down card is turned over; any other card comes from the shoe.
  item.dataset.move = old === "face-down" ? "turned" : "dealt";
  item.dataset.rank = indexOf(shown);
  item.replaceChildren(card(shown));
}

/** @param {string} kind @param {string[]} parts */
function line(kind, ...parts) {
  return made("p", { class: kind }, ...parts.map((one) => made("span", { class: one })));
}

/** @param {HTMLElement} element @param {Record<string, string | boolean>} values of its data */
function mark({ dataset }, values) {
  for (const [key, value] of Object.entries(values)) {
    if (dataset[key] !== String(value)) dataset[key] = String(value);
  }
}

/** @param {Element} element @param {string} label */
function name(element, label) {
  if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
}

/** @param {Element} element @param {boolean} isCurrent */
function markCurrent(element, isCurrent) {
  if (isCurrent) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
}

/** @param {HTMLElement} element @param {string} selector */
function part(element, selector) {
  const found = element.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new TypeError(`there is no ${selector}`);
  return found;
}

/** @param {HTMLElement} element @param {string} selector @param {string} shown */
function write(element, selector, shown) {
  setText(part(element, selector), shown);
}
