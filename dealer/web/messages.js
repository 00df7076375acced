// The dealer's lines as objects, and the OPEN line of the page. Their meaning is in protocol/SPEC.md.

/** @typedef {import("./types.d.ts").DealerMessage} DealerMessage */
/** @typedef {import("./types.d.ts").Outcome} Outcome */

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
    case "BEGIN":
    case "CARD":
    case "DEALER":
    case "DECISION":
    case "QUIT":
      return { kind };
    case "RESULT":
      return parseResult(text);
    case "ERROR":
      return { kind, text };
    case "REFUSED":
      return { kind, word: words[0] ?? "", text: words.slice(1).join(" ") };
    case "RULES":
      return { kind, rules: Object.fromEntries(words.map((word) => word.split("="))) };
    case "TABLE":
      return parseTable(text);
    case "OPENED":
      return { kind, number: Number(text) };
    case "HINT":
      return parseHint(words);
    case "REVIEW":
      return parseReview(words);
    default:
      return null;
  }
}

/** @type {Map<string, Outcome>} with the protocol's historical spelling LOOSE */
const OUTCOMES = new Map([
  ["WIN", "WIN"],
  ["LOOSE", "LOSE"],
  ["LOSE", "LOSE"],
  ["PUSH", "PUSH"],
  ["BUST", "BUST"],
]);

/**
 * @param {string} text
 * @returns {DealerMessage | null}
 */
function parseResult(text) {
  const outcome = OUTCOMES.get(text);
  return outcome === undefined ? null : { kind: "RESULT", outcome };
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
 * @param {string[]} words
 * @returns {DealerMessage | null}
 */
function parseHint([decision, cost]) {
  if (decision !== "HIT" && decision !== "STAND") return null;
  return Number.isFinite(Number(cost)) ? { kind: "HINT", decision, cost: Number(cost) } : null;
}

/**
 * @param {string[]} words
 * @returns {DealerMessage | null}
 */
function parseReview(words) {
  const [decisions, differed, cost] = words.map(Number);
  const areNumbers = [decisions, differed, cost].every(Number.isFinite);
  return areNumbers ? /** @type {DealerMessage} */ ({ kind: "REVIEW", decisions, differed, cost }) : null;
}

/**
 * The line that opens a table with these choices.
 *
 * @param {import("./types.d.ts").Choices} choices
 */
export function openLine({ opponent, seats, bots, botPolicy, decks, practice }) {
  const words = [`preset=${opponent === "each-other" ? "showdown" : "casino"}`, `decks=${decks}`];
  // An infinite deck never runs low, so the preset's cut card would be refused.
  if (decks === "inf") words.push("reshuffle=round");
  words.push(`seats=${seats}`, `bots=${bots}`, `bot-policy=${botPolicy}`);
  words.push(`practice=${practice ? "on" : "off"}`);
  return `OPEN ${words.join(" ")}`;
}
