// The drill of counting: cards one after the other, then the running count and the true count.

import { card } from "../shared/cards.js";
import { isTrueCount, runningCount, trueCount } from "../shared/count.js";
import { counted } from "../shared/counts.js";
import { byId, write } from "../shared/elements.js";
import { signed } from "../shared/numbers.js";

const RANKS = "Ace Two Three Four Five Six Seven Eight Nine Ten Jack Queen King".split(" ");
const SUITS = ["Clubs", "Diamonds", "Hearts", "Spades"];
const DECKS = 6;
const CARDS_OF_A_DECK = 52;
const FEWEST = 15; // cards of a drill
const MOST = 40;

/** The cards of six decks, shuffled. @param {() => number} random */
export function shuffled(random) {
  const shoe = Array.from({ length: DECKS }, () =>
    SUITS.flatMap((suit) => RANKS.map((rank) => `${rank} of ${suit}`)),
  );
  const cards = shoe.flat();
  for (let left = cards.length - 1; left > 0; left--) {
    const at = Math.floor(random() * (left + 1));
    [cards[left], cards[at]] = [cards[at] ?? "", cards[left] ?? ""];
  }
  return cards;
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
    const cards = shuffled(random).slice(0, FEWEST + Math.floor(random() * (MOST - FEWEST + 1)));
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
        write(
          "count-question",
          `${shown.length} cards were shown; ${left.toFixed(1)} of ${DECKS} decks are left.`,
        );
        byId("counted").replaceChildren();
        ask(true);
        fields[0]?.focus();
        return;
      }
      shown.push(next);
      byId("counted").replaceChildren(card(next));
      write("count-question", `Card ${shown.length}`);
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
    const words = both.map((one) => (one ? "right" : "wrong"));
    write(
      "count-verdict",
      `Running count ${words[0]}: it is ${signed(running)}. True count ${words[1]}: it is ${signed(exact)}. ` +
        `${right} of ${counted(asked, "answer was", "answers were")} right.`,
    );
    ask(false);
    start.focus();
  });
}
