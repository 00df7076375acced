// The seats and the dealer on the felt: what a snapshot says, brought into the page with as few changes as it takes.

import { card } from "./cards.js";
import { outcomeWord, resultWord, scoreWord, stateWord, totalWord } from "./words.js";

// Where the others sit, by how many share one side: [left, top] in percent of the felt; the right side mirrors them.
const LEFT_SIDE = [
  [],
  [[14, 45]],
  [[16, 69], [16, 27]],
  [[24, 83], [10, 52], [20, 20]],
  [[25, 86], [9.5, 64], [9.5, 37], [24, 14]],
];
const OWN_PLACE = [50, 77];
const TOP_PLACE = [50, 15];

/** Bring the seats of a table (or null) into `place`. */
export function showSeats(place, table) {
  const count = table?.seats.length ?? 0;
  while (place.children.length > count) place.lastElementChild.remove();
  while (place.children.length < count) place.append(newSeat(place.children.length));
  if (table === null) return;
  const spots = spotsAround(count, table.you ?? 0, table.dealer !== null);
  table.seats.forEach((seat, number) => {
    const element = place.children[number];
    showSeat(element, seat, number, table);
    element.style.setProperty("--left", `${spots[number][0]}%`);
    element.style.setProperty("--top", `${spots[number][1]}%`);
  });
}

// Clockwise from the bottom, where the first one sits: up the left side, and down the right one.
function spotsAround(count, first, hasDealer) {
  const others = count - 1;
  const top = !hasDealer && others % 2 === 1 ? [TOP_PLACE] : [];
  const sides = others - top.length;
  const left = LEFT_SIDE[Math.ceil(sides / 2)];
  const right = LEFT_SIDE[Math.floor(sides / 2)].map(([x, y]) => [100 - x, y]).reverse();
  const around = [OWN_PLACE, ...left, ...top, ...right];
  return Array.from({ length: count }, (_, number) => around[(number - first + count) % count]);
}

function newSeat(number) {
  const seat = make("div", "seat", cardList(), make("p", "who", make("span", "name"), make("span", "kind")));
  seat.append(
    make("p", "hand", make("span", "total"), make("span", "state")),
    make("p", "outcome", make("span", "result"), make("span", "score")),
  );
  seat.dataset.seat = number;
  seat.setAttribute("role", "group");
  return seat;
}

function showSeat(element, seat, number, table) {
  const isOwn = number === table.you;
  const hasTurn = number === table.turn;
  const kind = isOwn ? "you" : seat.bot ? "bot" : "";
  Object.assign(element.dataset, { state: seat.state, turn: hasTurn, own: isOwn, result: seat.result ?? "" });
  element.setAttribute("aria-label", `Seat ${number + 1}${seat.name === null ? ", free" : `: ${seat.name}${kind && `, ${kind}`}`}`);
  if (hasTurn) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
  write(element, ".name", seat.name ?? `Seat ${number + 1}`);
  write(element, ".kind", kind);
  write(element, ".total", totalWord(seat));
  write(element, ".state", seat.result !== null && !["bust", "natural"].includes(seat.state) ? "" : stateWord(seat, hasTurn));
  write(element, ".result", resultWord(seat.result));
  write(element, ".score", scoreWord(seat));
  const isDoubled = seat.result !== null && outcomeWord(seat.result).toLowerCase() === stateWord(seat, hasTurn);
  element.querySelector(".state").hidden = isDoubled;
  showCards(element.querySelector(".cards"), seat.name === null ? [] : seat.cards, !isOwn);
}

/** Bring the dealer's hand into its place; a table without a dealer has none to show. */
export function showDealer(element, table) {
  const dealer = table?.dealer ?? null;
  element.hidden = table !== null && dealer === null;
  element.dataset.turn = table?.phase === "playing" && table.turn === null && table.round > 0;
  write(element, ".total", totalWord({ total: dealer?.total ?? null, soft: false }));
  write(element, ".state", (dealer?.total ?? 0) > 21 ? "bust" : "");
  showCards(element.querySelector(".cards"), dealer?.cards ?? [], false);
}

function showCards(list, names, isCompact) {
  while (list.children.length > names.length) list.lastElementChild.remove();
  names.forEach((name, number) => {
    const item = list.children[number] ?? list.appendChild(document.createElement("li"));
    const old = item.firstElementChild;
    const label = name ?? "face-down";
    const size = isCompact ? "compact" : "full";
    if (old?.dataset.card === label && item.dataset.size === size) return;
    item.dataset.size = size;
    // A card that was face down is turned; any other comes flying.
    item.dataset.move = old?.dataset.card === "face-down" ? "turned" : "dealt";
    item.style.setProperty("--order", number);
    item.replaceChildren(card(name, isCompact));
  });
}

function cardList() {
  return make("ul", "cards");
}

function make(tag, name, ...children) {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...children);
  return element;
}

function write(element, selector, text) {
  const place = element.querySelector(selector);
  if (place.textContent !== text) place.textContent = text;
}
