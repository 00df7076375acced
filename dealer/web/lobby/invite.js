// The invitation to a table: its link, to copy or as a QR code, on the felt while it waits and in a dialog later.

import { isLoopback, linkTo, placeOfTable } from "../shared/address.js";
import { byId, made, pressable, setText, write } from "../shared/elements.js";
import { baseForOthers, isCopied } from "../shared/share.js";
import { text } from "../shared/texts.js";
import { isWaitingForPlayers, playersText } from "../table/waiting.js";

/**
 * Make the invitation work.
 *
 * @param {Session} session
 */
export function startInvite(session) {
  const base = baseForOthers();
  const places = [byId("waiting"), byId("invite-panel")].map((place) => invitation(place, isLoopback(base)));
  const dialog = byId("invite-panel", HTMLDialogElement);
  byId("invite").addEventListener("click", () => {
    dialog.showModal();
    selectLink(dialog);
  });
  byId("close-invite").addEventListener("click", () => dialog.close());
  byId("start-now").addEventListener("click", () => session.start());
  byId("add-bot").addEventListener("click", () => session.addBot());
  byId("leave-waiting").addEventListener("click", () => session.leave());
  return {
    /**
     * Keep it up to date.
     *
     * @param {State} state
     */
    update(state) {
      const { table } = state;
      const isShared = table !== null && table.seats.length > 1 && table.phase !== "closed";
      byId("invite").hidden = !isShared;
      if (isShared) for (const show of places) show(linkTo(base, placeOfTable(table)));
      else if (dialog.open) dialog.close();
      showWaiting(isWaitingForPlayers(state) ? table : null);
    },
  };
}

/** @param {Table | null} table the one that waits for players */
function showWaiting(table) {
  const panel = byId("waiting");
  const isNew = table !== null && panel.hidden;
  const hadFocus = table === null && panel.contains(document.activeElement);
  panel.hidden = table === null;
  write("waiting-text", table === null ? "" : playersText(table.waits_for));
  byId("start-now").hidden = !table?.may_start;
  byId("add-bot").hidden = !table?.may_add_bot;
  if (isNew) selectLink(panel);
  if (hadFocus) byId("actions").focus(); // so that the keyboard goes on from there
}

// A page that is not encrypted may use neither the clipboard nor the share sheet: the link is ready to be copied by hand.
/** @param {HTMLElement} place */
function selectLink(place) {
  if (navigator.clipboard === undefined) place.querySelector("input")?.focus();
}

/**
 * Put a link, its code and what sends it into a place; the function shows another link.
 *
 * @param {HTMLElement} place
 * @param {boolean} isForThisMachine whether the link works nowhere else
 */
function invitation(place, isForThisMachine) {
  const box = place.querySelector(".invitation");
  const link = made("input", { readonly: true, class: "link", "aria-label": text("invite.link") });
  const copied = made("p", { class: "copied", role: "status" });
  const code = made("img", { class: "code", width: 148, height: 148 });
  const copy = pressable(text("invite.copy"), async () =>
    setText(copied, text((await isCopied(link)) ? "invite.copied" : "invite.selected")),
  );
  const row = made("div", { class: "link-row" }, link, copy);
  if (navigator.share !== undefined) row.append(pressable(text("invite.share"), () => share(link.value)));
  box?.append(made("p", {}, text("invite.send")), row, copied);
  if (isForThisMachine) box?.append(made("p", { class: "note" }, text("invite.this-machine")));
  box?.append(code);
  link.addEventListener("focus", () => link.select());
  /** @param {string} address */
  return (address) => {
    if (link.value === address) return;
    link.value = address;
    setText(copied, "");
    code.alt = text("invite.code", { link: address });
    code.src = `qr.svg?text=${encodeURIComponent(address)}`;
  };
}

// Whoever closes the sheet has chosen to send nothing.
/** @param {string} url */
function share(url) {
  navigator.share({ title: document.title, url }).catch(() => null);
}
