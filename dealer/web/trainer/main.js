// The trainer: which rules and hands are drilled, what is answered, and what it is worth.

import { PRESETS } from "../lobby/presets.js";
import * as archive from "../shared/archive.js";
import { card } from "../shared/cards.js";
import { counted } from "../shared/counts.js";
import { byId, write } from "../shared/elements.js";
import { startPage } from "../shared/page.js";
import { situationsOf } from "../shared/rounds.js";
import { askForCharts, keyOf, rulesOf, UPCARDS } from "./charts.js";
import {
  bestOf,
  cellOf,
  cellValues,
  grade,
  NO_RECORD,
  nextDrill,
  RULE,
  randomOf,
  recorded,
  withPlayed,
} from "./drills.js";
import { drawGrid, LETTERS, upcardName } from "./grid.js";
import { forgetAll, keep, recordOf } from "./record.js";

const SENTENCES = {
  vegas: "Vegas: six decks, double, split, late surrender",
  reno: "Reno: one deck, double on 10 and 11 only",
  europe: "Europe: six decks, no hole card until the end",
  casino: "Casino: four decks, hit or stand",
  course: "Course: one deck, hit or stand",
};
const DECISIONS = ["hit", "stand", "double", "split", "surrender"];
const SUITS = ["Spades", "Hearts"];
const SPRINT = 60; // seconds

const seed = new URLSearchParams(location.search).get("seed");
const random = randomOf(seed === null ? (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) : Number(seed));

/** @type {Map<number, Chart>} */
let charts = new Map();
/** @type {Drill[]} */
let drills = [];
/** @type {Drill | null} */
let drill = null;
let isAsked = false;
let hasLooked = false;
let rulesKey = "";
let record = NO_RECORD;
/** @type {Situation[]} */
let played = [];
/** @type {{ stop: () => void } | null} */
let asking = null;
/** @type {ReturnType<typeof setInterval> | undefined} */
let ticking;
/** when the time is over, in milliseconds of performance.now */
let end = 0;
let sprint = { asked: 0, right: 0 };
/** @type {Promise<void> | null} */
let counting = null;

const rulesChoice = byId("rules-choice", HTMLSelectElement);
const mode = byId("mode", HTMLSelectElement);
const clock = byId("clock-choice", HTMLSelectElement);

/** @param {Rules | null} rules null for those of this dealer's tables */
function train(rules) {
  asking?.stop();
  [charts, drills, drill, isAsked] = [new Map(), [], null, false];
  stopClock();
  clearVerdict();
  if (rules !== null) knowRules(rules);
  write("question", "The values are worked out.");
  // In an order of chance: the first hand is against the first upcard that is known.
  const order = UPCARDS.map((upcard) => ({ upcard, at: random() })).sort((one, other) => one.at - other.at);
  const upcards = order.map(({ upcard }) => upcard);
  asking = askForCharts(rules, upcards, {
    onRules: knowRules,
    onChart(chart) {
      document.body.dataset.connection = "open";
      write("notice", "");
      charts.set(chart.upcard, chart);
      drills.push(...chart.hands.map((hand) => ({ ...hand, upcard: chart.upcard })));
      // What a seed draws from must not hang on how fast the values come.
      if (seed === null ? drill === null : charts.size === UPCARDS.length) ask();
      drawChart();
    },
    onRefused() {
      document.body.dataset.connection = "open";
      write("notice", "The dealer works out no chart for these rules.");
      if (rules !== null && charts.size === 0) {
        rulesChoice.value = "dealer";
        train(null);
      } else write("question", "There is nothing to drill under these rules. Choose others.");
    },
    onLost: () => write("notice", "The connection to the dealer is lost. It is tried again."),
  });
}

/** @param {Rules} rules */
function knowRules(rules) {
  rulesKey = keyOf(rules);
  const own = played.filter((one) => keyOf(rulesOf(one.rules)) === rulesKey);
  record = withPlayed(recordOf(rulesKey), own);
  keep(rulesKey, record);
  showProgress();
}

function ask() {
  if (mode.value === "count") return;
  drill = nextDrill(drills, record.cells, mode.value, random, drill);
  if (drill === null) return;
  isAsked = true;
  hasLooked = !byId("chart").hidden;
  const { hand, cards, upcard, values } = drill;
  const dealt = cards.map((rank, at) => `${rank} of ${SUITS[at]}`);
  byId("hand").replaceChildren(...dealt.map((one) => card(one)));
  const shown = upcard === 11 ? "Ace" : (rankOf(upcard) ?? "");
  const article = ["Ace", "Eight"].includes(shown) ? "an" : "a";
  byId("upcard").replaceChildren(card(`${shown} of Clubs`));
  write(
    "question",
    `You have ${cards.join(" and ")} (${hand}) against ${article} ${shown.toLowerCase()}. What do you do?`,
  );
  for (const id of DECISIONS) {
    const button = byId(id, HTMLButtonElement);
    button.disabled = !(id.toUpperCase() in values);
  }
  byId("next", HTMLButtonElement).disabled = true;
  clearVerdict();
  if (document.activeElement === document.body || document.activeElement?.matches(":disabled"))
    byId("hit").focus();
  startClock();
  if (hasLooked) drawChart();
}

