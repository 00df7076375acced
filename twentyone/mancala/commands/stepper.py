"""Stepping through a game on a terminal with the arrow keys."""

from __future__ import annotations

import os
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from twentyone.mancala.core.board import Player, row_of, store_of
from twentyone.mancala.core.rules import Rules
from twentyone.mancala.solving.games import Game, Step, describe_step

if TYPE_CHECKING:
    from rich.text import Text

FORWARD: Final = frozenset({b"\x1b[C", b"\x1bOC", b" ", b"l", b"\r"})
BACK: Final = frozenset({b"\x1b[D", b"\x1bOD", b"h", b"\x7f"})
FIRST: Final = frozenset({b"\x1b[H", b"\x1bOH", b"g"})
LAST: Final = frozenset({b"\x1b[F", b"\x1bOF", b"G"})
LEAVE: Final = frozenset({b"q", b"\x1b", b"\x04", b""})
INTERRUPT: Final = b"\x03"
KEY_BYTES: Final = 8
"""A key press arrives in one read. The longest one used here has three bytes."""


def is_terminal() -> bool:
    """Whether both standard input and standard output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def draw_step(step: Step, rules: Rules) -> Text:
    """A board, with the changed cells marked by a colour and brackets, and a sentence below."""
    from rich.text import Text

    board = step.board
    width = max(3, *(len(str(count)) for count in board.cells)) + 3

    def cell(number: int) -> Text:
        count, is_changed = board.cells[number], number in step.changed
        text = f"[{count}]" if is_changed else f"{count} "
        return Text(text.rjust(width), style="bold reverse" if is_changed else "")

    marks = {player: "> " if board.turn is player else "  " for player in Player}
    upper = [cell(hole) for hole in reversed(row_of(Player.TWO, board.holes))]
    lower = [cell(hole) for hole in row_of(Player.ONE, board.holes)]
    stores = [cell(store_of(player, board.holes)) for player in (Player.TWO, Player.ONE)]
    blank = Text(" " * width)
    rows = (
        Text.assemble(marks[Player.TWO], blank, *upper),
        Text.assemble("  ", stores[0], " " * (width * board.holes), stores[1]),
        Text.assemble(marks[Player.ONE], blank, *lower),
        Text(describe_step(step, rules)),
    )
    return Text("\n").join(rows)


def print_all(game: Game, rules: Rules) -> None:
    """Print every board, one after another."""
    for number, step in enumerate(game, start=1):
        print(f"board {number} of {len(game)}\n{draw_step(step, rules).plain}\n")


def place_after(key: bytes, place: int, last: int) -> int | None:
    """The place of the board that a key leads to, counted from 0; None to leave. Other keys do nothing."""
    if key in LEAVE:
        return None
    if key in FORWARD:
        return min(place + 1, last)
    if key in BACK:
        return max(place - 1, 0)
    if key in FIRST:
        return 0
    return last if key in LAST else place


def step_through(game: Game, rules: Rules) -> None:
    """Show one board at a time on the terminal until the person leaves.

    Raises:
        KeyboardInterrupt: if the person presses Ctrl-C. The terminal is restored first.
    """
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    place: int | None = 0
    with _keys() as handle, Live(console=Console(), screen=True, auto_refresh=False) as live:
        while place is not None:
            head = Text(f"board {place + 1} of {len(game)}\n")
            help_line = Text("\nright, left arrow: forward, back; g, G: first, last; q: leave", style="dim")
            live.update(Group(head, draw_step(game[place], rules), help_line), refresh=True)
            key = os.read(handle, KEY_BYTES)
            if key == INTERRUPT:
                raise KeyboardInterrupt
            place = place_after(key, place, len(game) - 1)


@contextmanager
def _keys() -> Iterator[int]:
    """Read single keys from standard input without showing them; restore the terminal afterwards."""
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setraw(handle, termios.TCSADRAIN)
        mode = termios.tcgetattr(handle)
        mode[1] |= termios.OPOST  # what is written still needs its line ends
        termios.tcsetattr(handle, termios.TCSADRAIN, mode)
        yield handle
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
