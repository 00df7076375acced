"""A game as a message sequence chart: a column for each model, a row for each message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from twentyone.devs.clock import in_seconds
from twentyone.devs.formalism import Port
from twentyone.devs.kernel import Change, Node, Simulator
from twentyone.devs.values import text_of

COLUMNS: Final = ("controller", "deck", "challenger", "dealer")
"""The models of a game. The columns of challenger and dealer include their hands and thresholds."""

OUTSIDE: Final = -1
"""The margin, from which the start comes and to which the outcome goes."""

WIDTH: Final = 18
MARGIN: Final = 8


class Signs(NamedTuple):
    """The characters of lifelines and arrows."""

    lifeline: str
    line: str
    left: str
    right: str


UNICODE: Final = Signs("│", "─", "◀", "▶")
ASCII: Final = Signs("|", "-", "<", ">")


class MessageSequence:
    """Draws the messages between the models of a game, line by line, as an observer of its simulator.

    Args:
        simulator: the simulator of a whole game in its frame.
        write: called with each line.
        signs: the characters to draw with.
    """

    def __init__(self, simulator: Simulator, write: Callable[[str], None], signs: Signs = UNICODE) -> None:
        self._simulator = simulator
        self._places = {node.number: place for place, node in enumerate(simulator.nodes)}
        self._write = write
        self._signs = signs
        simulator.observers.append(self._step)

    def write_heading(self) -> None:
        """Write the names of the columns."""
        self._write((" " * MARGIN + "".join(name.center(WIDTH) for name in COLUMNS)).rstrip())

    def _step(self, time: int, changes: Sequence[Change]) -> None:
        stamp = in_seconds(time)
        for change in changes:
            for (source, target), texts in self._messages(change).items():
                self._write(self._row(stamp, source, target, " ".join(texts)))
                stamp = ""

    def _messages(self, change: Change) -> dict[tuple[int, int], list[str]]:
        """The messages of a model, by the columns of sender and receiver."""
        messages: dict[tuple[int, int], list[str]] = {}
        for port, value in change.sent:
            for target in sorted(self._targets(change.node, port)):
                messages.setdefault((_column(change.node), target), []).append(text_of(value))
        return messages

    def _targets(self, node: Node, port: Port[Any]) -> set[int]:
        ends = self._simulator.routes[self._places[node.number]][port]
        return {OUTSIDE if place < 0 else _column(self._simulator.nodes[place]) for place, _ in ends}

    def _row(self, stamp: str, source: int, target: int, text: str) -> str:
        """Lifelines with an arrow between two of them, or a note if both ends have the same column."""
        row = list(stamp.rjust(MARGIN - 2).ljust(MARGIN + WIDTH * len(COLUMNS)))
        for column in range(len(COLUMNS)):
            row[_middle(column)] = self._signs.lifeline
        if source == target:
            _put(row, _middle(source) + 2, text)
            return "".join(row).rstrip()
        left, right = sorted((_middle(source), _middle(target)))
        for at in range(left + 1, right):
            row[at] = self._signs.line
        if target > source:
            row[right - 1] = self._signs.right
        else:
            row[left + 1] = self._signs.left
        _put(row, (left + right - len(text)) // 2 + 1, text)
        return "".join(row).rstrip()


def _column(node: Node) -> int:
    """The column of a model: its own, or that of the player that it belongs to."""
    return next((COLUMNS.index(name) for name in node.path if name in COLUMNS), OUTSIDE)


def _middle(column: int) -> int:
    return MARGIN - 2 if column == OUTSIDE else MARGIN + WIDTH * column + WIDTH // 2


def _put(row: list[str], at: int, text: str) -> None:
    row[at : at + len(text)] = text
