"""The costs that a line gives its decisions, compared with the exact values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cards import DecisionAsked, DecisionTaken, Round, Rules
from dealer.tables.history import cost_told
from protocol.codec import COST_DIGITS

if TYPE_CHECKING:
    from tournament.rounds.costs import Costs

DIGITS: Final = 9
"""Decimals of a cost, and of seconds, except those of HISTORY, which have `COST_DIGITS`."""


class Exact(NamedTuple):
    """The cost of an answer by the exact values.

    Attributes:
        cost: in initial bets.
        best: the best decision; None where the line does not tell it.
    """

    cost: float
    best: str | None = None


def costs_for(told: Mapping[str, Any], round_: Round) -> Costs | None:
    """The costs that hold for a round of a line, except a HISTORY; None where there are no exact values.

    There are for one seat against a dealer with a fresh shoe for each round, if all options were offered.
    """
    if round_.plain or "dealt" in told.get("shoe", ()):
        return None
    from tournament.rounds import costs

    return costs.costs_for(round_.rules)


def costs_of(round_: Round, costs: Costs) -> list[float]:
    """The cost of each answer, and of a forfeit, of a round with one seat, in the order of play."""
    costs.prepare()
    return [cost_told(cost, DIGITS) for cost in costs.of(round_, 0)]


def history_costs(round_: Round) -> list[Exact | None]:
    """The cost of each answer of all seats as HISTORY tells it, in the order of play; None for a forfeit."""
    answers = [iter(each) for each in _judgements(round_)]
    found: list[Exact | None] = []
    asked: dict[int, int] = {}
    for record in round_.records:
        match record:
            case DecisionAsked(seat):
                asked[seat] = len(found)
                found.append(None)
            case DecisionTaken(seat):
                cost, best = next(answers[seat])
                found[asked[seat]] = Exact(cost, best.value)
    return found


def _judgements(round_: Round) -> Any:
    from dealer.lobby import judging
    from twentyone.exact import advice, hand_advice

    by_cards = judging.goes_by_cards(round_.rules)
    adviser = (hand_advice if by_cards else advice).adviser_for(round_.rules)
    return judging.judged(adviser, round_)


def correct(
    questions: Sequence[dict[str, Any]],
    told: Mapping[str, Any],
    round_: Round,
    working: Callable[[Rules], object],
) -> bool:
    """Put the right cost, and best decision, into questions of which the line tells another one.

    A cost is right within one unit of its last decimal.

    Args:
        questions: those of a line that tells costs, in the order of play.
        told: the line.
        round_: its round.
        working: told the rules before their costs are worked out, which may take some seconds.

    Returns:
        Whether the costs follow from the round: False where there are no exact values.
    """
    found: Sequence[Exact | None]
    if any("best" in question for question in questions):
        working(round_.rules)
        digits, found = COST_DIGITS, history_costs(round_)
    elif (costs := costs_for(told, round_)) is not None:
        working(round_.rules)
        digits, found = DIGITS, [Exact(cost) for cost in costs_of(round_, costs)]
    else:
        return False
    for question, exact in zip(questions, found, strict=True):
        _correct(question, exact, digits)
    return True


def _correct(question: dict[str, Any], exact: Exact | None, digits: int) -> None:
    cost = question.pop("cost", None)
    question.pop("best", None)
    if exact is None:
        return
    right = cost_told(exact.cost, digits)
    is_right = cost is not None and abs(cost - right) < 1.5 * 10**-digits
    question["cost"] = cost if is_right else right
    if exact.best is not None:
        question["best"] = exact.best
