// The drill of counting: cards one after the other, then the running count and the true count.

import { card } from "../shared/cards.js";
import { CARDS_OF_A_DECK, isTrueCount, runningCount, trueCount } from "../shared/count.js";
import { byId, write } from "../shared/elements.js";
import { RANKS, SUITS } from "../shared/hand.js";
import { rounded, signed } from "../shared/numbers.js";
import { text } from "../shared/texts.js";
import { shuffled } from "./chance.js";

const DECKS = 6;
const FEWEST = 15; // cards of a drill
const MOST = 40;

/** The cards of six decks, shuffled. @param {() => number} random */
export function shoe(random) {
  const deck = SUITS.flatMap((suit) => RANKS.map((rank) => `${rank} of ${suit}`));
  return shuffled(Array(DECKS).fill(deck).flat(), random);
}

/** @param {() => number} random */
export function startCounting(random) {
  const start = byId("count-start", HTMLButtonElement);
  const answer = byId("count-answer", HTMLButtonElement);
  const fields = [byId("running", HTMLInputElement), byId("true", HTMLInputElement)];
  /** @type {string[]} */
  let shown = [];
  let [right, asked] = [0, 0];

  /** @param {boolean} isAsked */
  function ask(isAsked) {
    for (const one of [...fields, answer]) one.disabled = !isAsked;
    start.disabled = false;
  }

  start.addEventListener("click", () => {
    const cards = shoe(random).slice(0, FEWEST + Math.floor(random() * (MOST - FEWEST + 1)));
    ask(false);
    start.disabled = true;
    for (const field of fields) field.value = "";
    write("count-verdict", "");
    shown = [];
    const timer = setInterval(showNext, 1000 * Number(byId("pace", HTMLSelectElement).value));
    showNext();

    function showNext() {
      const next = cards[shown.length];
      if (next === undefined) {
        clearInterval(timer);
        const left = (DECKS * CARDS_OF_A_DECK - shown.length) / CARDS_OF_A_DECK;
        const words = { count: shown.length, left: rounded(left, 1), decks: DECKS };
        write("count-question", text("trainer.cards-shown", words));
        byId("counted").replaceChildren();
        ask(true);
        fields[0]?.focus();
        return;
      }
      shown.push(next);
      byId("counted").replaceChildren(card(next));
      write("count-question", text("trainer.card", { number: shown.length }));
    }
  });

  byId("count-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const running = runningCount(shown);
    const exact = trueCount(running, DECKS * CARDS_OF_A_DECK - shown.length);
    const [said = 0, saidTrue = 0] = fields.map((field) => field.valueAsNumber);
    const both = [said === running, isTrueCount(saidTrue, exact)];
    asked += 2;
    right += both.filter(Boolean).length;
    const sentences = [
      text(both[0] ? "trainer.running-right" : "trainer.running-wrong", { running: signed(running) }),
      text(both[1] ? "trainer.true-right" : "trainer.true-wrong", { true: signed(exact) }),
      text("trainer.answers-right", { right, count: asked }),
    ];
    write("count-verdict", sentences.join(" "));
    ask(false);
    start.focus();
  });
}
