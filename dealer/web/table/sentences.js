// The sentences that are read out of a change, and the lines of the log that are new in it. Pure.

import { rankOf } from "../shared/hand.js";
import { minus, rounded } from "../shared/numbers.js";
import { decisionsText, rankName, totalText } from "../shared/terms.js";
import { text } from "../shared/texts.js";
import { ownSeat } from "./game.js";
import { noticeText } from "./refusals.js";
import { adviceText, statusText } from "./words.js";

/**
 * The sentences to read out.
 *
 * @param {State} state
 * @param {State} before
 * @param {boolean} isAll whether everything that happens at the table is
 * @returns {string[]}
 */
export function sentences(state, before, isAll) {
  const found = isAll ? freshLines(state, before) : [];
  const isNewQuestion = state.asked && (!before.asked || state.question !== before.question);
  if (isNewQuestion) found.push(questionText(state));
  else if (!isAll && isOver(state) && !isOver(before)) found.push(endText(state));
  else found.push(elsewhereText(state, before));
  const advice = adviceText(state);
  if (advice !== adviceText(before)) found.push(advice);
  return found.filter(Boolean);
}

/** The lines of the log that are new. @param {State} state @param {State} before */
export function freshLines({ log, logged, table }, before) {
  const isSame = before.table?.table === table?.table && logged >= before.logged;
  const fresh = isSame ? logged - before.logged : log.length;
  return fresh > 0 ? log.slice(-fresh) : [];
}

/** @param {State} state */
function isOver({ table }) {
  return table?.phase === "results";
}

/**
 * The question in one sentence: with the whole hand at first, and with its new card from then on.
 *
 * @param {State} state
 */
function questionText(state) {
  const { question, table } = state;
  const { limits } = question;
  if (limits) {
    const { minimum, maximum, bankroll } = limits;
    return text("say.bet", { minimum, maximum, bankroll: rounded(Number(bankroll)) });
  }
  const options = decisionsText(question.options);
  const seat = ownSeat(state);
  const hands = seat?.hands ?? [];
  const number = table?.hand ?? 1;
  const hand = hands[number - 1] ?? seat;
  if (!hand || hand.total === null) return text("say.question", { options });
  const cards = hand.cards.map((card) => rankName(rankOf(card ?? "")));
  const values = { options, total: totalText(hand), first: cards[0] ?? "", second: cards[1] ?? "" };
  const upcard = table?.dealer?.upcard;
  const sentence =
    cards.length > 2
      ? text("say.drawn", { ...values, card: cards.at(-1) ?? "" })
      : upcard
        ? text("say.dealt", { ...values, upcard: rankName(rankOf(upcard)) })
        : text("say.dealt-alone", values);
  return hands.length > 1 ? text("say.of-hand", { hand: number, sentence }) : sentence;
}

/** The end of the round for us, in one sentence with the dealer's hand. @param {State} state */
function endText(state) {
  const { table } = state;
  const seat = ownSeat(state);
  const dealer = dealerText(table?.dealer ?? null);
  if (seat === null || seat.result === null) return dealer && text("say.dealer", { dealer });
  const outcome = text(`say.${seat.result}`);
  const total = seat.total === null ? "" : totalText({ ...seat, soft: false });
  const isOne = (seat.hands?.length ?? 1) <= 1 && total !== "";
  const own = isOne ? text("say.with", { outcome, total }) : outcome;
  const paid = seat.payoff ? text("say.paid", { own, payoff: minus(seat.payoff) }) : own;
  return dealer ? text("say.end", { dealer, paid }) : text("say.end-alone", { paid });
}

/** @param {Dealer | null} dealer */
function dealerText(dealer) {
  const { total = null } = dealer ?? {};
  if (total === null) return "";
  return total > 21 ? text("say.dealer-bust") : text("say.dealer-has", { total });
}

// Events outside of play: a connection, a seat, players that are waited for, and what was refused.
/** @param {State} state @param {State} before */
function elsewhereText(state, before) {
  const notice = noticeText(state.notice, state.table);
  if (notice !== "" && state.notice !== before.notice) return statusOrNotice(state, notice);
  const status = isOutside(state) ? statusText(state) : "";
  return status !== "" && status !== statusText(before) ? status : "";
}

/** @param {State} state @param {string} notice */
function statusOrNotice(state, notice) {
  return isOutside(state) ? statusText(state) : notice;
}

/** @param {State} state */
function isOutside({ connection, sitting, table }) {
  const isPlayed = ["betting", "playing", "results"].includes(table?.phase ?? "");
  return connection !== "open" || !isPlayed || sitting === "asking" || sitting === "returning";
}
