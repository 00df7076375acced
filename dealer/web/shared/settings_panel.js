// The dialog with what can be chosen for every page. It is made when it is first opened.

import { openDialog } from "./dialog.js";
import { made } from "./elements.js";
import { CHOICES, choose, onSettings, setting } from "./settings.js";
import { text } from "./texts.js";

/** As they stand in the dialog: first what changes the game, last what only some need. */
const ORDER = /** @type {const} */ ([
  ...["theme", "suits", "speed", "sound", "stand", "mistakes", "count", "keys", "read"],
]);

/** Show the dialog. */
export function openSettings() {
  openDialog("settings", text("settings.title"), text("settings.close"), () => {
    onSettings(check);
    return [...ORDER.map(group), made("p", { class: "note" }, text("settings.kept"))];
  });
  check();
}

/** @param {import("./settings.js").Setting} name */
function group(name) {
  const legend = made("legend", {}, text(`settings.${name}`));
  return made("fieldset", { class: "options" }, legend, ...CHOICES[name].map((value) => choice(name, value)));
}

/** @param {import("./settings.js").Setting} name @param {string} value */
function choice(name, value) {
  const field = made("input", { type: "radio", name, value });
  field.addEventListener("change", () => choose(name, value));
  const key = /** @type {import("./texts.js").TextKey} */ (`settings.${name}.${value}`);
  return made("label", { class: "choice" }, field, text(key));
}

function check() {
  for (const field of document.querySelectorAll("#settings input")) {
    if (!(field instanceof HTMLInputElement)) continue;
    field.checked = setting(/** @type {import("./settings.js").Setting} */ (field.name)) === field.value;
  }
}
