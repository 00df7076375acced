// The last rounds of a running table, asked from the dealer one after the other.

import { placeOfTable, socketAddress } from "../shared/address.js";
import { Connection } from "../shared/connection.js";
import { reasonText } from "../shared/reasons.js";
import { text as shown } from "../shared/texts.js";
import { summarized } from "./replay_file.js";
import { readLine } from "./steps.js";

/**
 * Ask for the rounds of a table, the last one first, and then for each further one when it is over.
 *
 * @param {Place & { table: number }} place
 * @param {{ onRounds: (source: RoundSource) => void, onTrouble: (sentence: string) => void,
 *   onPlace: (place: Place) => void }} told the place again, where the dealer has told its name
 */
export function followTable({ dealer, table }, { onRounds, onTrouble, onPlace }) {
  /** @type {Map<number, Line>} */
  const lines = new Map();
  let newest = -1;
  let isAsking = false;
  let isReplaced = false; // whether the dealer has said that it ends
  /** @param {number} back */
  const ask = (back) => {
    isAsking = true;
    connection.say(`HISTORY ${back}`);
  };
  const finish = () => {
    isAsking = false;
    const inOrder = [...lines.values()].sort((a, b) => a.round - b.round);
    const rounds = inOrder.map((line, at) => ({ ...summarized(line), at, start: 0, end: 0 }));
    onRounds({ rounds, read: async ({ round }) => /** @type {Line} */ (await lines.get(round)) });
  };
  /** @param {string} text */
  const add = (text) => {
    const [back = "", of = ""] = text.split(" ", 2);
    const line = readLine(text.slice(back.length + of.length + 2));
    const known = lines.get(line.round);
    if (known !== undefined && known.time !== line.time) lines.clear(); // the dealer was started again
    const isKnown = lines.has(line.round);
    lines.set(line.round, line);
    if (isKnown || back === of) finish();
    else ask(Number(back) + 1);
  };
  /** @param {string} text */
  const look = (text) => {
    const seen = JSON.parse(text);
    const { round } = seen;
    const place = placeOfTable(seen);
    if (place.dealer !== dealer) onPlace(place);
    dealer = place.dealer;
    if (round === newest || isAsking) return;
    newest = round;
    ask(1);
  };
  /** @param {string} text a word for programs, and a sentence: who has sent WATCH gets no ERROR */
  const refuse = (text) => {
    isReplaced = text.startsWith("ended ");
    if (!text.startsWith("no-round ")) {
      onTrouble(shown("replay.dealer-says", { sentence: text.replace(/^[a-z-]+ /, "") }));
    } else if (lines.size > 0) {
      finish();
    } else {
      isAsking = false;
      onTrouble(shown("replay.no-round-yet"));
    }
  };
  const end = () => {
    connection.close();
    if (isReplaced) connection.retry();
    else onTrouble(shown("replay.dealer-gone"));
  };
  const tellLost = () => onTrouble(lostText(connection.reason));
  const connection = new Connection(() => socketAddress(location, dealer), {
    onOpen: () => {
      newest = -1; // rounds may have been played meanwhile
      isAsking = isReplaced = false;
      connection.say(`WATCH ${table}`);
    },
    onLost: () => {
      tellLost();
      connection.retry();
    },
    onReason: tellLost,
    onLine: (line) => {
      connection.resetWait();
      const verb = line.split(" ", 1)[0] ?? "";
      const text = line.slice(verb.length + 1);
      if (verb === "HISTORY") add(text);
      else if (verb === "TABLE") look(text);
      else if (verb === "REFUSED") refuse(text);
      else if (verb === "QUIT") end();
    },
  });
  connection.open();
}

/** @param {Reason | null} reason */
function lostText(reason) {
  if (reason === null) return shown("replay.connection-lost");
  return reason === "gone" ? shown("replay.dealer-gone") : reasonText(reason);
}
