// What the modules of the page hand to each other. These types are known to all of them. Only the checks read this
// file: a browser is not sent it.

// The dealer's messages. Their meaning is in protocol/SPEC.md.

type Decision = "HIT" | "STAND" | "DOUBLE" | "SPLIT" | "SURRENDER" | "INSURE" | "DECLINE";
type Outcome = "WIN" | "LOSE" | "PUSH" | "BUST" | "SURRENDER";

/** The fields of RULES, by their keys. */
type Rules = Record<string, string>;

/** What is asked. */
interface Question {
  /** the words of the answers that are allowed */
  options: (Decision | "BET")[];
  /** of a bet */
  limits?: Limits;
}

/** What a bet may be, and what it is paid from, in chips. */
interface Limits {
  minimum: number;
  maximum: number;
  bankroll: string;
}

/** A hand of a seat in TABLE, at a table with payoffs. */
interface Hand {
  cards: (string | null)[];
  total: number | null;
  soft: boolean | null;
  /** in initial bets, or in chips where bets are asked */
  stake: string;
  outcome: Outcome | null;
  /** without the insurance, in the unit of the stake */
  payoff: string | null;
}

/** A seat in TABLE. */
interface Seat {
  /** null if the seat is free */
  name: string | null;
  bot: boolean;
  /** whether a person may have the seat of this bot; never false */
  gives_way?: true;
  away: boolean;
  /** whole seconds of its clock that the table still waits for a player who is away; null if none will run */
  kept: number | null;
  ready: boolean;
  /** such as `Ten of Spades`; null for a face-down card */
  cards: (string | null)[];
  total: number | null;
  soft: boolean | null;
  state: "empty" | "waiting" | "playing" | "standing" | "bust" | "surrendered" | "natural";
  result: Outcome | null;
  /** in initial bets */
  score: number;
  rounds: number;
  /** at a table with payoffs, and the seat was dealt in */
  hands?: Hand[];
  insured?: boolean;
  payoff?: string | null;
  /** in chips, where bets are asked */
  bankroll?: string;
  bet?: string | null;
}

/** The dealer in TABLE. */
interface Dealer {
  upcard: string | null;
  cards: (string | null)[];
  total: number | null;
}

/** The JSON object of TABLE. */
interface Table {
  table: number;
  sequence: number;
  practice: boolean;
  /** in seconds */
  clock: number | null;
  round: number;
  phase: "waiting" | "betting" | "playing" | "results" | "closed";
  rules: Rules;
  turn: number | null;
  /** how many people are missing for the first round, or in `showdown` for another */
  waits_for: number;
  shoe: Shoe;
  you: number | null;
  revealed: boolean;
  seats: Seat[];
  /** null in `showdown` */
  dealer: Dealer | null;
  log: string[];
  logged: number;
  /** whether our START would be granted now; never false */
  may_start?: true;
  /** whether our BOT would be granted now; never false */
  may_add_bot?: true;
  /** whether we have joined, and get the seat of a bot when the round is over; never false */
  gets_seat?: true;
  /** the hand that is asked about, from 1, at a table with payoffs */
  hand?: number | null;
  options?: Decision[];
  /** the name of the dealer, if it is one of several */
  dealer_name?: string;
}

/** The shoe of a table; `left` and `size` are null for an infinite deck. */
interface Shoe {
  left: number | null;
  size: number | null;
  /** the first round that was dealt from it since it was last shuffled, from 1 */
  fresh: number;
}

/** A table in TABLES. */
interface TableSummary {
  table: number;
  rules: Rules;
  phase: Table["phase"];
  round: number;
  practice: boolean;
  seats: number;
  /** the names of those who are not bots */
  people: string[];
  bots: number;
  /** of the people, whose seats are kept */
  away: number;
  free: number;
  waits_for: number;
  /** who do not sit there */
  watchers: number;
  /** whether a player has opened it; never false */
  opened?: true;
  /** whether somebody who sits down there could send START; never false */
  may_start?: true;
}

/** Where a seat is asked for: at a table that a line opens, at one by its number, or at any of the dealer's own. */
interface Destination {
  opening?: string;
  table?: number;
}

/** The JSON object of TABLES. */
interface Tables {
  /** the name of the dealer, if it is one of several */
  dealer_name?: string;
  /** whether players may open tables here */
  opens: boolean;
  /** whether no further one can be opened now */
  full: boolean;
  /** how many are open and not listed */
  more: number;
  /** those with a free seat first */
  tables: TableSummary[];
}

/** A TABLE as it is drawn. */
interface Frame extends Table {
  /** whether the first cards are still being dealt */
  isDealing?: boolean;
}

/** The words of REFUSED that the page acts on. Others may be added. */
type RefusalWord =
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
  | "no-round"
  | "no-chart"
  | "cannot-open"
  | "bad-table"
  | "not-allowed"
  | "too-late"
  | "time-over"
  | "malformed"
  | "ended";

/** Why something was refused: a word to act on, and a sentence for people. */
interface Refusal {
  word: RefusalWord | string;
  text: string;
}

