// The menu: which table you want. It asks, and leaves the doing to the session.

import { freeSeats, ownSeat } from "./game.js";
import { browser } from "./memory.js";
import { complaint, expectation, seatOffer } from "./words.js";

const byId = (id) => document.getElementById(id);

/** Make the menu work, given the session; returns what shows it and what keeps it up to date. */
export function startMenu(session) {
  const dialog = byId("menu");
  const [name, seats, bots] = ["name", "seats", "bots"].map(byId);
  name.value = browser.read("name") ?? "guest";
  seats.addEventListener("input", () => leaveASeat(seats, bots));
  leaveASeat(seats, bots);
  byId("close-menu").addEventListener("click", () => dialog.close());
  byId("leave").addEventListener("click", () => session.leave());
  byId("menu-form").addEventListener("submit", (event) => {
    event.preventDefault();
    browser.write("name", name.value);
    const button = event.submitter;
    const wantsFreeSeat = button?.id === "take-seat" && !byId("free-seat").hidden;
    session.takeSeat(name.value, wantsFreeSeat ? null : choices());
  });
  return { show: () => dialog.open || dialog.showModal(), update };

  function update(state, before) {
    const free = freeSeats(state);
    byId("free-seat").hidden = free === 0;
    write("seat-offer", free === 0 ? "" : seatOffer(state));
    const isBusy = state.connection !== "open" || state.sitting === "asking";
    write("menu-status", isBusy ? expectation(state) : complaint(state.error));
    write("leaving-note", ownSeat(state) === null ? "" : "You leave your seat by it; a hand in play is lost.");
    const isSeatedNow = state.sitting === "yes" && before.sitting !== "yes";
    const isWithoutSeat = state.sitting === "no" && ["asking", "returning", "leaving"].includes(before.sitting);
    if (isSeatedNow && dialog.open) {
      dialog.close();
      byId("actions").focus(); // the keyboard goes where the play goes on
    } else if (isWithoutSeat && !dialog.open) dialog.showModal();
  }
}

function choices() {
  const value = (id) => byId(id).value;
  return {
    opponent: value("opponent"),
    seats: value("seats"),
    bots: value("bots"),
    botPolicy: value("bot-policy"),
    decks: value("decks"),
    practice: byId("practice").checked,
  };
}

// One seat is yours.
function leaveASeat(seats, bots) {
  bots.max = String(Math.max(0, Number(seats.value) - 1));
  if (Number(bots.value) > Number(bots.max)) bots.value = bots.max;
}

function write(id, text) {
  const place = byId(id);
  if (place.textContent !== text) place.textContent = text;
}
