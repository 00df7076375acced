"""Rounds played at random, by any rules: with forfeits in turn and out of turn, late decisions and bets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from cards import PRESETS, Decision, DecisionTaken, QueuedShoe, Round, Rules, Shoe
from cards.rules import exact

SLOW = (Decision.STAND, Decision.DECLINE)
"""What a clock decides, where it is offered."""


@dataclass(frozen=True, slots=True)
class Played:
    """A round that is over."""

    round: Round
    bets: tuple[int, ...]
    bankrolls: tuple[str, ...] | None  # the chips that each had before it; None for any number
    late: frozenset[int]  # the decisions that a clock made, by number


def rules_drawn(random: Random) -> Rules:
    """The rules of a preset with any number of seats, sometimes with bets."""
    rules = PRESETS[random.choice(list(PRESETS))]
    return replace(rules, seats=random.choice((1, 1, 2, 3, 5) if rules.has_dealer else (2, 3, 4)))


def play(
    rules: Rules, random: Random, shoe: Shoe | None = None, chips: Sequence[Fraction] | None = None
) -> Played:
    """A round of any decisions that are offered, with any cards and chips where none are given."""
    bets: tuple[int, ...] = ()
    means = None
    if rules.bets is not None:
        if chips is None:
            chips = [Fraction(rules.bets.minimum * random.randint(2, 30), 2) for _ in range(rules.seats)]
        bets = tuple(random.randint(rules.bets.minimum, min(rules.bets.maximum, int(each))) for each in chips)
        means = [each / bet for each, bet in zip(chips, bets, strict=True)]
    round_ = Round(rules, shoe or QueuedShoe(rules, random.randrange(100)), means=means)
    round_.deal()
    late: set[int] = set()
    while round_.turn is not None:
        leaver = random.randrange(rules.seats)
        if random.random() < 0.1 and round_.can_forfeit(leaver):
            round_.forfeit(leaver)
            continue
        decision = random.choice(round_.options)
        if decision in SLOW and random.random() < 0.3:
            late.add(sum(type(record) is DecisionTaken for record in round_.records))
        round_.decide(round_.turn, decision)
    bankrolls = None if chips is None else tuple(str(exact(each)) for each in chips)
    return Played(round_, bets, bankrolls, frozenset(late))
