"""Rounds for the tests of what a dealer remembers: played by a script, and played again from the history."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any, Final

from cards import Decision, Payoff, Round, Rules, StackedShoe, parse_card, rules_stated, seeded, shoe_for

DEALT: Final = frozenset({"card", "upcard", "hole card", "drew"})
"""The records of cards that came from the shoe."""


def played(
    rules: Rules,
    seed: int,
    actions: str = "",
    *,
    means: Sequence[Payoff | None] | None = None,
    plain: Collection[int] = (),
) -> Round:
    """A round over which `actions` say what each turn brings.

    (h)it, (f)orfeit of the last seat that can, or (o)ther: the last of what is offered; else stand.
    """
    round_ = Round(rules, shoe_for(rules, seeded(seed)), means=means, plain=plain)
    round_.deal()
    steps = iter(actions)
    while (seat := round_.turn) is not None:
        action = next(steps, "s")
        if action == "f":
            open_seats = [other for other in range(rules.seats) if round_.can_forfeit(other)]
            round_.forfeit(open_seats[-1])  # perhaps out of turn
        elif action in "ho":
            round_.decide(seat, Decision.HIT if action == "h" else round_.options[-1])
        else:
            round_.decide(seat, Decision.STAND)
    return round_


def played_again(told: dict[str, Any]) -> Round:
    """The round of a line of the history, played once more by its rules, cards and decisions."""
    cards = [parse_card(record["card"]) for record in told["records"] if record["record"] in DEALT]
    seats = told["seats"]
    means = [
        Fraction(seat["bankroll"]) / Fraction(seat["bet"]) if seat["bankroll"] is not None else None
        for seat in seats
    ]
    plain = [number for number, seat in enumerate(seats) if seat["plain"]]
    round_ = Round(rules_stated(told["rules"]), StackedShoe(cards), means=means, plain=plain)
    round_.deal()
    for record in told["records"]:
        if record["record"] == "decided":
            round_.decide(record["seat"], Decision(record["decision"]))
        elif record["record"] == "forfeited":
            round_.forfeit(record["seat"])
    return round_
