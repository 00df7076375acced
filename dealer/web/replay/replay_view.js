// A round that is over, step by step: from a line of a history. Pure, except `showRound` and `followLinks`.
//
// This module and cards.js also stand in pages of their own, as one script: tournament.results.viewer reads both, leaves
// out `import` and `export`, and gives them the names `showRound(element, line)` and `followLinks(element, lines)`.
// The page needs the rules of replay.css, which `viewer_style()` reads. Nothing else is needed, and nothing is fetched.

import { card } from "../shared/cards.js";

/** @type {Record<string, string>} */
const DID = {
  HIT: "hits",
  STAND: "stands",
  DOUBLE: "doubles",
  SPLIT: "splits",
  SURRENDER: "surrenders",
  INSURE: "takes insurance",
  DECLINE: "declines",
};
/** @type {Record<string, string>} */
const ENDED = { WIN: "wins", PUSH: "pushes", LOSE: "loses", BUST: "is bust", SURRENDER: "has surrendered" };
const VERSION = 2; // of the lines that are read
const KEYS = "version, names, rules, records, payoffs and seats";
const RANKS = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

/**
 * Read a line of a history.
 *
 * @param {string} text
 * @returns {Line}
 * @throws {Error} if it is none; the message is a sentence
 */
export function readLine(text) {
  let line = null;
  try {
    line = JSON.parse(text);
  } catch {
    throw new Error("This is not a line of JSON: expected a round as “dealer --history” writes it.");
  }
  if (typeof line?.version === "number" && line.version !== VERSION) {
    throw new Error(`This round is of version ${line.version} of the history: expected version ${VERSION}.`);
  }
  const isRound = [line?.names, line?.records, line?.payoffs, line?.seats].every(Array.isArray);
  if (!isRound || line.version !== VERSION || typeof line.rules !== "object") {
    throw new Error(`This is no round of a history: expected ${KEYS}.`);
  }
  return line;
}

/**
 * The total of a hand: the best that its aces allow.
 *
 * @param {(string | null)[]} cards
 * @param {string} [ace] the rule of the table: `1`, `11` or `either`
 * @returns {{ total: number, soft: boolean }}
 */
export function totalOf(cards, ace = "either") {
  const ranks = cards.flatMap((name) => name?.split(" ")[0] ?? []);
  const aces = ranks.filter((rank) => rank === "Ace").length;
  const low = ranks.reduce((sum, rank) => sum + points(rank), 0);
  if (ace === "11") return { total: low + 10 * aces, soft: aces > 0 };
  const soft = ace === "either" && aces > 0 && low <= 11;
  return { total: soft ? low + 10 : low, soft };
}

/** @param {string} rank */
function points(rank) {
  return rank === "Ace" ? 1 : RANKS.includes(rank) ? RANKS.indexOf(rank) + 2 : 10;
}

/**
 * What each decision of a line cost together, in initial bets; null where no cost is told.
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
    text: `Round ${line.round}: ${line.names.join(", ")}.`,
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
    if (happen === undefined)
      throw new Error(`“${record.record}” is nothing that happens in a round of a history.`);
    try {
      step.text = happen(step, record, line, questions);
    } catch {
      throw new Error(
        `Record ${steps.length} of this round, ${JSON.stringify(record)}, does not fit those before it.`,
      );
    }
    steps.push(step);
  }
  return steps;
}

/**
 * Where the decision that cost most was taken; 0 where none cost anything.
 *
 * @param {Step[]} steps
 * @returns {number}
 */
