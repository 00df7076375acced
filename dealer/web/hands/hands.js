// The page of the rounds that were played in this browser: figures, mistakes, a list, and each round seen again.

import { followKeys } from "../replay/replay_keys.js";
import { readLine, showRound } from "../replay/replay_view.js";
import * as archive from "../shared/archive.js";
import { counted } from "../shared/counts.js";
import { byId, uncover, write } from "../shared/elements.js";
import "../shared/settings.js";
import {
  bankrollsOf,
  bestText,
  didText,
  listed,
  mistakesOf,
  presetOf,
  running,
  sessionsOf,
  signed,
  situationText,
  sum,
  summaryOf,
  timesText,
} from "./figures.js";
import { drawPlot } from "./plot.js";

const ROWS = 100; // of the list at once
const FEW = 10; // mistakes that are shown at first

/** @type {Kept[]} */
let rounds = [];
/** @type {Kept[]} */
let list = [];
let place = -1; // in the list, of the round that is seen again
let first = 0; // row of the list that is shown
let shown = FEW;
/** @type {RoundView | null} */
let view = null;
let asked = 0; // rounds that were asked for: the last one counts

async function load() {
  const kept = await archive.all();
  const chosen = list[place]?.id;
  rounds = kept ?? [];
  byId("kept").hidden = rounds.length === 0;
  for (const id of ["export", "delete"]) byId(id, HTMLButtonElement).disabled = rounds.length === 0;
  if (kept === null)
    write("status", "This browser keeps nothing, as in a private window: no round is stored.");
  else if (rounds.length === 0)
    write("status", "No round is kept yet. Those that you play here appear by themselves.");
  else write("status", `${counted(rounds.length, "round")} kept in this browser, and nowhere else.`);
  if (rounds.length === 0) return;
  showSummary();
  showCourse();
  showMistakes();
  showPresets();
  arrange();
  place = list.findIndex(({ id }) => id === chosen);
  showRows();
}

function showSummary() {
  const all = summaryOf(rounds);
  /** @type {[string, string][]} */
  const facts = [
    ["Rounds", all.rounds.toLocaleString("en")],
    ["Won / pushed / lost", `${all.won} / ${all.pushed} / ${all.lost}`],
    ["Payoff, in bets", signed(all.payoff)],
    ...(all.chips === null ? [] : [/** @type {[string, string]} */ (["Chips won", signed(all.chips)])]),
    ["Not the best decision", `${all.differed} of ${all.decisions}`],
    ["EV lost, in bets", all.cost.toFixed(3)],
    ["EV lost per 100 rounds", all.costed === 0 ? "–" : ((100 * all.cost) / all.costed).toFixed(2)],
  ];
  byId("summary").replaceChildren(
    ...facts.map(([name, value]) => made("div", "", made("dt", name), made("dd", value))),
  );
  const without = all.rounds - all.costed;
  const notes = ["Costs are by the exact values of the table's rules, for a fresh shoe."];
  if (rounds.some(({ hasDealer }) => !hasDealer)) {
    notes.push("Without a dealer they are those of an infinite deck, if all others play basic strategy.");
  }
  if (without > 0) notes.push(`Of ${counted(without, "round")} the costs are not known.`);
  write("note", notes.join(" "));
}

function showCourse() {
  const sessions = sessionsOf(rounds);
  const withBets = rounds.filter(({ bankroll }) => bankroll !== null);
  byId("course-choice").hidden = withBets.length === 0;
  const isInChips = withBets.length > 0 && byId("course", HTMLSelectElement).value === "bankroll";
  drawPlot(
    byId("plot-money"),
    isInChips
      ? { title: "Bankroll", unit: "in chips", lines: bankrollsOf(withBets), sessions: starts(withBets) }
      : courseOf("Payoff", (round) => round.payoff),
  );
  drawPlot(
    byId("plot-cost"),
    courseOf("EV lost", (round) => round.cost ?? 0),
  );
  byId("sessions").replaceChildren(...sessions.map(sessionRow));
}

/** @param {string} title @param {(round: Kept) => number} part @returns {Course} */
function courseOf(title, part) {
  return { title, unit: "in initial bets", lines: [running(rounds, part)], sessions: starts(rounds) };
}

/** @param {Kept[]} of */
function starts(of) {
  return sessionsOf(of).map(({ at }) => at);
}

/** @param {HandsSession} session */
function sessionRow({ rounds: of }) {
  const cost = sum(of, (round) => round.cost ?? 0);
  const bankroll = of.findLast((round) => round.bankroll !== null)?.bankroll ?? null;
  const cells = [
    of.length.toLocaleString("en"),
    signed(sum(of, ({ payoff }) => payoff)),
    bankroll === null ? "" : bankroll.toLocaleString("en"),
    cost.toFixed(3),
    ((100 * cost) / of.length).toFixed(2),
  ];
  return made("tr", "", made("td", when(of[0]?.time ?? "")), ...cells.map((text) => made("td", text)));
}

function showMistakes() {
  const all = mistakesOf(rounds);
  byId("no-mistakes").hidden = all.length > 0;
  byId("mistakes-box").hidden = all.length === 0;
  byId("more-mistakes").hidden = all.length <= shown;
  byId("mistakes").replaceChildren(
    ...all.slice(0, shown).map((mistake) => {
      const button = pressable(situationText(mistake.made), () => openMistake(mistake));
      const cells = [timesText(mistake), bestText(mistake.made.best), mistake.cost.toFixed(4)];
      return made("tr", "", made("td", "", button), ...cells.map((text) => made("td", text)));
    }),
  );
}

