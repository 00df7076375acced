// A text to be sent to others: by the share sheet, by the clipboard, or by hand, where a page that is not encrypted may
// use neither.

import { byId, write } from "../shared/elements.js";
import { isCopied } from "../shared/share.js";
import { text } from "../shared/texts.js";

/** Let a text be sent. @param {string} shared */
export async function share(shared) {
  if (navigator.share !== undefined) {
    const failure = await navigator.share({ text: shared }).then(
      () => null,
      (/** @type {Error} */ error) => error.name,
    );
    if (failure === null || failure === "AbortError") return; // whoever closes the sheet has chosen to send nothing
  }
  const field = byId("share-text", HTMLTextAreaElement);
  field.value = shared;
  byId("share-panel", HTMLDialogElement).showModal();
  write("share-said", text((await isCopied(field)) ? "trainer.copied" : "trainer.selected"));
}

export function startShare() {
  byId("close-share").addEventListener("click", () => byId("share-panel", HTMLDialogElement).close());
}