export function dearestOf(steps) {
  const costs = steps.map(({ decision }) => decision?.cost ?? 0);
  return costs.indexOf(Math.max(0, ...costs));
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
 * What each kind of record changes, and how it is told.
 *
 * @type {Record<string, (step: Step, record: any, line: Line, questions: Asked[]) => string>}
 */
const HAPPENS = {
  card(step, { seat, hand, card: name }, { rules }) {
    const { cards } = turnTo(step, seat, hand);
    cards.push(name);
    return `${who(step)} gets the ${name}: ${totalText(cards, rules.ace)}.`;
  },
  upcard(step, { card: name }) {
    step.dealer.push(name);
    return `The dealer shows the ${name}.`;
  },
  "hole card"(step) {
    step.dealer.push(null);
    return "The dealer takes a card face down.";
  },
  asked(step, { seat, hand, options }, { rules }) {
    const { cards } = turnTo(step, seat, hand);
    const offered = options
      .join(", ")
      .toLowerCase()
      .replace(/, (\w+)$/, " or $1");
    return `${who(step)} has ${totalText(cards, rules.ace)} and is asked: ${offered}?`;
  },
  decided(step, { seat, hand, decision }, _line, questions) {
    const played = turnTo(step, seat, hand);
    const before = who(step);
    const asked = /** @type {Asked} */ (questions.shift());
    step.decision = asked;
    step.decided += 1;
    if (step.cost !== null) step.cost += asked.cost ?? 0;
    if (decision === "DOUBLE") played.stake *= 2;
    if (decision === "INSURE") seatOf(step, seat).insured = true;
    if (decision === "SPLIT") seatOf(step, seat).hands.splice(hand + 1, 0, newHand(played.cards.splice(1)));
    return `${before} ${DID[decision]}${asked.late ? " (the clock decided)" : ""}${costText(asked)}.`;
  },
  hand(step, { seat, hand }) {
    turnTo(step, seat, hand);
    return `${who(step)} is next.`;
  },
  peeked: (_step, { natural }) =>
    natural ? "The dealer looks: it is a natural." : "The dealer looks: it is no natural.",
  forfeited(step, { seat }) {
    turnTo(step, seat, 0);
    return `${seatOf(step, seat).name} gives up the round.`;
  },
  revealed(step, { card: name }, { rules }) {
    step.dealer[1] = name;
    return `The dealer turns over the ${name}: ${totalText(step.dealer, rules.ace)}.`;
  },
  drew(step, { card: name }, { rules }) {
    step.dealer.push(name);
    return `The dealer draws the ${name}: ${totalText(step.dealer, rules.ace)}.`;
  },
  "hand settled"(step, { seat, hand, outcome, payoff }) {
    Object.assign(turnTo(step, seat, hand), { outcome, payoff });
    return `${who(step)} ${ENDED[outcome]}: ${payoff}.`;
  },
  settled(step, { seat, outcome, payoff }) {
    turnTo(step, seat, 0);
    Object.assign(seatOf(step, seat), { outcome, payoff });
    return `${seatOf(step, seat).name} ${ENDED[outcome]}: ${payoff}.`;
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
  return hands.length > 1 ? `${name}, hand ${hand + 1} of ${hands.length},` : name;
}

/** @param {(string | null)[]} cards @param {string | undefined} ace */
function totalText(cards, ace) {
  const { total, soft } = totalOf(cards, ace);
  return `${soft ? "soft " : ""}${total}`;
}

/** @param {Asked} asked */
function costText({ cost, best }) {
  if (cost === undefined) return "";
  const better = best === undefined ? "" : ` (best: ${best.toLowerCase()})`;
  return cost > 0 ? `, which costs ${cost.toFixed(4)} bets${better}` : ", the best decision";
}

// What is shown.

/**
 * Show a round in an element, and let it be moved by buttons, and by the arrow keys while the focus is inside.
 *
 * @param {HTMLElement} element whose content is replaced
 * @param {Line} line
 * @returns {RoundView}
 * @throws {Error} if it is no round; the message is a sentence
 */
export function showRound(element, line) {
  const steps = stepsOf(line);
  const table = make("div", "replay-table");
  const text = make("p", "replay-text");
  text.setAttribute("role", "status");
  const place = make("span", "replay-place");
  const cost = make("p", "replay-cost");
  let now = 0;
  /** @param {number} step */
  const go = (step) => {
    now = Math.max(0, Math.min(steps.length - 1, step));
    const shown = /** @type {Step} */ (steps[now]);
    text.textContent = shown.text;
    place.textContent = `${now} of ${steps.length - 1}`;
    cost.textContent = shown.cost === null ? "" : `Decisions cost ${shown.cost.toFixed(4)} bets so far.`;
    table.replaceChildren(...drawn(shown, line));
    for (const [way, button] of Object.entries(buttons)) {
      button.setAttribute("aria-disabled", String(way === "back" ? now === 0 : now === steps.length - 1));
    }
  };
  const buttons = {
    back: pressable("◂ Back", "ArrowLeft", () => go(now - 1)),
    on: pressable("On ▸", "ArrowRight", () => go(now + 1)),
  };
  const bar = make("div", "replay-bar", buttons.back, place, buttons.on);
  element.replaceChildren(bar, text, table, cost);
  element.classList.add("replay");
  element.onkeydown = (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(now + way);
  };
  go(0);
  return {
    get step() {
      return now;
    },
    steps,
    go,
  };
}

/**
 * Show the round that the page's address names after `#round=`, as `TABLE.ROUND`, now and whenever it changes. It
 * opens at the decision that cost most.
 *
 * @param {HTMLElement} element
 * @param {Line[]} lines
 */
export function followLinks(element, lines) {
  const follow = () => {
    const wanted = /^#round=(\d+)\.(\d+)$/.exec(location.hash);
    if (wanted === null) return;
    const line = lines.find((one) => one.table === Number(wanted[1]) && one.round === Number(wanted[2]));
    if (line === undefined) {
      element.replaceChildren(make("p", "replay-text", "This page does not have that round."));
    } else {
      const view = showRound(element, line);
      view.go(dearestOf(view.steps));
    }
    element.tabIndex = -1;
    element.focus();
    element.scrollIntoView({ block: "nearest" });
  };
  addEventListener("hashchange", follow);
  follow();
}

/** @param {string} tag @param {string} className @param {(Node | string)[]} children */
function make(tag, className, ...children) {
  const element = Object.assign(document.createElement(tag), { className });
  element.append(...children);
  return element;
}

/** @param {string} text @param {string} key @param {() => void} act */
function pressable(text, key, act) {
  const button = make("button", "", text);
  button.setAttribute("type", "button");
  button.setAttribute("aria-keyshortcuts", key);
  button.onclick = act;
  return button;
}

/** @param {Step} step @param {Line} line @returns {HTMLElement[]} */
function drawn(step, line) {
  const seats = step.seats.map((seat, number) => drawnSeat(seat, number, step, line));
  if (step.dealer.length === 0 && !line.records.some(({ record }) => record === "upcard")) return seats;
  const dealer = group("Dealer", "replay-dealer", drawnCards(step.dealer));
  const total = step.dealer.length > 0 ? totalText(step.dealer, line.rules.ace) : "";
  dealer.append(make("p", "replay-total", step.dealer.includes(null) ? "" : total));
  return [dealer, ...seats];
}

/** @param {StepSeat} seat @param {number} number @param {Step} step @param {Line} line */
function drawnSeat(seat, number, step, line) {
  const bet = line.seats[number]?.bet;
  const facts = [
    bet && `bet ${bet}`,
    seat.insured && "insured",
    seat.payoff && `${seat.outcome} ${seat.payoff}`,
  ];
  const hands = seat.hands.map((hand, at) => {
    const isNow = step.seat === number && step.hand === at;
    return drawnHand(hand, `Hand ${at + 1} of ${seat.hands.length}`, isNow, line);
  });
  const shown = group(seat.name, "replay-seat", make("div", "replay-hands", ...hands));
  shown.dataset.outcome = seat.outcome ?? "";
  shown.append(
    make("p", "replay-facts", facts.filter(Boolean).join(", ")),
    drawnDecisions(number, step, line),
  );
  if (step.seat === number) shown.setAttribute("aria-current", "step");
  return shown;
}

/** @param {StepHand} hand @param {string} label @param {boolean} isNow @param {Line} line */
function drawnHand({ cards, stake, outcome, payoff }, label, isNow, line) {
  const total = cards.length > 0 ? totalText(cards, line.rules.ace) : "";
  const facts = [total, stake > 1 && `stake ${stake}`, outcome && `${outcome} ${payoff}`]
    .filter(Boolean)
    .join(", ");
  const shown = make("div", "replay-hand", drawnCards(cards), make("p", "replay-total", facts));
  shown.setAttribute("role", "group");
  shown.setAttribute("aria-label", label);
  shown.dataset.now = String(isNow);
  return shown;
}

// What a seat has decided up to this step, and what it cost.
/** @param {number} seat @param {Step} step @param {Line} line */
function drawnDecisions(seat, step, line) {
  const list = make("ol", "replay-decisions");
  const taken = decisionsBefore(step, line).filter((one) => one.seat === seat);
  list.append(
    ...taken.map(({ decision }) => make("li", decision.cost ? "dear" : "", decisionText(decision))),
  );
  return list;
}

/** @type {WeakMap<Line, { seat: number, decision: Asked }[]>} */
const decided = new WeakMap();

/** @param {Step} step @param {Line} line */
function decisionsBefore(step, line) {
  let all = decided.get(line);
  if (all === undefined) {
    const seats = line.records.filter(({ record }) => record === "decided").map(({ seat }) => seat);
    all = questionsInOrder(line).map((decision, at) => ({ seat: seats[at], decision }));
    decided.set(line, all);
  }
  return all.slice(0, step.decided);
}

/** @param {Asked} asked */
function decisionText({ decision, late, cost, seconds }) {
  const facts = [
    late && "late",
    cost !== undefined && (cost > 0 ? `cost ${cost.toFixed(4)}` : "best"),
    seconds !== undefined && `${seconds.toFixed(seconds < 1 ? 3 : 1)} s`,
  ].filter(Boolean);
  return `${decision?.toLowerCase()}${facts.length > 0 ? `: ${facts.join(", ")}` : ""}`;
}

/** @param {(string | null)[]} names */
function drawnCards(names) {
  const list = make("ul", "replay-cards");
  list.append(...names.map((name) => make("li", "", card(name))));
  return list;
}

/** @param {string} name @param {string} className @param {Node[]} children */
function group(name, className, ...children) {
  const shown = make("section", className, make("h3", "", name), ...children);
  shown.setAttribute("aria-label", name);
  return shown;
}
