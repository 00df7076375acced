// A round that is over, shown step by step.
//
// This module also stands in pages of their own, with all that it imports, as one script: tournament.results.viewer
// gives them the names `showRound(element, line)` and `followLinks(element, lines)`. Such a page needs the rules of
// replay.css and of cards.css. Nothing else is needed, and nothing is fetched.

import { card } from "../shared/cards.js";
import { made, pressable } from "../shared/elements.js";
import { totalOf } from "../shared/hand.js";
import { minus } from "../shared/numbers.js";
import { decisionName, LETTERS, outcomeName, totalText } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { dearestOf, questionsInOrder, stepsOf } from "./steps.js";

/**
 * Show a round in an element, and let it be moved by buttons, and by the arrow keys while the focus is inside.
 *
 * @param {HTMLElement} element whose content is replaced
 * @param {Line} line
 * @returns {RoundView}
 * @throws {Error} if it is no round; the message is a sentence
 */
export function showRound(element, line) {
  const steps = stepsOf(line);
  const last = steps.length - 1;
  const table = made("div", { class: "replay-table" });
  const sentence = made("p", { class: "replay-text", role: "status" });
  const place = made("span", { class: "replay-place" });
  const cost = made("p", { class: "replay-cost" });
  let now = 0;
  /** @param {number} step */
  const go = (step) => {
    now = Math.max(0, Math.min(last, step));
    const shown = /** @type {Step} */ (steps[now]);
    sentence.textContent = shown.text;
    place.textContent = text("replay.place", { step: now, last });
    cost.textContent = shown.cost === null ? "" : text("replay.cost-so-far", { cost: shown.cost.toFixed(4) });
    table.replaceChildren(...seatsOf(shown, line));
    for (const button of [start, back]) button.setAttribute("aria-disabled", String(now === 0));
    on.setAttribute("aria-disabled", String(now === last));
  };
  const start = pressable(text("replay.start"), () => go(0));
  const back = pressable(text("replay.back"), () => go(now - 1), { "aria-keyshortcuts": "ArrowLeft" });
  const on = pressable(text("replay.next"), () => go(now + 1), { "aria-keyshortcuts": "ArrowRight" });
  start.prepend(icon("◂◂"), " ");
  back.prepend(icon("◂"), " ");
  on.append(" ", icon("▸"));
  element.replaceChildren(
    made("div", { class: "replay-bar" }, start, back, place, on),
    sentence,
    table,
    cost,
  );
  element.classList.add("replay");
  element.onkeydown = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(now + way);
  };
  go(0);
  return {
    get step() {
      return now;
    },
    steps,
    go,
  };
}

/**
 * Show the round that the page's address names after `#round=`, as `TABLE.ROUND`, now and whenever it changes. It
 * opens at the decision that cost most.
 *
 * @param {HTMLElement} element
 * @param {Line[]} lines
 */
export function followLinks(element, lines) {
  const follow = () => {
    const wanted = /^#round=(\d+)\.(\d+)$/.exec(location.hash);
    if (wanted === null) return;
    const line = lines.find((one) => one.table === Number(wanted[1]) && one.round === Number(wanted[2]));
    if (line === undefined) {
      element.replaceChildren(made("p", { class: "replay-text" }, text("replay.not-in-page")));
    } else {
      const view = showRound(element, line);
      view.go(dearestOf(view.steps));
    }
    element.tabIndex = -1;
    element.focus();
    element.scrollIntoView({ block: "nearest" });
  };
  addEventListener("hashchange", follow);
  follow();
}

/** @param {string} sign for the eye only */
function icon(sign) {
  return made("span", { "aria-hidden": "true" }, sign);
}

/** @param {Step} step @param {Line} line @returns {HTMLElement[]} */
function seatsOf(step, line) {
  const seats = step.seats.map((seat, number) => seatShown(seat, number, step, line));
  if (step.dealer.length === 0 && !line.records.some(({ record }) => record === "upcard")) return seats;
  const isWhole = step.dealer.length > 0 && !step.dealer.includes(null);
  const total = isWhole ? totalText(totalOf(step.dealer, line.rules.ace)) : "";
  const dealer = group(text("replay.dealer"), "replay-dealer", cardsShown(step.dealer));
  dealer.append(made("p", { class: "replay-total" }, total));
  return [dealer, ...seats];
}

