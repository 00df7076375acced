"""The atomic model of the deck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from cards import Decision
from twentyone.devs.clock import TICKS
from twentyone.devs.formalism import INFINITY, Atomic, Bag, ModelError, Output, Port
from twentyone.devs.values import ORDERED_DECK, Card, Command, Player

Shuffled = Callable[[int, Sequence[Card]], tuple[Card, ...]]
"""The order of these cards after the n-th shuffle. They are drawn from the end."""


def unshuffled(_: int, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Leave the order unchanged."""
    return tuple(cards)


class DeckPhase(Enum):
    """The phases of the deck."""

    IDLE = "IDLE"
    SHUFFLE = "SHUFFLE"
    DRAW_CHALLENGER = "DRAW_CHALLENGER"
    DRAW_DEALER = "DRAW_DEALER"

    __hash__ = object.__hash__  # a member is only equal to itself; Enum would hash its name, in Python code


IDLE, SHUFFLE, DRAW_CHALLENGER, DRAW_DEALER = DeckPhase


class DeckState(NamedTuple):
    """The phase, the cards, the last of which is drawn next, and the number of shuffles so far."""

    phase: DeckPhase = IDLE
    cards: tuple[Card, ...] = ORDERED_DECK
    shuffles: int = 0


class Deck(Atomic[DeckState]):
    """Shuffles for 10 s, then sends HIT; draws for 1 s, then sends the last card to the named player.

    A command that arrives while another is pending replaces it and restarts the time. A DRAW without a player
    in the same bag only restarts the time.
    """

    COMMAND: Final = Port("command", Command)
    PLAYER: Final = Port("player", Player)
    RESET: Final = Port("reset", int)
    CHALLENGER_CARD: Final = Port("challengerCardOutPort", Card)
    DEALER_CARD: Final = Port("dealerCardOutPort", Card)
    HIT: Final = Port("hitOutPort", Decision)
    inputs = (COMMAND, PLAYER, RESET)
    outputs = (CHALLENGER_CARD, DEALER_CARD, HIT)
    initial = DeckState()

    TIMES: Final = {
        IDLE: INFINITY,
        SHUFFLE: 10 * TICKS,
        DRAW_CHALLENGER: TICKS,
        DRAW_DEALER: TICKS,
    }

    def __init__(self, name: str = "deck", shuffled: Shuffled = unshuffled) -> None:
        super().__init__(name)
        self._shuffled = shuffled

    def time_advance(self, state: DeckState) -> int | None:
        return self.TIMES[state.phase]

    def output(self, state: DeckState) -> Output:
        if state.phase is SHUFFLE:
            return ((self.HIT, Decision.HIT),)
        if not state.cards:
            raise ModelError("a card cannot be drawn: the deck is empty")
        is_for_dealer = state.phase is DRAW_DEALER
        return ((self.DEALER_CARD if is_for_dealer else self.CHALLENGER_CARD, state.cards[-1]),)

    def internal_transition(self, state: DeckState) -> DeckState:
        if state.phase is SHUFFLE:
            cards = self._shuffled(state.shuffles, state.cards)
            return DeckState(IDLE, cards, state.shuffles + 1)
        return DeckState(IDLE, state.cards[:-1], state.shuffles)

    def external_transition(self, state: DeckState, elapsed: int, bag: Bag) -> DeckState:
        if self.RESET in bag:
            return DeckState(shuffles=state.shuffles)
        if self.COMMAND not in bag:
            return state
        if bag[self.COMMAND][-1] is Command.SHUFFLE:
            return DeckState(SHUFFLE, state.cards, state.shuffles)
        if self.PLAYER not in bag:
            return state
        is_for_dealer = bag[self.PLAYER][-1] is Player.DEALER
        phase = DRAW_DEALER if is_for_dealer else DRAW_CHALLENGER
        return DeckState(phase, state.cards, state.shuffles)

    def describe(self, state: DeckState) -> str:
        order = "".join([f"{card.text}," for card in state.cards])
        return f"State: {state.phase.value}, cards remaining: {len(state.cards)}\nCurrent Order: [{order}]\n"
