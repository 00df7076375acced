// Single letters as shortcuts, and the setting that switches them off: dictation says letters, and fingers slip
// (WCAG 2.1.4).

import { onSettings, setting } from "./settings.js";

const FIELDS = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
const areOff = () => setting("keys") === "off";

// Before any other listener of the page hears of it. What is typed into a field is written there all the same.
addEventListener(
  "keydown",
  (event) => {
    const isCharacter = event.key.length === 1 && event.key !== " ";
    if (areOff() && isCharacter && !event.ctrlKey && !event.metaKey) event.stopImmediatePropagation();
  },
  true,
);

// What screen readers are told of keys must be so.
onSettings(() => {
  const [from, to] = areOff()
    ? ["aria-keyshortcuts", "data-keyshortcuts"]
    : ["data-keyshortcuts", "aria-keyshortcuts"];
  for (const element of document.querySelectorAll(`[${from}]`)) {
    element.setAttribute(to, element.getAttribute(from) ?? "");
    element.removeAttribute(from);
  }
});

/**
 * Whether a key is for a field. One of a dialog that has just been closed keeps the focus until the next picture.
 *
 * @param {EventTarget | null} target of the event
 */
export function isWriting(target) {
  if (!(target instanceof Element) || target.closest("dialog:not([open])") !== null) return false;
  return target.closest(FIELDS) !== null;
}
