// The trainer: which rules and hands are drilled, what is answered, and what it is worth.

import { PRESETS } from "../lobby/presets.js";
import * as archive from "../shared/archive.js";
import { byId, write } from "../shared/elements.js";
import { whenLoaded } from "../shared/loading.js";
import { startPage } from "../shared/page.js";
import { reasonText } from "../shared/reasons.js";
import { situationsOf } from "../shared/rounds.js";
import { text } from "../shared/texts.js";
import { randomOf, shuffled } from "./chance.js";
import { askForCharts, keyOf, rulesOf, UPCARDS } from "./charts.js";
import { clock, SPRINT } from "./clock.js";
import { PRESET } from "./daily.js";
import { drillsOf, nextDrill } from "./drills.js";
import { chartedFor, grade, NO_RECORD, recorded, withPlayed } from "./grading.js";
import { showProgress, startStreak } from "./progress.js";
import { allow, ask, askNothing, showGrade, startAnswers } from "./question.js";
import { forgetAll, keep, recordOf } from "./record.js";
import { share, startShare } from "./share.js";
import { sheet } from "./sheet.js";
import { keepAnswer, nextOfToday, placeOfToday, resultOfToday, sharedResult, showToday } from "./today.js";

const ACE = 11;

const seed = new URLSearchParams(location.search).get("seed");
const random = randomOf(seed === null ? (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) : Number(seed));

/** @type {Map<number, Chart>} */
let charts = new Map();
/** @type {Drill[]} */
let drills = [];
/** @type {Drill | null} */
let drill = null;
/** @type {PlaceOfDay | null} that of the hand, if it is one of today's ten */
let place = null;
let isAsked = false;
let hasLooked = false;
let rulesKey = "";
let trained = ""; // the choice of rules whose charts are there or on their way
let isLost = false;
let record = NO_RECORD;
/** @type {Situation[]} */
let played = [];
/** @type {{ stop: () => void } | null} */
let asking = null;
let sprint = { asked: 0, right: 0 };
let hasCounting = false; // whether that drill was shown before

const rulesChoice = byId("rules-choice", HTMLSelectElement);
const mode = byId("mode", HTMLSelectElement);
const seconds = byId("clock-choice", HTMLSelectElement);
const time = clock(endTime);
const chartSheet = sheet(
  () => ({ charts, cells: record.cells, drill, isAsked }),
  () => {
    hasLooked = hasLooked || isAsked;
  },
);

/** @param {Rules | null} rules null for those of this dealer's tables */
function train(rules) {
  asking?.stop();
  trained = rulesChoice.value;
  [charts, drills, drill, isAsked] = [new Map(), [], null, false];
  time.stop();
  if (rules !== null) knowRules(rules);
  askNothing(text("trainer.working"));
  asking = askForCharts(rules, inOrder(), {
    onRules: knowRules,
    onChart(chart) {
      document.body.dataset.connection = "open";
      if (isLost) write("notice", "");
      isLost = false;
      charts.set(chart.upcard, chart);
      drills.push(...drillsOf(chart));
      // What a seed draws from must not hang on how fast the values come.
      if (seed === null || mode.value === "daily" ? drill === null : charts.size === UPCARDS.length)
        askNext();
      chartSheet.draw();
    },
    onRefused: () => refuse(rules),
    onLost(reason) {
      isLost = true;
      write("notice", reasonText(reason));
    },
  });
}

/** In an order of chance: the first hand is against the first upcard that is known. */
function inOrder() {
  const order = shuffled(UPCARDS, random);
  return mode.value === "insurance" ? [ACE, ...order.filter((upcard) => upcard !== ACE)] : order;
}

/** @param {Rules | null} rules those for which the dealer works out no chart */
function refuse(rules) {
  document.body.dataset.connection = "open";
  write("notice", text(mode.value === "daily" ? "trainer.daily-refused" : "trainer.refused"));
  if (rules === null || charts.size > 0) return askNothing(text("trainer.nothing"));
  if (mode.value === "daily") mode.value = "all";
  rulesChoice.value = "dealer";
  showDone();
  train(null);
}

/** @param {Rules} rules */
function knowRules(rules) {
  rulesKey = keyOf(rules);
  const own = played.filter((one) => keyOf(rulesOf(one.rules)) === rulesKey);
  record = withPlayed(recordOf(rulesKey), own);
  keep(rulesKey, record);
  showProgress(record);
  chartSheet.draw();
}

function askNext() {
  if (mode.value === "count") return;
  place = mode.value === "daily" ? placeOfToday() : null;
  const next = place
    ? nextOfToday(drills, place)
    : nextDrill(drills, record.cells, mode.value, random, drill);
  drill = next ?? null;
  isAsked = drill !== null;
  if (drill === null) return askNothing(whyNothing());
  hasLooked = chartSheet.isChart;
  ask(drill);
  chartSheet.draw();
  startTime();
}

