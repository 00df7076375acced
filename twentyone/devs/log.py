"""The event log, `time;model_id;model_name;port_name;data`, byte for byte as Cadmium v2 writes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TextIO

from twentyone.devs.clock import in_seconds
from twentyone.devs.kernel import Change, Simulator
from twentyone.devs.values import text_of

HEADER: Final = "sep=;\ntime;model_id;model_name;port_name;data\n"


class EventLog:
    """Writes what a simulation does: all states at the start, each step, and all states at the end.

    For each model that did something in a step there is a line for each value that it sent, then one for its
    state. The states of deck and controller take several lines.

    Args:
        simulator: a simulator at its start; the log becomes one of its observers.
        file: where the text is written.
    """

    def __init__(self, simulator: Simulator, file: TextIO) -> None:
        self._simulator = simulator
        self._file = file
        file.write(HEADER)
        simulator.observers.append(self._step)

    def write_states(self) -> None:
        """Write every state: to be called before the first step and after the last."""
        time = in_seconds(self._simulator.time)
        for node, state in zip(self._simulator.nodes, self._simulator.states, strict=True):
            self._file.write(f"{time};{node.number};{node.model.name};;{node.model.describe(state)}\n")

    def _step(self, time: int, changes: Sequence[Change]) -> None:
        stamp, lines = in_seconds(time), []
        for node, sent, state in changes:
            place = f"{stamp};{node.number};{node.model.name}"
            lines += [f"{place};{port.name};{text_of(value)}\n" for port, value in sent]
            lines.append(f"{place};;{node.model.describe(state)}\n")
        self._file.write("".join(lines))
