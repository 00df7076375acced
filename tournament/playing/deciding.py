"""The deciders of policies that the engine plays: by the question alone, by chance, or by a count."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, Protocol

from cards import CardDealt, DealerDrew, Decision, HoleCardRevealed, Round, UpcardDealt
from cards.records import Record
from cards.splitmix import random_number, seed_key
from player.counting import CountedPlay
from twentyone.policies.functions import Function, Question
from twentyone.policies.policy import Policy, observation

CHANCES: Final = 0x706F6C6963696573
"""Makes the random numbers of policies others than those of the cards."""


class Decider(Protocol):
    """A decider for a seat, which sees the cards of its table."""

    def decide(self, round_: Round) -> Decision:
        """Answer a question."""

    def saw(self, records: Sequence[Record]) -> None:
        """See what happened."""

    def began(self, *, is_fresh: bool) -> None:
        """A round begins, perhaps from a fresh shoe."""


class Chance:
    """The random numbers of an entrant, other ones in each round.

    Args:
        seed: the seed of the tournament.
        name: its name: they are the same whoever else takes part.
    """

    def __init__(self, seed: int, name: str) -> None:
        index = int.from_bytes(sha256(name.encode()).digest()[:8], "big")
        self._key = random_number(seed_key(seed) ^ CHANCES, index)
        self.go_to(0)

    def go_to(self, number: int) -> None:
        """Let the next number be the first one of a round."""
        self._round, self._drawn = random_number(self._key, number), 0

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, where n is at most 2^32."""
        self._drawn += 1
        return (random_number(self._round, self._drawn) >> 32) * n >> 32


class Blind:
    """Decides by what it is asked alone."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def decide(self, round_: Round) -> Decision:
        """Answer a question."""
        return self._policy(observation(round_, 0))

    def saw(self, records: Sequence[Record]) -> None:
        """See what happened, for nothing."""

    def began(self, *, is_fresh: bool) -> None:
        """A round begins."""


class Asking(Blind):
    """Decides by a function of the user's own, which is asked about each question once."""

    def __init__(self, function: Function, chance: Chance) -> None:
        self._function, self._chance = function, chance
        self._known: dict[Question, list[tuple[Decision, float]]] = {}

    def decide(self, round_: Round) -> Decision:
        """Answer a question: draw a decision by its chances."""
        asked = Question(observation(round_, 0), len(round_.hands_of(0)))
        if asked not in self._known:
            (chances,) = self._function.answers([asked], round_.rules)
            self._known[asked] = [*chances.items()]
        *others, (last, _) = self._known[asked]
        left = self._chance.below(1 << 32) / (1 << 32) if others else 0.0
        for decision, chance in others:
            left -= chance
            if left < 0:
                return decision
        return last


class Counting:
    """Decides by a table by true count, and counts the cards that a player at the table sees."""

    def __init__(self, play: CountedPlay) -> None:
        self._play = play

    def decide(self, round_: Round) -> Decision:
        """Answer a question."""
        return self._play.decide(observation(round_, 0))

    def saw(self, records: Sequence[Record]) -> None:
        """Count the cards."""
        for record in records:
            if isinstance(record, CardDealt):
                self._play.saw(record.card)
            elif isinstance(record, UpcardDealt):
                self._play.saw_upcard(record.card)
            elif isinstance(record, HoleCardRevealed | DealerDrew):
                self._play.saw_dealer(record.card)

    def began(self, *, is_fresh: bool) -> None:
        """A round begins, perhaps from a fresh shoe."""
        if is_fresh:
            self._play.shuffled()
        self._play.began()
