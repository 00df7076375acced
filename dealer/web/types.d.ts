// What the modules of the page hand to each other. Only the checks read this: a browser is not sent it.

// The dealer's messages. Their meaning is in protocol/SPEC.md.

export type Decision = "HIT" | "STAND";
export type Outcome = "WIN" | "LOSE" | "PUSH" | "BUST";

/** The fields of RULES, by their keys. */
export type Rules = Record<string, string>;

/** A seat in TABLE. */
export interface Seat {
  /** null if the seat is free */
  name: string | null;
  bot: boolean;
  away: boolean;
  ready: boolean;
  /** such as `Ten of Spades`; null for a face-down card */
  cards: (string | null)[];
  total: number | null;
  soft: boolean | null;
  state: "empty" | "waiting" | "playing" | "standing" | "bust" | "natural";
  result: Outcome | null;
  /** in initial bets */
  score: number;
  rounds: number;
}

/** The dealer in TABLE. */
export interface Dealer {
  upcard: string | null;
  cards: (string | null)[];
  total: number | null;
}

/** The JSON object of TABLE. */
export interface Table {
  table: number;
  sequence: number;
  practice: boolean;
  /** in seconds */
  clock: number | null;
  round: number;
  phase: "waiting" | "playing" | "results" | "closed";
  rules: Rules;
  turn: number | null;
  you: number | null;
  revealed: boolean;
  seats: Seat[];
  /** null in `showdown` */
  dealer: Dealer | null;
  log: string[];
  logged: number;
}

/** The words of REFUSED that the page acts on. Others may be added. */
export type RefusalWord =
  | "taken-over"
  | "bad-token"
  | "no-seat"
  | "not-kept"
  | "token-in-use"
  | "no-table"
  | "no-place"
  | "no-hint"
  | "no-review"
  | "no-reveal"
  | "cannot-open"
  | "bad-table"
  | "not-allowed"
  | "too-late"
  | "malformed"
  | "ended";

/** Why something was refused: a word to act on, and a sentence for people. */
export interface Refusal {
  word: RefusalWord | string;
  text: string;
}

export interface Hint {
  decision: Decision;
  cost: number;
}

export interface Review {
  decisions: number;
  differed: number;
  cost: number;
}

export type DealerMessage =
  | { kind: "BEGIN" | "CARD" | "DEALER" | "DECISION" | "QUIT" }
  | { kind: "RESULT"; outcome: Outcome }
  | { kind: "ERROR"; text: string }
  | ({ kind: "REFUSED" } & Refusal)
  | { kind: "RULES"; rules: Rules }
  | { kind: "TABLE"; table: Table }
  | { kind: "OPENED"; number: number }
  | ({ kind: "HINT" } & Hint)
  | ({ kind: "REVIEW" } & Review);

// What the page knows.

/** `taken` after another connection took over our seat, `ended` after the dealer sent QUIT. */
export type ConnectionState = "connecting" | "open" | "lost" | "taken" | "ended";

/** Whether we have a seat: `asking` after we sent JOIN, `returning` after RESUME, `leaving` after QUIT. */
export type Sitting = "no" | "asking" | "returning" | "yes" | "leaving";

export interface State {
  connection: ConnectionState;
  sitting: Sitting;
  /** the newest TABLE */
  table: Table | null;
  /** whether the next TABLE is the first on this connection */
  isFresh: boolean;
  rules: Rules | null;
  /** whether a DECISION is open and not answered */
  asked: boolean;
  /** the answer that was sent last, until the dealer has dealt with it */
  answer: Decision | null;
  /** decisions that the clock took for us: the dealer will refuse as many answers of ours */
  missed: number;
  hint: Hint | null;
  /** the last refusal to show; an ERROR has an empty word */
  notice: Refusal | null;
  log: string[];
  /** the number after that of the last line in `log` */
  logged: number;
  statistics: Statistics;
}

/** The results and decisions of this tab's player, counted. */
export interface Statistics {
  rounds: number;
  wins: number;
  pushes: number;
  /** including busts */
  losses: number;
  busts: number;
  /** reviewed decisions */
  decisions: number;
  /** how many of these differed from basic strategy */
  differed: number;
  /** what these cost together, in initial bets, 0 or more */
  cost: number;
}

/** What happens to the page, apart from the dealer's messages. */
export type PageEvent =
  | { kind: "connecting" | "lost" | "left" }
  | { kind: "opened" | "sitting"; sitting: Sitting }
  | { kind: "answered"; decision: Decision }
  | { kind: "statistics"; statistics: Statistics };

/** The state of the page, and what changes it. */
export interface Store {
  state: State;
  dispatch(message: DealerMessage | PageEvent): void;
}

/** What was chosen in the menu for a table of your own. */
export interface Choices {
  /** `dealer` or `each-other` */
  opponent: string;
  seats: string;
  bots: string;
  botPolicy: string;
  decks: string;
  practice: boolean;
}
