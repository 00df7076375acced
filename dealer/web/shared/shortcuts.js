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

// Screen readers are told only of keys that act: of no single character while these are off, also on a button that is
// made then.
const observer = new MutationObserver(hideKeys);
onSettings(() => {
  observer.disconnect();
  if (!areOff()) return move("data-keyshortcuts", "aria-keyshortcuts");
  hideKeys();
  observer.observe(document.body, { childList: true, subtree: true });
});

function hideKeys() {
  move("aria-keyshortcuts", "data-keyshortcuts");
}

/** @param {string} from @param {string} to */
function move(from, to) {
  for (const element of document.querySelectorAll(`[${from}]`)) {
    const key = element.getAttribute(from) ?? "";
    if (key.length > 1) continue; // ArrowUp acts all the same
    element.setAttribute(to, key);
    element.removeAttribute(from);
  }
}

/**
 * Whether a key is for a field. One of a dialog that has just been closed keeps the focus until the next picture.
 *
 * @param {EventTarget | null} target of the event
 */
export function isWriting(target) {
  if (!(target instanceof Element) || target.closest("dialog:not([open])") !== null) return false;
  return target.closest(FIELDS) !== null;
}
