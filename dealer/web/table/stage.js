// Between the state and what is drawn of it: a change is drawn in steps, so that cards come one by one.

import { beforeRound, cardsOn, dealersShown, framesBetween, isOver } from "./dealing.js";
import { INITIAL, isOurTurn } from "./game.js";

/** Messages that come together are drawn, and read out, as one change. In milliseconds, like all that follow. */
const DRAW_DELAY = 15;
const CARD_BEAT = 350;
/** The beat for a card of the dealer and for the end of a round, at which everybody looks. */
const DEALER_BEAT = 700;
/** The longest wait for a question, while the dealer's clock runs: nine seats are dealt 20 cards. */
const LONGEST_DEAL = 2500;
/** The page is never further behind the dealer: its twelve cards are drawn faster. */
const LONGEST_LAG = 6000;
/** More tables than two full rounds have: the page did not keep up, and goes on with the newest. */
const LONGEST_QUEUE = 100;
/** A question is drawn with the TABLE that follows it; without one, it is drawn all the same. */
const LONGEST_WAIT = 500;

/**
 * Draws the states that it is given, in their order and each in as many steps as it needs.
 *
 * @param {(state: State, before: State) => void} draw
 * @param {() => number} pace how long a beat lasts, times the normal; 0 for no steps
 */
