// The page of the rounds that were played in this browser: results, mistakes, a list, and each round seen again.

import { followKeys } from "../replay/replay_keys.js";
import { showRound } from "../replay/replay_view.js";
import { opensAt, readLine } from "../replay/steps.js";
import * as archive from "../shared/archive.js";
import { byId, made, pressable, uncover, write } from "../shared/elements.js";
import { rounded, signed } from "../shared/numbers.js";
import { startPage } from "../shared/page.js";
import { showRules } from "../shared/rules_shown.js";
import { decisionName, named } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { shortly, when } from "../shared/times.js";
import { decisionText, listed, mistakesOf, presetOf, situationOf, timesText } from "./figures.js";
import { showResults, showSummary } from "./results.js";

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
  const isEmpty = rounds.length === 0;
  byId("kept").hidden = isEmpty;
  byId("none").hidden = !isEmpty;
  for (const id of ["export", "delete"]) byId(id, HTMLButtonElement).disabled = isEmpty;
  write("status", isEmpty ? "" : text("hands.kept", { count: rounds.length }));
  write("why-none", text(kept === null ? "hands.keeps-nothing" : "hands.none"));
  if (isEmpty) return;
  showSummary(rounds);
  showResults(rounds);
  showMistakes();
  showPresets();
  arrange();
  const before = list.findIndex(({ id }) => id === chosen);
  if (before < 0) return goTo(0);
  place = before;
  showRows();
}

function showMistakes() {
  const all = mistakesOf(rounds);
  byId("no-mistakes").hidden = all.length > 0;
  byId("mistakes-box").hidden = all.length === 0;
  byId("more-mistakes").hidden = all.length <= shown;
  byId("mistakes").replaceChildren(...all.slice(0, shown).map(mistakeRow));
}

/** @param {Mistake} mistake */
function mistakeRow(mistake) {
  const { made: one, cost } = mistake;
  return made(
    "tr",
    {},
    made(
      "td",
      {},
      pressable(situationOf(one), () => openMistake(mistake)),
    ),
    made("td", {}, timesText(mistake)),
    made("td", {}, decisionName(one.best ?? "")),
    made("td", { class: "number" }, rounded(cost, 4, 4)),
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
  const presets = [...new Set(rounds.map(presetOf))].sort();
  const chosen = select.value;
  const fixed = [...select.options].slice(0, 2);
  const options = presets.map((preset) => new Option(named("preset", preset), preset));
  select.replaceChildren(...fixed, ...(presets.length > 1 ? options : []));
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
  const line = await archive.lineOf(round.id);
  if (mine !== asked) return;
  place = to;
  first = ROWS * Math.floor(to / ROWS);
  byId("gone").hidden = line !== null;
  if (line !== null) open(readLine(line), round.you);
  const values = { time: when(round.time), table: String(round.table), round: String(round.round) };
  write("replay-title", text("hands.replay-of", values));
  byId("decided").replaceChildren(...round.decisions.map((one) => made("li", {}, decisionText(one))));
  showRows();
}

/** @param {Line} line @param {number} you */
function open(line, you) {
  view = showRound(byId("view"), line);
  view.go(opensAt(view.steps, you));
  showRules(byId("rules", HTMLDetailsElement), line.rules);
}

function showRows() {
  const rows = list.slice(first, first + ROWS);
  byId("rows").replaceChildren(...rows.map((round, at) => rowOf(round, first + at)));
  write("count", countText(first + rows.length));
  byId("newer").hidden = first === 0;
  byId("older").hidden = first + ROWS >= list.length;
  uncover(byId("list"));
}

/** @param {number} to the last row that is shown */
function countText(to) {
  const [count, all] = [list.length, rounds.length];
  const values = { count, all, from: first + 1, to };
  if (count === 0) return text("hands.none-like-that");
  if (count > ROWS) return text(count < all ? "replay.some-of-shown" : "replay.some-shown", values);
  return text(count < all ? "replay.count-of" : "replay.count", values);
}

/** @param {Kept} round @param {number} at */
function rowOf(round, at) {
  const [decision] = round.decisions;
  return made(
    "tr",
    { "aria-current": at === place ? "true" : null },
    made(
      "td",
      {},
      pressable(shortly(round.time), () => goTo(at).then(showReplay)),
    ),
    made("td", {}, decision === undefined ? text("hands.no-decision") : situationOf(decision)),
    made("td", { class: "number" }, signed(round.payoff)),
    made("td", { class: "number" }, round.cost === null ? "" : rounded(round.cost, 4, 4)),
  );
}

/** @param {number} to */
function turnTo(to) {
  first = Math.max(0, to);
  showRows();
  byId("list").scrollTop = 0;
}

async function save() {
  const link = made("a", { download: "your-hands.jsonl" });
  link.href = URL.createObjectURL(await archive.exported());
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  write("status", text("hands.exported", { count: rounds.length, file: link.download }));
}

async function deleteAll() {
  byId("delete-panel", HTMLDialogElement).close();
  const isDone = await archive.clear();
  place = -1;
  await load();
  write("status", text(isDone ? "hands.deleted" : "hands.not-deleted"));
}

byId("export").addEventListener("click", save);
byId("delete").addEventListener("click", () => {
  write("delete-text", text("hands.will-be-gone", { count: rounds.length }));
  byId("delete-panel", HTMLDialogElement).showModal();
});
byId("keep-all").addEventListener("click", () => byId("delete-panel", HTMLDialogElement).close());
byId("delete-all").addEventListener("click", deleteAll);
byId("which").addEventListener("change", rearrange);
byId("hand").addEventListener("input", rearrange);
byId("course").addEventListener("change", () => showResults(rounds));
byId("newer").addEventListener("click", () => turnTo(first - ROWS));
byId("older").addEventListener("click", () => turnTo(first + ROWS));
byId("more-mistakes").addEventListener("click", () => {
  shown = Number.POSITIVE_INFINITY;
  showMistakes();
});

followKeys({ view: () => view, place: () => place, count: () => list.length, goTo });

let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== width && rounds.length > 0) showResults(rounds);
  width = innerWidth;
});

// Another tab may have played meanwhile.
document.addEventListener("visibilitychange", async () => {
  if (!document.hidden && (await archive.count()) !== rounds.length) load();
});

startPage();
load();
