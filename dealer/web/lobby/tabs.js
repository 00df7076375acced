// Tabs, of which one panel is shown at a time; the arrows go from one to the next.

import { byId } from "../shared/elements.js";

const STEPS = new Map([
  ["ArrowLeft", -1],
  ["ArrowRight", 1],
]);

/**
 * Make a list of tabs work. The function shows the panel that has an element.
 *
 * @param {HTMLElement} list
 */
export function startTabs(list) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);

  /** @param {HTMLElement} chosen */
  function choose(chosen) {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      panelOf(tab).hidden = !isChosen;
    }
  }

  list.addEventListener("click", ({ target }) => {
    const tab = tabs.find((each) => target instanceof Node && each.contains(target));
    if (tab !== undefined) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const shown = tabs.filter((tab) => !tab.hidden);
    const at = shown.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const step = STEPS.get(event.key);
    const next = step === undefined ? undefined : shown[(at + step + shown.length) % shown.length];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    next.focus();
  });
  if (tabs[0] !== undefined) choose(tabs[0]);
  return (/** @type {Element} */ element) => {
    const tab = tabs.find((each) => panelOf(each).contains(element));
    if (tab !== undefined) choose(tab);
  };
}

/** @param {HTMLElement} tab */
function panelOf(tab) {
  return byId(tab.getAttribute("aria-controls") ?? "");
}
