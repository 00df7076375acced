// The keyboard: each key clicks its button.

/**
 * Listen to the keyboard.
 *
 * @param {Record<string, HTMLButtonElement>} buttons the button of each key; letters in lower case
 */
export function startKeys(buttons) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isWriting(event.target)) return;
    // A key that is held down acts once: otherwise it would hit until the hand is bust.
    if (event.repeat) {
      if (event.target instanceof Element && event.target.closest("#actions")) event.preventDefault();
      return;
    }
    if (document.querySelector("dialog[open]") !== null) return;
    const button = buttons[event.key.toLowerCase()];
    if (button === undefined) return;
    event.preventDefault();
    button.click(); // does nothing if it is disabled
  });
}

const FIELDS = "input:not([type=checkbox]), select, textarea, [contenteditable]";

/** @param {EventTarget | null} target */
function isWriting(target) {
  return target instanceof Element && target.closest(FIELDS) !== null;
}
