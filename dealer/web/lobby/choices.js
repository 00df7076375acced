// What was chosen for a table of your own, and the OPEN line that asks for it. Nothing here touches the document.

import { counted } from "../shared/counts.js";
import { PRESETS } from "./presets.js";

/** Bytes of a line that a dealer reads, its end counted. */
const MAX_LINE = 256;

/** What OPEN means where it says nothing. */
const DEFAULTS = { "bot-policy": "basic", practice: "off", players: "", pause: "3", "bot-delay": "0.7" };

/** @type {Choices} */
export const FIRST_CHOICES = {
  preset: "casino",
  seats: "5",
  bots: "4",
  botPolicy: DEFAULTS["bot-policy"],
  friends: "0",
  practice: false,
  pause: DEFAULTS.pause,
  botDelay: DEFAULTS["bot-delay"],
  rules: {},
};

/**
 * The line that opens a table with these choices: only what differs from the preset and from what OPEN means anyway.
 * Where that is too long, the same rules are said as changes of the preset that is nearest to them.
 *
 * @param {Choices} choices
 */
export function openLine(choices) {
  const line = lineFrom(choices.preset, choices);
  if (line.length < MAX_LINE) return line;
  const others = [...PRESETS.keys()].filter((name) => (name === "showdown") === isShowdown(choices));
  return others.map((name) => lineFrom(name, choices)).reduce((a, b) => (b.length < a.length ? b : a), line);
}

/** @param {string} preset @param {Choices} choices */
function lineFrom(preset, choices) {
  const { seats, bots, botPolicy, friends, practice, pause, botDelay } = choices;
  const words = [`preset=${preset}`];
  const base = PRESETS.get(preset) ?? {};
  for (const [key, value] of Object.entries(rulesOf(choices))) {
    if (value !== base[key]) words.push(`${key}=${value}`);
  }
  words.push(`seats=${seats}`, `bots=${bots}`);
  /** @type {Record<keyof typeof DEFAULTS, string>} */
  const rest = {
    "bot-policy": botPolicy,
    practice: practice ? "on" : "off",
    players: String(Number(friends) + 1),
    pause,
    "bot-delay": botDelay,
  };
  for (const [key, value] of Object.entries(rest)) {
    const isUsual = value === DEFAULTS[/** @type {keyof typeof DEFAULTS} */ (key)];
    if (value !== "" && !isUsual) words.push(`${key}=${value}`);
  }
  return `OPEN ${words.join(" ")}`;
}

/**
 * The rules that are chosen: those of the preset, and what was changed.
 *
 * @param {Choices} choices
 * @returns {Rules}
 */
export function rulesOf({ preset, rules }) {
  return { ...PRESETS.get(preset), ...rules };
}

/** @param {Choices} choices */
export function isShowdown({ preset }) {
  return preset === "showdown";
}

/**
 * Why no table can have these choices, and the key of the field to change; null if nothing is known against them. The
 * dealer has the last word.
 *
 * @param {Choices} choices
 * @returns {{ key: string, text: string } | null}
 */
export function problemOf(choices) {
  const rules = rulesOf(choices);
  const ofRules = shoeProblem(rules) ?? naturalProblem(rules) ?? playProblem(rules) ?? betProblem(rules);
  return ofRules ?? (isShowdown(choices) ? showdownProblem(choices) : null);
}

/** @param {Choices} choices */
function showdownProblem({ rules, bots, botPolicy }) {
  if (rules.naturals === "player") {
    return problem("naturals", "Without a dealer all naturals are players’: choose “beats any other 21”.");
  }
  if (rules.naturals?.includes(":")) {
    return problem("naturals", "Without a dealer nobody pays for a natural: choose “beats any other 21”.");
  }
  const isTable = botPolicy === "qtable" && Number(bots) > 0;
  return isTable ? problem("bot-policy", "The trained table knows no game without a dealer.") : null;
}

/** @param {Rules} rules */
function shoeProblem({ decks, reshuffle = "" }) {
  const [kind, amount] = reshuffle.split(":");
  if (decks === "inf" && kind !== "round") {
    return problem("reshuffle", "An infinite deck never runs low: choose a new shoe before every round.");
  }
  const most = 52 * Number(decks);
  if (kind === "cutoff" && !(Number(amount) >= 1 && Number(amount) <= most)) {
    return problem("reshuffle", `There are ${most} cards in the shoe: choose 1 to ${most}.`);
  }
  return null;
}

/** @param {Rules} rules */
function naturalProblem(rules) {
  const hasNone = rules.ace === "1";
  if (hasNone && rules.naturals?.includes(":")) {
    return problem(
      "naturals",
      "Where an ace counts 1 there is no natural to pay for: choose “equals any other 21”.",
    );
  }
  if (!hasNone && rules.naturals !== "equal" && rules.naturals !== "player") return null;
  const whose = rules.naturals === "player" ? "the dealer’s natural" : "a natural";
  const why = hasNone ? "Where an ace counts 1 there is no natural" : `Where ${whose} is a 21 like any other`;
  if (rules.insurance === "yes") return problem("insurance", `${why}, there is nothing to insure against.`);
  if (rules["hole-card"] !== "last")
    return problem("hole-card", `${why}, the dealer has nothing to look for.`);
  if (rules.surrender === "late") return problem("surrender", `${why}, surrender can only be early.`);
  return null;
}

/** @param {Rules} rules */
function playProblem(rules) {
  if (rules.surrender === "late" && rules["hole-card"] !== "peek") {
    const text =
      "Late surrender needs a dealer who looks at the second card first: choose that, or early surrender.";
    return problem("surrender", text);
  }
  const cannotSplit = rules.split === "1";
  if (rules["double-after-split"] === "yes" && (cannotSplit || rules.double === "none")) {
    return problem("double-after-split", "Doubling after a split needs both doubling and splitting.");
  }
  if (cannotSplit && rules["split-aces"] !== "once") {
    return problem("split-aces", "Split aces need splitting: choose how many hands a player may make.");
  }
  return null;
}

/** @param {Rules} rules */
function betProblem({ bets = "1", bankroll }) {
  if (bets === "1") return null;
  const [least, most] = bets.split("-").map(Number);
  if (!(Number(least) >= 1 && Number(least) <= Number(most))) {
    return problem("bets", "The largest bet may not be below the least, which is 1 chip or more.");
  }
  if (bankroll !== undefined && Number(bankroll) < Number(least)) {
    return problem("bankroll", `A player needs at least ${counted(least ?? 0, "chip")} to bet.`);
  }
  return null;
}

/** @param {string} key @param {string} text */
function problem(key, text) {
  return { key, text };
}
