// The dealer's lines as objects. Their meaning is in protocol/SPEC.md.

import { PAYOFFS } from "./statistics.js";

/**
 * Read a line from the dealer; null if the page does not know the verb, or the arguments are invalid.
 *
 * @param {string} line
 * @returns {DealerMessage | null}
 */
export function parse(line) {
  const [kind, ...words] = line.trim().split(" ");
  const text = words.join(" ");
  switch (kind) {
    case "CARD":
      return { kind, card: text };
    case "BEGIN":
    case "DEALER":
    case "QUIT":
      return { kind };
    case "DECISION":
      return text ? { kind, question: parseQuestion(words) } : { kind };
    case "RESULT":
      return parseResult(words);
    case "ERROR":
      return { kind, text };
    case "REFUSED":
      return { kind, word: words[0] ?? "", text: words.slice(1).join(" ") };
    case "RULES":
      return { kind, rules: Object.fromEntries(words.map((word) => word.split("="))) };
    case "TABLE":
      return parseTable(text);
    case "TABLES":
      return parseTables(text);
    case "OPENED":
      return { kind, number: Number(text) };
    case "HINT":
      return parseHint(words);
    case "REVIEW":
      return parseReview(words);
    case "HISTORY":
      return { kind, line: words.slice(2).join(" ") };
    default:
      return null;
  }
}

/**
 * A result; LOOSE is the protocol's historical spelling.
 *
 * @param {string[]} words
 * @returns {DealerMessage | null}
 */
function parseResult([word = "", payoff]) {
  const outcome = /** @type {Outcome} */ (word === "LOOSE" ? "LOSE" : word);
  return Object.hasOwn(PAYOFFS, outcome) ? { kind: "RESULT", outcome, ...(payoff && { payoff }) } : null;
}

/**
 * @param {string[]} words
 * @returns {Question}
 */
function parseQuestion(words) {
  const [first, minimum, maximum, bankroll = ""] = words;
  if (first === "BET") {
    return { options: [first], limits: { minimum: Number(minimum), maximum: Number(maximum), bankroll } };
  }
  return { options: /** @type {Decision[]} */ (words) };
}

/**
 * @param {string} text
 * @returns {DealerMessage | null}
 */
function parseTable(text) {
  try {
    const table = JSON.parse(text);
    return Array.isArray(table?.seats) ? { kind: "TABLE", table } : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} text
 * @returns {DealerMessage | null}
 */
function parseTables(text) {
  try {
    const tables = JSON.parse(text);
    return Array.isArray(tables?.tables) ? { kind: "TABLES", tables } : null;
  } catch {
    return null;
  }
}

/**
 * @param {string[]} words
 * @returns {DealerMessage | null}
 */
function parseHint([decision, cost]) {
  const isHint = Number.isFinite(Number(cost));
  return isHint ? { kind: "HINT", decision: /** @type {Decision} */ (decision), cost: Number(cost) } : null;
}

/**
 * @param {string[]} words
 * @returns {DealerMessage | null}
 */
function parseReview(words) {
  const [decisions, differed, cost] = words.map(Number);
  if (![decisions, differed, cost].every(Number.isFinite)) return null;
  const each = [];
  for (let at = 3; words[at + 2]; at += 3) {
    each.push({ decision: words[at], cost: Number(words[at + 1]), best: words[at + 2] });
  }
  return /** @type {DealerMessage} */ ({ kind: "REVIEW", decisions, differed, cost, each });
}
