// Counting at the table: which cards of the shoe have been seen, and the question for the count after each round.

import { CARDS_OF_A_DECK, isTrueCount, runningCount, tagOf, trueCount } from "../shared/count.js";
import { made } from "../shared/elements.js";
import { rankOf } from "../shared/hand.js";
import { tab } from "../shared/memory.js";
import { signed } from "../shared/numbers.js";
import { onSettings, setting } from "../shared/settings.js";
import { rankName } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { isVoid } from "./void.js";

/** @type {CountKept} */
const NOTHING = { table: 0, fresh: 0, round: 0, seen: [], ours: [], asked: 0, right: 0 };

/**
 * The cards that a table shows face up.
 *
 * @param {Table} table
 */
export function faceUp({ seats, dealer }) {
  const hands = seats.flatMap((seat) => seat.hands?.flatMap(({ cards }) => cards) ?? seat.cards);
  return [...hands, ...(dealer?.cards ?? [])].filter((one) => one !== null);
}

/**
 * The cards of the shoe that are known once a table is shown. Those of a round are kept apart, since each TABLE has
 * them all: a split or a turned hole card counts once.
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
  const shown = fresh > table.round ? [] : faceUp(table);
  // Who leaves, or gives the seat to somebody, takes cards away within the round.
  const ours = isNewRound ? shown : [...shown, ...without(kept.ours, shown)];
  return { ...kept, table: table.table, fresh, round: table.round, seen, ours };
}

/**
 * Some cards without others, each as often as it is among them.
 *
 * @param {string[]} cards
 * @param {string[]} others
 */
function without(cards, others) {
  const left = [...others];
  return cards.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * Why the cards of a table are not counted; empty where they are.
 *
 * @param {Table} table
 */
export function whyNot({ shoe, rules }) {
  if (shoe.size === null) return text("count.infinite");
  return rules.reshuffle === "round" ? text("count.every-round") : "";
}

/**
 * The grade of an answer, with the way to the right one.
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
  const tags = kept.ours
    .map((one) => text("count.tag", { rank: rankName(rankOf(one)), tag: signed(tagOf(one)) }))
    .join(", ");
  const before = signed(runningCount(kept.seen));
  const key = isRight[0] ? "count.running-right" : "count.running-wrong";
  const sentences = [text(key, { before, tags, count: signed(count) })];
  if (answer !== null) {
    const decks = (unseen / CARDS_OF_A_DECK).toFixed(1);
    const trueKey = isRight[1] ? "count.true-right" : "count.true-wrong";
    sentences.push(text(trueKey, { count: signed(count), decks, exact: signed(exact) }));
  }
  return { isRight, text: sentences.join(" ") };
}

/** Put the panel into its place, and return what shows it a table. @param {HTMLElement} place */
export function openCount(place) {
  const found = /** @type {Partial<CountKept> | null} */ (tab.read("count"));
  /** @type {CountKept} */
  let kept = { ...NOTHING, ...found };
  /** @type {Table | null} */
  let table = null;
  let answered = "";

  const running = field(text("count.running"), "1");
  const truly = field(text("count.true"), "0.5");
  const form = made("form", {}, running.label, truly.label, made("button", {}, text("count.check")));
  const verdict = made("p", { role: "status" });
  place.replaceChildren(form, verdict);

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (table === null || table.shoe.size === null) return;
    const isTrueAsked = setting("count") === "true";
    const answer = isTrueAsked ? truly.input.valueAsNumber : null;
    const grade = graded(kept, table.shoe.size, running.input.valueAsNumber, answer);
    kept.asked += grade.isRight.length;
    kept.right += grade.isRight.filter(Boolean).length;
    tab.write("count", kept);
    answered = nameOf(table);
    const score = text("count.score", { right: kept.right, count: kept.asked });
    verdict.textContent = `${grade.text} ${score}`;
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
    return unknown <= 0 ? "" : text("count.unseen", { count: unknown });
  }

  onSettings(draw);
  return (/** @type {Table | null} */ shown) => {
    const before = table;
    table = shown;
    if (shown !== null) {
      const isNew = shown.table !== kept.table || shown.round !== kept.round;
      kept = follow(isVoid(before, shown) ? { ...kept, ours: [] } : kept, shown);
      tab.write("count", kept);
      if (isNew) for (const { input } of [running, truly]) input.value = "";
    }
    draw();
  };
}

/** @param {Table} table */
const nameOf = ({ table, round }) => `${table}.${round}`;

/** @param {string} question @param {string} step */
function field(question, step) {
  const input = made("input", { type: "number", step, required: true });
  return { label: made("label", {}, question, input), input };
}
