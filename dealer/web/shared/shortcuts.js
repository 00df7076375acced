// Single letters as shortcuts, and the setting that switches them off: dictation says letters, and fingers slip.

import { onSettings, setting } from "./settings.js";

/** Whether a key is a character that must not act now. @param {string} key as in a KeyboardEvent */
export function isSwitchedOff(key) {
  return setting("keys") === "off" && key.length === 1 && key !== " ";
}

// What is told to screen readers must be so.
onSettings(() => {
  const [from, to] = ["aria-keyshortcuts", "data-keyshortcuts"];
  const [here, there] = setting("keys") === "off" ? [from, to] : [to, from];
  for (const element of document.querySelectorAll(`[${here}]`)) {
    element.setAttribute(there, element.getAttribute(here) ?? "");
    element.removeAttribute(here);
  }
});
