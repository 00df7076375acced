// The page of training: asks for what is new as long as there is more to come, and shows it.

import { byId, made, write } from "./shared/elements.js";
import { rounded, signed } from "./shared/numbers.js";
import { drawCurve } from "./watch_curve.js";
import { drawGrids } from "./watch_grids.js";

/** @typedef {import("./types.js").State} State */

/** @param {State} state */
function showFigures({ figures, rules }) {
  const rows = figures.map(([name, text]) =>
    made("div", { class: text.length > 30 ? "wide" : null }, made("dt", {}, name), made("dd", {}, text)),
  );
  byId("figures").replaceChildren(...rows);
  byId("rules").hidden = rules === "";
  write("rules-words", rules);
}

/** @param {State} state */
function showCurve({ points, payoffs }) {
  const isDrawn = points.length > 0;
  byId("curve-figure").hidden = byId("points-details").hidden = !isDrawn;
  byId("no-curve").hidden = isDrawn;
  if (!isDrawn) {
    return;
  }
  const curve = document.getElementById("curve");
  if (curve instanceof SVGSVGElement) {
    drawCurve(curve, points, payoffs);
  }
  const rows = points.toReversed().map(({ rounds, value, gap }) => {
    const texts = [rounded(rounds), signed(value, 4, 4), rounded(gap, 6, 6)];
    return made("tr", {}, ...texts.map((text) => made("td", { class: "number" }, text)));
  });
  byId("points").replaceChildren(...rows);
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

/** @param {State} state */
async function show(state) {
  document.body.dataset.connection = "open";
  document.body.dataset.phase = state.phase;
  write("status", state.sentence);
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

write("status", "Loading.");
watch().catch(() => {
  // What was shown stays.
  if (document.body.dataset.phase !== "ended") {
    write("status", "Training has ended, or does not answer any more.");
  }
  document.body.dataset.connection = "closed";
});
