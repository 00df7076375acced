/** A point of the learning curve, in initial bets per round. */
export interface Point {
  rounds: number;
  value: number;
  optimum: number;
  gap: number;
}

/** What player/web/board.py holds, as figures.py writes it. */
export interface State {
  version: number;
  phase: "waiting" | "training" | "ended";
  sentence: string;
  done: number;
  figures: [string, string][];
  points: Point[];
  payoffs: [number, number][];
  picture: number;
  alt: string;
  last: boolean;
}
