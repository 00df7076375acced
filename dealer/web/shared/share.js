// Sending a link or a text to others.

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether a page of this host can be reached from this machine only. @param {string} hostname */
export function isLoopback(hostname) {
  return LOOPBACK.test(hostname);
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
