// Where it all comes together: one state, the session that changes it, and the page that shows it.

import { INITIAL, reduce } from "./game.js";
import { startKeys } from "./keys.js";
import { browser, tab } from "./memory.js";
import { startMenu } from "./menu.js";
import { startSession } from "./session.js";
import { show } from "./view.js";

const byId = (id) => document.getElementById(id);
const onClick = (id, act) => byId(id).addEventListener("click", act);

const TOGETHER = 15; // milliseconds

let shown = INITIAL;
let waiting = 0;

const store = {
  state: INITIAL,
  dispatch(message) {
    const before = this.state;
    this.state = reduce(before, message);
    if (this.state.statistics !== before.statistics) tab.write("statistics", this.state.statistics);
    menu.update(this.state, before);
    waiting ||= setTimeout(render, TOGETHER);
  },
};

const session = startSession(store);
const menu = startMenu(session);

// What the dealer says in one breath is shown, and read out, as one change.
function render() {
  const before = shown;
  waiting = 0;
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
onClick("help", () => byId("help-panel").showModal());
onClick("close-help", () => byId("help-panel").close());

const log = byId("log-panel");
const showLog = (isShown) => {
  log.hidden = !isShown;
  byId("log-toggle").setAttribute("aria-expanded", isShown);
  byId("log").scrollTop = byId("log").scrollHeight;
};
onClick("log-toggle", () => {
  showLog(log.hidden);
  log.scrollIntoView({ block: "nearest" });
});
showLog(matchMedia("(min-width: 1100px)").matches);

const fourColours = byId("four-colours");
const showColours = () => (document.documentElement.dataset.colours = fourColours.checked ? "four" : "two");
fourColours.checked = browser.read("four-colours") === true;
fourColours.addEventListener("change", () => {
  browser.write("four-colours", fourColours.checked);
  showColours();
});
showColours();

startKeys({
  h: byId("hit"),
  s: byId("stand"),
  x: byId("next"),
  t: byId("hint"),
  r: byId("reveal"),
  n: byId("new-game"),
  l: byId("log-toggle"),
  "?": byId("help"),
});

store.dispatch({ kind: "statistics", statistics: { ...INITIAL.statistics, ...tab.read("statistics") } });
if (tab.read("seat") === null) menu.show();
