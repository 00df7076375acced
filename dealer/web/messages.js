// The dealer's lines as objects: { kind, ... }. What cannot be read is null.

export function parse(line) {
  const [kind, ...words] = line.trim().split(" ");
  const text = words.join(" ");
  switch (kind) {
    case "TABLE":
      return parseTable(text);
    case "HINT":
      return { kind, decision: words[0], cost: Number(words[1]) };
    case "REVIEW": {
      const [decisions, differed, cost] = words.map(Number);
      return { kind, decisions, differed, cost };
    }
    case "RULES":
      return { kind, rules: Object.fromEntries(words.map((word) => word.split("="))) };
    case "OPENED":
      return { kind, number: Number(text) };
    default:
      return { kind, text };
  }
}

function parseTable(text) {
  try {
    const table = JSON.parse(text);
    return Array.isArray(table?.seats) ? { kind: "TABLE", table } : null;
  } catch {
    return null;
  }
}

/** The line that opens a table by the choices of the menu. */
export function openLine({ opponent, seats, bots, botPolicy, decks, practice }) {
  const words = [`rules=${opponent === "each-other" ? "showdown" : "casino"}`, `decks=${decks}`];
  // An infinite deck never runs low, so it takes no other way to shuffle.
  if (decks === "inf") words.push("reshuffle=round");
  words.push(`seats=${seats}`, `bots=${bots}`, `bot-policy=${botPolicy}`, `practice=${practice ? "on" : "off"}`);
  return `OPEN ${words.join(" ")}`;
}
