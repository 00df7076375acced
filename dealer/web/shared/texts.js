// All texts of the pages by their keys, ready to be translated: the only place where words that people read stand.
// The table is plain JSON, since the dealer reads it too, for the `{{key}}` of the HTML files.

import { rounded } from "./numbers.js";

export const TEXTS = {
  "page.title": "twentyone: a blackjack table",

  "header.product": "twentyone",
  "header.pages": "Pages",
  "header.menu": "Menu",
  "header.table": "Table",
  "header.trainer": "Trainer",
  "header.hands": "Your hands",
  "header.replay": "Replay",
  "header.help": "Help",
  "header.settings": "Settings",
  "header.new-game": "New game",
  "header.invite": "Invite",
  "header.rules": "Rules",
  "header.log": "Log",

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
  "outcome.SURRENDER": "Surrendered",

  "replay.title": "Replay: twentyone",
  "replay.heading": "Replay",
  "replay.loading": "Loading.",
  "replay.file": "A file of rounds",
  "replay.progress": "Read so far",
  "replay.round-before": "▴ Round",
  "replay.round-after": "▾ Round",
  "replay.rules": "Rules of this table",
  "replay.list": "Rounds",
  "replay.name": "Name",
  "replay.by-cost": "Most costly first",
  "replay.column-round": "Round",
  "replay.column-names": "Names",
  "replay.column-payoff": "Payoff",
  "replay.column-cost": "Cost",
  "replay.earlier": "Earlier",
  "replay.later": "Later",
  "replay.keys-step": "a step;",
  "replay.keys-round": "a round;",
  "replay.keys-ends": "the first and the last round",
  "replay.about": "About this page",
  "replay.about-steps":
    "Each round is shown step by step: every card, every decision, and what a mistake cost where that is known.",
  "replay.about-file":
    "A dealer that is started like this writes its rounds to a file. Open that file above, or drop it anywhere on this page. It is read in this browser and sent nowhere.",
  "replay.about-hands": "All rounds that you have played in this browser, with your results and mistakes:",
  "replay.of-browser": "The last rounds that you played in this browser.",
  "replay.example": "An example: rounds that you play in this browser appear here by themselves.",
  "replay.of-table": "The last rounds of table {table}.",
  "replay.loading-file": "Reading {name}.",
  "replay.is-open": "{name} is open.",
  "replay.is-open-without-costs":
    "{name} is open. It does not say what decisions cost: “replay FILE --output NEW” adds that, where it is known.",
  "replay.cannot-be-shown": "{name} cannot be shown. {reason}",
  "replay.in-line": "Line {number}: {reason}",
  "replay.line-too-long": "Line {number} is longer than {most} bytes: expected a history.",
  "replay.no-round-in-file": "The file has no round: expected lines as “dealer --history” writes them.",
  "replay.dealer-says": "The dealer says: {sentence}.",
  "replay.no-round-yet":
    "No round of this table is over yet since somebody watches it. The first one appears here by itself.",
  "replay.dealer-gone": "The dealer is gone: the rounds that were loaded stay here.",
  "replay.connection-lost": "The connection is lost: the rounds that were loaded stay here. Trying again …",
  "replay.now": "Table {table}, round {round}",
  "replay.now-at": "Table {table}, round {round}, {time}",
  "replay.none-of-name": "No round has that name.",
  "replay.count": { "one": "{count} round", "other": "{count} rounds" },
  "replay.count-of": { "one": "{count} of {all} rounds", "other": "{count} of {all} rounds" },
  "replay.some-shown": {
    "one": "{count} round, {from} to {to} shown",
    "other": "{count} rounds, {from} to {to} shown"
  },
  "replay.some-of-shown": {
    "one": "{count} of {all} rounds, {from} to {to} shown",
    "other": "{count} of {all} rounds, {from} to {to} shown"
  },
  "replay.start": "◂◂ Start",
  "replay.begins": "Round {round}: {names}.",
  "replay.who": "{name}, hand {hand} of {hands},",
  "replay.card": "{who} gets the {card}: {total}.",
  "replay.upcard": "The dealer shows the {card}.",
  "replay.hole-card": "The dealer takes a card face down.",
  "replay.asked": "{who} has {total} and is asked: {options}?",
  "replay.decided.HIT": "{who} hits.",
  "replay.decided.STAND": "{who} stands.",
  "replay.decided.DOUBLE": "{who} doubles.",
  "replay.decided.SPLIT": "{who} splits.",
  "replay.decided.SURRENDER": "{who} surrenders.",
  "replay.decided.INSURE": "{who} takes insurance.",
  "replay.decided.DECLINE": "{who} declines.",
  "replay.late": "The clock decided.",
  "replay.best": "That is the best decision.",
  "replay.mistake": "A mistake, which costs {cost} bets.",
  "replay.mistake-best": "A mistake, which costs {cost} bets; the best decision: {best}.",
  "replay.next-hand": "{who} is next.",
  "replay.natural": "The dealer looks: it is a natural.",
  "replay.no-natural": "The dealer looks: it is no natural.",
  "replay.forfeited": "{name} gives up the round.",
  "replay.revealed": "The dealer turns over the {card}: {total}.",
  "replay.drew": "The dealer draws the {card}: {total}.",
  "replay.ended.WIN": "{who} wins: {payoff}.",
  "replay.ended.PUSH": "{who} pushes: {payoff}.",
  "replay.ended.LOSE": "{who} loses: {payoff}.",
  "replay.ended.BUST": "{who} is bust: {payoff}.",
  "replay.ended.SURRENDER": "{who} has surrendered: {payoff}.",
  "replay.place": "{step} of {last}",
  "replay.back": "◂ Back",
  "replay.next": "Next ▸",
  "replay.cost-so-far": "Mistakes so far cost {cost} bets.",
  "replay.dealer": "Dealer",
  "replay.bet": "bet {bet}",
  "replay.stake": "stake {stake}",
  "replay.insured": "insured",
  "replay.result": "{outcome} {payoff}",
  "replay.hand": "Hand {hand} of {hands}",
  "replay.late-short": "by the clock",
  "replay.cost-short": "cost {cost}",
  "replay.best-short": "best",
  "replay.seconds": "{seconds} s",
  "replay.not-json": "This is not a line of JSON: expected a round as “dealer --history” writes it.",
  "replay.other-version": "This round is of version {found} of the history: expected version {expected}.",
  "replay.no-line": "This is no round of a history. A round has these keys: {keys}.",
  "replay.unknown-record": "“{record}” is nothing that happens in a round of a history.",
  "replay.record-does-not-fit": "Record {number} of this round, {record}, does not fit those before it.",
  "replay.not-in-page": "This page does not have that round.",

  "plot.caption": "{title}, {unit}:",
  "plot.described": {
    "one": "{title}, {unit}, over {count} round: it ends at {end}, the lowest is {low}, the highest {high}.",
    "other":
      "{title}, {unit}, over {count} rounds: it ends at {end}, the lowest is {low}, the highest {high}."
  },
  "plot.lines": { "one": "{count} line.", "other": "{count} lines, each from where a new bankroll began." },
  "plot.rounds": "rounds",

  "hands.title": "Your hands: twentyone",
  "hands.heading": "Your hands",
  "hands.loading": "Loading.",
  "hands.practise": "Practise your mistakes",
  "hands.export": "Export",
  "hands.delete": "Delete all",
  "hands.kept": {
    "one": "{count} round kept in this browser, and nowhere else.",
    "other": "{count} rounds kept in this browser, and nowhere else."
  },
  "hands.none":
    "No round is kept yet. The rounds that you play in this browser appear here by themselves: your results, your mistakes, and each round to see again.",
  "hands.keeps-nothing": "This browser keeps nothing, as in a private window: no round is stored.",
  "hands.play": "Play a round",
  "hands.example": "See an example",
  "hands.all-rounds": "All rounds",
  "hands.rounds": "Rounds",
  "hands.won-pushed-lost": "Won / pushed / lost",
  "hands.payoff": "Payoff",
  "hands.payoff-in-bets": "Payoff, in bets",
  "hands.chips-won": "Chips won",
  "hands.mistakes": "Mistakes",
  "hands.of": "{part} of {whole}",
  "hands.cost": "Cost",
  "hands.cost-in-bets": "Cost of mistakes, in bets",
  "hands.cost-per-100": "Cost per 100 rounds",
  "hands.streak-won": "Longest winning streak",
  "hands.streak-clean": "Most rounds without a mistake",
  "hands.bankroll": "Bankroll",
  "hands.in-chips": "in chips",
  "hands.in-bets": "in initial bets",
  "hands.note-costs": "Costs are by the exact values of the table's rules, for a fresh shoe.",
  "hands.note-showdown":
    "Without a dealer they are those of an infinite deck, if all others play basic strategy.",
  "hands.note-unknown": {
    "one": "Of {count} round the costs are not known.",
    "other": "Of {count} rounds the costs are not known."
  },
  "hands.results": "Your results over time",
  "hands.curve-of": "Show",
  "hands.curve-payoff": "Payoff, in bets",
  "hands.curve-bankroll": "Bankroll, in chips",
  "hands.curve-cost": "Cost of mistakes",
  "hands.key-mistakes": "Circles: rounds with a mistake.",
  "hands.key-streak": "Thick: your longest winning streak.",
  "hands.key-sessions": "Dashed: a new session.",
  "hands.key-bankrolls": "Where the line is broken, a new bankroll begins.",
  "hands.sessions": "The figures by session",
  "hands.session-from": "Session from",
  "hands.session-note":
    "A session ends after half an hour without a round. Payoff and cost are in initial bets.",
  "hands.list": "Rounds, the newest first",
  "hands.show": "Show",
  "hands.show-all": "all",
  "hands.show-mistakes": "with mistakes",
  "hands.hand": "Hand",
  "hands.hand-such-as": "hard 16 against Ten",
  "hands.round": "Round",
  "hands.first-decision": "First decision",
  "hands.no-decision": "none",
  "hands.no-time": "no time",
  "hands.none-like-that": "No round is like that.",
  "hands.newer": "Newer",
  "hands.older": "Older",
  "hands.replay": "Replay",
  "hands.replay-of": "Replay: {time}, table {table}, round {round}",
  "hands.gone": "This round is not kept any more.",
  "hands.decisions": "Your decisions",
  "hands.decided": "{situation}: you {did}.",
  "hands.decided-best": "{situation}: you {did}, the best decision.",
  "hands.decided-mistake": "{situation}: you {did}. {best} was best: cost {cost}.",
  "hands.by-clock": "{did} (the clock)",
  "hands.rules": "Rules of this table",
  "hands.costly": "Your mistakes, the most costly first",
  "hands.no-mistakes": "No decision has cost anything.",
  "hands.you": "You",
  "hands.best": "Best",
  "hands.times": { "one": "{did} once", "other": "{did} {count} times" },
  "hands.all-mistakes": "Show all",
  "hands.exported": {
    "one": "{count} round exported to {file}, as a line of a history.",
    "other": "{count} rounds exported to {file}, as lines of a history."
  },
  "hands.delete-question": "Delete all rounds?",
  "hands.will-be-gone": {
    "one": "{count} round will be gone for good. Export it first to keep a copy.",
    "other": "{count} rounds will be gone for good. Export them first to keep a copy."
  },
  "hands.keep": "Keep them",
  "hands.delete-all": "Delete",
  "hands.deleted": "All rounds are deleted.",
  "hands.not-deleted": "The rounds could not be deleted."
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
