// The menu: which table you want. It asks, and leaves the doing to the session.

import { byId, write } from "./elements.js";
import { freeSeats, ownSeat } from "./game.js";
import { browser } from "./memory.js";
import { expectation, noticeText, seatOffer } from "./words.js";

/** @typedef {import("./game.js").State} State */
/** @typedef {import("./messages.js").Choices} Choices */

/**
 * Make the menu work.
 *
 * @param {import("./session.js").Session} session
 */
export function startMenu(session) {
  const dialog = byId("menu", HTMLDialogElement);
  const name = byId("name", HTMLInputElement);
  const remembered = browser.read("name");
  name.value = typeof remembered === "string" ? remembered : "guest";
  byId("seats").addEventListener("input", leaveASeat);
  leaveASeat();
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
      write("menu-status", isBusy ? expectation(state) : noticeText(state.notice));
      const isSeated = ownSeat(state) !== null;
      write("leaving-note", isSeated ? "You leave your seat by it; a hand in play is lost." : "");
      const isSeatedNow = state.sitting === "yes" && before.sitting !== "yes";
      const wasWaiting = ["asking", "returning", "leaving"].includes(before.sitting);
      if (isSeatedNow && dialog.open) {
        dialog.close();
        byId("actions").focus(); // the keyboard goes where the play goes on
      } else if (state.sitting === "no" && wasWaiting) this.show();
    },
  };
}

/** @returns {Choices} */
function choices() {
  /** @param {string} id */
  const chosen = (id) => byId(id, HTMLSelectElement).value;
  return {
    opponent: chosen("opponent"),
    seats: byId("seats", HTMLInputElement).value,
    bots: byId("bots", HTMLInputElement).value,
    botPolicy: chosen("bot-policy"),
    decks: chosen("decks"),
    practice: byId("practice", HTMLInputElement).checked,
  };
}

// One seat is yours.
function leaveASeat() {
  const [seats, bots] = [byId("seats", HTMLInputElement), byId("bots", HTMLInputElement)];
  bots.max = String(Math.max(0, Number(seats.value) - 1));
  if (Number(bots.value) > Number(bots.max)) bots.value = bots.max;
}