/** @param {StepSeat} seat @param {number} number @param {Step} step @param {Line} line */
function seatShown(seat, number, step, line) {
  const bet = line.seats[number]?.bet;
  const facts = [
    bet ? text("replay.bet", { bet: Number(bet) }) : "",
    seat.insured ? text("replay.insured") : "",
    seat.outcome && seat.payoff ? resultText(seat.outcome, seat.payoff) : "",
  ];
  const hands = seat.hands.map((hand, at) => {
    const isNow = step.seat === number && step.hand === at;
    return handShown(hand, text("replay.hand", { hand: at + 1, hands: seat.hands.length }), isNow, line);
  });
  const shown = group(seat.name, "replay-seat", made("div", { class: "replay-hands" }, ...hands));
  Object.assign(shown.dataset, { outcome: seat.outcome ?? "", split: String(seat.hands.length > 1) });
  shown.append(
    made("p", { class: "replay-facts" }, facts.filter(Boolean).join(", ")),
    decisionsShown(number, step, line),
  );
  if (step.seat === number) shown.setAttribute("aria-current", "step");
  return shown;
}

/** @param {string} outcome @param {string} payoff */
function resultText(outcome, payoff) {
  return text("replay.result", { outcome: outcomeName(outcome), payoff: minus(payoff) });
}

/** @param {StepHand} hand @param {string} label @param {boolean} isNow @param {Line} line */
function handShown({ cards, stake, outcome, payoff }, label, isNow, line) {
  const facts = [
    cards.length > 0 ? totalText(totalOf(cards, line.rules.ace)) : "",
    stake > 1 ? text("replay.stake", { stake }) : "",
    outcome && payoff ? resultText(outcome, payoff) : "",
  ];
  const shown = made(
    "div",
    { class: "replay-hand", role: "group", "aria-label": label },
    cardsShown(cards),
    made("p", { class: "replay-total" }, facts.filter(Boolean).join(", ")),
  );
  shown.dataset.now = String(isNow);
  return shown;
}

/** A seat's decisions up to this step, with their costs. @param {number} seat @param {Step} step @param {Line} line */
function decisionsShown(seat, step, line) {
  const taken = decisionsBefore(step, line).filter((one) => one.seat === seat);
  return made("ol", { class: "replay-decisions" }, ...taken.map(({ decision }) => decisionShown(decision)));
}

/** @type {WeakMap<Line, { seat: number, decision: Asked }[]>} */
const decided = new WeakMap();

/** @param {Step} step @param {Line} line */
function decisionsBefore(step, line) {
  let all = decided.get(line);
  if (all === undefined) {
    const seats = line.records.filter(({ record }) => record === "decided").map(({ seat }) => seat);
    all = questionsInOrder(line).map((decision, at) => ({ seat: seats[at], decision }));
    decided.set(line, all);
  }
  return all.slice(0, step.decided);
}

/** @param {Asked} asked */
function decisionShown({ decision, late, cost, seconds }) {
  const word = decision ?? "";
  const facts = [
    late ? text("replay.late-short") : "",
    cost === undefined
      ? ""
      : cost > 0
        ? text("replay.cost-short", { cost: cost.toFixed(4) })
        : text("replay.best-short"),
    seconds === undefined ? "" : text("replay.seconds", { seconds: seconds.toFixed(seconds < 1 ? 3 : 1) }),
  ];
  const name = made("b", { class: word in LETTERS ? `kind-${LETTERS[word]}` : null }, decisionName(word));
  return made("li", { class: cost ? "dear" : null }, name, ` ${facts.filter(Boolean).join(", ")}`);
}

/** @param {(string | null)[]} names */
function cardsShown(names) {
  return made("ul", { class: "replay-cards" }, ...names.map((name) => made("li", {}, card(name))));
}

/** @param {string} name @param {string} className @param {Node[]} children */
function group(name, className, ...children) {
  return made("section", { class: className, "aria-label": name }, made("h3", {}, name), ...children);
}
