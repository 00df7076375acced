// The dealer's lines as objects, and the OPEN line of the page. Their meaning is in protocol/SPEC.md.

/** @typedef {"HIT" | "STAND"} Decision */
/** @typedef {"WIN" | "LOSE" | "PUSH" | "BUST"} Outcome */
/** @typedef {Record<string, string>} Rules the fields of RULES, by their keys */

/**
 * A seat in TABLE.
 *
 * @typedef {object} Seat
 * @property {string | null} name null if the seat is free
 * @property {boolean} bot
 * @property {boolean} away
 * @property {boolean} ready
 * @property {(string | null)[]} cards such as `Ten of Spades`; null for a face-down card
 * @property {number | null} total
 * @property {boolean | null} soft
 * @property {"empty" | "waiting" | "playing" | "standing" | "bust" | "natural"} state
 * @property {Outcome | null} result
 * @property {number} score in initial bets
 * @property {number} rounds
 */

/**
 * The dealer in TABLE.
 *
 * @typedef {object} Dealer
 * @property {string | null} upcard
 * @property {(string | null)[]} cards
 * @property {number | null} total
 */

/**
 * The JSON object of TABLE.
 *
 * @typedef {object} Table
 * @property {number} table
 * @property {number} sequence
 * @property {boolean} practice
 * @property {number | null} clock in seconds
 * @property {number} round
 * @property {"waiting" | "playing" | "results" | "closed"} phase
 * @property {Rules} rules
 * @property {number | null} turn
 * @property {number | null} you
 * @property {boolean} revealed
 * @property {Seat[]} seats
 * @property {Dealer | null} dealer null in `showdown`
 * @property {string[]} log
 * @property {number} logged
 */

/**
 * Why something was refused: a word to act on, and a sentence for people. Other words may be added.
 *
 * @typedef {{ word: RefusalWord | string, text: string }} Refusal
 * @typedef {"taken-over" | "bad-token" | "no-seat" | "not-kept" | "token-in-use" | "no-table" | "no-place" | "no-hint"
 *   | "no-review" | "no-reveal" | "cannot-open" | "bad-table" | "not-allowed" | "too-late" | "malformed" | "ended"} RefusalWord
 */

/** @typedef {{ decision: Decision, cost: number }} Hint */
/** @typedef {{ decisions: number, differed: number, cost: number }} Review */

/**
 * A message from the dealer.
 *
 * @typedef {{ kind: "BEGIN" | "CARD" | "DEALER" | "DECISION" | "QUIT" }
 *   | { kind: "RESULT", outcome: Outcome }
 *   | { kind: "ERROR", text: string }
 *   | { kind: "REFUSED" } & Refusal
 *   | { kind: "RULES", rules: Rules }
 *   | { kind: "TABLE", table: Table }
 *   | { kind: "OPENED", number: number }
 *   | { kind: "HINT" } & Hint
 *   | { kind: "REVIEW" } & Review
 * } DealerMessage
 */

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
 * What was chosen in the menu for a table of your own.
 *
 * @typedef {object} Choices
 * @property {string} opponent `dealer` or `each-other`
 * @property {string} seats
 * @property {string} bots
 * @property {string} botPolicy
 * @property {string} decks
 * @property {boolean} practice
 */

/**
 * The line that opens a table with these choices.
 *
 * @param {Choices} choices
 */
export function openLine({ opponent, seats, bots, botPolicy, decks, practice }) {
  const words = [`preset=${opponent === "each-other" ? "showdown" : "casino"}`, `decks=${decks}`];
  // An infinite deck never runs low, so the preset's cut card would be refused.
  if (decks === "inf") words.push("reshuffle=round");
  words.push(`seats=${seats}`, `bots=${bots}`, `bot-policy=${botPolicy}`);
  words.push(`practice=${practice ? "on" : "off"}`);
  return `OPEN ${words.join(" ")}`;
}
