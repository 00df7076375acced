// The results of all rounds on the page: figures, one curve, and the sessions.

import { byId, fact, made, write } from "../shared/elements.js";
import { rounded, signed } from "../shared/numbers.js";
import { text } from "../shared/texts.js";
import { shortly } from "../shared/times.js";
import {
  bankrollsOf,
  mistakePoints,
  running,
  sessionsOf,
  streakPoints,
  streaksOf,
  summaryOf,
} from "./figures.js";
import { drawPlot } from "./plot.js";

const MOST_MARKS = 200; // mistakes on the curve

/** @param {Kept[]} rounds the oldest first, at least one */
export function showSummary(rounds) {
  const all = summaryOf(rounds);
  const { won, clean } = streaksOf(rounds);
  const { pushed, lost } = all;
  /** @type {[import("../shared/texts.js").TextKey, string][]} */
  const facts = [
    ["hands.rounds", rounded(all.rounds)],
    ["hands.won-pushed-lost", `${rounded(all.won)} / ${rounded(pushed)} / ${rounded(lost)}`],
    ["hands.payoff-in-bets", signed(all.payoff)],
    ["hands.mistakes", text("hands.of", { part: all.mistakes, whole: all.decisions })],
    ["hands.cost-in-bets", rounded(all.cost, 3, 3)],
    ["hands.cost-per-100", all.costed === 0 ? "–" : rounded((100 * all.cost) / all.costed, 2, 2)],
    ["hands.streak-won", rounded(won.count)],
    ["hands.streak-clean", rounded(clean.count)],
  ];
  if (all.chips !== null) facts.splice(3, 0, ["hands.chips-won", signed(all.chips)]);
  byId("summary").replaceChildren(...facts.map(([key, value]) => fact(text(key), value)));
  const without = all.rounds - all.costed;
  const notes = [
    text("hands.note-costs"),
    rounds.some(({ hasDealer }) => !hasDealer) ? text("hands.note-showdown") : "",
    without > 0 ? text("hands.note-unknown", { count: without }) : "",
  ];
  write("note", notes.filter(Boolean).join(" "));
}

/** @param {Kept[]} rounds the oldest first, at least one */
export function showResults(rounds) {
  const withBets = rounds.filter(({ bankroll }) => bankroll !== null);
  const select = byId("course", HTMLSelectElement);
  // Safari shows a hidden option all the same: there it is disabled.
  for (const option of select.options)
    option.hidden = option.disabled = option.value === "bankroll" && withBets.length === 0;
  const course = courseOf(rounds, withBets, select.value);
  drawPlot(byId("plot"), course);
  const keys = [
    course.mistakes.length > 0 ? text("hands.key-mistakes") : "",
    course.streak.length > 0 ? text("hands.key-streak") : "",
    course.sessions.some((at) => at > 0) ? text("hands.key-sessions") : "",
    course.lines.length > 1 ? text("hands.key-bankrolls") : "",
  ];
  write("key", keys.filter(Boolean).join(" "));
  byId("sessions").replaceChildren(...sessionsOf(rounds).map(sessionRow));
}

/** @param {Kept[]} rounds @param {Kept[]} withBets @param {string} chosen @returns {Course} */
function courseOf(rounds, withBets, chosen) {
  const isInChips = chosen === "bankroll" && withBets.length > 0;
  if (isInChips) {
    const values = { title: text("hands.bankroll"), unit: text("hands.in-chips") };
    return courseWith(values, withBets, bankrollsOf(withBets));
  }
  const unit = text("hands.in-bets");
  const part = (/** @type {Kept} */ round) => (chosen === "cost" ? (round.cost ?? 0) : round.payoff);
  const title = text(chosen === "cost" ? "hands.curve-cost" : "hands.payoff");
  return courseWith({ title, unit }, rounds, [running(rounds, part)]);
}

/** @param {{ title: string, unit: string }} words @param {Kept[]} of @param {Point[][]} lines @returns {Course} */
function courseWith(words, of, lines) {
  return {
    ...words,
    lines,
    sessions: sessionsOf(of).map(({ at }) => at),
    mistakes: mistakePoints(lines, of, MOST_MARKS),
    streak: streakPoints(lines, streaksOf(of).won),
  };
}

/** @param {HandsSession} session */
function sessionRow({ rounds: of }) {
  const bankroll = of.findLast((round) => round.bankroll !== null)?.bankroll ?? null;
  const { payoff, mistakes, cost } = summaryOf(of);
  const cells = [
    rounded(of.length),
    signed(payoff),
    bankroll === null ? "" : rounded(bankroll),
    rounded(mistakes),
    rounded(cost, 3, 3),
  ];
  const figures = cells.map((cell) => made("td", { class: "number" }, cell));
  return made("tr", {}, made("td", {}, shortly(of[0]?.time ?? "")), ...figures);
}