interface Hint {
  decision: Decision;
  cost: number;
}

interface Review {
  decisions: number;
  differed: number;
  cost: number;
  /** at a table with payoffs */
  each: ReviewedDecision[];
}

interface ReviewedDecision {
  decision: Decision;
  /** in initial bets */
  cost: number;
  best: Decision;
}

/** A REVIEW that was sent. */
interface AskedReview {
  /** of a round that is over, so that it is counted */
  isRound: boolean;
  /** whether a mistake in it is told */
  tells: boolean;
}

interface ToldMistake {
  /** null where the dealer does not tell it */
  best: Decision | null;
  /** in initial bets */
  cost: number;
}

type DealerMessage =
  | { kind: "BEGIN" | "DEALER" | "QUIT" }
  | { kind: "CARD"; card: string }
  /** without a question: to hit or to stand */
  | { kind: "DECISION"; question?: Question }
  /** the payoff is given at a table with payoffs */
  | { kind: "RESULT"; outcome: Outcome; payoff?: string }
  | { kind: "ERROR"; text: string }
  | ({ kind: "REFUSED" } & Refusal)
  | { kind: "RULES"; rules: Rules }
  | { kind: "TABLE"; table: Table }
  | { kind: "TABLES"; tables: Tables }
  | { kind: "OPENED"; number: number }
  | ({ kind: "HINT" } & Hint)
  | ({ kind: "REVIEW" } & Review)
  | { kind: "HISTORY"; line: string };

// What the page knows.

/** `taken` after another connection took over our seat, `ended` after the dealer sent QUIT. */
type ConnectionState = "connecting" | "open" | "lost" | "taken" | "ended";

/** Whether we have a seat: `asking` after we sent JOIN, `returning` after RESUME, `leaving` after QUIT. */
type Sitting = "no" | "asking" | "returning" | "yes" | "leaving";

interface Since {
  card: string | null;
  results: number;
}

interface State {
  connection: ConnectionState;
  sitting: Sitting;
  /** the newest TABLE, or what is drawn on the way to it */
  table: Frame | null;
  /** whether the next TABLE is the first on this connection */
  isFresh: boolean;
  /** what has come on this connection: our first card, and how many results */
  since: Since;
  rules: Rules | null;
  /** the newest TABLES */
  tables: Tables | null;
  /** how often in a row the connection was lost or not made */
  failures: number;
  /** why it is not made, once that is known */
  reason: Reason | null;
  /** whether a DECISION is open and not answered */
  asked: boolean;
  /** what was asked last: an object of its own for each DECISION */
  question: Question;
  /** the answer that was sent last, until the dealer has dealt with it */
  answer: string | null;
  /** our bet, in chips, as far as we know: TABLE may say it later than RESULT comes */
  stake: string;
  /** decisions that the clock took for us: the dealer will refuse as many answers of ours */
  missed: number;
  hint: Hint | null;
  /** the questions for which HINT was sent, until it is answered: answers come in that order */
  hints: Question[];
  /** what was decided in this round */
  decided: Decision[];
  /** the REVIEWs that were sent, until they are answered: answers come in that order */
  reviews: AskedReview[];
  /** the last review of the open round, whose mistakes have been told */
  told: Review | null;
  /** what was wrong with the last decision, where that is told at once */
  mistake: ToldMistake | null;
  /** the last refusal to show; an ERROR has an empty word */
  notice: Refusal | null;
  /** the last lines of what has happened at the table */
  log: string[];
  /** how many lines there were in all */
  logged: number;
  statistics: Statistics;
}

/** The results and decisions of this tab's player, counted. */
interface Statistics {
  rounds: number;
  wins: number;
  pushes: number;
  /** including busts and surrenders */
  losses: number;
  busts: number;
  /** of all rounds together, in initial bets */
  payoff: number;
  /** reviewed decisions */
  decisions: number;
  /** how many of these differed from the best */
  differed: number;
  /** what these cost together, in initial bets, 0 or more */
  cost: number;
  /** whether the last decisions, of whatever round, were at a table with payoffs */
  isWhole: boolean;
  /** those of the last round, at a table with payoffs */
  last: ReviewedDecision[];
}

/** What happens to the page, apart from the dealer's messages. */
type PageEvent =
  | { kind: "connecting" | "lost" | "left" | "hinted" }
  | { kind: "opened" | "sitting"; sitting: Sitting }
  | { kind: "answered"; decision: string }
  | { kind: "refused"; reason: Reason }
  | ({ kind: "reviewing" } & AskedReview)
  | { kind: "statistics"; statistics: Statistics };

/** The state of the page, and what changes it. */
interface Store {
  state: State;
  dispatch(message: DealerMessage | PageEvent): void;
  /** Call this once the state is drawn, with all its steps. */
  whenShown(act: () => void): void;
}

/** What was chosen in the menu for a table of your own; numbers as they were typed. */
interface Choices {
  preset: string;
  seats: string;
  bots: string;
  botPolicy: string;
  /** how many people beside you the first round waits for */
  friends: string;
  practice: boolean;
  /** in seconds */
  pause: string;
  botDelay: string;
  /** those that differ from the preset, as in OPEN */
  rules: Rules;
}

