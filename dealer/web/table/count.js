// Counting at the table: which cards of the shoe have been seen, and the question for the count after each round.

import { isTrueCount, runningCount, signed, tagOf, trueCount } from "../shared/count.js";
import { counted } from "../shared/counts.js";
import { tab } from "../shared/memory.js";
import { onSettings, setting } from "../shared/settings.js";

/** @type {CountKept} */
const NOTHING = { table: 0, fresh: 0, round: 0, seen: [], ours: [], asked: 0, right: 0 };

/**
 * All cards that a table shows face up.
 *
 * @param {Table} table
 */
export function faceUp({ seats, dealer }) {
  const hands = seats.flatMap((seat) => seat.hands?.flatMap(({ cards }) => cards) ?? seat.cards);
  return [...hands, ...(dealer?.cards ?? [])].filter((one) => one !== null);
}

/**
 * What is known of the shoe once a table is shown. The cards of a round are kept apart, since each TABLE has them
 * all: a split or a turned hole card counts once.
 *
 * @param {CountKept} kept
 * @param {Table} table
 * @returns {CountKept}
 */
export function follow(kept, table) {
  const { fresh } = table.shoe;
  const isSame = kept.table === table.table && kept.round <= table.round; // otherwise the dealer was started again
  const isShuffled = !isSame || kept.fresh !== fresh;
  const isNewRound = isShuffled || kept.round !== table.round;
  const seen = isShuffled ? [] : isNewRound ? [...kept.seen, ...kept.ours] : kept.seen;
  // Shuffled before the bets: what still lies there is of the shoe before.
  const ours = fresh > table.round ? [] : faceUp(table);
  return { ...kept, table: table.table, fresh, round: table.round, seen, ours };
}

/**
 * Why the cards of a table are not counted; empty where they are.
 *
 * @param {Table} table
 */
export function whyNot({ shoe, rules }) {
  if (shoe.size === null) return "An infinite deck is not counted: every card is as likely as before.";
  if (rules.reshuffle === "round")
    return "The shoe is shuffled for every round here, so there is nothing to count.";
  return "";
}

/**
 * How an answer is graded, and how the right one comes about.
 *
 * @param {CountKept} kept
 * @param {number} size of the shoe, in cards
 * @param {number} running
 * @param {number | null} answer for the true count; null where it is not asked
 */
export function graded(kept, size, running, answer) {
  const all = [...kept.seen, ...kept.ours];
  const count = runningCount(all);
  const unseen = Math.max(1, size - all.length);
  const exact = trueCount(count, unseen);
  const isRight = [running === count, ...(answer === null ? [] : [isTrueCount(answer, exact)])];
  const tags = kept.ours.map((one) => `${one.split(" of ")[0]} ${signed(tagOf(one))}`).join(", ");
  const words = isRight.map((one) => (one ? "right" : "wrong"));
  const before = runningCount(kept.seen);
  let text = `Running count ${words[0]}: ${signed(before)} before this round, then ${tags}: ${signed(count)}.`;
  if (answer !== null) {
    text += ` True count ${words[1]}: ${signed(count)} by ${(unseen / 52).toFixed(1)} decks that you have not seen is ${signed(exact)}.`;
  }
  return { isRight, text };
}

const part = (/** @type {string} */ tag, /** @type {string} */ text = "") =>
  Object.assign(document.createElement(tag), { textContent: text });

/** Put the panel into its place, and return what shows it a table. @param {HTMLElement} place */
export function openCount(place) {
  const found = /** @type {Partial<CountKept> | null} */ (tab.read("count"));
  /** @type {CountKept} */
  let kept = { ...NOTHING, ...found };
  /** @type {Table | null} */
  let table = null;
  let answered = "";

  const form = /** @type {HTMLFormElement} */ (part("form"));
  const running = field("Running count?", "1");
  const truly = field("True count?", "0.5");
  const button = part("button", "Check");
  const verdict = part("p");
  verdict.setAttribute("role", "status");
  form.append(running.label, truly.label, button);
  place.replaceChildren(form, verdict);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (table === null || table.shoe.size === null) return;
    const isTrueAsked = setting("count") === "true";
    const answer = isTrueAsked ? truly.input.valueAsNumber : null;
    const { isRight, text } = graded(kept, table.shoe.size, running.input.valueAsNumber, answer);
    kept.asked += isRight.length;
    kept.right += isRight.filter(Boolean).length;
    tab.write("count", kept);
    answered = nameOf(table);
    verdict.textContent = `${text} ${kept.right} of ${counted(kept.asked, "answer was", "answers were")} right.`;
    draw();
  });

  function draw() {
    const mode = setting("count");
    place.hidden = mode === "off" || table === null || table.you === null;
    if (place.hidden || table === null) return;
    const reason = whyNot(table);
    const isDue = reason === "" && table.phase === "results" && answered !== nameOf(table);
    form.hidden = !isDue;
    truly.label.hidden = mode !== "true";
    truly.input.required = mode === "true";
    if (reason) verdict.textContent = reason;
    else if (isDue) verdict.textContent = missed(table);
    else if (answered !== nameOf(table) && table.phase !== "results") verdict.textContent = "";
  }

  // For a player who came when the shoe was in use, the cards dealt before count as cards that are left.
  /** @param {Table} shown */
  function missed(shown) {
    const { left, size } = shown.shoe;
    const unknown = (size ?? 0) - (left ?? 0) - kept.seen.length - kept.ours.length;
    if (unknown <= 0) return "";
    const cards = unknown === 1 ? "1 card" : `${unknown} cards`;
    return `You have not seen ${cards} of this shoe that ${unknown === 1 ? "was" : "were"} dealt: count as if still in it.`;
  }

  onSettings(draw);
  return (/** @type {Table | null} */ shown) => {
    table = shown;
    if (shown !== null) {
      const isNew = shown.table !== kept.table || shown.round !== kept.round;
      kept = follow(kept, shown);
      tab.write("count", kept);
      if (isNew) for (const { input } of [running, truly]) input.value = "";
    }
    draw();
  };
}

/** @param {Table} table */
const nameOf = ({ table, round }) => `${table}.${round}`;

/** @param {string} text @param {string} step */
function field(text, step) {
  const label = part("label", text);
  const input = /** @type {HTMLInputElement} */ (part("input"));
  Object.assign(input, { type: "number", step, required: true });
  label.append(input);
  return { label, input };
}
