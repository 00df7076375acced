"""A round step by step, in words: who gets which card, what was asked and decided, what it cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from cards import (
    Card,
    CardDealt,
    DealerDrew,
    DealerPeeked,
    DecisionAsked,
    DecisionTaken,
    Hand,
    HandBegun,
    HandSettled,
    HoleCardDealt,
    HoleCardRevealed,
    Outcome,
    Payoff,
    Record,
    Retelling,
    SeatForfeited,
    SeatSettled,
    UpcardDealt,
)
from protocol import payoff_text
from tournament.replay.lines import Replayed, questions_in_order
from twentyone.support.counts import counted

_BEGINS_A_STEP: Final = (DecisionAsked, HoleCardRevealed)


def steps(replayed: Replayed) -> list[list[str]]:
    """The lines of each step: the deal, each question with its answer, the dealer's play with the results."""
    told: list[list[str]] = [[heading(replayed)]]
    retelling = Retelling(replayed.round)
    story = _Story(replayed, retelling)
    for record in retelling:
        if isinstance(record, _BEGINS_A_STEP):
            told.append([])
        if (line := story.line(record)) is not None:
            told[-1].append(line)
    total = sum(question.get("cost", 0.0) for question in story.questions)
    if any("cost" in question for question in story.questions):
        told[-1].append(f"The decisions cost {total:z.6f} in all.")
    return told


def heading(replayed: Replayed) -> str:
    """Which round it is, by which rules, and who plays."""
    told = replayed.told
    names = ", ".join(told["names"])
    return f"Round {told['round']:,} of table {told['table']:,}, by {told['rules']['preset']}: {names}"


class _Story:
    """A round told in order."""

    def __init__(self, replayed: Replayed, retelling: Retelling) -> None:
        self._names = replayed.told["names"]
        self._bets = [seat["bet"] for seat in replayed.expected["seats"]]
        self._hands = retelling.hands
        self._dealer = retelling.dealer
        self.questions = questions_in_order(replayed.expected, replayed.round)
        self._coming = iter(self.questions)
        self._question: dict[str, Any] = {}

    def line(self, record: Record) -> str | None:
        """The sentence about a record; None for nothing."""
        match record:
            case CardDealt(seat, card, hand):
                return self._card(seat, card, hand)
            case UpcardDealt(card):
                return f"The dealer shows {card}"
            case HoleCardDealt(card):
                return f"and has {card} face down"
            case DecisionAsked(seat, hand, options):
                self._question = next(self._coming)
                offered = ", ".join(option.value for option in options)
                return f"{self._who(seat, hand)} has {self._total(seat, hand)}, and is offered {offered}"
            case DecisionTaken(seat, decision, hand):
                return f"{self._who(seat, hand)}: {decision.value}{_remarks(self._question)}"
            case HandBegun(seat, hand, hands):
                return f"{self._names[seat]} goes on with hand {hand + 1} of {hands}"
            case _:
                return self._end(record)

    def _end(self, record: Record) -> str | None:
        match record:
            case SeatForfeited(seat):
                return f"{self._names[seat]} forfeits{_remarks(self._question)}"
            case DealerPeeked(has_natural):
                return f"The dealer looks at the hole card, and has {'a' if has_natural else 'no'} natural"
            case HoleCardRevealed(card):
                return f"The dealer turns over {card}: {_total(self._dealer)}"
            case DealerDrew(card):
                return f"The dealer draws {card}: {_total(self._dealer)}"
            case HandSettled(seat, hand, outcome, payoff):
                return f"{self._names[seat]}, hand {hand + 1}: {self._result(seat, outcome, payoff)}"
            case SeatSettled(seat, outcome, payoff):
                won = outcome.payoff if payoff is None else payoff
                return f"{self._names[seat]}: {self._result(seat, outcome, won)}"
        return None

    def _card(self, seat: int, card: Card, hand: int) -> str:
        return f"{self._who(seat, hand)} gets {card}: {self._total(seat, hand)}"

    def _result(self, seat: int, outcome: Outcome, payoff: Payoff) -> str:
        bet = self._bets[seat]
        chips = "" if bet is None else f" bets of {counted(bet, 'chip')}"
        return f"{outcome.value} {payoff_text(payoff)}{chips}"

    def _who(self, seat: int, hand: int) -> str:
        name: str = self._names[seat]
        return name if len(self._hands[seat]) == 1 else f"{name}, hand {hand + 1},"

    def _total(self, seat: int, hand: int) -> str:
        return _total(self._hands[seat][hand])


def _remarks(question: dict[str, Any]) -> str:
    """Further facts about a decision."""
    return "".join(f" ({remark})" for remark in [", ".join(_each_remark(question))] if remark)


def _each_remark(question: dict[str, Any]) -> Iterator[str]:
    if question.get("late"):
        yield "the clock decided"
    if "seconds" in question:
        yield f"{question['seconds']:z.3f} s"
    if "cost" in question:
        yield f"cost {question['cost']:z.6f}"


def _total(hand: Hand) -> str:
    if hand.is_bust:
        return f"{hand.total}, bust"
    return f"soft {hand.total}" if hand.is_soft else str(hand.total)
