// The seats and the dealer: a TABLE, brought into the page with as few changes as possible.

import { card } from "../shared/cards.js";
import { setText } from "../shared/elements.js";
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

// Where other players sit on the left side, by how many share it; the right side mirrors it.
/** @type {Spot[][]} */ // biome-ignore format: spots on one line
const LEFT_SIDE = [
  [],
  [[14, 45]],
  [[16, 69], [16, 27]],
  [[24, 83], [10, 52], [20, 20]],
  [[25, 86], [9.5, 64], [9.5, 37], [24, 14]],
];
/** @type {Spot} */
const OWN_PLACE = [50, 77];
/** @type {Spot} */
const TOP_PLACE = [50, 15];

/**
 * Show the seats of a table; none without a table.
 *
 * @param {HTMLElement} place
 * @param {Table | null} table
 */
export function showSeats(place, table) {
  const count = table?.seats.length ?? 0;
  fit(place, count, newSeat);
  if (table === null) return;
  const spots = spotsAround(count, table.you ?? 0, table.dealer !== null);
  for (const [number, element] of [...place.children].entries()) {
    const [seat, spot] = [table.seats[number], spots[number]];
    if (!(element instanceof HTMLElement) || seat === undefined || spot === undefined) continue;
    showSeat(element, seat, number, table);
    element.style.setProperty("--left", `${spot[0]}%`);
    element.style.setProperty("--top", `${spot[1]}%`);
  }
}

/**
 * Where each seat is: from the bottom clockwise, up the left side and down the right side.
 *
 * @param {number} count how many seats there are, 1 to 9
 * @param {number} first the number of the seat at the bottom
 * @param {boolean} hasDealer whether the dealer is at the top
 * @returns {Spot[]} in seat order
 */
export function spotsAround(count, first, hasDealer) {
  const others = count - 1;
  const top = !hasDealer && others % 2 === 1 ? [TOP_PLACE] : [];
  const sides = others - top.length;
  const left = LEFT_SIDE[Math.ceil(sides / 2)] ?? [];
  const right = (LEFT_SIDE[Math.floor(sides / 2)] ?? []).map(mirrored).reverse();
  const around = [OWN_PLACE, ...left, ...top, ...right];
  return around.map((_, number) => around[(number - first + count) % count] ?? OWN_PLACE);
}

/**
 * @param {Spot} spot
 * @returns {Spot}
 */
function mirrored([left, top]) {
  return [100 - left, top];
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
  const seat = make("div", "seat", make("ul", "cards"), line("who", "name", "kind", "score"));
  seat.append(line("hand", "total", "state", "stake", "insured", "result"), make("div", "hands"));
  seat.dataset.seat = String(number);
  seat.setAttribute("role", "group");
  return seat;
}

// One of several hands, made by splitting.
function newHand() {
  const hand = make("div", "split", make("ul", "cards"), line("hand", "total", "stake", "result"));
  hand.setAttribute("role", "group");
  return hand;
}

/** @param {HTMLElement} element @param {Seat} seat @param {number} number @param {Table} table */
function showSeat(element, seat, number, table) {
  const isOwn = number === table.you;
  const hasTurn = number === table.turn;
  const kind = isOwn ? "you" : seat.bot ? "bot" : "";
  Object.assign(element.dataset, { turn: hasTurn, own: isOwn, result: seat.result ?? "" });
  const who = seat.name === null ? ", free" : `: ${seat.name}${kind && `, ${kind}`}`;
  element.setAttribute("aria-label", `Seat ${number + 1}${who}`);
  markCurrent(element, hasTurn);
  write(element, ".name", seat.name ?? `Seat ${number + 1}`);
  write(element, ".kind", kind);
  write(element, ".insured", seat.insured ? "insured" : "");
  // While bets are asked, the last round's hands still lie there; how it ended in all is no news any more.
  const result = table.phase === "betting" ? null : seat.result;
  write(element, ".result", resultText(result, seat.payoff));
  showAmount(part(element, ".score"), scoreText(seat), seat.bankroll);
  element.dataset.away = String(seat.away);
  const { hands = [] } = seat;
  const isSplit = hands.length > 1;
  // What is true of the first hand is not said of all.
  showHand(element, isSplit ? { ...seat, cards: [], total: null, state: "playing" } : seat, hasTurn);
  part(element, ".cards").hidden = isSplit;
  const isInChips = seat.bankroll !== undefined;
  showStake(part(element, ".stake"), stakedOn(seat, table), isInChips);
  showHands(part(element, ".hands"), isSplit ? hands : [], hasTurn ? table.hand : null, isInChips);
}

/**
 * The hand whose stake is shown at a seat: while bets are asked, what has been bet on the next round.
 *
 * @param {Seat} seat
 * @param {Table} table
 * @returns {Pick<Hand, "stake"> | undefined}
 */
function stakedOn({ bet, hands = [] }, { phase }) {
  if (phase === "betting") return bet ? { stake: bet } : undefined;
  return hands.length > 1 ? undefined : hands[0];
}

