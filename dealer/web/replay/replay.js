// The page that shows rounds again: of a file, of a running table, or the last ones that were played in this browser.

import { placeOf, queryOf } from "../shared/address.js";
import { byId, made, pressable, uncover, write } from "../shared/elements.js";
import { rounded, signed } from "../shared/numbers.js";
import { startPage } from "../shared/page.js";
import { showRules } from "../shared/rules_shown.js";
import { text } from "../shared/texts.js";
import { when } from "../shared/times.js";
import { ownRounds } from "./replay_browser.js";
import { indexOf, listed, roundOf } from "./replay_file.js";
import { followKeys } from "./replay_keys.js";
import { followTable } from "./replay_table.js";
import { showRound } from "./replay_view.js";
import { opensAt } from "./steps.js";

const ROWS = 100; // of the list at once

/** @type {RoundSource | null} */
let source = null;
/** @type {Listed[]} */
let list = [];
let place = 0; // in the list
/** @type {RoundView | null} */
let view = null;
let isOfTable = false; // until a file is opened
let asked = 0; // rounds that were asked for: the last one counts

/** @param {RoundSource} found @param {"first" | "last"} [opened] */
function show(found, opened = "first") {
  const before = list[place]?.round;
  const isFirst = source === null;
  source = found;
  byId("rounds").hidden = false;
  arrange();
  if (isFirst) goTo(opened === "last" ? list.length - 1 : 0);
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
    view.go(opensAt(view.steps, line.you ?? null));
    showRules(byId("rules", HTMLDetailsElement), line.rules);
    write("now", titleOf(found.round, line));
  } catch (error) {
    trouble(error);
  }
  showRows();
}

/** @param {RoundSummary} round @param {Line} line */
function titleOf({ round, table }, { time }) {
  const values = { table: String(table), round: String(round) };
  if (!time) return text("replay.now", values);
  return text("replay.now-at", { ...values, time: when(time) });
}

function showRows() {
  const first = ROWS * Math.floor(place / ROWS);
  byId("rows").replaceChildren(...list.slice(first, first + ROWS).map((one, at) => rowOf(one, first + at)));
  write("count", countText(first));
  byId("earlier").hidden = first === 0;
  byId("later").hidden = first + ROWS >= list.length;
  uncover(byId("list"));
}

/** @param {number} first row that is shown */
function countText(first) {
  const all = source?.rounds.length ?? 0;
  const count = list.length;
  const values = { count, all, from: first + 1, to: Math.min(first + ROWS, count) };
  if (count === 0) return text("replay.none-of-name");
  if (count > ROWS) return text(count < all ? "replay.some-of-shown" : "replay.some-shown", values);
  return text(count < all ? "replay.count-of" : "replay.count", values);
}

/** @param {Listed} one @param {number} at */
function rowOf({ round, payoff, cost }, at) {
  const names = round.seats.map(({ name }) => name).join(", ");
  return made(
    "tr",
    { "aria-current": at === place ? "true" : null },
    made(
      "td",
      {},
      pressable(`${round.table}.${round.round}`, () => goTo(at)),
    ),
    made("td", {}, names),
    made("td", { class: "number" }, signed(payoff)),
    made("td", { class: "number" }, cost === null ? "" : rounded(cost, 4, 4)),
  );
}

/** @param {unknown} error */
function trouble(error) {
  write("status", error instanceof Error ? error.message : String(error));
}

/** @param {File} file */
async function open(file) {
  const { name } = file;
  write("status", text("replay.loading-file", { name }));
  const bar = byId("progress", HTMLProgressElement);
  bar.hidden = false;
  try {
    const rounds = await indexOf(file, (part) => {
      bar.value = part;
    });
    source = null;
    isOfTable = false;
    const hasCosts = rounds.some(({ seats }) => seats.some(({ cost }) => cost !== null));
    write("status", text(hasCosts ? "replay.is-open" : "replay.is-open-without-costs", { name }));
    show({ rounds, read: (round) => roundOf(file, round) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    write("status", text("replay.cannot-be-shown", { name, reason }));
  }
  bar.hidden = true;
}

/** @param {Place & { table: number }} wanted */
function follow(wanted) {
  const title = text("replay.of-table", { table: String(wanted.table) });
  let isInTrouble = false;
  isOfTable = true;
  write("status", title);
  followTable(wanted, {
    onRounds: (found) => {
      if (!isOfTable) return; // a file was opened since
      if (isInTrouble) write("status", title);
      isInTrouble = false;
      show(found, "last");
    },
    onTrouble: (sentence) => {
      isInTrouble = true;
      if (isOfTable) trouble(sentence);
    },
    onPlace: (told) => history.replaceState(null, "", queryOf(told) + location.hash),
  });
}

// Without a file and a table there is something to look at, too.
async function showOwn() {
  const { rounds, isExample } = await ownRounds();
  if (source !== null) return; // a file was opened meanwhile
  write("status", text(isExample ? "replay.example" : "replay.of-browser"));
  show(rounds);
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

startPage();
const linked = placeOf(location);
if (linked.table !== null) follow({ ...linked, table: linked.table });
else showOwn();
