// A round to look at before the first one of this browser, as a line of a history.

/** @type {Line} */ // biome-ignore format: a record on each line
export const EXAMPLE = {
  version: 2, round: 1, table: 1, names: ["ada"], outcomes: ["WIN"], payoffs: ["+2"],
  rules: {
    preset: "vegas", decks: "6", reshuffle: "penetration:0.75", ace: "either",
    "dealer-stands": "hard17", naturals: "3:2", seats: "1", double: "any",
    "double-after-split": "yes", split: "4", "split-aces": "again", surrender: "late",
    insurance: "yes", "hole-card": "peek",
  },
  records: [
    { record: "card", seat: 0, hand: 0, card: "Eight of Spades" },
    { record: "card", seat: 0, hand: 0, card: "Eight of Hearts" },
    { record: "upcard", card: "Six of Diamonds" },
    { record: "hole card", card: "Ten of Diamonds" },
    { record: "asked", seat: 0, hand: 0, options: ["HIT", "STAND", "DOUBLE", "SPLIT", "SURRENDER"] },
    { record: "decided", seat: 0, hand: 0, decision: "SPLIT" },
    { record: "hand", seat: 0, hand: 0, hands: 2 },
    { record: "card", seat: 0, hand: 0, card: "Three of Spades" },
    { record: "asked", seat: 0, hand: 0, options: ["HIT", "STAND", "DOUBLE"] },
    { record: "decided", seat: 0, hand: 0, decision: "HIT" },
    { record: "card", seat: 0, hand: 0, card: "Ten of Hearts" },
    { record: "asked", seat: 0, hand: 0, options: ["HIT", "STAND"] },
    { record: "decided", seat: 0, hand: 0, decision: "STAND" },
    { record: "hand", seat: 0, hand: 1, hands: 2 },
    { record: "card", seat: 0, hand: 1, card: "Nine of Clubs" },
    { record: "asked", seat: 0, hand: 1, options: ["HIT", "STAND", "DOUBLE"] },
    { record: "decided", seat: 0, hand: 1, decision: "STAND" },
    { record: "revealed", card: "Ten of Diamonds" },
    { record: "drew", card: "King of Clubs" },
    { record: "hand settled", seat: 0, hand: 0, outcome: "WIN", payoff: "+1" },
    { record: "hand settled", seat: 0, hand: 1, outcome: "WIN", payoff: "+1" },
    { record: "settled", seat: 0, outcome: "WIN", payoff: "+2" },
  ],
  seats: [
    {
      name: "ada", payoff: "+2",
      hands: [
        {
          cards: ["Eight of Spades", "Three of Spades", "Ten of Hearts"],
          stake: "1", outcome: "WIN", payoff: "+1",
          decisions: [
            { options: ["HIT", "STAND", "DOUBLE", "SPLIT", "SURRENDER"], decision: "SPLIT", cost: 0.0, best: "SPLIT" },
            { options: ["HIT", "STAND", "DOUBLE"], decision: "HIT", cost: 0.336072, best: "DOUBLE" },
            { options: ["HIT", "STAND"], decision: "STAND", cost: 0.0, best: "STAND" },
          ],
        },
        {
          cards: ["Eight of Hearts", "Nine of Clubs"],
          stake: "1", outcome: "WIN", payoff: "+1",
          decisions: [
            { options: ["HIT", "STAND", "DOUBLE"], decision: "STAND", cost: 0.0, best: "STAND" },
          ],
        },
      ],
    },
  ],
};
