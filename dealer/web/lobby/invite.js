// How others come to a table: its link, to copy or as a QR code, on the felt while it waits and in a dialog later.

import { byId, setText, write } from "../shared/elements.js";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The link to a table.
 *
 * @param {Pick<Location, "href">} page
 * @param {number} table
 */
export function linkTo(page, table) {
  return new URL(`./#table=${table}`, page.href).href;
}

/** Whether a page of this host can be reached from this machine only. @param {string} hostname */
export function isLoopback(hostname) {
  return LOOPBACK.test(hostname);
}

/** @param {number} missing how many people */
export function waitingText(missing) {
  return `Waiting for ${missing} more ${missing === 1 ? "player" : "players"}`;
}

/** Make the invitation work. */
export function startInvite() {
  const places = [byId("waiting"), byId("invite-panel")].map(invitation);
  const dialog = byId("invite-panel", HTMLDialogElement);
  byId("invite").addEventListener("click", () => dialog.showModal());
  byId("close-invite").addEventListener("click", () => dialog.close());
  return {
    /**
     * Keep it up to date.
     *
     * @param {State} state
     */
    update({ table, connection }) {
      const isShared = table !== null && table.seats.length > 1 && table.phase !== "closed";
      const missing = table?.waits_for ?? 0;
      const isWaiting = connection === "open" && isShared && table.phase === "waiting" && missing > 0;
      byId("waiting").hidden = !isWaiting;
      write("waiting-text", isWaiting ? waitingText(missing) : "");
      byId("invite").hidden = !isShared;
      if (isShared) for (const show of places) show(linkTo(location, table.table));
      else if (dialog.open) dialog.close();
    },
  };
}

/**
 * Put a link, a button that copies it and its code into a place; the function shows another link.
 *
 * @param {HTMLElement} place
 */
function invitation(place) {
  const box = place.querySelector(".invitation");
  const link = Object.assign(document.createElement("input"), { readOnly: true, className: "link" });
  link.setAttribute("aria-label", "The link to this table");
  const copy = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
  const copied = made("p", "copied");
  copied.setAttribute("role", "status");
  const code = Object.assign(document.createElement("img"), { className: "code", width: 148, height: 148 });
  const row = made("div", "link-row");
  row.append(link, copy);
  box?.append(made("p", "", "Send them this link, or let them scan the code."), row, copied);
  if (isLoopback(location.hostname)) box?.append(...advice());
  box?.append(code);
  link.addEventListener("focus", () => link.select());
  copy.addEventListener("click", async () => setText(copied, await copyText(link)));
  /** @param {string} text */
  return (text) => {
    if (link.value === text) return;
    link.value = text;
    setText(copied, "");
    code.alt = `QR code of ${text}`;
    code.src = `qr.svg?text=${encodeURIComponent(text)}`;
  };
}

// A page that is not encrypted may not use the clipboard; then the link is selected, to be copied by hand.
/** @param {HTMLInputElement} link */
async function copyText(link) {
  try {
    await navigator.clipboard.writeText(link.value);
    return "Copied.";
  } catch {
    link.focus();
    link.select();
    return document.execCommand("copy") ? "Copied." : "The link is selected: copy it now.";
  }
}

function advice() {
  const command = `dealer ${location.port || 80} 0 --seats 5 --host 0.0.0.0 --lobby`;
  const text = made("p", "note", "This address works on this machine only. For others, start the dealer by ");
  text.append(Object.assign(document.createElement("code"), { textContent: command }));
  text.append(", and open this page under the machine's address in your network.");
  return [text];
}

/** @param {string} tag @param {string} className @param {string} [textContent] */
function made(tag, className, textContent = "") {
  return Object.assign(document.createElement(tag), { className, textContent });
}