/** Why no hand is asked about. */
function whyNothing() {
  if (mode.value === "daily" && nextOfToday(drills) === null) return resultOfToday();
  if (charts.size < UPCARDS.length) return text("trainer.working");
  return text("trainer.no-insurance");
}

/** @param {Decision | null} decision null where the time is over */
function answer(decision) {
  if (drill === null || !isAsked || (decision !== null && !(decision in drill.values))) return;
  isAsked = false;
  const charted = chartedFor(drill, charts.get(drill.upcard)?.hands ?? []);
  const graded = grade(drill, decision, charted);
  record = recorded(record, drill, graded);
  keep(rulesKey, record);
  if (place !== null) keepAnswer(place, graded);
  sprint = { asked: sprint.asked + 1, right: sprint.right + (graded.isRight ? 1 : 0) };
  if (Number(seconds.value) !== SPRINT) time.stop();
  showGrade(drill, graded, decision, charted, hasLooked);
  showDone();
  showProgress(record);
  chartSheet.draw();
}

function startTime() {
  const limit = Number(seconds.value);
  if (limit === 0 || (limit === SPRINT && time.isRunning)) return;
  sprint = { asked: 0, right: 0 };
  time.start(limit);
}

function endTime() {
  if (Number(seconds.value) !== SPRINT) return answer(null);
  isAsked = false;
  allow([]);
  byId("next").focus({ preventScroll: true });
  chartSheet.draw();
  const { right, asked } = sprint;
  write("question", text("trainer.sprint-over", { right, count: asked }));
}

/** Show the progress through today's hands; the result can be shared once it is there. */
function showDone() {
  showToday(mode.value === "daily");
  const isDone = mode.value === "daily" && nextOfToday(drills) === null;
  byId("share-daily").hidden = !isDone;
  chartSheet.allowChart(mode.value !== "daily" || isDone);
}

function showMode() {
  time.stop();
  if (mode.value !== "count") return showHands();
  isAsked = false; // the hand that is left is not graded
  askNothing("");
  whenLoaded(import("./counting.js"), ({ startCounting }) => {
    if (mode.value !== "count") return; // another one was chosen meanwhile
    if (!hasCounting) startCounting(random);
    hasCounting = true;
    showDrill(true);
  });
}

/** @param {boolean} isCount whether that of counting is shown, or that of hands */
function showDrill(isCount) {
  byId("drill").hidden = isCount;
  byId("count-drill").hidden = !isCount;
  showDone();
}

function showHands() {
  showDrill(false);
  if (mode.value === "daily") rulesChoice.value = PRESET;
  if (rulesChoice.value !== trained) write("notice", "");
  if (rulesChoice.value === trained) askNext();
  else train(chosen());
}

/** @returns {Rules | null} */
function chosen() {
  if (rulesChoice.value === "dealer") return null;
  return PRESETS.get(rulesChoice.value) ?? rulesOf(rulesChoice.value);
}

function listen() {
  startAnswers(answer);
  startShare();
  startStreak(() => ({ best: record.best, rules: rulesChoice.selectedOptions[0]?.text ?? "" }));
  byId("next").addEventListener("click", askNext);
  byId("share-daily").addEventListener("click", () => share(sharedResult()));
  byId("daily").addEventListener("click", () => {
    mode.value = "daily";
    showMode();
  });
  mode.addEventListener("change", showMode);
  rulesChoice.addEventListener("change", () => {
    if (mode.value === "daily") mode.value = "all";
    showMode();
  });
  seconds.addEventListener("change", () => {
    time.stop();
    if (isAsked) startTime();
  });
  const panel = byId("forget-panel", HTMLDialogElement);
  byId("forget").addEventListener("click", () => panel.showModal());
  byId("keep-all").addEventListener("click", () => panel.close());
  byId("forget-all").addEventListener("click", () => {
    panel.close();
    forgetAll();
    record = recordOf(rulesKey);
    showProgress(record);
    chartSheet.draw();
    showMode();
  });
}

async function start() {
  startPage();
  const rounds = (await archive.all()) ?? [];
  played = situationsOf(rounds);
  const last = rounds.filter(({ hasDealer }) => hasDealer).at(-1)?.rules;
  if (last !== undefined) rulesChoice.append(new Option(text("trainer.rules-last"), last));
  for (const [name, key] of /** @type {[string, import("../shared/texts.js").TextKey][]} */ ([
    ["vegas", "trainer.rules-vegas"],
    ["reno", "trainer.rules-reno"],
    ["europe", "trainer.rules-europe"],
    ["casino", "trainer.rules-casino"],
    ["course", "trainer.rules-course"],
    ["dealer", "trainer.rules-dealer"],
  ])) {
    rulesChoice.append(new Option(text(key), name));
  }
  if (location.hash === "#mistakes") mode.value = "mistakes";
  if (location.hash === "#today") mode.value = "daily";
  listen();
  showProgress(record);
  chartSheet.draw();
  showMode();
}

start();
