// A file of a history: where each of its rounds is, so that only those are read that are looked at.

import { text } from "../shared/texts.js";
import { costOf, readLine } from "./steps.js";

const PIECE = 4 * 1024 * 1024; // bytes that are read at once
const LONGEST = 1024 * 1024; // of a line: many times what a round has
const END = 10; // a line feed

/**
 * Find every round of a file.
 *
 * @param {Blob} file
 * @param {(part: number) => void} progress told what part has been read, 0 to 1, after each piece
 * @returns {Promise<RoundSummary[]>} in the order of the file
 * @throws {Error} if a line is no round; the message is a sentence
 */
export async function indexOf(file, progress) {
  /** @type {RoundSummary[]} */
  const found = [];
  let number = 0; // of the line
  for (let start = 0; start < file.size; ) {
    const isLast = start + PIECE >= file.size;
    const piece = new Uint8Array(await file.slice(start, start + PIECE).arrayBuffer());
    let from = 0;
    for (const end of endsOf(piece, isLast)) {
      number += 1;
      const summary = summaryOf(piece.subarray(from, end), number);
      if (summary !== null)
        found.push({ ...summary, at: found.length, start: start + from, end: start + end });
      from = end + 1;
    }
    if (from === 0) throw new Error(text("replay.line-too-long", { number: number + 1, most: PIECE }));
    start += from;
    progress(Math.min(1, start / file.size));
  }
  if (found.length === 0) throw new Error(text("replay.no-round-in-file"));
  return found;
}

/** @param {Uint8Array} piece @param {boolean} isLast @returns {number[]} where its lines end */
function endsOf(piece, isLast) {
  const ends = [];
  for (let end = piece.indexOf(END); end >= 0; end = piece.indexOf(END, end + 1)) ends.push(end);
  if (isLast && piece.at(-1) !== END) ends.push(piece.length);
  return ends;
}

/** @param {Uint8Array} bytes @param {number} number */
function summaryOf(bytes, number) {
  if (bytes.length > LONGEST) throw new Error(text("replay.line-too-long", { number, most: LONGEST }));
  const json = new TextDecoder().decode(bytes).trim();
  if (json === "") return null;
  try {
    return summarized(readLine(json));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(text("replay.in-line", { number, reason }));
  }
}

/**
 * A round as the list shows it.
 *
 * @param {Line} line
 */
export function summarized(line) {
  const seats = line.names.map((name, number) => ({
    name: String(name),
    payoff: Number(line.payoffs[number] ?? 0),
    cost: costOf(line, (seat) => seat === line.seats[number]),
  }));
  return { table: line.table, round: line.round, seats };
}

/**
 * Read one round again.
 *
 * @param {Blob} file
 * @param {RoundSummary} summary
 * @returns {Promise<Line>}
 */
export async function roundOf(file, { start, end }) {
  return readLine(await file.slice(start, end).text());
}

/**
 * The rounds in which a name has part, with the payoff and the cost of those seats alone.
 *
 * @param {RoundSummary[]} rounds
 * @param {string} name a part of it, in any case; empty for all
 * @param {boolean} byCost whether the dearest come first
 * @returns {Listed[]}
 */
export function listed(rounds, name, byCost) {
  const wanted = name.trim().toLowerCase();
  const found = rounds.flatMap((round) => {
    const seats = round.seats.filter((seat) => seat.name.toLowerCase().includes(wanted));
    if (seats.length === 0) return [];
    const costs = seats.flatMap(({ cost }) => cost ?? []);
    const payoff = seats.reduce((sum, seat) => sum + seat.payoff, 0);
    return [{ round, payoff, cost: costs.length > 0 ? costs.reduce((sum, cost) => sum + cost, 0) : null }];
  });
  return byCost ? found.sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1)) : found;
}
