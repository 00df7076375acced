// The start: one state, the session that changes it, the page that shows it, and what the buttons do.

import { byId } from "./elements.js";
import { INITIAL, reduce } from "./game.js";
import { startKeys } from "./keys.js";
import { browser, tab } from "./memory.js";
import { startMenu } from "./menu.js";
import { startSession } from "./session.js";
import { show } from "./view.js";

/** @param {string} id @param {() => void} act */
const onClick = (id, act) => byId(id).addEventListener("click", act);

/** @param {string} id */
const button = (id) => byId(id, HTMLButtonElement);

const RENDER_DELAY = 15; // milliseconds

let shown = INITIAL;
let isRenderDue = false;

/** @type {import("./types.d.ts").Store} */
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

onClick("hit", () => session.decide("HIT"));
onClick("stand", () => session.decide("STAND"));
onClick("next", () => session.next());
onClick("hint", () => session.hint());
onClick("reveal", () => session.reveal());
onClick("take-back", () => session.reconnect());
onClick("reconnect", () => {
  session.reconnect();
  menu.show();
});
onClick("new-game", () => menu.show());
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
const showColours = () => {
  document.documentElement.dataset.colours = fourColours.checked ? "four" : "two";
};
fourColours.checked = browser.read("four-colours") === true;
fourColours.addEventListener("change", () => {
  browser.write("four-colours", fourColours.checked);
  showColours();
});
showColours();

startKeys({
  h: button("hit"),
  s: button("stand"),
  x: button("next"),
  t: button("hint"),
  r: button("reveal"),
  n: button("new-game"),
  l: button("log-toggle"),
  "?": button("help"),
});

const remembered = /** @type {Partial<typeof INITIAL.statistics> | null} */ (tab.read("statistics"));
store.dispatch({ kind: "statistics", statistics: { ...INITIAL.statistics, ...remembered } });
if (!session.hasKeptSeat()) menu.show();
