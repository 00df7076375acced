/** A point of the learning curve, in initial bets per round. */
export interface Point {
  rounds: number;
  value: number;
  best_chart: number;
  gap: number;
}

/** A grid of decisions, as twentyone/learning/grids.py writes it: of each cell the entry, its figure, and its class. */
export interface Grid {
  title: string;
  columns: string[];
  rows: { name: string; cells: ([string, string, string] | null)[] }[];
}

/** The state that player/web/board.py holds, as figures.py writes it. */
export interface State {
  version: number;
  phase: "waiting" | "training" | "ended";
  sentence: string;
  done: number;
  figures: [string, string][];
  /** as words of options */
  rules: string;
  points: Point[];
  payoffs: [number, number][];
  grids: Grid[];
  key: string;
  words: string;
  picture: boolean;
  last: boolean;
}
