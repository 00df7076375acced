// The choices for a table of your own, and the OPEN line that asks for it. Nothing here touches the document.

import { text } from "../shared/texts.js";
import { offeredRules, PRESETS } from "./presets.js";

/** Bytes of a line that a dealer reads, its end counted. */
const MAX_LINE = 256;

/** The meaning of OPEN where it says nothing. */
const DEFAULTS = { "bot-policy": "basic", practice: "off", players: "", pause: "3", "bot-delay": "0.7" };

/** A table with chips and hints, and with bots, so that it begins at once. @type {Choices} */
export const FIRST_CHOICES = {
  preset: "vegas",
  seats: "4",
  bots: "3",
  botPolicy: DEFAULTS["bot-policy"],
  friends: "0",
  practice: true,
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
    if (value !== "" && value !== base[key]) words.push(`${key}=${value}`);
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
 * The rules that are chosen: those of the preset, with its chips, and what was changed.
 *
 * @param {Choices} choices
 * @returns {Rules}
 */
export function rulesOf({ preset, rules }) {
  const chosen = { ...offeredRules(preset), ...rules };
  return chosen.bets === "1" ? { ...chosen, bankroll: "" } : chosen;
}

/**
 * How many friends and bots may be chosen beside you; null while the number of seats is being written.
 *
 * @param {Pick<Choices, "seats" | "friends">} choices
 * @returns {{ friends: number, bots: number } | null}
 */
export function roomFor({ seats, friends }) {
  if (!/^[1-9]$/.test(seats)) return null;
  const others = Number(seats) - 1;
  return { friends: others, bots: Math.max(0, others - Number(friends)) };
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
  if (rules.naturals === "player") return problem("naturals", "problem.no-natural-player");
  if (rules.naturals?.includes(":")) return problem("naturals", "problem.no-natural-pays");
  return botPolicy === "qtable" && Number(bots) > 0 ? problem("bot-policy", "problem.table-bots") : null;
}

/** @param {Rules} rules */
function shoeProblem({ decks, reshuffle = "" }) {
  const [kind, amount] = reshuffle.split(":");
  if (decks === "inf" && kind !== "round") return problem("reshuffle", "problem.infinite");
  const most = 52 * Number(decks);
  const isCut = kind === "cutoff" && !(Number(amount) >= 1 && Number(amount) <= most);
  return isCut ? problem("reshuffle", "problem.cutoff", { most }) : null;
}

/** @param {Rules} rules */
function naturalProblem(rules) {
  const hasNone = rules.ace === "1";
  if (hasNone && rules.naturals?.includes(":")) return problem("naturals", "problem.ace-natural");
  const isPlain = rules.naturals === "equal" || rules.naturals === "player";
  if (!hasNone && !isPlain) return null;
  const why = hasNone ? "ace" : "plain";
  if (rules.insurance === "yes") return problem("insurance", `problem.${why}-insurance`);
  if (rules["hole-card"] !== "last") return problem("hole-card", `problem.${why}-hole-card`);
  return rules.surrender === "late" ? problem("surrender", `problem.${why}-surrender`) : null;
}

/** @param {Rules} rules */
function playProblem(rules) {
  if (rules.surrender === "late" && rules["hole-card"] !== "peek")
    return problem("surrender", "problem.late");
  const cannotSplit = rules.split === "1";
  if (rules["double-after-split"] === "yes" && (cannotSplit || rules.double === "none")) {
    return problem("double-after-split", "problem.double-after-split");
  }
  const isIdle = cannotSplit && rules["split-aces"] !== "once";
  return isIdle ? problem("split-aces", "problem.split-aces") : null;
}

/** @param {Rules} rules */
function betProblem({ bets = "1", bankroll }) {
  if (bets === "1") return null;
  const [least = 0, most = 0] = bets.split("-").map(Number);
  if (!(least >= 1 && least <= most)) return problem("bets", "problem.bets");
  const isPoor = bankroll && Number(bankroll) < least;
  return isPoor ? problem("bankroll", "problem.bankroll", { count: least }) : null;
}

/**
 * @param {string} key of the field to change
 * @param {import("../shared/texts.js").TextKey} why
 * @param {Record<string, number>} [values]
 */
function problem(key, why, values) {
  return { key, text: text(why, values) };
}
