"""Whole games: a setup, played as often as one likes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from cards import seeded
from devs.blackjack import Setup, game
from devs.controller import ControllerState
from devs.deck import Shuffled
from devs.frame import SOURCES, Source, frame
from devs.kernel import Simulator
from devs.player import Variation
from devs.values import ORDERED_DECK, Card, Outcome

GAME: Final = ("top", "game")
ANSWERS: Final = 64
"""A hand gets at most 52 cards, so games with this many answers apart have none of chance in common."""


class Result(NamedTuple):
    """How a game ended: the outcome, when, in ticks, and the scores (0: the dealer did not play)."""

    outcome: Outcome
    time: int
    challenger_score: int
    dealer_score: int


class Hands(NamedTuple):
    """The cards of a game."""

    challenger: tuple[Card, ...]
    dealer: tuple[Card, ...]


class Games:
    """Games of one setup, each from the same start; the n-th has the n-th shuffle and the n-th variations.

    Attributes:
        simulator: what plays them, for observers.
    """

    def __init__(self, setup: Setup) -> None:
        start = Source(SOURCES["game"]["start"], int, [(0, 1)])
        self.simulator = Simulator(frame(game(setup), {"start": start}))
        self._shuffled = setup.shuffled
        paths = [node.path for node in self.simulator.nodes]
        self._controller = paths.index((*GAME, "controller"))
        self._hands = [paths.index((*GAME, "players", side, "hand")) for side in ("challenger", "dealer")]
        self._initial = {node.path: node.model.initial for node in self.simulator.nodes}

    def reset(self, number: int) -> None:
        """Make ready for the game of that number, from 0."""
        self._number = number
        own = {
            path: state._replace(shuffles=number)
            if path[-1] == "deck"
            else state._replace(answers=number * ANSWERS)
            for path, state in self._initial.items()
            if path[-1] == "deck" or "players" in path
        }
        self.simulator.reset(own)

    def play(self, wait_for: Callable[[int], None] | None = None) -> Result:
        """Play the game that has been made ready."""
        outcomes = self.simulator.run(wait_for=wait_for)
        time, _, outcome = outcomes[-1]
        state: ControllerState = self.simulator.states[self._controller]
        return Result(outcome, time, state.challenger_score, state.dealer_score)

    def hands(self) -> Hands:
        """The cards that have been drawn in the game that has been played."""
        drawn = self._shuffled(self._number, ORDERED_DECK)[::-1]
        first, second = (
            self.simulator.states[place].answers - self._number * ANSWERS for place in self._hands
        )
        return Hands(drawn[:first], drawn[first : first + second])


def stacked(cards: Sequence[Card]) -> Shuffled:
    """Every shuffle leads to this order."""
    order = tuple(cards)
    return lambda number, cards: order


def shuffled_by(seed: int | str) -> Shuffled:
    """Fair shuffles (Fisher and Yates), each the same for the same seed and number."""

    def shuffled(number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        rand_below, order = seeded(seed, "shuffle", number), list(cards)
        for last in range(len(order) - 1, 0, -1):
            other = rand_below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    return shuffled


def varied_by(seed: int | str, most: int) -> Callable[[str], Variation]:
    """For each model by its path: 0 to `most` ticks, all as likely, and the same for the same seed."""

    def variation_of(path: str) -> Variation:
        return lambda number: seeded(seed, path, number)(most + 1)

    return variation_of