/** @param {HTMLElement} element @param {Seat} seat @param {boolean} hasTurn */
function showHand(element, seat, hasTurn) {
  const state = stateText(seat, hasTurn);
  element.dataset.state = seat.state;
  // A natural is not called soft: nothing is drawn to it.
  write(element, ".total", totalText({ ...seat, soft: seat.soft && seat.state !== "natural" }));
  const isInResult = seat.result !== null && !["bust", "natural"].includes(seat.state);
  write(element, ".state", isInResult ? "" : state);
  part(element, ".state").hidden = outcomeText(seat.result).toLowerCase() === state;
  showCards(part(element, ".cards"), seat.name === null ? [] : seat.cards);
}

/** @param {Element} element @param {boolean} isCurrent */
function markCurrent(element, isCurrent) {
  if (isCurrent) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
}

/**
 * @param {HTMLElement} place
 * @param {Hand[]} hands
 * @param {number | null | undefined} current the number of the one that is played, from 1
 * @param {boolean} isInChips
 */
function showHands(place, hands, current, isInChips) {
  fit(place, hands.length, newHand);
  for (const [number, element] of [...place.children].entries()) {
    const hand = hands[number];
    if (!(element instanceof HTMLElement) || hand === undefined) continue;
    const isCurrent = number + 1 === current;
    const state = (hand.total ?? 0) > 21 ? "bust" : "";
    Object.assign(element.dataset, { state, turn: isCurrent, result: hand.outcome ?? "" });
    element.setAttribute("aria-label", `Hand ${number + 1} of ${hands.length}`);
    markCurrent(element, isCurrent);
    write(element, ".total", totalText(hand));
    showStake(part(element, ".stake"), hand, isInChips);
    write(element, ".result", resultText(hand.outcome, hand.payoff));
    showCards(part(element, ".cards"), hand.cards);
  }
}

/**
 * What is at stake: its text, beside its chips where bets are in chips.
 *
 * @param {HTMLElement} place
 * @param {Pick<Hand, "stake"> | undefined} hand
 * @param {boolean} isInChips
 */
function showStake(place, hand, isInChips) {
  // Without chips every bet is 1, until it is doubled.
  const text = isInChips || hand?.stake !== "1" ? stakeText(hand) : "";
  if (showAmount(place, text, isInChips ? hand?.stake : undefined) && isInChips && text !== "") {
    place.prepend(stack(Number(hand?.stake)));
  }
}

/**
 * A text that ends with an amount: the words before it are for screen readers, chips are seen instead.
 *
 * @param {HTMLElement} place
 * @param {string} text
 * @param {string | undefined} amount none where nothing is in chips
 * @returns whether anything changed
 */
function showAmount(place, text, amount) {
  const isSame = place.textContent === text && place.dataset.amount === String(amount);
  if (isSame) return false;
  place.dataset.amount = String(amount);
  const [words, number] = [make("span", "unseen"), make("span", "amount")];
  words.textContent = text.slice(0, text.length - (amount?.length ?? 0));
  number.textContent = amount ?? "";
  place.replaceChildren(...(amount === undefined || text === "" ? [text] : [words, number]));
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
  element.dataset.turn = String(hasDealersTurn(table));
  const isBust = (dealer?.total ?? 0) > 21;
  element.dataset.state = isBust ? "bust" : hasDealerNatural(table) ? "natural" : "";
  write(element, ".total", totalText({ total: dealer?.total ?? null, soft: false }));
  write(element, ".state", isBust ? "bust" : hasDealerNatural(table) ? BLACKJACK : "");
  showCards(part(element, ".cards"), dealer?.cards ?? []);
}

/** @param {Frame | null} table */
function hasDealersTurn(table) {
  return table?.phase === "playing" && table.turn === null && table.round > 0 && !table.isDealing;
}

/** @param {HTMLElement} list @param {(string | null)[]} names */
function showCards(list, names) {
  fit(list, names.length, () => document.createElement("li"));
  list.style.setProperty("--cards", String(names.length));
  for (const [number, item] of [...list.children].entries()) {
    if (item instanceof HTMLElement) showCard(item, names[number] ?? null);
  }
}

/** @param {HTMLElement} item @param {string | null} name */
function showCard(item, name) {
  const old = item.firstElementChild?.getAttribute("data-card");
  if (old === (name ?? "face-down")) return;
  // A face-down card is turned over; any other card comes from the shoe.
  item.dataset.move = old === "face-down" ? "turned" : "dealt";
  item.replaceChildren(card(name));
}

/** @param {string} name @param {string[]} parts */
function line(name, ...parts) {
  return make("p", name, ...parts.map((one) => make("span", one)));
}

/** @param {string} tag @param {string} name @param {Node[]} children */
function make(tag, name, ...children) {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...children);
  return element;
}

/** @param {HTMLElement} element @param {string} selector */
function part(element, selector) {
  const found = element.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new TypeError(`there is no ${selector}`);
  return found;
}

/** @param {HTMLElement} element @param {string} selector @param {string} text */
function write(element, selector, text) {
  setText(part(element, selector), text);
}
