// The menu: which table you want. The session does what is chosen.

import { byId, write } from "../shared/elements.js";
import { browser } from "../shared/memory.js";
import { freeSeats, ownSeat } from "../table/game.js";
import { noticeText, seatOffer, statusText } from "../table/words.js";

/**
 * Make the menu work.
 *
 * @param {Session} session
 */
export function startMenu(session) {
  const dialog = byId("menu", HTMLDialogElement);
  const name = byId("name", HTMLInputElement);
  const lastName = browser.read("name");
  name.value = typeof lastName === "string" ? lastName : "guest";
  byId("opponent").addEventListener("change", fitDecks);
  byId("seats").addEventListener("input", limitBots);
  limitBots();
  byId("close-menu").addEventListener("click", () => dialog.close());
  byId("leave").addEventListener("click", () => session.leave());
  byId("menu-form").addEventListener("submit", (event) => {
    event.preventDefault();
    browser.write("name", name.value);
    const wantsFreeSeat = event.submitter?.id === "take-seat" && !byId("free-seat").hidden;
    session.takeSeat(name.value, wantsFreeSeat ? null : choices());
  });

  return {
    show() {
      if (!dialog.open) dialog.showModal();
    },

    /**
     * Keep the menu up to date.
     *
     * @param {State} state
     * @param {State} before the state before this one
     */
    update(state, before) {
      const free = freeSeats(state);
      byId("free-seat").hidden = free === 0;
      write("seat-offer", free === 0 ? "" : seatOffer(state));
      const isBusy = state.connection !== "open" || state.sitting === "asking";
      write("menu-status", isBusy ? statusText(state) : noticeText(state.notice));
      const isSeated = ownSeat(state) !== null;
      write("leaving-note", isSeated ? "A new game gives up your seat; a hand in play is lost." : "");
      const isSeatedNow = state.sitting === "yes" && before.sitting !== "yes";
      const wasWaiting = ["asking", "returning", "leaving"].includes(before.sitting);
      if (isSeatedNow && dialog.open) {
        dialog.close();
        byId("actions").focus(); // so that the keyboard goes on from there
      } else if (state.sitting === "no" && wasWaiting) this.show();
    },
  };
}

/** @returns {Choices} */
function choices() {
  /** @param {string} id */
  const chosen = (id) => byId(id, HTMLSelectElement).value;
  /** @param {string} id */
  const typed = (id) => byId(id, HTMLInputElement).value;
  return {
    opponent: chosen("opponent"),
    seats: typed("seats"),
    bots: typed("bots"),
    botPolicy: chosen("bot-policy"),
    decks: chosen("decks"),
    practice: byId("practice", HTMLInputElement).checked,
    bets: typed("bets"),
    rules: typed("more-rules"),
  };
}

// As many decks as usual, unless another number is chosen afterwards.
function fitDecks() {
  const opponent = byId("opponent", HTMLSelectElement).value;
  const usual = { reno: "1", vegas: "6", europe: "6" }[opponent];
  byId("decks", HTMLSelectElement).value = usual ?? "4";
}

// One seat is for you.
function limitBots() {
  const [seats, bots] = [byId("seats", HTMLInputElement), byId("bots", HTMLInputElement)];
  bots.max = String(Math.max(0, Number(seats.value) - 1));
  if (Number(bots.value) > Number(bots.max)) bots.value = bots.max;
}
