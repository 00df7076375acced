// A round that is over, step by step: from a line of a history. Pure.

import { totalOf } from "../shared/hand.js";
import { minus } from "../shared/numbers.js";
import { cardName, decisionName, decisionsText, named, totalText } from "../shared/terms.js";
import { text } from "../shared/texts.js";

const VERSION = 2; // of the lines that are read
const KEYS = "version, names, rules, records, payoffs, seats";

/**
 * Read a line of a history.
 *
 * @param {string} json
 * @returns {Line}
 * @throws {Error} if it is none; the message is a sentence
 */
export function readLine(json) {
  let line = null;
  try {
    line = JSON.parse(json);
  } catch {
    throw new Error(text("replay.not-json"));
  }
  if (typeof line?.version === "number" && line.version !== VERSION) {
    throw new Error(text("replay.other-version", { found: line.version, expected: VERSION }));
  }
  const isRound = [line?.names, line?.records, line?.payoffs, line?.seats].every(Array.isArray);
  if (!isRound || line.version !== VERSION || typeof line.rules !== "object") {
    throw new Error(text("replay.no-line", { keys: KEYS }));
  }
  return line;
}

/**
 * The cost of all decisions of a line, in initial bets; null where no cost is told.
 *
 * @param {Line} line
 * @param {(seat: PlayedSeat) => boolean} [counts] which seats do
 * @returns {number | null}
 */
export function costOf(line, counts = () => true) {
  const hands = line.seats.filter(counts).flatMap((seat) => seat.hands);
  const costs = hands.flatMap((hand) =>
    hand.decisions.flatMap(({ cost }) => (cost === undefined ? [] : [cost])),
  );
  return costs.length > 0 ? costs.reduce((sum, cost) => sum + cost, 0) : null;
}

/**
 * A round, from the empty table to the last payoff.
 *
 * @param {Line} line
 * @returns {Step[]} at least one; none is changed by what follows it
 * @throws {Error} if the records are not those of a round; the message is a sentence
 */
export function stepsOf(line) {
  const questions = questionsInOrder(line);
  /** @type {Step} */
  let step = {
    text: text("replay.begins", { round: String(line.round), names: line.names.join(", ") }),
    dealer: [],
    seats: line.names.map((name) => ({
      name,
      hands: [newHand([])],
      insured: false,
      outcome: null,
      payoff: null,
    })),
    seat: null,
    hand: 0,
    decision: null,
    decided: 0,
    cost: costOf(line) === null ? null : 0,
  };
  const steps = [step];
  for (const record of line.records) {
    step = structuredClone({ ...step, seat: null, hand: 0, decision: null });
    const happen = HAPPENS[record.record];
    if (happen === undefined) throw new Error(text("replay.unknown-record", { record: record.record }));
    try {
      step.text = happen(step, record, line, questions);
    } catch {
      const place = { number: steps.length, record: JSON.stringify(record) };
      throw new Error(text("replay.record-does-not-fit", place));
    }
    steps.push(step);
  }
  return steps;
}

/**
 * Where the decision that cost most was taken; 0 where none cost anything.
 *
 * @param {Step[]} steps
 * @param {number | null} [seat] only its decisions count; null for those of all
 * @returns {number}
 */
export function dearestOf(steps, seat = null) {
  const costs = steps.map((step) => (seat === null || step.seat === seat ? (step.decision?.cost ?? 0) : 0));
  return costs.indexOf(Math.max(0, ...costs));
}

/**
 * The step at which a round is opened: at the mistake that cost most, or else at its end.
 *
 * @param {Step[]} steps
 * @param {number | null} [seat] only its mistakes count
 */
export function opensAt(steps, seat = null) {
  return dearestOf(steps, seat) || steps.length - 1;
}

/** @param {string[]} cards @returns {StepHand} */
function newHand(cards, stake = 1) {
  return { cards, stake, outcome: null, payoff: null };
}

/**
 * The questions that were answered, in the order of play: a line has them hand by hand.
 *
 * @param {Line} line
 * @returns {Asked[]}
 */
export function questionsInOrder({ names, records, seats }) {
  /** @type {number[][][]} by seats and hands: which answers they gave */
  const given = names.map(() => [[]]);
  const answers = records.filter(({ record }) => record === "decided");
  for (const [number, { seat, hand, decision }] of answers.entries()) {
    given[seat]?.[hand]?.push(number);
    if (decision === "SPLIT") given[seat]?.splice(hand + 1, 0, []);
  }
  /** @type {Asked[]} */
  const found = answers.map(({ decision }) => ({ options: [], decision }));
  for (const [seat, hands] of given.entries()) {
    for (const [hand, numbers] of hands.entries()) {
      const asked = (seats[seat]?.hands[hand]?.decisions ?? []).filter(({ decision }) => decision !== null);
      for (const [at, number] of numbers.entries())
        found[number] = asked[at] ?? /** @type {Asked} */ (found[number]);
    }
  }
  return found;
}

