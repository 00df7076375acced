// The part that every page does at its start: its header with help and settings, and the keys of these.

import { byId } from "./elements.js";
import { startHeader } from "./header.js";
import { whenLoaded } from "./loading.js";
import "./settings.js";
import { isWriting } from "./shortcuts.js";

/**
 * Start a page.
 *
 * @param {(button: Element) => boolean} [isThere] whether the help lists the key of a button; by default of all
 */
export function startPage(isThere) {
  startHeader();
  byId("help").addEventListener("click", () =>
    whenLoaded(import("./help_panel.js"), ({ openHelp }) => openHelp(isThere)),
  );
  byId("settings-open").addEventListener("click", () =>
    whenLoaded(import("./settings_panel.js"), ({ openSettings }) => openSettings()),
  );
  document.addEventListener("keydown", press);
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isWriting(event.target)) return;
  if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
  const key = CSS.escape(event.key.toUpperCase());
  const button = document.querySelector(`header [aria-keyshortcuts="${key}"]:not([hidden])`);
  if (!(button instanceof HTMLElement)) return;
  event.preventDefault();
  button.click();
}
