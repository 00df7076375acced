"""The atomic models of a player: a hand that adds up cards, and a threshold that decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from cards import Decision
from twentyone.devs.clock import TICKS
from twentyone.devs.formalism import INFINITY, Atomic, Bag, Output, Port
from twentyone.devs.values import Card

TENTH: Final = TICKS // 10

Variation = Callable[[int], int]
"""The ticks that the n-th answer of a model takes beyond a tenth of a second."""


def no_variation(_: int) -> int:
    """No variation: every answer takes exactly a tenth of a second."""
    return 0


class HandState(NamedTuple):
    """The sum of the cards, the next card, whether one is pending, and the answers begun so far."""

    value: int = 0
    card: Card = Card.NO_CARD
    is_pending: bool = False
    answers: int = 0


class Hand(Atomic[HandState]):
    """Adds up cards: 0.1 s after a card it sends the new value, which has no upper bound.

    A card that arrives while another is pending replaces it and restarts the time. Of a bag, the last card
    counts.
    """

    CARD: Final = Port("card", Card)
    RESET: Final = Port("reset", int)
    VALUE: Final = Port("handValueOut", int)
    inputs = (CARD, RESET)
    outputs = (VALUE,)
    initial = HandState()

    def __init__(self, name: str = "hand", variation: Variation = no_variation) -> None:
        super().__init__(name)
        self._variation = variation

    def time_advance(self, state: HandState) -> int | None:
        return TENTH + self._variation(state.answers) if state.is_pending else INFINITY

    def output(self, state: HandState) -> Output:
        return ((self.VALUE, state.value + state.card.points),)

    def internal_transition(self, state: HandState) -> HandState:
        return HandState(state.value + state.card.points, Card.NO_CARD, False, state.answers)

    def external_transition(self, state: HandState, elapsed: int, bag: Bag) -> HandState:
        if self.RESET in bag:
            return HandState(answers=state.answers)
        return HandState(state.value, bag[self.CARD][-1], True, state.answers + 1)

    def describe(self, state: HandState) -> str:
        return f"{{value: {state.value}, card: {state.card.text}}}"


class ThresholdState(NamedTuple):
    """The value to be answered next, whether one is pending, and the answers begun so far."""

    value: int = 0
    is_pending: bool = False
    answers: int = 0


class Threshold(Atomic[ThresholdState]):
    """Decides: 0.1 s after a value it sends HIT below the threshold, otherwise STAND and the value.

    A value that arrives while another is pending replaces it and restarts the time.
    """

    VALUE_IN: Final = Port("valueIn", int)
    RESET: Final = Port("reset", int)
    DECISION: Final = Port("decisionOut", Decision)
    VALUE_OUT: Final = Port("valueOut", int)
    inputs = (VALUE_IN, RESET)
    outputs = (DECISION, VALUE_OUT)
    initial = ThresholdState()

    def __init__(self, name: str, threshold: int, variation: Variation = no_variation) -> None:
        super().__init__(name)
        self.threshold = threshold
        self._variation = variation

    def time_advance(self, state: ThresholdState) -> int | None:
        return TENTH + self._variation(state.answers) if state.is_pending else INFINITY

    def output(self, state: ThresholdState) -> Output:
        if state.value < self.threshold:
            return ((self.DECISION, Decision.HIT),)
        return ((self.DECISION, Decision.STAND), (self.VALUE_OUT, state.value))

    def internal_transition(self, state: ThresholdState) -> ThresholdState:
        return ThresholdState(answers=state.answers)

    def external_transition(self, state: ThresholdState, elapsed: int, bag: Bag) -> ThresholdState:
        if self.RESET in bag:
            return ThresholdState(answers=state.answers)
        return ThresholdState(bag[self.VALUE_IN][-1], True, state.answers + 1)

    def describe(self, state: ThresholdState) -> str:
        return f"{{threshold: {self.threshold}, comparisonValue: {state.value}}}"
