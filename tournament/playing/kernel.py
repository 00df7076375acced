"""Rounds of a policy that is a table of decisions, compiled: each round's payoff, script and EV lost.

The kernel notes the cards of the seat and its decisions by a byte each. What they are as a script, and what
they have cost, is found once for all rounds that are noted alike.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import CARDS, Round, Rules, StackedShoe
from cards.queues import seed_key
from kernels.hand_tables import full_shoe
from kernels.queues import FIRST_DECISION, NOTES, play_queued
from kernels.whole.decisions import DECISIONS, WholePolicy
from kernels.whole.tables import whole_tables
from tournament.replay.scripts import script_of
from tournament.results.costs import costs_for

AT_ONCE: Final = 1 << 16
"""Rounds that the kernel plays at once: few enough that what it notes takes little memory."""

MOST_KEPT: Final = 500_000
"""Rounds that are kept with what they mean, some 200 bytes each; when there are more, it is begun anew."""

MOST_RULES: Final = 4
"""Rules for which that is kept."""

HOLE_CARD: Final = CARDS[4]
"""The hole card of the rounds that are played here once more: one that makes no natural."""

ENOUGH: Final = [CARDS[9]] * 8
"""Cards for the dealer's hand of such a round, which nobody looks at."""


UNTOLD: Final = np.array([10, 10, 10] + [0] * (NOTES - 3), np.uint8)
"""What stands for a round that could not be noted: any that means something."""


class Told(NamedTuple):
    """What the notes of a round mean.

    Attributes:
        script: its script.
        lost: the EV lost, in initial bets; not a number without exact values.
    """

    script: str
    lost: float


class Meanings(dict[bytes, Told]):
    """What the notes of rounds mean, by the notes, without the zeros at their end.

    Args:
        rules: the rules, of one seat.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._rules, self._costs = rules, costs_for(rules)

    def __missing__(self, notes: bytes) -> Told:
        """Play the seat's part of the round once more by the engine."""
        if len(self) >= MOST_KEPT:
            self.clear()
        cards = [CARDS[each - 1] for each in notes if each < FIRST_DECISION]
        round_ = Round(self._rules, StackedShoe([*cards[:3], HOLE_CARD, *cards[3:], *ENOUGH]))
        round_.deal()
        for each in notes:
            if each >= FIRST_DECISION:
                round_.decide(0, DECISIONS[each - FIRST_DECISION])
        lost = float("nan") if self._costs is None else float(sum(self._costs.of(round_)))
        told = self[notes] = Told(script_of(round_), lost)
        return told


@lru_cache(maxsize=MOST_RULES)
def meanings_of(rules: Rules) -> Meanings:
    """What the notes of rounds mean under some rules, for all policies together."""
    return Meanings(rules)


class Played(NamedTuple):
    """Rounds that were played.

    Attributes:
        scripts: the script of each.
        payoffs: int32 (rounds,): in tenths of an initial bet.
        lost: float64 (rounds,): the EV lost, in initial bets; not a number without exact values.
        is_told: bool (rounds,): False where the kernel could not note a round: the rest is then of no use.
    """

    scripts: list[str]
    payoffs: NDArray[np.int32]
    lost: NDArray[np.float64]
    is_told: NDArray[np.bool_]


class CompiledPlay:
    """Plays rounds by a table, one seat against the dealer, each round from the shoe of its number.

    Args:
        rules: the rules, of one seat and without bets.
        policy: the policy, compiled for these rules, which leaves nothing to chance.
    """

    def __init__(self, rules: Rules, policy: WholePolicy) -> None:
        self._tables, self._full = whole_tables(rules), full_shoe(rules)
        self._decisions = policy.decisions[np.newaxis, np.newaxis]
        self._rules = rules

    def play(self, seed: int, first: int, rounds: int) -> Played:
        """Play some rounds.

        Args:
            seed: what all cards are made from.
            first: the number of the first round.
            rounds: how many.
        """
        starts = range(first, first + rounds, AT_ONCE)
        parts = [self._play(seed, start, min(AT_ONCE, first + rounds - start)) for start in starts]
        return Played(
            [script for part in parts for script in part.scripts],
            np.concatenate([np.zeros(0, np.int32), *(part.payoffs for part in parts)]),
            np.concatenate([np.zeros(0), *(part.lost for part in parts)]),
            np.concatenate([np.zeros(0, np.bool_), *(part.is_told for part in parts)]),
        )

    def _play(self, seed: int, first: int, rounds: int) -> Played:
        payoffs, is_told = np.zeros(rounds, np.int32), np.zeros(rounds, np.bool_)
        notes, key = np.zeros((rounds, NOTES), np.uint8), np.uint64(seed_key(seed))
        play_queued(self._tables, self._decisions, self._full, key, first, payoffs, notes, is_told)
        notes[~is_told] = UNTOLD
        meanings = meanings_of(self._rules)
        told = [meanings[each] for each in notes.view(f"S{NOTES}").ravel().tolist()]
        lost = np.fromiter((lost for _, lost in told), np.float64, rounds)
        return Played([script for script, _ in told], payoffs, lost, is_told)
