// The bet panel: a number, chips to add to it, and the last bet again.

import { byId, made } from "../shared/elements.js";
import { tab } from "../shared/memory.js";
import { text } from "../shared/texts.js";
import { offered, stack } from "./chips.js";

/** The last bet; 0 if there was none. */
function last() {
  const kept = Number(tab.read("bet"));
  return Number.isInteger(kept) && kept > 0 ? kept : 0;
}

/**
 * Make the panel work.
 *
 * @param {(chips: number) => void} onBet called with a bet that is within the limits
 */
export function startBetting(onBet) {
  const form = byId("bet-form", HTMLFormElement);
  const bet = byId("bet", HTMLInputElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tab.write("bet", bet.valueAsNumber);
    onBet(bet.valueAsNumber);
  });
  form.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button?.value) add(bet, Number(button.value));
    else if (button?.dataset.bet) act(button.dataset.bet);
    showChips(bet);
  });
  form.addEventListener("input", () => showChips(bet));
  // Letters mean nothing in a number, so the keys of the panel work there too.
  bet.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const button = form.querySelector(`[aria-keyshortcuts="${CSS.escape(event.key.toUpperCase())}"]`);
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    button.click();
  });

  /** @param {string} what */
  function act(what) {
    if (what === "clear") bet.value = "";
    if (what === "max") bet.value = bet.max;
    if (what !== "rebet") return;
    bet.value = String(last());
    form.requestSubmit();
  }
}

/** @param {HTMLInputElement} bet @param {number} chips */
function add(bet, chips) {
  const sum = (bet.valueAsNumber || 0) + chips;
  bet.value = String(Math.min(Number(bet.max), sum));
}

/**
 * Show the panel when a bet is asked: the last bet is ready to be made again.
 *
 * @param {boolean} isAsked
 * @param {Limits | undefined} limits
 */
export function showBet(isAsked, limits) {
  const form = byId("bet-form");
  const wasHidden = form.hidden;
  form.hidden = byId("bet-spot").hidden = !isAsked;
  if (!isAsked || !wasHidden || !limits) return;
  const { minimum, maximum } = limits;
  const bet = byId("bet", HTMLInputElement);
  Object.assign(bet, { min: minimum, max: maximum });
  bet.value = String(Math.min(maximum, Math.max(minimum, last())));
  byId("bet-chips").replaceChildren(...offered(limits).map(chipButton));
  const rebet = form.querySelector('[data-bet="rebet"]');
  if (rebet instanceof HTMLButtonElement) rebet.disabled = !(last() >= minimum && last() <= maximum);
  showChips(bet);
}

// The bet in the field, as chips on the felt; screen readers have the field.
/** @param {HTMLInputElement} bet */
function showChips({ valueAsNumber }) {
  const amount = made("span", { class: "total" }, String(valueAsNumber));
  byId("bet-spot").replaceChildren(...(valueAsNumber > 0 ? [stack(valueAsNumber), amount] : []));
}

/** @param {number} value */
function chipButton(value) {
  const written = value < 1000 ? String(value) : text("felt.thousands", { number: value / 1000 });
  const label = text("felt.add-chips", { chips: String(value) });
  const attributes = { type: "button", class: "chip", value, "data-value": value, "aria-label": label };
  return made("button", attributes, written);
}
