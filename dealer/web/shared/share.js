// Sending a link or a text to others.

import { baseOf } from "./address.js";

/** What the links of this page for others begin with; the dealer has written its public addresses into the page. */
export function baseForOthers() {
  const told = document.querySelector('meta[name="public-urls"]')?.getAttribute("content") ?? "";
  return baseOf(location, told.split(" ").filter(Boolean));
}

/**
 * Select the text of a field and copy it; whether that was possible. A page that is not encrypted may not use the
 * clipboard, and not every browser has the older way.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 */
export async function isCopied(field) {
  field.focus();
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}
