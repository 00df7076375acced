// A hand on the felt, the buttons for it, and how the answer was graded.

import { card } from "../shared/cards.js";
import { byId, made, write } from "../shared/elements.js";
import { rankOfUpcard } from "../shared/hand.js";
import { rounded, signed } from "../shared/numbers.js";
import { isWriting } from "../shared/shortcuts.js";
import { decisionName, handName, ranksText, upcardName } from "../shared/terms.js";
import { text } from "../shared/texts.js";

const DECISIONS = ["hit", "stand", "double", "split", "surrender", "insure", "decline"];
const SUITS = ["Spades", "Hearts", "Diamonds"];
/** Of a value, or of what a mistake costs, in bets. */
const DECIMALS = 4;

/** @param {(decision: Decision) => void} answer */
export function startAnswers(answer) {
  for (const id of DECISIONS) {
    byId(id).addEventListener("click", () => answer(/** @type {Decision} */ (id.toUpperCase())));
  }
  document.addEventListener("keydown", press);
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isWriting(event.target)) return;
  if (byId("drill").hidden || document.querySelector("dialog[open]") !== null) return;
  const shortcut = CSS.escape(event.key.toUpperCase());
  const button = document.querySelector(`#answers button[aria-keyshortcuts="${shortcut}"]:not([hidden])`);
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  button.click(); // does nothing if it is disabled
}

/** Ask about a hand. @param {Drill} drill */
export function ask({ kind, hand, cards, upcard, values }) {
  byId("hand").replaceChildren(...cards.map((rank, at) => card(`${rank} of ${SUITS[at]}`)));
  byId("upcard").replaceChildren(card(`${rankOfUpcard(upcard)} of Clubs`));
  const words = { cards: ranksText(cards), hand: handName(hand), upcard: upcardName(upcard) };
  write("question", text(kind === "insurance" ? "trainer.insure" : "trainer.question", words));
  const isSide = kind === "insurance";
  for (const id of ["hit", "stand"]) byId(id).hidden = isSide;
  for (const id of ["insure", "decline"]) byId(id).hidden = !isSide;
  allow(Object.keys(values));
  clearVerdict();
  if (document.activeElement === document.body || document.activeElement?.matches(":disabled, [hidden]"))
    byId(isSide ? "insure" : "hit").focus({ preventScroll: true });
}

/** Let these decisions be pressed, or none and *Next* instead. @param {string[]} decisions */
export function allow(decisions) {
  for (const id of DECISIONS) {
    byId(id, HTMLButtonElement).disabled = !decisions.includes(id.toUpperCase());
  }
  byId("next", HTMLButtonElement).disabled = decisions.length > 0;
}

/** Neither a decision nor *Next* can be pressed. @param {string} sentence why */
export function askNothing(sentence) {
  allow([]);
  byId("next", HTMLButtonElement).disabled = true;
  clearVerdict();
  write("question", sentence);
}

export function clearVerdict() {
  write("verdict", "");
  delete byId("verdict").dataset.right;
  byId("values").hidden = true;
}

/**
 * Show how an answer was graded.
 *
 * @param {Drill} drill
 * @param {Grade} graded
 * @param {Decision | null} decision null where the time was over
 * @param {Decision} charted
 * @param {boolean} hasLooked whether the chart was in sight
 */
export function showGrade({ values }, graded, decision, charted, hasLooked) {
  allow([]);
  byId("next").focus({ preventScroll: true });
  byId("verdict").dataset.right = String(graded.isRight);
  write("verdict", sentencesOf(graded, decision, charted, hasLooked).join(" "));
  const table = byId("values", HTMLTableElement);
  table.hidden = false;
  const best = Object.entries(values).sort(([, one], [, other]) => other - one);
  table.tBodies[0]?.replaceChildren(
    ...best.map(([name, value]) =>
      made(
        "tr",
        { "data-best": String(name === graded.best) },
        made("th", { scope: "row" }, decisionName(name)),
        made("td", {}, signed(value, DECIMALS, DECIMALS)),
      ),
    ),
  );
}

/** @param {Grade} graded @param {Decision | null} decision @param {Decision} charted @param {boolean} hasLooked */
function sentencesOf({ isRight, best, cost }, decision, charted, hasLooked) {
  const words = { best: decisionName(best), cost: rounded(cost, DECIMALS, DECIMALS) };
  const found = [text(keyOf(isRight, decision, cost), words)];
  if (!isRight && charted !== best) found.push(text("trainer.charted", { charted: decisionName(charted) }));
  if (hasLooked) found.push(text("trainer.looked"));
  return found;
}

/** @param {boolean} isRight @param {Decision | null} decision @param {number} cost */
function keyOf(isRight, decision, cost) {
  if (decision === null) return "trainer.time-over";
  if (!isRight) return "trainer.wrong";
  return cost > 0 ? "trainer.right-by-chart" : "trainer.right";
}
