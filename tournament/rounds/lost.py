"""The EV lost in whole rounds: rounds in which a seat has seen and decided the same have cost the same."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cards import CardDealt, DecisionAsked, DecisionTaken, Round, Rules, SeatForfeited
from tournament.rounds.costs import MAX_KEPT, Costs, costs_for

MOST_KEPT: Final = 200_000
"""Rounds that are kept with what they have cost; when there are more, it is begun anew."""


class Lost:
    """What rounds of one seat against the dealer have cost.

    Args:
        rules: the rules.
        costs: what decisions cost by them.
    """

    def __init__(self, rules: Rules, costs: Costs) -> None:
        self._costs = costs
        self._counts_options = rules.bets is not None  # what may be staked goes by the chips that are left
        self._known: dict[tuple[object, ...], float] = {}

    def of(self, round_: Round) -> float:
        """The EV lost in a round that is over, in initial bets."""
        assert round_.upcard is not None, "costs are of play against a dealer"
        # Other records of a seat follow from these by the rules. Members of an Enum are slow to look up, so
        # that their addresses stand for them, which do not change.
        seen: list[object] = [round_.upcard.points]
        for record in round_.records:
            kind = type(record)
            if kind is CardDealt:
                seen.append(record.card.points)  # type: ignore[union-attr]
            elif kind is DecisionTaken:
                seen.append(id(record.decision))  # type: ignore[union-attr]
            elif kind is SeatForfeited:
                seen.append(None)
            elif kind is DecisionAsked and self._counts_options:
                seen.append(tuple(map(id, record.options)))  # type: ignore[union-attr]
        key = tuple(seen)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            found = self._known[key] = sum(self._costs.of(round_))
        return found


def lost_for(rules: Rules) -> Lost | None:
    """What rounds have cost under some rules, for all matches of a process; None as in `costs_for`."""
    costs = costs_for(rules)
    return None if costs is None else _lost_for(rules, costs)


@lru_cache(maxsize=MAX_KEPT)
def _lost_for(rules: Rules, costs: Costs) -> Lost:
    return Lost(rules, costs)
