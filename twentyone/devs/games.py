"""Whole games of one setup, played any number of times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from cards import seeded
from twentyone.devs.blackjack import Setup, game
from twentyone.devs.controller import ControllerState
from twentyone.devs.deck import Shuffled
from twentyone.devs.frame import SOURCES, Source, frame
from twentyone.devs.kernel import Simulator
from twentyone.devs.player import Variation
from twentyone.devs.values import ORDERED_DECK, Card, Outcome

GAME: Final = ("top", "game")
ANSWERS: Final = 64
"""The random numbers reserved for each game. A hand gets at most 52 cards, so games never share one."""


class Result(NamedTuple):
    """The end of a game: the outcome, its time in ticks, and the scores (0: the dealer did not play)."""

    outcome: Outcome
    time: int
    challenger_score: int
    dealer_score: int


class Hands(NamedTuple):
    """The cards of a game."""

    challenger: tuple[Card, ...]
    dealer: tuple[Card, ...]


class Games:
    """Games of one setup, each from the same start. Game n has the n-th shuffle and the n-th variations.

    Attributes:
        simulator: the simulator of the games, to which observers can be added.
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
        """Go back to the start, for the game with this number, counted from 0."""
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
        """Play the game that `reset` chose.

        Args:
            wait_for: called before each step with its time in ticks.
        """
        outcomes = self.simulator.run(wait_for=wait_for)
        time, _, outcome = outcomes[-1]
        state: ControllerState = self.simulator.states[self._controller]
        return Result(outcome, time, state.challenger_score, state.dealer_score)

    def hands(self) -> Hands:
        """The cards that were drawn in the game."""
        drawn = self._shuffled(self._number, ORDERED_DECK)[::-1]
        first, second = (
            self.simulator.states[place].answers - self._number * ANSWERS for place in self._hands
        )
        return Hands(drawn[:first], drawn[first : first + second])


def stacked(cards: Sequence[Card]) -> Shuffled:
    """A shuffle that always leads to this order."""
    order = tuple(cards)
    return lambda number, cards: order


def shuffled_by(seed: int | str) -> Shuffled:
    """Fair shuffles (Fisher and Yates) that depend only on the seed and the number of the shuffle."""

    def shuffled(number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        rand_below, order = seeded(seed, "shuffle", number), list(cards)
        for last in range(len(order) - 1, 0, -1):
            other = rand_below(last + 1)
            order[last], order[other] = order[other], order[last]
        return tuple(order)

    return shuffled


def varied_by(seed: int | str, most: int) -> Callable[[str], Variation]:
    """For each model, by its path: 0 to `most` ticks, uniform, and the same for the same seed."""

    def variation_of(path: str) -> Variation:
        return lambda number: seeded(seed, path, number)(most + 1)

    return variation_of