/** @param {Mistake} mistake */
async function openMistake({ id, made: { decision, cost } }) {
  byId("which", HTMLSelectElement).value = "";
  byId("hand", HTMLInputElement).value = "";
  arrange();
  await goTo(list.findIndex((one) => one.id === id));
  const you = list[place]?.you;
  const step = view?.steps.findIndex(
    (one) => one.seat === you && one.decision?.decision === decision && one.decision.cost === cost,
  );
  if (step !== undefined && step >= 0) view?.go(step);
  showReplay();
}

function showReplay() {
  byId("replay").focus({ preventScroll: true });
  byId("replay").scrollIntoView({ block: "nearest" });
}

function showPresets() {
  const select = byId("which", HTMLSelectElement);
  const names = [...new Set(rounds.map(presetOf))].sort();
  const chosen = select.value;
  const fixed = [...select.options].slice(0, 2);
  select.replaceChildren(...fixed, ...(names.length > 1 ? names.map((name) => new Option(name, name)) : []));
  select.value = [...select.options].some(({ value }) => value === chosen) ? chosen : "";
}

// Filter again.
function arrange() {
  list = listed(rounds, byId("which", HTMLSelectElement).value, byId("hand", HTMLInputElement).value);
  place = -1;
  first = 0;
}

function rearrange() {
  arrange();
  showRows();
}

/** @param {number} to a place in the list */
async function goTo(to) {
  const round = list[to];
  if (round === undefined) return;
  asked += 1;
  const mine = asked;
  const text = await archive.lineOf(round.id);
  if (mine !== asked) return;
  place = to;
  first = ROWS * Math.floor(to / ROWS);
  byId("choose-one").hidden = text !== null;
  if (text === null) write("choose-one", "This round is not kept any more.");
  else view = showRound(byId("view"), readLine(text));
  write("replay-title", `Seen again: ${when(round.time)}, table ${round.table}, round ${round.round}`);
  byId("decided").replaceChildren(...round.decisions.map((one) => made("li", decisionText(one))));
  showRows();
}

/** @param {KeptDecision} decision */
function decisionText(decision) {
  const { cost, best } = decision;
  const did = `${situationText(decision)}: you ${didText(decision)}`;
  if (cost === null) return `${did}.`;
  return cost > 0
    ? `${did}. ${bestText(best)} was best: cost ${cost.toFixed(4)}.`
    : `${did}, the best decision.`;
}

function showRows() {
  const rows = list.slice(first, first + ROWS);
  byId("rows").replaceChildren(...rows.map((round, at) => rowOf(round, first + at)));
  const part = list.length < rounds.length ? ` of ${rounds.length.toLocaleString("en")}` : "";
  const range = list.length > ROWS ? `, ${first + 1} to ${first + rows.length} shown` : "";
  const all = `${list.length.toLocaleString("en")}${part} ${rounds.length === 1 ? "round" : "rounds"}${range}`;
  write("count", list.length === 0 ? "No round is like that." : all);
  byId("newer").hidden = first === 0;
  byId("older").hidden = first + ROWS >= list.length;
  uncover(byId("list"));
}

/** @param {Kept} round @param {number} at */
function rowOf(round, at) {
  const button = pressable(when(round.time), () => goTo(at).then(showReplay));
  const [decision] = round.decisions;
  const cells = [
    decision === undefined ? "none" : situationText(decision),
    signed(round.payoff),
    round.cost === null ? "" : round.cost.toFixed(4),
  ];
  const row = made("tr", "", made("td", "", button), ...cells.map((text) => made("td", text)));
  if (at === place) row.setAttribute("aria-current", "true");
  return row;
}

/** @param {number} to */
function turnTo(to) {
  first = Math.max(0, to);
  showRows();
  byId("list").scrollTop = 0;
}

async function save() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await archive.exported());
  link.download = "your-hands.jsonl";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  write("status", `${counted(rounds.length, "round")} exported to your-hands.jsonl, as lines of a history.`);
}

async function deleteAll() {
  byId("delete-panel", HTMLDialogElement).close();
  const isDone = await archive.clear();
  place = -1;
  await load();
  write("status", isDone ? "All rounds are deleted." : "The rounds could not be deleted.");
}

/** @param {string} time by ISO 8601 @returns {string} in the time of this place */
function when(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "no time";
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** @param {string} tag @param {string} text @param {Node[]} children */
function made(tag, text, ...children) {
  const element = Object.assign(document.createElement(tag), { textContent: text });
  element.append(...children);
  return element;
}

/** @param {string} text @param {() => void} act */
function pressable(text, act) {
  const button = made("button", text);
  button.setAttribute("type", "button");
  button.onclick = act;
  return button;
}

byId("export").addEventListener("click", save);
byId("delete").addEventListener("click", () => {
  write(
    "delete-text",
    `${counted(rounds.length, "round")} will be gone for good. Export them first to keep a copy.`,
  );
  byId("delete-panel", HTMLDialogElement).showModal();
});
byId("keep-all").addEventListener("click", () => byId("delete-panel", HTMLDialogElement).close());
byId("delete-all").addEventListener("click", deleteAll);
byId("which").addEventListener("change", rearrange);
byId("hand").addEventListener("input", rearrange);
byId("course").addEventListener("change", showCourse);
byId("newer").addEventListener("click", () => turnTo(first - ROWS));
byId("older").addEventListener("click", () => turnTo(first + ROWS));
byId("more-mistakes").addEventListener("click", () => {
  shown = Number.POSITIVE_INFINITY;
  showMistakes();
});

followKeys({ view: () => view, place: () => place, count: () => list.length, goTo });

let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== width && rounds.length > 0) showCourse();
  width = innerWidth;
});

// Another tab may have played meanwhile.
document.addEventListener("visibilitychange", async () => {
  if (!document.hidden && (await archive.count()) !== rounds.length) load();
});

load();
