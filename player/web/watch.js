// The page of training: asks for what is new as long as there is more to come, and shows it.

import { drawCurve } from "./watch_curve.js";
import { drawGrids } from "./watch_grids.js";

/**
 * @typedef {import("./types.js").State} State
 * @param {string} id
 */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) {
    throw new Error(`there is no #${id}`);
  }
  return element;
}

/**
 * @param {string} tag
 * @param {string} text
 */
function written(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/** @param {State} state */
function showFigures(state) {
  const rows = state.figures.map(([name, text]) => {
    const row = document.createElement("div");
    row.className = text.length > 30 ? "wide" : "";
    row.append(written("dt", name), written("dd", text));
    return row;
  });
  byId("figures").replaceChildren(...rows);
}

/** @param {State} state */
function showCurve({ points, payoffs }) {
  const isDrawn = points.length > 0;
  byId("curve-figure").hidden = byId("points-details").hidden = !isDrawn;
  byId("no-curve").hidden = isDrawn;
  if (!isDrawn) {
    return;
  }
  const curve = byId("curve");
  if (curve instanceof SVGSVGElement) {
    drawCurve(curve, points, payoffs);
  }
  const rows = points.toReversed().map((point) => {
    const row = document.createElement("tr");
    const texts = [point.rounds.toLocaleString("en"), signed(point.value), point.gap.toFixed(6)];
    row.append(...texts.map((text) => written("td", text)));
    return row;
  });
  byId("points").replaceChildren(...rows);
}

/** @param {number} value */
function signed(value) {
  const digits = Math.abs(value).toFixed(4);
  return `${value < 0 && Number(digits) > 0 ? "−" : "+"}${digits}`;
}

/** @param {State} state */
function showDecisions({ grids, key, words }) {
  byId("no-decisions").hidden = grids.length > 0;
  byId("decided").hidden = grids.length === 0;
  byId("words").textContent = words;
  byId("key").textContent = key;
  drawGrids(byId("grids"), grids);
}

/**
 * Put up the picture once it has come whole.
 * @param {State} state
 */
async function showPicture({ picture, words }) {
  const shown = byId("picture");
  if (!picture || !(shown instanceof HTMLImageElement) || shown.alt !== "") {
    return;
  }
  // decode() would wait for as long as the page is in the background.
  const hasCome = new Promise((resolve, reject) => {
    shown.addEventListener("load", resolve, { once: true });
    shown.addEventListener("error", reject, { once: true });
  });
  shown.src = "/picture.png";
  shown.alt = words;
  await hasCome;
  byId("picture-details").hidden = false;
}

/** @param {string} sentence */
function say(sentence) {
  const status = byId("status");
  if (status.textContent !== sentence) {
    status.textContent = sentence;
  }
}

/** @param {State} state */
async function show(state) {
  document.body.dataset.connection = "open";
  document.body.dataset.phase = state.phase;
  say(state.sentence);
  const progress = byId("progress");
  if (progress instanceof HTMLProgressElement) {
    progress.value = state.done;
  }
  showFigures(state);
  showCurve(state);
  showDecisions(state);
  await showPicture(state);
  document.body.dataset.last = String(state.last);
}

async function watch() {
  let version = -1;
  let isLast = false;
  while (!isLast) {
    const answer = await fetch(`/state.json?after=${version}`);
    /** @type {State} */
    const state = await answer.json();
    await show(state);
    ({ version, last: isLast } = state);
  }
}

watch().catch(() => {
  // What was shown stays.
  if (document.body.dataset.phase !== "ended") {
    say("Training has ended, or does not answer any more.");
  }
  document.body.dataset.connection = "closed";
});
