// The types of the trainer's page.

/** The expected payoffs of what may be decided, in initial bets. */
type Values = Partial<Record<Decision, number>>;

/** A hand of a CHART. */
interface ChartHand {
  /** such as `hard 16`, `soft 18` or `pair of 8` */
  hand: string;
  /** their ranks */
  cards: string[];
  values: Values;
}

/** The JSON object of CHART. */
interface Chart {
  rules: Rules;
  upcard: number;
  hands: ChartHand[];
  /** the hands of three cards: a value for each option */
  three: { options: Decision[]; hands: Record<string, number[]> };
  /** of hands of two cards, where they may be insured */
  insurance?: Record<string, number>;
}

/** A hand against an upcard, 2 to 11. */
interface Drill extends ChartHand {
  kind: "two" | "three" | "insurance";
  upcard: number;
}

interface Grade {
  isRight: boolean;
  best: Decision;
  /** in initial bets */
  cost: number;
}

/** An answer to a hand of today. */
type Answered = Pick<Grade, "isRight" | "cost">;

/** The place of a hand among those of a day, from 0. */
interface PlaceOfDay {
  /** in UTC */
  day: string;
  at: number;
}

/** The player's answers in a cell of the chart. */
interface CellRecord {
  asked: number;
  wrong: number;
  /** in initial bets */
  lost: number;
  /** what mistakes have cost, less what right answers have made good */
  error: number;
}

type Cells = Record<string, CellRecord>;

/** The player's answers under some rules. */
interface TrainerRecord {
  asked: number;
  right: number;
  /** in initial bets */
  lost: number;
  streak: number;
  /** the longest streak */
  best: number;
  /** the time of the newest round at the table that is in it */
  seen: string;
  cells: Cells;
}

/** The cards of a table's shoe that a tab has seen, and its answers for the count. */
interface CountKept {
  table: number;
  /** the round before which the shoe was shuffled */
  fresh: number;
  round: number;
  /** the cards of the earlier rounds from this shoe */
  seen: string[];
  /** those of this round */
  ours: string[];
  asked: number;
  right: number;
}