/** @param {number} points */
function rankOf(points) {
  return ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"][points - 2];
}

/** @param {Decision | null} decision null where the time is over */
function answer(decision) {
  if (drill === null || !isAsked || (decision !== null && !(decision in drill.values))) return;
  isAsked = false;
  const charted = bestOf(cellValues(charts.get(drill.upcard)?.hands ?? [], drill.hand));
  const graded = grade(drill, decision, charted);
  record = recorded(record, drill, graded);
  keep(rulesKey, record);
  sprint = { asked: sprint.asked + 1, right: sprint.right + (graded.isRight ? 1 : 0) };
  if (Number(clock.value) !== SPRINT) stopClock();
  showGrade(graded, decision, charted);
  for (const id of DECISIONS) byId(id, HTMLButtonElement).disabled = true;
  const next = byId("next", HTMLButtonElement);
  next.disabled = false;
  next.focus();
  drawChart();
  showProgress();
}

function clearVerdict() {
  write("verdict", "");
  delete byId("verdict").dataset.right;
  byId("values").hidden = true;
}

/** @param {Grade} graded @param {Decision | null} decision @param {Decision} charted */
function showGrade({ isRight, best, cost }, decision, charted) {
  const verdict = byId("verdict");
  const bets = `${cost.toFixed(4)} bets`;
  const parts = [decision === null ? "Time is over." : isRight ? "Right." : "Wrong."];
  if (isRight && cost > 0)
    parts.push(`So says the chart; with just these cards ${word(best)} is better by ${bets}.`);
  else parts.push(`The best is ${word(best)}${cost > 0 ? `; your answer costs ${bets}` : ""}.`);
  if (!isRight && charted !== best) parts.push(`The chart has ${word(charted)}.`);
  if (hasLooked) parts.push("With the chart.");
  verdict.dataset.right = String(isRight);
  write("verdict", parts.join(" "));
  const table = byId("values", HTMLTableElement);
  table.hidden = false;
  const values = Object.entries(drill?.values ?? {}).sort(([, one], [, other]) => other - one);
  table.tBodies[0]?.replaceChildren(...values.map(([name, value]) => valueRow(name, value, name === best)));
}

/** @param {string} name @param {number} value @param {boolean} isBest */
function valueRow(name, value, isBest) {
  const row = document.createElement("tr");
  const head = Object.assign(document.createElement("th"), { scope: "row", textContent: word(name) });
  const data = Object.assign(document.createElement("td"), { textContent: figure(value) });
  row.append(head, data);
  row.dataset.best = String(isBest);
  return row;
}

/** @param {string} decision */
const word = (decision) => decision.charAt(0) + decision.slice(1).toLowerCase();
/** @param {number} value */
function figure(value) {
  const digits = Math.abs(value).toFixed(4);
  return `${value < 0 && Number(digits) > 0 ? "−" : "+"}${digits}`;
}

function drawChart() {
  if (byId("chart").hidden) return;
  drawGrid(
    byId("chart"),
    (hand, upcard) => {
      const values = cellValues(charts.get(upcard)?.hands ?? [], hand);
      if (Object.keys(values).length === 0)
        return charts.has(upcard) ? null : { text: "", kind: "", label: "" };
      const best = bestOf(values);
      const letter = LETTERS[best] ?? "";
      return { text: letter, kind: letter, label: `${hand} against ${upcardName(upcard)}: ${word(best)}` };
    },
    (hand, upcard) => {
      const values = Object.entries(cellValues(charts.get(upcard)?.hands ?? [], hand));
      const told = values
        .sort(([, one], [, other]) => other - one)
        .map(([name, value]) => `${word(name)} ${figure(value)}`);
      write("cell-values", `${hand} against ${upcardName(upcard)}: ${told.join(", ")}`);
    },
  );
  if (drill === null) return;
  const here = byId("chart").querySelector(`[data-hand="${drill.hand}"][data-upcard="${drill.upcard}"]`);
  if (here instanceof HTMLElement) here.dataset.marked = "true";
}

function drawHeat() {
  if (byId("heat").hidden) return;
  const most = Math.max(...Object.values(record.cells).map(({ error }) => error), 1e-9);
  /** @param {string} hand @param {number} upcard */
  const told = (hand, upcard) => {
    const cell = record.cells[cellOf(hand, upcard)];
    if (!cell) return "not asked yet";
    return `asked ${counted(cell.asked, "time")}, wrong ${counted(cell.wrong, "time")}, ${cell.lost.toFixed(4)} bets lost here`;
  };
  drawGrid(
    byId("heat"),
    (hand, upcard) => {
      const cell = record.cells[cellOf(hand, upcard)];
      const label = `${hand} against ${upcardName(upcard)}: ${told(hand, upcard)}`;
      const error = cell?.error ?? 0;
      return {
        text: cell?.wrong ? String(cell.wrong) : "",
        kind: error > 0 ? "error" : "",
        heat: (0.6 * error) / most,
        label,
      };
    },
    (hand, upcard) => write("heat-values", `${hand} against ${upcardName(upcard)}: ${told(hand, upcard)}`),
  );
}

