"""The two sentences that say what is certain, for a reader who reads no further."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from tournament.results.statistics import BETS, ERROR, Difference, Pair, Standing
from twentyone.support.counts import counted, one_of

NAMED: Final = 6
"""The most entrants that are named in a sentence."""


def certain(standing: Standing) -> tuple[str, str]:
    """The sentences about what is certain of the order, and about what is not yet.

    It is the order by EV lost where that is known and no bets are asked, otherwise by mean payoff.
    """
    order = _order(standing)
    if len(order) < 2:
        ranked = "only one entrant" if order else "no entrant"
        return f"Nothing is certain about the order: {ranked} is ranked.", "Below is why the others are not."
    return _settled(standing, order), _unsettled(standing, order)


def _by_lost(standing: Standing) -> bool:
    return standing.has_lost and standing.unit == BETS


def _order(standing: Standing) -> list[int]:
    """The entrants that are ranked, the best first."""
    if not _by_lost(standing):
        return standing.ranked
    lost = {number: standing.rows[number].lost for number in standing.ranked}
    return sorted(standing.ranked, key=lambda number: 0.0 if (each := lost[number]) is None else each.mean)


def _found(standing: Standing, first: int, second: int) -> Difference:
    pair: Pair = standing.between(first, second)
    return pair.lost if _by_lost(standing) and pair.lost is not None else pair.payoff


def _settled(standing: Standing, order: list[int]) -> str:
    by = "EV lost" if _by_lost(standing) else "mean payoff"
    names = [standing.rows[number].name for number in order]
    pairs = [(a, b) for place, a in enumerate(order) for b in order[place + 1 :]]
    apart = sum(_found(standing, *pair).is_certain for pair in pairs)
    chance = f"with an error of at most {100 * ERROR:g} % in all"
    if not apart:
        return f"Nothing is certain yet: by {by} no two of the {len(order)} entrants can be told apart."
    if apart == len(pairs):
        return f"By {by} the whole order is certain: {_listed(names)}, {chance}."
    best, *others = order
    rivals = [other for other in others if not _found(standing, best, other).is_certain]
    pairs_apart = f"{apart:,} of {counted(len(pairs), 'pair')} are told apart"
    if len(rivals) == len(others):
        return f"By {by} {pairs_apart} for certain, but not which entrant is the best, {chance}."
    among = [names[0], *(standing.rows[number].name for number in rivals)]
    return f"By {by} it is certain that the best is {_one_of(among)}, and {pairs_apart}, {chance}."


def _unsettled(standing: Standing, order: list[int]) -> str:
    waits = [
        (found.more, standing.rows[first].name, standing.rows[second].name, found)
        for first, second in pairwise(order)
        if not (found := _found(standing, first, second)).is_certain
    ]
    if not waits:
        return _lead(standing, *order[:2])
    open_ = f"{counted(len(waits), 'pair')} of neighbours in the ranking cannot be told apart"
    ever = [(more, first, second) for more, first, second, _ in waits if more is not None]
    if ever:
        more, first, second = min(ever)
        rounds = counted(more, "round")
        return f"{open_}; {first} and {second} would take {rounds} more, if their difference stays as it is."
    alike = [(first, second) for _, first, second, found in waits if found.low == found.high == 0]
    if len(alike) == len(waits):
        first, second = alike[0]
        return f"{open_}: {first} and {second} have played alike, and share a rank."
    return f"{open_}, and show no difference that rounds could confirm."


def _lead(standing: Standing, best: int, next_: int) -> str:
    """Tell how far the best is ahead of the next, where both are told apart."""
    found = _found(standing, best, next_)
    assert found.low is not None, "it is certain"
    assert found.high is not None, "it is certain"
    low, high = sorted((abs(found.low), abs(found.high)))
    names = standing.rows[best].name, standing.rows[next_].name
    return (
        f"{names[0]} is ahead of {names[1]} by {abs(found.mean):.5f} {standing.unit} per round, with an"
        f" interval from {low:.5f} to {high:.5f}."
    )


def _listed(names: list[str]) -> str:
    if len(names) <= NAMED:
        return ", then ".join(names)
    return f"from {names[0]}, the best, to {names[-1]}"


def _one_of(names: list[str]) -> str:
    if len(names) > NAMED:
        return f"one of {len(names)}, such as {names[0]}"
    return one_of(names)
