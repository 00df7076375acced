// The start: one state, its session and its page, and what buttons and keys do.

import { startLobby } from "../lobby/lobby.js";
import { byId } from "../shared/elements.js";
import { whenLoaded } from "../shared/loading.js";
import { tab } from "../shared/memory.js";
import { startPage } from "../shared/page.js";
import { onSettings, setting } from "../shared/settings.js";
import { isWriting } from "../shared/shortcuts.js";
import { startChart, startRanking } from "./beside.js";
import { startBetting } from "./betting.js";
import { INITIAL, reduce, standsOn21 } from "./game.js";
import { announce } from "./log.js";
import { isOfTable } from "./rules.js";
import { startSession } from "./session.js";
import { openStage } from "./stage.js";
import { DECISIONS, show } from "./view.js";

/** @param {string} id @param {() => void} act */
const onClick = (id, act) => byId(id).addEventListener("click", act);

/** The length of a beat at each speed, times the normal. */
const PACES = { slow: 2, normal: 1, fast: 0.5, instant: 0 };
/** Where nothing may move there is less to follow, but the order still counts. */
const STILL_PACE = 0.25;

const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {typeof import("./sound.js") | null} */
let sound = null;
/** @type {((table: Table | null) => void) | null} */
let showCount = null;

const showRanking = startRanking();
const stage = openStage(
  (state, before) => {
    show(state, before);
    const stands = setting("stand") === "on" && standsOn21(state);
    announce(stands ? { ...state, asked: false } : state, before); // what is answered at once is no question
    if (state.table !== before.table) showRanking(state.table);
    if (state.table !== before.table) showCount?.(state.table);
    if (stands) queueMicrotask(() => decide("STAND"));
    const heard = sound?.soundOf(state, before);
    if (heard) sound?.play(heard);
  },
  () => PACES[/** @type {keyof typeof PACES} */ (setting("speed"))] * (lessMotion.matches ? STILL_PACE : 1),
);

/** @type {Store} */
const store = {
  state: INITIAL,
  dispatch(message) {
    const before = this.state;
    this.state = reduce(before, message);
    if (this.state.statistics !== before.statistics) tab.write("statistics", this.state.statistics);
    lobby.update(this.state, before);
    stage.present(this.state);
  },
  whenShown: stage.whenShown,
};

// Counted is what is shown, so that no card is told before it lies there.
onSettings(() => {
  if (setting("count") === "off" || showCount !== null) return;
  whenLoaded(import("./count.js"), ({ openCount }) => {
    showCount ??= openCount(byId("count-panel"));
    showCount(store.state.table);
  });
});

const session = startSession(store, () => setting("mistakes") === "on");
const lobby = startLobby(session, () => store.state, store.whenShown);

// Never the answer to a question that nobody has seen.
/** @param {string} decision */
const decide = (decision) => {
  if (stage.isAsking) session.decide(decision);
};

for (const id of DECISIONS) onClick(id, () => decide(id.toUpperCase()));
startBetting((chips) => decide(`BET ${chips}`));
addEventListener("pagehide", () => session.suspend());
onClick("next", () => session.next());
onClick("hint", () => session.hint());
onClick("reveal", () => session.reveal());
onClick("take-back", () => session.reconnect());
onClick("new-game", lobby.showTables);
onClick("sit-down", lobby.showTables);
const log = byId("log-panel");
/** @param {boolean} isShown */
const showLog = (isShown) => {
  log.hidden = !isShown;
  byId("log-toggle").setAttribute("aria-expanded", String(isShown));
  byId("log").scrollTop = byId("log").scrollHeight;
};
onClick("log-toggle", () => {
  showLog(log.hidden !== false);
  log.scrollIntoView({ block: "nearest" });
});
showLog(matchMedia("(min-width: 1100px)").matches);

startPage((button) => isOfTable(button, store.state.table));
onClick("rules-open", () =>
  whenLoaded(import("./rules_panel.js"), ({ openRules }) =>
    openRules(store.state.table?.rules ?? store.state.rules),
  ),
);
startChart(() => store.state);
onSettings(() => {
  if (setting("sound") === "off") sound = null;
  else
    whenLoaded(import("./sound.js"), (part) => {
      sound = setting("sound") === "on" ? part : null;
    });
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || isWriting(event.target)) return;
  // A key that is held down acts once: otherwise it would hit until the hand is bust.
  if (event.repeat) {
    if (event.target instanceof Element && event.target.closest("#actions")) event.preventDefault();
    return;
  }
  if (document.querySelector("dialog[open]") !== null) return;
  if (hasShown(event)) return;
  const key = event.key.toUpperCase();
  const ofKey = document.querySelectorAll("main button[aria-keyshortcuts]:not([hidden])");
  const button = [...ofKey].find((one) => one.getAttribute("aria-keyshortcuts") === key);
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  button.click(); // does nothing if it is disabled
});

// While cards are dealt, a key for the table shows how it stands, and does nothing else.
/** @param {KeyboardEvent} event */
function hasShown(event) {
  const isPressing =
    [" ", "Enter"].includes(event.key) && document.activeElement?.closest("header, aside, #start, #waiting");
  const isForTable = /^([^nNlLoOuUgG?]|Enter|Escape)$/.test(event.key) && !isPressing;
  if (!stage.isBusy || stage.isAsking || !isForTable) return false;
  stage.finish();
  event.preventDefault();
  return true;
}

// So does a click on the table or on a button, which is then not pressed yet. And the second click of a double click
// never presses a button that has taken the place of the one that was clicked first.
let isSwallowed = false;
/** @type {EventTarget | null} */
let clickedFirst = null;
document.addEventListener(
  "pointerdown",
  ({ target }) => {
    const isPanel = target instanceof Element && target.closest("#start, #waiting") !== null;
    const isHere = !isPanel && target instanceof Element && target.closest("#table, #actions") !== null;
    isSwallowed = isHere && stage.isBusy && !stage.isAsking;
    if (isSwallowed) stage.finish();
  },
  true,
);
document.addEventListener(
  "click",
  (event) => {
    if (event.detail === 0) return; // one by the keyboard or by a program
    if (event.detail === 1) clickedFirst = event.target;
    const isOfAnother = event.detail > 1 && event.target !== clickedFirst;
    if (!isSwallowed && !isOfAnother) return;
    isSwallowed = false;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

const remembered = /** @type {Partial<typeof INITIAL.statistics> | null} */ (tab.read("statistics"));
store.dispatch({ kind: "statistics", statistics: { ...INITIAL.statistics, ...remembered } });
