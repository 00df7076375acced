// The dialog with what can be chosen for every page. It is loaded when it is first opened.

import { byId } from "./elements.js";
import { CHOICES, choose, onSettings, setting } from "./settings.js";

const dialog = byId("settings", HTMLDialogElement);
const fourColours = byId("four-colours", HTMLInputElement);
const names = /** @type {import("./settings.js").Setting[]} */ (Object.keys(CHOICES));

/** Show the dialog. */
export function openSettings() {
  if (!dialog.open) dialog.showModal();
}

/** @param {import("./settings.js").Setting} name */
function fields(name) {
  return [...dialog.querySelectorAll("input")].filter((field) => field.name === name);
}

for (const name of names) {
  for (const field of fields(name)) field.addEventListener("change", () => choose(name, field.value));
}
fourColours.addEventListener("change", () => choose("suits", fourColours.checked ? "four" : "two"));
byId("close-settings").addEventListener("click", () => dialog.close());
onSettings(() => {
  fourColours.checked = setting("suits") === "four";
  for (const name of names) for (const field of fields(name)) field.checked = field.value === setting(name);
});