/** What the page asks of its conversation with the dealer. */
type Session = ReturnType<typeof import("./session.js").startSession>;

/** What a link leads to: a dealer by its name, where there are several, and a table there by its number. */
interface Place {
  dealer: string | null;
  table: number | null;
}

/**
 * Why the WebSocket does not open: the dealer does not go by the name of the page's host, something on the way passes
 * only pages on, too many connections come from our address, the dealer is full or not reached, or only the one that is
 * meant is not reached, and others are.
 */
type Reason = "other-name" | "no-websocket" | "too-many" | "full" | "replaced" | "unreached" | "gone";

/** Called when the connection is open, for each line received, and when the connection is lost. */
interface Handlers {
  onOpen: () => void;
  onLine: (line: string) => void;
  onLost: () => void;
  /** called between two attempts to connect, or while one is made */
  onReason: (reason: Reason) => void;
}

// Where things are drawn.

/** On a card, which is 100 wide and 140 high. */
type Point = [x: number, y: number];

/** The cards on a table, by seats and their hands; null for a face-down card. */
interface Lay {
  seats: (string | null)[][][];
  dealer: (string | null)[];
}

/** The cards after one more was dealt or turned, and whose it was: a seat's hand (from 0), or nobody's in particular. */
interface DealingStep {
  lay: Lay;
  seat: number | null;
  hand: number;
}

/** What the stage draws later than it comes. */
type Shown = Pick<State, "table" | "log" | "logged" | "statistics">;

/** A state to draw: how long it waits after the one before it, and when it came, both in milliseconds. */
type Due = Shown & { beat: number; arrived: number };

/** What is heard, beside a card. */
type SoundName = "chip" | "turn" | "win" | "lose" | "natural";

type AddStep = (change: Partial<Lay>, seat?: number | null, hand?: number) => void;

// A line of a history; SPEC.md says what its keys mean.

/** A question in a line of a history, and what was decided. */
interface Asked {
  options: Decision[];
  decision: Decision | null;
  /** whether the dealer's clock decided */
  late?: boolean;
  /** what it cost, in initial bets */
  cost?: number;
  /** the best decision by the same values */
  best?: Decision;
  seconds?: number;
}

/** A hand in a line of a history. */
interface PlayedHand {
  cards: string[];
  stake: string;
  decisions: Asked[];
  outcome: Outcome;
  payoff: string;
}

/** A seat in a line of a history. */
interface PlayedSeat {
  name: string;
  /** in chips; null where no bets are asked */
  bet?: string | null;
  /** in chips, before the round */
  bankroll?: string | null;
  insurance?: string | null;
  payoff: string;
  hands: PlayedHand[];
}

/** A line of a history. */
interface Line {
  version: number;
  round: number;
  table: number;
  time?: string | null;
  rules: Rules;
  names: string[];
  // biome-ignore lint/suspicious/noExplicitAny: each kind of record has keys of its own besides `record`
  records: any[];
  outcomes: Outcome[];
  /** in initial bets, such as "+1.5" */
  payoffs: string[];
  seats: PlayedSeat[];
  /** our place among the seats, where HISTORY tells the round */
  you?: number | null;
  /** which round of our seat it is, from 1, where HISTORY tells the round */
  your_round?: number | null;
}

/** A hand at one step of a round. */
interface StepHand {
  cards: string[];
  /** in initial bets */
  stake: number;
  outcome: Outcome | null;
  payoff: string | null;
}

/** A seat at one step of a round. */
interface StepSeat {
  name: string;
  hands: StepHand[];
  insured: boolean;
  outcome: Outcome | null;
  payoff: string | null;
}

/** A round as it stands after one thing more has happened. */
interface Step {
  /** what has happened */
  text: string;
  /** null for a card that is face down */
  dealer: (string | null)[];
  seats: StepSeat[];
  /** the number of the seat and of its hand that it was about; null if it was about the dealer */
  seat: number | null;
  hand: number;
  /** the question that was answered in this step */
  decision: Asked | null;
  /** how many decisions there were up to here */
  decided: number;
  /** of all decisions so far, in initial bets; null where costs are not told */
  cost: number | null;
}

/** What shows a round: where it stands, and how it is moved. */
interface RoundView {
  readonly step: number;
  readonly steps: Step[];
  go: (step: number) => void;
}

/** What is known of each round without reading it again. */
interface RoundSummary {
  /** its place among all of them, from 0 */
  at: number;
  table: number;
  round: number;
  seats: { name: string; payoff: number; cost: number | null }[];
  /** where its line is in the file, in bytes */
  start: number;
  end: number;
}

/** A round in the list: payoff and cost are those of the seats that the filter leaves, in initial bets. */
interface Listed {
  round: RoundSummary;
  payoff: number;
  /** null where costs are not told */
  cost: number | null;
}

/** Where rounds come from. */
interface RoundSource {
  rounds: RoundSummary[];
  read: (round: RoundSummary) => Promise<Line>;
}
