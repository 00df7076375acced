"""The entrants that are not ranked: those that took no part to the end, and those that knew too much.

Where every round has its costs, the mean of payoff plus EV lost is the value of the play that the costs are
measured against, whoever plays (see `tournament.rounds.costs`). A program that knows cards which are not
dealt yet is above it: it gives up what its decisions cost by what is known to the others, and gets it back
with more. Bets change nothing in this, as long as they are made before the cards are dealt: payoffs and costs
of a round are weighted by its bet, so that a program is seen too that bets by the cards which will come.

After a split the mean is only nearly that value. How much it is off was measured, and is allowed for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Decision
from tournament.results.deals import Floats, Sums
from tournament.rounds.costs import costs_for
from tournament.rounds.scripts import bets_and_decisions
from tournament.settings import ENDS, NOT_PLAYED, UNITS, Results
from twentyone.support.letters import LETTERS

FEWEST: Final = 100
"""Rounds before which no entrant is marked: luck is far from normal."""

ERRORS: Final = 5
"""Standard errors above the value by which an entrant is marked: luck alone does that in one of 3 million."""

SPLIT_OFF: Final = 0.2
"""Initial bets by which the mean of a round with a split may be off.

The most that was measured is 0.058 +- 0.006: with one deck, by splits of every pair of tens and doubling of
every hand that this makes. By basic strategy, and with six decks, it is too little to be seen.
"""

_SPLIT: Final = LETTERS[Decision.SPLIT]


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of an entrant that did not play to the last round.

    Attributes:
        kind: one of `tournament.settings.NOT_PLAYED`. A program that is "out" was there, and went wrong too
            often: it is ranked.
        round: the number of the round from which on it took no part, from 1.
        why: the reason, without a full stop.
        errors: the last lines of its errors.
    """

    kind: str
    round: int
    why: str
    errors: Sequence[str]

    @property
    def is_ranked(self) -> bool:
        """Whether the entrant is ranked, with the rounds that it has forfeited."""
        return self.kind not in ENDS


@dataclass(frozen=True, slots=True)
class Excess:
    """The result of an entrant that was better than is possible, in initial bets per round.

    Attributes:
        mean: its mean payoff plus its EV lost.
        value: its mean for every player: the value of the play that costs are measured
            against.
        error: the standard error of its mean, not below 1 / sqrt(rounds).
        limit: the highest mean that is not marked.
    """

    mean: float
    value: float
    error: float
    limit: float


def ended(results: Results) -> dict[int, Ended]:
    """The entrants that took no part to the end, by number: of each the first reason that counts most."""
    found: dict[int, Ended] = {}
    for fault in sorted(results.faults, key=lambda fault: (fault.kind not in ENDS, fault.round)):
        if fault.kind in NOT_PLAYED and fault.entrant not in found:
            why, *errors = fault.text.split("\n")
            found[fault.entrant] = Ended(fault.kind, fault.round + 1, why, errors)
    return found


def excesses(results: Results) -> dict[int, Excess]:
    """The entrants that were better than is possible, by number; none where not every round has its costs."""
    costs = costs_for(results.settings.rules)
    if results.lost is None or costs is None:
        return {}
    found = {}
    for number in range(len(results.settings.entrants)):
        if len(results.lost[number]) < FEWEST:
            continue
        excess = _excess(results, number, results.lost[number][:, 0], costs.best)
        if excess.mean > excess.limit:
            found[number] = excess
    return found


def unranked(results: Results) -> set[int]:
    """The numbers of all entrants that are not ranked, earlier versions among them."""
    settings = results.settings
    ends = {number for number, end in ended(results).items() if not end.is_ranked}
    return {*ends, *excesses(results), *({*range(len(settings.entrants))} - {*settings.current})}


def _excess(results: Results, number: int, lost: Floats, value: float) -> Excess:
    """The mean payoff plus EV lost of an entrant against the dealer, and the limit of it."""
    bets, splits = _bets_and_splits(results, number)
    sums = Sums(results.payoffs[number][:, 0] / UNITS + bets * lost, bets)
    least = sqrt(float(bets @ bets)) / float(bets.sum())  # 1 / sqrt(rounds) where all bets are equal
    error = max(sums.standard_error or 0.0, least)
    off = SPLIT_OFF * float(bets[splits].sum() / bets.sum())
    return Excess(sums.mean, value, error, value + ERRORS * error + off)


def _bets_and_splits(results: Results, number: int) -> tuple[Floats, NDArray[np.bool_]]:
    """The bet of each round, 1 where none are asked, and in which of them a hand was split."""
    scripts = [script for block in results.blocks(number) for script in block.scripts]
    count = len(results.payoffs[number])
    splits = np.zeros(count, bool)
    splits[: len(scripts)] = [_SPLIT in script for script in scripts]
    if results.settings.rules.bets is None:
        return np.ones(count), splits
    return np.array([bets_and_decisions(script)[0][0] for script in scripts], np.float64), splits
