// Parts of a page that are loaded when they are first needed. A dealer that was started again with another version has
// other files: then only a reload of the page helps.

import { openDialog } from "./dialog.js";
import { made, pressable } from "./elements.js";
import { text } from "./texts.js";

/**
 * Act with a part once it is there, or say that it cannot be loaded.
 *
 * @template M
 * @param {Promise<M>} loading
 * @param {(part: M) => void} act
 */
export async function whenLoaded(loading, act) {
  const found = await loading.then(
    (part) => ({ part }),
    () => null,
  );
  if (found === null) tellIncomplete();
  else act(found.part);
}

/** Say that a part of the page cannot be loaded. */
export function tellIncomplete() {
  openDialog("reload-panel", text("reload.title"), text("reload.close"), () => [
    made("p", {}, text("reload.incomplete")),
    pressable(text("reload.now"), () => location.reload(), { class: "strong" }),
  ]);
}
