// Gives everything on the felt its place, for the room that the felt has. No layout is read for this: the browser tells
// the size of the felt once it has laid out the page.

import { byId } from "../shared/elements.js";
import { placesOn } from "./boxes.js";
import { cardWidth, isRoomy } from "./measures.js";

/** @typedef {import("./measures.js").SeatBox} SeatBox */

/** @type {import("./boxes.js").Felt | null} */
let felt = null;
/** @type {import("./boxes.js").Boxes | null} */
let places = null;
/** @type {Table | null} */
let shown = null;
let known = "";
let panel = 0; // the height of the actions, in pixels
let isWatching = false;

function watchSizes() {
  new ResizeObserver(([entry]) => {
    if (!entry) return;
    const { width, height } = entry.contentRect;
    const em = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    felt = { width: Math.floor(width), height: Math.floor(height), em };
    arrange(shown);
  }).observe(byId("table"));
  // The start and the invitation have the room of the cards, and come when they like.
  new MutationObserver(() => arrange(shown)).observe(byId("middle"), {
    attributeFilter: ["hidden"],
    subtree: true,
  });
  new ResizeObserver(([entry]) => {
    panel = entry?.borderBoxSize[0]?.blockSize ?? 0;
    const own = document.querySelector('.seat[data-bottom="true"]');
    if (own instanceof HTMLElement) noteActions(own);
  }).observe(byId("actions"));
}

/**
 * Place the seats of a table, which are in the document.
 *
 * @param {Table | null} table
 */
export function arrange(table) {
  shown = table;
  if (!isWatching) watchSizes();
  isWatching = true;
  if (felt === null) return;
  const round = roundOf(table);
  const key = JSON.stringify([felt, round]);
  const isNew = key !== known;
  const found = isNew || places === null ? placesOn(felt, round) : places;
  [places, known] = [found, key];
  if (isNew) arrangeAround(found, round.isWaiting);
  for (const [number, element] of [...byId("seats-on-table").children].entries()) {
    const place = found.seats[number];
    if (!(element instanceof HTMLElement) || !place) continue;
    const isAtBottom = number === round.own;
    if (isNew || element.dataset.form === undefined) arrangeSeat(element, place, isAtBottom);
    setHands(element, place, handsOf(table?.seats[number]), isAtBottom);
  }
}

/** @param {Table | null} table @returns {import("./boxes.js").Round} */
function roundOf(table) {
  return {
    count: table?.seats.length || 1,
    own: table?.you ?? 0,
    hasDealer: table === null || table.dealer !== null,
    isWaiting: ["start", "waiting"].some((id) => !byId(id).hidden),
  };
}

/** @param {Seat | undefined} seat */
function handsOf(seat) {
  return Math.max(1, seat?.hands?.length ?? 1);
}

/**
 * From the middle of the dealer to that of a seat, in pixels from the felt's corner.
 *
 * @param {number} seat
 */
export function wayFromDealer(seat) {
  const from = places?.dealer;
  const to = places?.seats[seat];
  return from && to ? { from: middle(from), to: middle(to) } : null;
}

/** @param {import("./measures.js").Box} box */
function middle({ left, top, width, height }) {
  return { x: left + width / 2, y: top + height / 2 };
}

/** @param {import("./boxes.js").Boxes} found @param {boolean} isWaiting */
function arrangeAround({ dealer, middle: free, room, text, shoe }, isWaiting) {
  byId("table").dataset.waiting = String(isWaiting);
  byId("shoe").hidden = shoe === null;
  if (shoe !== null) put(byId("shoe"), shoe);
  put(byId("dealer"), dealer);
  put(byId("middle"), free);
  byId("middle").dataset.room = room;
  byId("table").style.setProperty("--letters", `${text}px`);
  setSize(byId("dealer"), cardWidth(dealer, 1, 1));
}

/** @param {HTMLElement} element @param {SeatBox} place @param {boolean} isAtBottom */
function arrangeSeat(element, place, isAtBottom) {
  put(element, place);
  element.dataset.form = place.form;
  element.dataset.bottom = String(isAtBottom);
  noteActions(element);
  element.style.setProperty("--letters", `${place.text}px`);
  const { x, y } = middle(place);
  element.style.setProperty("--from-x", `${Math.round(0.94 * (felt?.width ?? 0) - x)}px`);
  element.style.setProperty("--from-y", `${Math.round(-y)}px`);
}

// One's hand is brought into sight above the actions.
/** @param {HTMLElement} element */
function noteActions({ style }) {
  style.setProperty("--actions", `${panel}px`);
}

/** @param {HTMLElement} element @param {import("./measures.js").Box} box */
function put({ style }, { left, top, width, height }) {
  style.left = `${left}px`;
  style.top = `${top}px`;
  style.width = `${width}px`;
  style.height = `${height}px`;
}

/** @param {HTMLElement} element @param {SeatBox} place @param {number} hands @param {boolean} isAtBottom */
function setHands(element, place, hands, isAtBottom) {
  const hasLines = isAtBottom && hands > 1 && isRoomy(place, hands);
  setSize(element, cardWidth(place, hands, hands === 1 ? 2 : hasLines ? 4 : 3));
  if (element.dataset.roomy !== String(hasLines)) element.dataset.roomy = String(hasLines);
}

/** @param {HTMLElement} element @param {number} pixels the width of its cards */
function setSize({ style }, pixels) {
  const size = `${pixels}px`;
  if (style.getPropertyValue("--size") !== size) style.setProperty("--size", size);
}
