// Dialogs that are made by a script when they are first opened, so that every page can have them.

import { made, pressable } from "./elements.js";

/**
 * Show a dialog; nothing happens if it is open.
 *
 * @param {string} id of the dialog, and with `close-` before it of its button
 * @param {string} title
 * @param {string} close
 * @param {() => (Node | string)[]} content called when it is made
 * @returns {HTMLDialogElement}
 */
export function openDialog(id, title, close, content) {
  const found = document.getElementById(id);
  const dialog = found instanceof HTMLDialogElement ? found : newDialog(id, title, close, content);
  if (!dialog.open) dialog.showModal();
  return dialog;
}

/** @type {(...given: Parameters<typeof openDialog>) => HTMLDialogElement} */
function newDialog(id, title, close, content) {
  const heading = made("h2", { id: `${id}-title` }, title);
  const button = pressable(close, () => dialog.close(), { id: `close-${id.replace("-panel", "")}` });
  const head = made("div", { class: "title" }, heading, button);
  const dialog = made("dialog", { id, "aria-labelledby": heading.id }, head);
  document.body.append(dialog);
  dialog.append(...content());
  return dialog;
}