export function openStage(draw, pace) {
  let shown = INITIAL;
  let newest = INITIAL;
  /** @type {Shown} what the drawn state has of its own */
  let now = { table: null, log: INITIAL.log, logged: 0, statistics: INITIAL.statistics };
  /** @type {Due[]} what is to be drawn */
  let queue = [];
  let isReturning = false;
  /** @type {Question | null} one that no TABLE has followed in time */
  let overdue = null;
  /** @type {(() => void)[]} */
  let waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let beat;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let drawing;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let patience;

  /** @param {State} state */
  function present(state) {
    const before = newest;
    newest = state;
    if (state.sitting === "returning") isReturning = true;
    if (state.table === null) clear({ ...state, table: null });
    else if (state.table !== before.table) add(state.table, before);
    if (queue.length === 0 || beat !== undefined) {
      drawing ??= setTimeout(redraw, DRAW_DELAY);
      return;
    }
    clearTimeout(drawing);
    drawing = undefined;
    beat = setTimeout(next, DRAW_DELAY);
  }

  /** @param {Table} table @param {State} before */
  function add(table, before) {
    const isFirst = before.isFresh || before.table?.table !== table.table;
    const start = isFirst ? beginning(table) : before.table;
    isReturning = false;
    queue.push(...dues(start, table));
    if (queue.length > LONGEST_QUEUE) queue = queue.slice(-1);
    keepUp(isOver(table) ? LONGEST_LAG : LONGEST_DEAL);
  }

  // The log and the statistics wait for the last one.
  /** @param {Table | null} start @param {Table} table @returns {Due[]} */
  function dues(start, table) {
    const frames = pace() === 0 ? [table] : framesBetween(start, table);
    const { log, logged, statistics } = queue.at(-1) ?? now;
    const arrived = Date.now();
    return frames.map((frame, at) => {
      const own = frame === table ? newest : { log, logged, statistics };
      const time = pace() * beatOf(frames[at - 1] ?? start, frame);
      return { ...shownOf(own), table: frame, beat: time, arrived };
    });
  }

  // At a table that we have just taken a seat at, the round has begun with us.
  /** @param {Table} table */
  function beginning(table) {
    const own = table.you === null ? undefined : table.seats[table.you];
    const isBegun = table.phase === "playing" && table.round > 0 && (own?.cards ?? []).length > 0;
    return isBegun && !isReturning ? beforeRound(table) : null;
  }

  // All beats are shortened alike.
  /** @param {number} longest */
  function keepUp(longest) {
    const sum = queue.reduce((total, one) => total + one.beat, 0);
    const most = longest * Math.min(2, pace());
    if (sum > most) for (const one of queue) one.beat *= most / sum;
  }

  function next() {
    beat = undefined;
    let due = queue.shift();
    while (queue[0]?.beat === 0) due = queue.shift();
    if (due !== undefined) now = onTime(due);
    if (queue.length > 0) beat = setTimeout(next, queue[0]?.beat);
    redraw();
  }

  /** @param {Shown} last */
  function clear(last) {
    clearTimeout(beat);
    beat = undefined;
    queue = [];
    now = last;
  }

  function redraw() {
    clearTimeout(drawing);
    drawing = undefined;
    const before = shown;
    shown = composed();
    draw(shown, before);
    if (queue.length > 0) return;
    const acts = waiting;
    waiting = [];
    for (const act of acts) act();
  }

  /** @returns {State} */
  function composed() {
    const { table, log, logged } = now;
    if (queue.length > 0) {
      // The end of the game, which closes the connection and frees the seat, is told after its last round.
      const { connection, sitting } = newest.connection === "ended" ? shown : newest;
      const { statistics } = now;
      const own = { connection, sitting, table, log, logged, statistics };
      return { ...newest, ...own, asked: false, hint: null };
    }
    if (!isResultEarly()) now = { ...now, statistics: newest.statistics };
    const asked = newest.asked && !isQuestionEarly();
    return { ...newest, table, statistics: now.statistics, asked };
  }

  // RESULT comes before the TABLE that has the cards.
  function isResultEarly() {
    const { table, statistics } = now;
    if (table === null || table.you === null || newest.statistics.rounds <= statistics.rounds) return false;
    return table.phase === "playing" && table.seats[table.you]?.result === null;
  }

  // So does the question.
  function isQuestionEarly() {
    const { table } = now;
    const { question } = newest;
    const isDue = table === null || (question.limits ? table.phase === "betting" : isOurTurn(table));
    if (isDue || overdue === question) return false;
    clearTimeout(patience);
    patience = setTimeout(() => {
      overdue = question;
      redraw();
    }, LONGEST_WAIT);
    return true;
  }

  /** Draw the newest state now, without the steps to it. */
  function finish() {
    const last = queue.at(-1);
    if (last === undefined) return;
    clear(onTime(last));
    redraw();
  }

  /** @param {() => void} act called once all that was presented is drawn */
  function whenShown(act) {
    if (queue.length === 0) act();
    else waiting.push(act);
  }

  return {
    present,
    finish,
    whenShown,
    get isBusy() {
      return queue.length > 0;
    },
    /** Whether the question that is open has been drawn, so that it may be answered. */
    get isAsking() {
      return shown.asked && newest.asked && shown.question === newest.question;
    },
  };
}

/** @param {Pick<State, "log" | "logged" | "statistics">} own */
function shownOf({ log, logged, statistics }) {
  return { log, logged, statistics };
}

/**
 * A table that is drawn later than it came, with the time that its clock has left.
 *
 * @param {Due} due
 * @returns {Shown}
 */
function onTime({ table, log, logged, statistics, arrived }) {
  const late = Math.round((Date.now() - arrived) / 1000);
  const isTimed = table !== null && table.clock !== null && late > 0;
  const shown = isTimed ? { ...table, clock: Math.max(0, (table.clock ?? 0) - late) } : table;
  return { table: shown, log, logged, statistics };
}

/**
 * The time that a table waits after the last one, in milliseconds.
 *
 * @param {Table | null} before
 * @param {Table} after
 */
function beatOf(before, after) {
  if (before === null) return 0;
  if (isOver(after) && !isOver(before)) return DEALER_BEAT;
  const isNew = after.round !== before.round;
  if (!isNew && dealersShown(after) > 1 && dealersShown(after) !== dealersShown(before)) return DEALER_BEAT;
  return isNew || cardsOn(after) !== cardsOn(before) ? CARD_BEAT : 0;
}
