// The page that plays rounds again: of a file, or of a running table.

import { socketAddress } from "../shared/connection.js";
import { byId, uncover, write } from "../shared/elements.js";
import { indexOf, listed, roundOf } from "./replay_file.js";
import { followKeys } from "./replay_keys.js";
import { followTable } from "./replay_table.js";
import { showRound } from "./replay_view.js";

const ROWS = 100; // of the list at once

/** @type {RoundSource | null} */
let source = null;
/** @type {Listed[]} */
let list = [];
let place = 0; // in the list
/** @type {RoundView | null} */
let view = null;
let isOfTable = true; // until a file is opened
let asked = 0; // rounds that were asked for: the last one counts

/** @param {RoundSource} found */
function show(found) {
  const before = list[place]?.round;
  const isFirst = source === null;
  source = found;
  byId("rounds").hidden = false;
  byId("no-rounds").hidden = true;
  arrange();
  if (isFirst) goTo(ofTable > 0 ? list.length - 1 : 0);
  else
    place = Math.max(
      0,
      list.findIndex(({ round }) => round.round === before?.round),
    );
  showRows();
}

// Filter and sort again.
function arrange() {
  const name = byId("filter", HTMLInputElement).value;
  list = listed(source?.rounds ?? [], name, byId("by-cost", HTMLInputElement).checked);
}

function rearrange() {
  arrange();
  if (list.length > 0) goTo(0);
  else showRows();
}

/** @param {number} to a place in the list */
async function goTo(to) {
  const found = list[to];
  if (found === undefined || source === null) return;
  asked += 1;
  const mine = asked;
  try {
    const line = await source.read(found.round);
    if (mine !== asked) return;
    place = to;
    view = showRound(byId("view"), line);
    write("now", titleOf(found.round, line));
  } catch (error) {
    trouble(error);
  }
  showRows();
}

/** @param {RoundSummary} round @param {Line} line */
function titleOf({ round, table }, { time }) {
  const when = time ? `, ${time.slice(0, 19).replace("T", " ")}` : "";
  return `Table ${table}, round ${round}${when}`;
}

function showRows() {
  const first = ROWS * Math.floor(place / ROWS);
  byId("rows").replaceChildren(...list.slice(first, first + ROWS).map((one, at) => rowOf(one, first + at)));
  const count = source?.rounds.length ?? 0;
  const part = list.length < count ? ` of ${count.toLocaleString("en")}` : "";
  const all = `${list.length.toLocaleString("en")}${part} ${count === 1 ? "round" : "rounds"}`;
  const shown = list.length > ROWS ? `, ${first + 1} to ${Math.min(first + ROWS, list.length)} shown` : "";
  write("count", list.length > 0 ? all + shown : "No round has that name.");
  byId("earlier").hidden = first === 0;
  byId("later").hidden = first + ROWS >= list.length;
  uncover(byId("list"));
}

/** @param {Listed} one @param {number} at */
function rowOf({ round, payoff, cost }, at) {
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    textContent: `${round.table}.${round.round}`,
  });
  button.addEventListener("click", () => goTo(at));
  const names = round.seats.map(({ name }) => name).join(", ");
  const row = document.createElement("tr");
  row.append(cell(button), cell(names), cell(signed(payoff)), cell(cost === null ? "" : cost.toFixed(4)));
  if (at === place) row.setAttribute("aria-current", "true");
  return row;
}

/** @param {Node | string} content */
function cell(content) {
  const made = document.createElement("td");
  made.append(content);
  return made;
}

/** @param {number} number */
function signed(number) {
  return `${number > 0 ? "+" : ""}${Number(number.toFixed(4))}`;
}

/** @param {unknown} error */
function trouble(error) {
  write("status", error instanceof Error ? error.message : String(error));
}

/** @param {File} file */
async function open(file) {
  write("status", `Reading ${file.name}.`);
  const bar = byId("progress", HTMLProgressElement);
  bar.hidden = false;
  try {
    const rounds = await indexOf(file, (part) => {
      bar.value = part;
    });
    source = null;
    isOfTable = false;
    const hasCosts = rounds.some(({ seats }) => seats.some(({ cost }) => cost !== null));
    write("status", `${file.name} is open.${hasCosts ? "" : NO_COSTS}`);
    show({ rounds, read: (round) => roundOf(file, round) });
  } catch (error) {
    write("status", `${file.name} cannot be shown. ${error instanceof Error ? error.message : error}`);
  }
  bar.hidden = true;
}

byId("file", HTMLInputElement).addEventListener("change", ({ target }) => {
  const file = target instanceof HTMLInputElement ? target.files?.[0] : null;
  if (file) open(file);
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) open(file);
});
byId("filter").addEventListener("input", rearrange);
byId("by-cost").addEventListener("change", rearrange);
byId("earlier").addEventListener("click", () => goTo(ROWS * (Math.floor(place / ROWS) - 1)));
byId("later").addEventListener("click", () => goTo(ROWS * (Math.floor(place / ROWS) + 1)));
byId("round-back").addEventListener("click", () => goTo(place - 1));
byId("round-on").addEventListener("click", () => goTo(place + 1));

followKeys({ view: () => view, place: () => place, count: () => list.length, goTo });

const NO_COSTS =
  " It does not say what decisions cost: “replay FILE --output NEW” adds that, where it is known.";

const ofTable = Number(new URLSearchParams(location.search).get("table"));
if (ofTable > 0) {
  const title = `The last rounds of table ${ofTable}.`;
  write("status", title);
  let isInTrouble = false;
  /** @param {RoundSource} found */
  const onRounds = (found) => {
    if (!isOfTable) return; // a file was opened since
    if (isInTrouble) write("status", title);
    isInTrouble = false;
    show(found);
  };
  followTable(socketAddress(location), ofTable, {
    onRounds,
    onTrouble: (sentence) => {
      isInTrouble = true;
      if (isOfTable) trouble(sentence);
    },
  });
}
