"""Rounds of a policy that is a table of decisions, compiled: each round's payoff, script and EV lost.

The kernel notes the cards of the seat and its answers by a byte each. What they are as a script, and what
they have cost, is found once for all rounds that are noted alike.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Decision, Rules
from cards.splitmix import seed_key
from tournament.rounds.costs import costs_for
from tournament.rounds.scripts import NOTHING
from twentyone.kernels.decisions import DECISIONS, QUESTIONS, CompiledPolicy, questions_of
from twentyone.kernels.queues import FIRST_ANSWER, NOTES, answer_of, play_queued
from twentyone.kernels.tables import full_shoe, rule_tables
from twentyone.policies.policy import Situation
from twentyone.support.letters import LETTERS

AT_ONCE: Final = 1 << 16
"""Rounds that the kernel plays at once: few enough that what it notes takes little memory."""

MOST_KEPT: Final = 500_000
"""Rounds that are kept with what they mean, some 200 bytes each; when there are more, it is emptied."""

MOST_RULES: Final = 4
"""Rules for which that is kept."""

CARDS: Final = bytes(range(FIRST_ANSWER))
"""The notes that are cards."""

TO_LETTERS: Final = bytes.maketrans(
    bytes(answer_of(question, number) for question in range(QUESTIONS) for number in range(len(DECISIONS))),
    "".join(LETTERS[decision] for decision in DECISIONS).encode() * QUESTIONS,
)
"""The letter of each answer."""

DRAWING: Final = (Decision.HIT, Decision.DOUBLE, Decision.SPLIT)
"""The decisions that bring the hand a card."""

UNTOLD: Final = np.array([10, 10, 10] + [0] * (NOTES - 3), np.uint8)
"""A placeholder for a round that could not be noted: any notes that mean something."""


class Meaning(NamedTuple):
    """The meaning of a round's notes.

    Attributes:
        script: its script.
        lost: the EV lost, in initial bets; not a number without exact values.
    """

    script: str
    lost: float


class Meanings(dict[bytes, Meaning]):
    """The meanings of notes of rounds, by the notes, without the zeros at their end.

    Args:
        rules: the rules, of one seat.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        costs = costs_for(rules)
        options = dict(questions_of(rules))

        @cache
        def cost(points: tuple[int, ...], upcard: int, is_split: bool, answer: int) -> float:
            if costs is None:
                return float("nan")
            question, decision = divmod(answer - FIRST_ANSWER, len(DECISIONS))
            cards = tuple(sorted(map(_value, points)))
            asked = Situation(cards, _value(upcard), is_split, options[question])
            return costs.cost(asked, DECISIONS[decision])

        self._cost = cost

    def __missing__(self, notes: bytes) -> Meaning:
        """Work it out."""
        if len(self) >= MOST_KEPT:
            self.clear()
        script = notes.translate(TO_LETTERS, CARDS).decode()
        meaning = self[notes] = Meaning(script or NOTHING, self._lost(notes))
        return meaning

    def _lost(self, notes: bytes) -> float:
        """The sum of the costs: an answer is about the hand that was dealt the card before it."""
        first, second, upcard, *further = notes
        hands, place, is_drawing, lost = [[first, second]], 0, False, 0.0
        for note in further:
            if note < FIRST_ANSWER:
                place += not is_drawing  # what no answer asked for is the second card of the next hand
                hands[place].append(note)
                is_drawing = False
                continue
            hand, decision = hands[place], DECISIONS[(note - FIRST_ANSWER) % len(DECISIONS)]
            lost += self._cost(tuple(sorted(hand)), upcard, len(hands) > 1, note)
            is_drawing = decision in DRAWING
            if decision is Decision.SPLIT:
                hands[place : place + 1] = [[card] for card in hand]
        return lost


def _value(points: int) -> int:
    """The value of a card as questions have it: an ace is 11."""
    return points if points > 1 else 11


@lru_cache(maxsize=MOST_RULES)
def meanings_of(rules: Rules) -> Meanings:
    """The meanings of notes of rounds under some rules, shared by all policies."""
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

    def __init__(self, rules: Rules, policy: CompiledPolicy) -> None:
        self._tables, self._full = rule_tables(rules), full_shoe(rules)
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
        found = [meanings[each] for each in notes.view(f"S{NOTES}").ravel().tolist()]
        lost = np.fromiter((lost for _, lost in found), np.float64, rounds)
        return Played([script for script, _ in found], payoffs, lost, is_told)
