// The ten hands of today: the progress in this browser, and the result to share.

import { isLoopback, linkToToday } from "../shared/address.js";
import { byId, write } from "../shared/elements.js";
import { browser } from "../shared/memory.js";
import { LANGUAGE, rounded } from "../shared/numbers.js";
import { baseForOthers } from "../shared/share.js";
import { text } from "../shared/texts.js";
import { dayOf, HANDS, handsOf, untilNextDay } from "./daily.js";

const KEY = "trainer.daily";
const HOUR = 3_600_000; // milliseconds

const longDay = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "long", timeZone: "UTC" });

export const forgetToday = () => browser.forget(KEY);

/** The answers of this browser to the hands of today. @returns {Answered[]} */
export function answersOfToday() {
  const kept = /** @type {{ day: string, answers: Answered[] } | null} */ (browser.read(KEY));
  return kept?.day === dayOf(new Date()) ? kept.answers : [];
}

/** The place of the hand that is to be answered next. @returns {PlaceOfDay} */
export const placeOfToday = () => ({ day: dayOf(new Date()), at: answersOfToday().length });

/**
 * Keep the answer to the hand of a place. It is left out if another day has begun since that hand was asked about, or
 * if another tab has answered it.
 *
 * @param {PlaceOfDay} asked
 * @param {Grade} graded
 */
export function keepAnswer(asked, { isRight, cost }) {
  const { day, at } = placeOfToday();
  if (asked.day !== day || asked.at !== at) return;
  browser.write(KEY, { day, answers: [...answersOfToday(), { isRight, cost }] });
}

/**
 * The hand that is to be answered next; null if all are, undefined if its chart is not known yet.
 *
 * @param {Drill[]} drills
 * @param {PlaceOfDay} place
 * @returns {Drill | null | undefined}
 */
export function nextOfToday(drills, { day, at } = placeOfToday()) {
  const next = handsOf(day)[at];
  if (next === undefined) return null;
  const key = keyOf(next.cards);
  return drills.find(
    ({ kind, cards, upcard }) => kind !== "insurance" && upcard === next.upcard && keyOf(cards) === key,
  );
}

/** @param {string[]} cards */
const keyOf = (cards) => [...cards].sort().join();

/** Show the progress through the hands of today. @param {boolean} isDaily */
export function showToday(isDaily) {
  const line = byId("daily-line");
  line.hidden = !isDaily;
  if (!isDaily) return;
  const answers = answersOfToday();
  const words = {
    day: longDay.format(new Date()),
    marks: marksOf(answers),
    count: answers.length,
    all: HANDS,
  };
  write("daily-line", text("trainer.daily-line", words));
}

/** The result in a sentence, with the hours until there are other hands. */
export function resultOfToday() {
  const hours = Math.ceil(untilNextDay(new Date()) / HOUR);
  return text("trainer.daily-over", { ...figuresOf(answersOfToday()), count: hours });
}

/** The result as it is shared. */
export function sharedResult() {
  const answers = answersOfToday();
  const words = { ...figuresOf(answers), day: longDay.format(new Date()), marks: marksOf(answers) };
  const base = baseForOthers();
  const address = isLoopback(base) ? [] : [linkToToday(base)];
  return [text("trainer.daily-shared", words), words.marks, ...address].join("\n");
}

/** @param {Answered[]} answers */
function figuresOf(answers) {
  const right = answers.filter(({ isRight }) => isRight).length;
  const lost = answers.reduce((sum, { cost }) => sum + cost, 0);
  return { right, all: HANDS, lost: rounded(lost, 2, 2) };
}

/** A mark for each hand; those that are left have a dot, so that the line does not grow. @param {Answered[]} answers */
const marksOf = (answers) =>
  answers
    .map(({ isRight }) => (isRight ? "✓" : "✗"))
    .join("")
    .padEnd(HANDS, "·");