/**
 * The change that each kind of record makes, and the sentence about it.
 *
 * @type {Record<string, (step: Step, record: any, line: Line, questions: Asked[]) => string>}
 */
const HAPPENS = {
  card(step, { seat, hand, card }, { rules }) {
    const { cards } = turnTo(step, seat, hand);
    cards.push(card);
    return text("replay.card", { who: who(step), card: cardName(card), total: totalOfCards(cards, rules) });
  },
  upcard(step, { card }) {
    step.dealer.push(card);
    return text("replay.upcard", { card: cardName(card) });
  },
  "hole card"(step) {
    step.dealer.push(null);
    return text("replay.hole-card");
  },
  asked(step, { seat, hand, options }, { rules }) {
    const { cards } = turnTo(step, seat, hand);
    const total = totalOfCards(cards, rules);
    return text("replay.asked", { who: who(step), total, options: decisionsText(options) });
  },
  decided(step, { seat, hand, decision }, _line, questions) {
    const played = turnTo(step, seat, hand);
    const values = { who: who(step) };
    const asked = /** @type {Asked} */ (questions.shift());
    step.decision = asked;
    step.decided += 1;
    if (step.cost !== null) step.cost += asked.cost ?? 0;
    if (decision === "DOUBLE") played.stake *= 2;
    if (decision === "INSURE") seatOf(step, seat).insured = true;
    if (decision === "SPLIT") seatOf(step, seat).hands.splice(hand + 1, 0, newHand(played.cards.splice(1)));
    const late = asked.late ? text("replay.late") : "";
    return [named("replay.decided", decision, values), late, costText(asked)].filter(Boolean).join(" ");
  },
  hand(step, { seat, hand }) {
    turnTo(step, seat, hand);
    return text("replay.next-hand", { who: who(step) });
  },
  peeked: (_step, { natural }) => text(natural ? "replay.natural" : "replay.no-natural"),
  forfeited(step, { seat }) {
    turnTo(step, seat, 0);
    return text("replay.forfeited", { name: seatOf(step, seat).name });
  },
  revealed(step, { card }, { rules }) {
    step.dealer[1] = card;
    return text("replay.revealed", { card: cardName(card), total: totalOfCards(step.dealer, rules) });
  },
  drew(step, { card }, { rules }) {
    step.dealer.push(card);
    return text("replay.drew", { card: cardName(card), total: totalOfCards(step.dealer, rules) });
  },
  "hand settled"(step, { seat, hand, outcome, payoff }) {
    Object.assign(turnTo(step, seat, hand), { outcome, payoff });
    return named("replay.ended", outcome, { who: who(step), payoff: minus(payoff) });
  },
  settled(step, { seat, outcome, payoff }) {
    turnTo(step, seat, 0);
    Object.assign(seatOf(step, seat), { outcome, payoff });
    return named("replay.ended", outcome, { who: seatOf(step, seat).name, payoff: minus(payoff) });
  },
};

/** @param {Step} step @param {number} seat @returns {StepSeat} */
function seatOf(step, seat) {
  const found = step.seats[seat];
  if (found === undefined) throw new RangeError("no such seat");
  return found;
}

/** @param {Step} step @param {number} seat @param {number} hand @returns {StepHand} */
function turnTo(step, seat, hand) {
  const found = seatOf(step, seat).hands[hand];
  if (found === undefined) throw new RangeError("no such hand");
  Object.assign(step, { seat, hand });
  return found;
}

/** @param {Step} step */
function who({ seats, seat, hand }) {
  const { name = "", hands = [] } = seats[seat ?? 0] ?? {};
  return hands.length > 1 ? text("replay.who", { name, hand: hand + 1, hands: hands.length }) : name;
}

/** @param {(string | null)[]} cards @param {Rules} rules */
function totalOfCards(cards, rules) {
  return totalText(totalOf(cards, rules.ace));
}

/** @param {Asked} asked */
function costText({ cost, best }) {
  if (cost === undefined) return "";
  if (!(cost > 0)) return text("replay.best");
  const values = { cost: cost.toFixed(4), best: best ? decisionName(best).toLowerCase() : "" };
  return text(best === undefined ? "replay.mistake" : "replay.mistake-best", values);
}
