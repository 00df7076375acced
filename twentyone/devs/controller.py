"""The atomic model of the controller, which runs the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from cards import Decision
from twentyone.devs.clock import TICKS
from twentyone.devs.formalism import INFINITY, Atomic, Bag, Output, Port
from twentyone.devs.values import Command, Outcome, Player, outcome_of


class ControllerPhase(Enum):
    """The phases of the controller."""

    IDLE = "IDLE"
    RESET = "RESET"
    START = "START"
    HIT = "HIT"
    STAND = "STAND"

    __hash__ = object.__hash__  # a member equals only itself; Enum would hash its name, in Python code


IDLE, RESET, START, HIT, STAND = ControllerPhase


@dataclass(frozen=True)
class Timing:
    """The ticks that each phase of the controller takes, and whether it announces the dealer's turn."""

    start: int
    hit: int
    stand: int
    says_continue: bool


TIMINGS: Final[Mapping[str, Timing]] = {
    "reference": Timing(TICKS, TICKS, TICKS, says_continue=True),
    "specification": Timing(0, 0, TICKS, says_continue=False),
}
"""The timing of the original, and the one in its text, repaired so that it can run."""


class ControllerState(NamedTuple):
    """The phase, the player whose turn it is, and the scores: 0 for a player who has not played yet."""

    phase: ControllerPhase = IDLE
    player: Player = Player.CHALLENGER
    challenger_score: int = 0
    dealer_score: int = 0
    has_started: bool = False

    def at(self, phase: ControllerPhase) -> ControllerState:
        """The same state in another phase."""
        _, player, challenger_score, dealer_score, has_started = self
        return ControllerState(phase, player, challenger_score, dealer_score, has_started)

    @property
    def outcome(self) -> Outcome:
        """The outcome so far."""
        return outcome_of(self.challenger_score, self.dealer_score)


class Controller(Atomic[ControllerState]):
    """Runs the game: it tells the deck to shuffle and to draw for a player, and sends the outcome.

    An input that arrives while another is pending replaces it. In one bag, start takes precedence over a
    decision, and a STAND without a value is ignored.
    """

    START: Final = Port("startInPort", int)
    DECISION: Final = Port("decisionInPort", Decision)
    VALUE: Final = Port("handValueInPort", int)
    COMMAND: Final = Port("commandOutPort", Command)
    PLAYER: Final = Port("playerOutPort", Player)
    OUTCOME: Final = Port("outcomeOutPort", Outcome)
    RESET: Final = Port("resetOutPort", int)
    inputs = (START, DECISION, VALUE)
    outputs = (COMMAND, PLAYER, OUTCOME, RESET)
    initial = ControllerState()

    def __init__(self, name: str = "controller", timing: Timing = TIMINGS["reference"]) -> None:
        super().__init__(name)
        self._says_continue = timing.says_continue
        self._times = {
            IDLE: INFINITY,
            RESET: 0,
            START: timing.start,
            HIT: timing.hit,
            STAND: timing.stand,
        }

    def time_advance(self, state: ControllerState) -> int | None:
        return self._times[state.phase]

    def output(self, state: ControllerState) -> Output:
        if state.phase is HIT:
            return ((self.COMMAND, Command.DRAW), (self.PLAYER, state.player))
        if state.phase is START:
            return ((self.COMMAND, Command.SHUFFLE),)
        if state.phase is RESET:
            return ((self.RESET, 1),)
        if state.outcome is Outcome.CONTINUE and not self._says_continue:
            return ()
        return ((self.OUTCOME, state.outcome),)

    def internal_transition(self, state: ControllerState) -> ControllerState:
        if state.phase is RESET:
            return state.at(START)
        if state.phase is START:
            return ControllerState(has_started=True)
        if state.phase is STAND and state.outcome is Outcome.CONTINUE:
            return state._replace(phase=HIT, player=Player.DEALER)
        return state.at(IDLE)

    def external_transition(self, state: ControllerState, elapsed: int, bag: Bag) -> ControllerState:
        if self.START in bag:
            first = RESET if state.has_started else START
            return state._replace(phase=first, has_started=True)
        decision = bag[self.DECISION][-1] if self.DECISION in bag else None
        if decision is Decision.HIT:
            return state.at(HIT)
        if decision is None or self.VALUE not in bag:
            return state
        score = bag[self.VALUE][-1]
        if state.player is Player.CHALLENGER:
            return state._replace(phase=STAND, challenger_score=score)
        return state._replace(phase=STAND, dealer_score=score)

    def describe(self, state: ControllerState) -> str:
        return (
            f"State(controller): Player Score= {state.challenger_score}, Dealer Score= {state.dealer_score}\n"
            f" Current player: {state.player.value}\n"
        )
