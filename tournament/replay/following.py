"""The entrants of a tournament's line, as the line before in its match requires."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from cards import Payoff, Round
from cards.rules import exact
from protocol import chips_text
from tournament.rounds.schedule import seating


def expected_entrants(
    told: Mapping[str, Any], before: Mapping[str, Any] | None, round_: Round
) -> list[dict[str, Any]] | None:
    """The keys of each seat that follow from the line before: `entrant`, `name` and, with bets, `bankroll`.

    Entrants change places by the schedule; one that cannot pay the least bet gets the first bankroll again.

    Args:
        told: the line.
        before: the line before as it should be; None if it is not known.
        round_: the round of the line.

    Returns:
        Them by seats; None if the line before is not of the round before in this match.
    """
    if before is None or "shoe" not in told or before["table"] != told["table"]:
        return None
    if before["round"] + 1 != told["round"] or len(before["seats"]) != len(told["seats"]):
        return None
    seats = len(told["seats"])
    was = seating(seats, before["round"] - 1)
    by_place = {place: _after(seat, round_) for place, seat in zip(was, before["seats"], strict=True)}
    return [by_place[place] for place in seating(seats, told["round"] - 1)]


def _after(seat: Mapping[str, Any], round_: Round) -> dict[str, Any]:
    """An entrant at the beginning of the round after one."""
    found = {"entrant": seat.get("entrant"), "name": seat["name"]}
    bets = round_.rules.bets
    if bets is None or seat["bankroll"] is None:
        return found
    chips: Payoff = exact(Fraction(seat["bankroll"]) + Fraction(seat["payoff"]) * int(seat["bet"]))
    return found | {"bankroll": chips_text(chips if chips >= bets.minimum else round_.rules.first_bankroll)}
