// Why a WebSocket does not open, which a browser tells no script: the dealer is asked for it without a handshake.

import { text } from "./texts.js";

const LONGEST = 5000; // milliseconds for an answer

/**
 * By the status of the answer; "no-websocket" where a handshake would be taken, were it not for a proxy. One that speaks
 * HTTP/1.0 to the dealer passes none on, and may bring 505.
 *
 * @type {Record<number, Reason>}
 */
const REASONS = { 403: "other-name", 426: "no-websocket", 429: "too-many", 505: "no-websocket" };
/**
 * The reasons by the beginning of a dealer's own 503; a proxy's says that it has reached none.
 *
 * @type {[beginning: string, reason: Reason][]}
 */
const UNAVAILABLE = [
  ["dealer is full", "full"],
  ["this dealer is being replaced", "replaced"],
];

/**
 * The reason why this WebSocket does not open.
 *
 * @param {string} address of the WebSocket
 * @param {string} origin of the page
 * @param {(address: string, options: RequestInit) => Promise<Pick<Response, "status" | "text">>} ask
 * @returns {Promise<Reason>}
 */
export async function reasonFor(address, origin, ask) {
  const where = new URL(address.replace(/^ws/, "http"));
  where.searchParams.set("origin", origin);
  const reason = await answerOf(where, ask);
  if (reason !== "unreached" || !where.searchParams.has("dealer")) return reason;
  where.searchParams.delete("dealer");
  const other = await answerOf(where, ask);
  return other === "no-websocket" ? "gone" : other; // it would open
}

/** @param {URL} where @param {Parameters<typeof reasonFor>[2]} ask @returns {Promise<Reason>} */
async function answerOf(where, ask) {
  try {
    const answer = await ask(where.href, { cache: "no-store", signal: AbortSignal.timeout(LONGEST) });
    if (answer.status === 503) return ownReason(await answer.text());
    return REASONS[answer.status] ?? "unreached";
  } catch {
    return "unreached";
  }
}

/** @param {string} told @returns {Reason} */
function ownReason(told) {
  return UNAVAILABLE.find(([beginning]) => told.startsWith(beginning))?.[1] ?? "unreached";
}

/**
 * Why there is no connection, in a sentence.
 *
 * @param {Reason | null} reason null as long as none is known
 */
export function reasonText(reason) {
  return text(reason === null ? "lost.connection" : `lost.${reason}`);
}
