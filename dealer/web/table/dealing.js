// One change of a table as several tables, in which the cards come one by one. Nothing here touches the document.

import { totalOf } from "../shared/hand.js";

const FIRST_CARDS = 2;

/**
 * The frames from one TABLE to the next: the cards in the order of the game, and only then how the round has ended.
 *
 * In all but the last table nobody is asked, no clock runs, and results, scores and bankrolls are those of before.
 * A round that was not followed from its beginning is shown at once.
 *
 * @param {Table | null} before the table that is shown
 * @param {Table} after the newest TABLE
 * @returns {Frame[]} at least one; the last one is `after`
 */
export function framesBetween(before, after) {
  if (before === null || before.table !== after.table) return [after];
  const isNew = after.round === before.round + 1;
  if (!isNew && after.round !== before.round) return [after];
  const steps = stepsTo(layOf(after), isNew ? null : layOf(before), after);
  const frames = steps.map((step) => frame(before, after, step, isNew));
  const ends = isOver(after) && (isNew || !isOver(before));
  if (!ends) frames.pop(); // the last card is there in the newest table, with the next question
  return [...frames, after];
}

/**
 * A table as it was before the first card of its round.
 *
 * @param {Table} table
 * @returns {Table}
 */
export function beforeRound(table) {
  return { ...table, round: table.round - 1, phase: "waiting" };
}

/**
 * The number of cards that lie on a table, face up or down.
 *
 * @param {Table} table
 */
export function cardsOn(table) {
  const { seats, dealer } = layOf(table);
  return seats.flat(2).length + dealer.length;
}

/**
 * The number of cards that the dealer shows, without a hole card that is face down.
 *
 * @param {Table | null} table
 */
export function dealersShown(table) {
  return (table?.dealer?.cards ?? []).filter((card) => card !== null).length;
}

/** @param {Table} table */
export function isOver({ phase }) {
  return phase === "results" || phase === "closed";
}

/**
 * The cards of a table, by its seats and their hands.
 *
 * @param {Table} table
 * @returns {Lay}
 */
function layOf({ seats, dealer }) {
  return { seats: seats.map(handsOf), dealer: dealer?.cards ?? [] };
}

/** @param {Seat} seat */
function handsOf({ cards, hands = [] }) {
  return hands.length > 1 ? hands.map((hand) => hand.cards) : [cards];
}

/**
 * Each step on the way to these cards.
 *
 * @param {Lay} goal
 * @param {Lay | null} start the cards that lie there already; null in a new round
 * @param {Table} table the one with the cards of the goal
 * @returns {DealingStep[]}
 */
function stepsTo(goal, start, table) {
  /** @type {DealingStep[]} */
  const steps = [];
  let lay = start === null ? { seats: goal.seats.map(() => [[]]), dealer: [] } : common(start, goal);
  /** @param {Partial<Lay>} change @param {number | null} [seat] @param {number} [hand] */
  const add = (change, seat = null, hand = 0) => {
    lay = { ...lay, ...change };
    steps.push({ lay, seat, hand });
  };
  if (start === null) deal(goal, add, () => lay, !(table.revealed && !isOver(table)));
  split(goal, add, () => lay, start);
  play(goal, add, () => lay);
  turnSeats(goal, add, () => lay);
  playDealer(goal, add, () => lay);
  return steps;
}

// Two cards to each seat in the order of the seats, then the upcard and the hole card.
/** @param {Lay} goal @param {AddStep} add @param {() => Lay} now @param {boolean} isHidden the hole card */
function deal(goal, add, now, isHidden) {
  for (const [seat, [first = [], second]] of goal.seats.entries()) {
    const cards = second === undefined ? first.slice(0, FIRST_CARDS) : [first[0] ?? null, second[0] ?? null];
    for (let count = 1; count <= cards.length; count++) {
      add({ seats: now().seats.with(seat, [cards.slice(0, count)]) });
    }
  }
  const [upcard, hole] = goal.dealer;
  if (upcard !== undefined) add({ dealer: [upcard] });
  if (upcard !== undefined && hole !== undefined) add({ dealer: [upcard, isHidden ? null : hole] });
}

// A pair that is split lies as two hands before either gets a card.
/** @param {Lay} goal @param {AddStep} add @param {() => Lay} now @param {Lay | null} start */
function split(goal, add, now, start) {
  for (const [seat, hands] of goal.seats.entries()) {
    const before = start?.seats[seat] ?? now().seats[seat] ?? [];
    if (hands.length === before.length || before.flat().length === 0) continue;
    add({ seats: now().seats.with(seat, kept(before, hands)) }, seat);
  }
}

// Seat after seat, and hand after hand. In `showdown` a card of others stays face down until the end.
/** @param {Lay} goal @param {AddStep} add @param {() => Lay} now */
function play(goal, add, now) {
  for (const [seat, hands] of goal.seats.entries()) {
    for (const [number, cards] of hands.entries()) {
      for (let count = (now().seats[seat]?.[number] ?? []).length; count < cards.length; count++) {
        const own = now().seats[seat] ?? [];
        const hand = own[number] ?? [];
        const next = hand.includes(null) ? null : (cards[count] ?? null);
        add({ seats: now().seats.with(seat, own.with(number, [...hand, next])) }, seat, number);
      }
    }
  }
}

/** @param {Lay} goal @param {AddStep} add @param {() => Lay} now */
function turnSeats(goal, add, now) {
  for (const [seat, hands] of goal.seats.entries()) {
    const isTurned = (now().seats[seat] ?? []).flat().join() === hands.flat().join();
    if (!isTurned) add({ seats: now().seats.with(seat, hands) });
  }
}

