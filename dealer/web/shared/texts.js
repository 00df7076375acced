// All texts of the pages by their keys, ready to be translated: the only place where words that people read stand.
// The table is plain JSON, since the dealer reads it too, for the `{{key}}` of the HTML files.

import { rounded } from "./numbers.js";

export const TEXTS = {
  "page.title": "twentyone: a blackjack table",

  "card.name": "{rank} of {suit}",
  "card.face-down": "face-down card",
  "card.Ace": "Ace",
  "card.Two": "Two",
  "card.Three": "Three",
  "card.Four": "Four",
  "card.Five": "Five",
  "card.Six": "Six",
  "card.Seven": "Seven",
  "card.Eight": "Eight",
  "card.Nine": "Nine",
  "card.Ten": "Ten",
  "card.Jack": "Jack",
  "card.Queen": "Queen",
  "card.King": "King",
  "card.Clubs": "Clubs",
  "card.Diamonds": "Diamonds",
  "card.Hearts": "Hearts",
  "card.Spades": "Spades",

  "hand.hard": "hard {total}",
  "hand.soft": "soft {total}",
  "hand.pair": "pair of {total}s",
  "hand.pair-of-aces": "pair of aces",
  "hand.insurance": "insurance",
  "hand.against": "{hand} against {upcard}",

  "decision.HIT": "Hit",
  "decision.STAND": "Stand",
  "decision.DOUBLE": "Double",
  "decision.SPLIT": "Split",
  "decision.SURRENDER": "Surrender",
  "decision.INSURE": "Insure",
  "decision.DECLINE": "Decline",
  "decision.did.HIT": "hit",
  "decision.did.STAND": "stood",
  "decision.did.DOUBLE": "doubled",
  "decision.did.SPLIT": "split",
  "decision.did.SURRENDER": "surrendered",
  "decision.did.INSURE": "insured",
  "decision.did.DECLINE": "declined",

  "outcome.WIN": "Won",
  "outcome.PUSH": "Push",
  "outcome.LOSE": "Lost",
  "outcome.BUST": "Bust",
  "outcome.SURRENDER": "Surrendered"
};

/** @typedef {keyof typeof TEXTS} TextKey */

const forms = new Intl.PluralRules("en");

/**
 * The text of a key, with values in its places.
 *
 * @param {TextKey} key
 * @param {Record<string, string | number>} [values] for each `{name}`; `count` also chooses the form of a number. A
 *   number gets groups of thousands; a text stays as it is
 */
export function text(key, values = {}) {
  const found = /** @type {Record<string, string | Record<string, string>>} */ (TEXTS)[key] ?? key;
  const pattern =
    typeof found === "string" ? found : (found[forms.select(Number(values.count))] ?? found.other);
  return (pattern ?? key).replace(/\{(\w+)\}/g, (place, name) => {
    const value = values[name] ?? place;
    return typeof value === "number" ? rounded(value) : value;
  });
}
