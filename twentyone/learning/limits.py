"""The limits of methods: the gap that is left however long they learn, by exact values."""

from __future__ import annotations

from typing import Final, NamedTuple

from cards import EveryRound, Rules
from twentyone.exact import named, solving
from twentyone.exact.soft import Control, soft_limit
from twentyone.exact.values.compositions import Floats
from twentyone.learning.textbook import Kind, Knobs
from twentyone.policies.files import MODEL, QLEARNING, RANDOM_PLAY
from twentyone.policies.qtable import is_by_hand

ROUNDING: Final = 1e-12
"""Initial bets per round: a gap of less is a rounding error, and counts as 0."""


class Limit(NamedTuple):
    """The gap that is left, in initial bets per round.

    Attributes:
        least: the gap in the end.
        most: the same, unless learning may go on changing between policies for ever: then the largest of
            their gaps, and `least` is the smallest.
    """

    least: float
    most: float


def limit_of(rules: Rules, method: str, knobs: Knobs) -> Limit | None:
    """The gap that a method ends at if its steps get ever smaller, from exact values.

    With a constant step the action values go on moving around those of the limit.

    Args:
        rules: the rules.
        method: the name of the method.
        knobs: its settings.

    Returns:
        The limit. None where it is not known: with a table by hand, with a shoe that is kept over rounds, for
        the project's own method and `model`, and with an epsilon that decays or is 0.
    """
    policies = limit_policies(rules, method, knobs)
    if policies is None:
        return None
    best = solving.solve(rules).value
    gaps = [best - solving.evaluate(rules, hit).value for hit in policies]
    gaps = [gap if gap > ROUNDING else 0.0 for gap in gaps]
    return Limit(min(gaps), max(gaps))


def limit_policies(rules: Rules, method: str, knobs: Knobs) -> tuple[Floats, ...] | None:
    """The policies of the limit, (22, 22), 1 where one hits; several if learning may change between them.

    Args:
        rules: the rules.
        method: the name of the method.
        knobs: its settings.

    Returns:
        None where `limit_of` is None.
    """
    is_unknown = is_by_hand(rules) or not rules.has_dealer or method in (QLEARNING, MODEL)
    if is_unknown or rules.reshuffle != EveryRound():
        return None
    if method == RANDOM_PLAY:
        return (named.random_play_limit(rules).hit,)
    control = control_of(knobs)
    return None if control is None else soft_limit(rules, control).policies


def control_of(knobs: Knobs) -> Control | None:
    """The exploration that settings end with; None if its epsilon decays, or it never explores."""
    if knobs.epsilon_decay > 0 or (knobs.epsilon == 0 and not knobs.explores_starts):
        return None
    traces = {Kind.RETURN: 1.0, Kind.TAKEN: knobs.trace}
    return Control(
        epsilon=knobs.epsilon,
        off_policy=knobs.kind in (Kind.BEST, Kind.CROSSED),
        n=knobs.n,
        trace=traces.get(Kind(knobs.kind), 0.0),
        gamma=knobs.gamma,
        explores_starts=knobs.explores_starts,
    )