/** @param {Lay} goal @param {AddStep} add @param {() => Lay} now */
function playDealer(goal, add, now) {
  const isTurned = now().dealer[1] === goal.dealer[1];
  if (!isTurned) add({ dealer: goal.dealer.slice(0, now().dealer.length) });
  for (let count = now().dealer.length; count < goal.dealer.length; count++) {
    add({ dealer: goal.dealer.slice(0, count + 1) });
  }
}

/**
 * The cards that lay there already. Where cards have gone, as those of a player who has left, all is as in the end.
 *
 * @param {Lay} start
 * @param {Lay} goal
 * @returns {Lay}
 */
function common(start, goal) {
  const seats = goal.seats.map((hands, seat) => {
    const before = start.seats[seat] ?? [];
    return hands.length > before.length ? before : hands.map((cards, at) => begun(before[at] ?? [], cards));
  });
  return { seats, dealer: begun(start.dealer, goal.dealer) };
}

/**
 * @param {(string | null)[]} before
 * @param {(string | null)[]} cards
 */
function begun(before, cards) {
  const isKept = before.every((card, at) => (card === null ? at < cards.length : card === cards[at]));
  return isKept ? before : cards;
}

/**
 * The hands made by splitting, with the cards that were there before.
 *
 * @param {(string | null)[][]} before
 * @param {(string | null)[][]} hands
 */
function kept(before, hands) {
  const known = before.flat();
  /** @param {string | null} card */
  const take = (card) => {
    const at = known.indexOf(card);
    if (at >= 0) known.splice(at, 1);
    return at >= 0;
  };
  const first = hands.map(([card = null]) => (take(card) ? [card] : []));
  return first.map((cards, number) => {
    const rest = cards.length === 0 ? [] : (hands[number] ?? []).slice(1);
    const until = rest.findIndex((card) => !take(card));
    return [...cards, ...(until < 0 ? rest : rest.slice(0, until))];
  });
}

/**
 * @param {Table} before
 * @param {Table} after
 * @param {DealingStep} step
 * @param {boolean} isNew whether the round is one that had not begun before
 * @returns {Frame}
 */
function frame(before, after, { lay, seat, hand }, isNew) {
  const isDealing = isNew && seat === null && lay.dealer.filter((card) => card !== null).length < 2;
  return {
    ...after,
    ...{ phase: "playing", clock: null, turn: seat, isDealing },
    ...(after.hand !== undefined && { hand: seat === null ? null : hand + 1, options: [] }),
    seats: after.seats.map((one, number) => {
      const old = before.seats[number];
      const same = old !== undefined && old.name === one.name ? old : null;
      return seatFrame(one, lay.seats[number] ?? [], same, isNew, after.rules);
    }),
    dealer: after.dealer && dealerFrame(after.dealer, lay.dealer, after.rules),
  };
}

/**
 * @param {Seat} seat as it is in the end
 * @param {(string | null)[][]} lay its cards
 * @param {Seat | null} before how the same player's seat was
 * @param {boolean} isNew
 * @param {Rules} rules
 * @returns {Seat}
 */
function seatFrame(seat, lay, before, isNew, rules) {
  const { score, rounds, bankroll } = before ?? seat;
  const isDealtIn = seat.cards.length > 0;
  if (!isDealtIn) return { ...seat, score, rounds, ...(bankroll !== undefined && { bankroll }) };
  const old = isNew ? null : before;
  const isComplete = JSON.stringify(lay) === JSON.stringify(handsOf(seat));
  const { hands } = seat;
  return {
    ...seat,
    ...{ score, rounds, ...(bankroll !== undefined && { bankroll }) },
    ...withTotal(lay[0] ?? [], rules),
    state: isComplete ? seat.state : "playing",
    result: old?.result ?? null,
    ...(seat.payoff !== undefined && { payoff: old?.payoff ?? null }),
    ...(seat.insured !== undefined && { insured: old?.insured ?? false }),
    ...(hands && { hands: handFrames(hands, lay, rules) }),
  };
}

/**
 * @param {Hand[]} hands as they are in the end
 * @param {(string | null)[][]} lay their cards, or those of the one hand before a split
 * @param {Rules} rules
 * @returns {Hand[]}
 */
function handFrames(hands, lay, rules) {
  return lay.flatMap((cards, number) => {
    const hand = hands[number];
    return hand ? [{ ...hand, ...withTotal(cards, rules), outcome: null, payoff: null }] : [];
  });
}

/** @param {Dealer} dealer @param {(string | null)[]} cards @param {Rules} rules @returns {Dealer} */
function dealerFrame(dealer, cards, rules) {
  const total = cards.length < FIRST_CARDS ? null : withTotal(cards, rules).total;
  return { upcard: cards.length === 0 ? null : dealer.upcard, cards, total };
}

/**
 * Cards and their best total, by the rule for aces (`ace` of RULES); null where a card is face down or none is there.
 *
 * @param {(string | null)[]} cards
 * @param {Rules} rules
 * @returns {{ cards: (string | null)[], total: number | null, soft: boolean | null }}
 */
function withTotal(cards, rules) {
  if (cards.length === 0 || cards.includes(null)) return { cards, total: null, soft: null };
  const { total, soft } = totalOf(cards, rules.ace);
  return { cards, total, soft: soft && rules.ace !== "11" };
}
