"""Experimental frames: a model coupled with sources of its inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from twentyone.devs.clock import in_seconds
from twentyone.devs.formalism import INFINITY, Atomic, Bag, Coupled, Model, Output, Port


class SourceState(NamedTuple):
    """The number of event times that have passed, and the ticks from the last of them to the next."""

    passed: int
    wait: int | None


class Source(Atomic[SourceState]):
    """Sends values at given times; values of one time are sent together.

    Args:
        kind: the type of the values.
        events: times in ticks, never decreasing, and values.
    """

    def __init__(self, name: str, kind: type[Any], events: Sequence[tuple[int, Any]]) -> None:
        super().__init__(name)
        self._out: Port[Any] = Port("out", kind)
        self.outputs = (self._out,)
        bags: dict[int, list[Any]] = {}
        for time, value in events:
            bags.setdefault(time, []).append(value)
        self._times = list(bags)
        self._bags = list(bags.values())
        self.initial = SourceState(0, self._times[0] if bags else INFINITY)

    def time_advance(self, state: SourceState) -> int | None:
        return state.wait

    def output(self, state: SourceState) -> Output:
        return [(self._out, value) for value in self._bags[state.passed]]

    def internal_transition(self, state: SourceState) -> SourceState:
        passed = state.passed + 1
        if passed == len(self._times):
            return SourceState(passed, INFINITY)
        return SourceState(passed, self._times[passed] - self._times[state.passed])

    def external_transition(self, state: SourceState, elapsed: int, bag: Bag) -> SourceState:
        return state  # it has no input

    def describe(self, state: SourceState) -> str:
        return "inf" if state.wait is None else in_seconds(state.wait)


SOURCES: Final[Mapping[str, Mapping[str, str]]] = {
    "hand": {"card": "hand input"},
    "threshold": {"valueIn": "threshold input"},
    "threshold-c": {"valueIn": "threshold c input"},
    "threshold-d": {"valueIn": "threshold-d-input"},
    "challenger": {"cardIn": "challenger in"},
    "dealer": {"cardIn": "dealer in"},
    "players": {"challengerIn": "challenger cards", "dealerIn": "dealer cards"},
    "deck": {"player": "deck players file", "command": "deck commands file"},
    "controller": {
        "startInPort": "start_input",
        "decisionInPort": "decision_1",
        "handValueInPort": "hand_value_win",
    },
    "game": {"start": "start"},
}
"""The names of the sources in the original's test programs, by model and input port. Logs show them."""


def frame(model: Model, sources: Mapping[str, Source]) -> Coupled:
    """Couple a model with sources for some of its inputs. All outputs of the model are outputs of the frame.

    Args:
        model: the model.
        sources: the sources by input port, in the order of their numbers in a log.
    """
    return Coupled(
        "top",
        components=(model, *reversed([*sources.values()])),
        couplings=(
            *((f"{source.name}.out", f"{model.name}.{port}") for port, source in sources.items()),
            *((f"{model.name}.{port.name}", port.name) for port in model.outputs),
        ),
        outputs=model.outputs,
    )
