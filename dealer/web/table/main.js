// The start: one state, its session and its page, and what buttons and keys do.

import { startMenu } from "../lobby/menu.js";
import { byId } from "../shared/elements.js";
import { tab } from "../shared/memory.js";
import { choose, onSettings, setting } from "../shared/settings.js";
import { INITIAL, reduce } from "./game.js";
import { startSession } from "./session.js";
import { DECISIONS, show } from "./view.js";

/** @param {string} id @param {() => void} act */
const onClick = (id, act) => byId(id).addEventListener("click", act);

const RENDER_DELAY = 15; // milliseconds
const FIELDS = "input:not([type=checkbox]), select, textarea, [contenteditable]";

let shown = INITIAL;
let isRenderDue = false;

/** @type {Store} */
const store = {
  state: INITIAL,
  dispatch(message) {
    const before = this.state;
    this.state = reduce(before, message);
    if (this.state.statistics !== before.statistics) tab.write("statistics", this.state.statistics);
    menu.update(this.state, before);
    if (!isRenderDue) setTimeout(render, RENDER_DELAY);
    isRenderDue = true;
  },
};

const session = startSession(store);
const menu = startMenu(session);

// Messages that come together are shown, and read out, as one change.
function render() {
  const before = shown;
  isRenderDue = false;
  shown = store.state;
  show(shown, before);
}

for (const id of DECISIONS) onClick(id, () => session.decide(id.toUpperCase()));
byId("bet-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const chips = byId("bet", HTMLInputElement).valueAsNumber;
  tab.write("bet", chips);
  session.decide(`BET ${chips}`);
});
onClick("next", () => session.next());
onClick("hint", () => session.hint());
onClick("reveal", () => session.reveal());
onClick("take-back", () => session.reconnect());
onClick("reconnect", () => {
  session.reconnect();
  menu.show();
});
onClick("new-game", () => menu.show());
onClick("sit-down", () => menu.show());
onClick("help", () => byId("help-panel", HTMLDialogElement).showModal());
onClick("close-help", () => byId("help-panel", HTMLDialogElement).close());

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

const fourColours = byId("four-colours", HTMLInputElement);
fourColours.addEventListener("change", () => choose("suits", fourColours.checked ? "four" : "two"));
onSettings(() => {
  fourColours.checked = setting("suits") === "four";
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || isWriting(event.target)) return;
  // A key that is held down acts once: otherwise it would hit until the hand is bust.
  if (event.repeat) {
    if (event.target instanceof Element && event.target.closest("#actions")) event.preventDefault();
    return;
  }
  if (document.querySelector("dialog[open]") !== null) return;
  const key = event.key.toUpperCase();
  const ofKey = document.querySelectorAll("button[aria-keyshortcuts]:not([hidden])");
  const button = [...ofKey].find((one) => one.getAttribute("aria-keyshortcuts") === key);
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  button.click(); // does nothing if it is disabled
});

/** @param {EventTarget | null} target */
function isWriting(target) {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

const remembered = /** @type {Partial<typeof INITIAL.statistics> | null} */ (tab.read("statistics"));
store.dispatch({ kind: "statistics", statistics: { ...INITIAL.statistics, ...remembered } });
if (!session.hasKeptSeat()) menu.show();
