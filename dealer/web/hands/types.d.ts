// The rounds that were played in this browser, as they are kept.

/** A decision of ours. */
interface KeptDecision {
  /** as a chart names it, such as `hard 16`; or `insurance` */
  hand: string;
  /** 2 to 11; null without a dealer */
  upcard: number | null;
  decision: Decision;
  best: Decision | null;
  /** in initial bets; null where it is not told */
  cost: number | null;
  /** whether the dealer's clock decided */
  late: boolean;
  time: string;
}

/** A round of ours. */
interface Kept {
  /** the time, the table, the round and the seat: no other round has the same, and in their order the oldest is first */
  id: string;
  time: string;
  table: number;
  round: number;
  /** the place of our seat among those that were dealt in */
  you: number;
  /** as the words of OPEN */
  rules: string;
  hasDealer: boolean;
  /** in initial bets */
  payoff: number;
  /** the payoff in chips, and the chips after it; null where no bets were asked */
  chips: number | null;
  bankroll: number | null;
  /** of all decisions, in initial bets; null where it is not told */
  cost: number | null;
  decisions: KeptDecision[];
}

/** A decision of ours at a table with a dealer, with its cost by the exact values of the rules. */
interface Situation {
  rules: string;
  hand: string;
  upcard: number;
  decision: Decision;
  best: Decision;
  cost: number;
  time: string;
}

/** Rounds of ours together; sums are in initial bets. */
interface HandsSummary {
  rounds: number;
  won: number;
  pushed: number;
  lost: number;
  payoff: number;
  /** null where no bets were asked */
  chips: number | null;
  /** those whose costs are known */
  decisions: number;
  /** the decisions that cost something */
  mistakes: number;
  cost: number;
  /** how many rounds have costs */
  costed: number;
}

/** Rounds that follow each other without a long pause. */
interface HandsSession {
  /** the place of its first round, from 0 */
  at: number;
  rounds: Kept[];
}

/** Rounds in a row: how many there were before the first, and with the last, and how many count. */
interface Streak {
  from: number;
  to: number;
  count: number;
}

/** The same wrong decision in the same situation. */
interface Mistake {
  /** the last time */
  made: KeptDecision;
  times: number;
  /** of all times together */
  cost: number;
  /** the round in which it was made last */
  id: string;
}

/** After how many rounds, and how much it is then. */
type Point = [at: number, value: number];

/** One or more lines over rounds, one behind the other, and what is marked on them. */
interface Course {
  title: string;
  unit: string;
  lines: Point[][];
  /** after how many rounds each session begins */
  sessions: number[];
  /** the rounds with a mistake */
  mistakes: Point[];
  /** the longest winning streak, where there is one */
  streak: Point[];
}