function showProgress() {
  const { asked, right, lost, streak, best } = record;
  const rows = [
    ["Decisions", String(asked)],
    ["Right", asked === 0 ? "" : `${((100 * right) / asked).toFixed(1)} %`],
    ["Bets lost per 100 decisions", asked === 0 ? "" : ((100 * lost) / asked).toFixed(2)],
    ["Right in a row", `${streak} (most ${best})`],
  ];
  byId("progress").replaceChildren(
    ...rows.map(([name = "", value = ""]) => {
      const group = document.createElement("div");
      const term = Object.assign(document.createElement("dt"), { textContent: name });
      group.append(term, Object.assign(document.createElement("dd"), { textContent: value }));
      return group;
    }),
  );
  drawHeat();
}

function startClock() {
  const seconds = Number(clock.value);
  if (seconds === 0 || (seconds === SPRINT && ticking !== undefined)) return;
  stopClock();
  sprint = { asked: 0, right: 0 };
  end = performance.now() + 1000 * seconds;
  byId("time").hidden = false;
  tick();
  ticking = setInterval(tick, 100);
}

function tick() {
  const left = Math.max(0, end - performance.now());
  write("time", `${Math.ceil(left / 1000)} s`);
  if (left > 0) return;
  stopClock();
  if (Number(clock.value) !== SPRINT) return answer(null);
  isAsked = false;
  for (const id of DECISIONS) byId(id, HTMLButtonElement).disabled = true;
  byId("next", HTMLButtonElement).disabled = false;
  write(
    "question",
    `The sprint is over: ${sprint.right} of ${counted(sprint.asked, "decision was", "decisions were")} right. Next begins another.`,
  );
}

function stopClock() {
  clearInterval(ticking);
  ticking = undefined;
  byId("time").hidden = true;
}

/** @param {string} id of the button @param {string} of what it shows @param {string} what @param {() => void} draw */
function toggle(id, of, what, draw) {
  byId(id).addEventListener("click", () => {
    const place = byId(of);
    place.hidden = !place.hidden;
    byId(id).setAttribute("aria-expanded", String(!place.hidden));
    write(id, `${place.hidden ? "Show" : "Hide"} ${what}`);
    draw();
  });
}

async function showMode() {
  stopClock();
  if (mode.value === "count") {
    isAsked = false; // the hand that is left is not graded
    counting ??= import("./counting.js").then(({ startCounting }) => startCounting(random));
    await counting;
  }
  const isCount = mode.value === "count";
  byId("drill").hidden = isCount;
  byId("count-drill").hidden = !isCount;
  if (!isCount) ask();
}

for (const id of DECISIONS) {
  byId(id).addEventListener("click", () => answer(/** @type {Decision} */ (id.toUpperCase())));
}
byId("next").addEventListener("click", ask);
toggle("chart-toggle", "chart", "the chart", () => {
  byId("chart-key").hidden = byId("chart").hidden;
  if (isAsked) hasLooked = true;
  drawChart();
});
toggle("heat-toggle", "heat", "my mistakes", drawHeat);
byId("forget").addEventListener("click", () => byId("forget-panel", HTMLDialogElement).showModal());
byId("keep-all").addEventListener("click", () => byId("forget-panel", HTMLDialogElement).close());
byId("forget-all").addEventListener("click", () => {
  byId("forget-panel", HTMLDialogElement).close();
  forgetAll();
  // What was played at the table stays in the archive, and is not counted again.
  record = { ...NO_RECORD, seen: record.seen };
  keep(rulesKey, record);
  showProgress();
});
mode.addEventListener("change", showMode);
clock.addEventListener("change", () => {
  stopClock();
  if (isAsked) startClock();
});
rulesChoice.addEventListener("change", () => train(chosen()));
document.addEventListener("keydown", (event) => {
  const isWriting = event.target instanceof Element && event.target.closest("input, select, dialog") !== null;
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isWriting) return;
  if (byId("drill").hidden) return;
  const key = event.key.toUpperCase();
  const button = document.querySelector(`#answers button[aria-keyshortcuts="${CSS.escape(key)}"]`);
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  button.click(); // does nothing if it is disabled
});

/** @returns {Rules | null} */
function chosen() {
  if (rulesChoice.value === "dealer") return null;
  return PRESETS.get(rulesChoice.value) ?? rulesOf(rulesChoice.value);
}

async function start() {
  startPage();
  write("rule", RULE);
  const rounds = (await archive.all()) ?? [];
  played = situationsOf(rounds);
  const last = rounds.filter(({ hasDealer }) => hasDealer).at(-1)?.rules;
  const names = Object.entries(SENTENCES);
  const options = [
    ...(last ? [[last, "The table that you played last"]] : []),
    ...names,
    ["dealer", "The tables of this dealer"],
  ];
  rulesChoice.append(...options.map(([value = "", text = ""]) => new Option(text, value)));
  if (location.hash === "#mistakes") mode.value = "mistakes";
  train(chosen());
}

start();
