// The keyboard: each key is its button's, and does what a click on it does.

/**
 * Listen to the keyboard.
 *
 * @param {Record<string, HTMLButtonElement>} buttons the button of each key, in small letters
 */
export function startKeys(buttons) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isWriting(event.target)) return;
    // A key that is held down says its thing once: nobody wants to hit until bust.
    if (event.repeat) {
      if (event.target instanceof Element && event.target.closest("#actions")) event.preventDefault();
      return;
    }
    if (document.querySelector("dialog[open]") !== null) return;
    const button = buttons[event.key.toLowerCase()];
    if (button === undefined) return;
    event.preventDefault();
    button.click(); // nothing, if it is disabled
  });
}

const FIELDS = "input:not([type=checkbox]), select, textarea, [contenteditable]";

/** @param {EventTarget | null} target */
function isWriting(target) {
  return target instanceof Element && target.closest(FIELDS) !== null;
}
