"""Charts of policies for standard output: in colour on a terminal, as plain text anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import PRESETS, Rules
from twentyone.policies.qtable import dealer_column
from twentyone.support.terminal import printable

if TYPE_CHECKING:
    from rich.text import Text

UPCARDS: Final = (*range(2, 12),)
"""The upcards in the order of every chart: 2 to 10, and the ace (11) last."""

COLOURS: Final = {"H": "white on #542788", "S": "black on #fdb863", "R": "black on #bbbbbb"}
"""The styles of a hit, a stand and a random decision; they differ for colour-blind readers too."""


class Piece(NamedTuple):
    """A piece of a line: its text, and its style, as rich spells styles."""

    text: str
    style: str = ""


Line = Sequence[Piece]


def upcard_name(upcard: int) -> str:
    """An upcard as charts write it: 2 to 10, and A for the ace (11)."""
    return "A" if upcard == 11 else str(upcard)


def rules_in_short(rules: Rules) -> str:
    """Rules as their preset and the fields that differ from it: `course decks=6`."""
    usual = _fields(PRESETS[rules.preset])
    changed = [f"{key}={text}" for key, text in _fields(rules).items() if text != usual.get(key)]
    return " ".join([rules.preset, *changed])


def _fields(rules: Rules) -> dict[str, str]:
    """Every field, also those that are at their first values."""
    return rules.fields() | rules.new_fields()


def letter(chance: float) -> str:
    """The letter of a chance of HIT in a chart: H for 1, S for 0, R for any chance between."""
    return "H" if chance == 1 else "S" if chance == 0 else "R"


def short(value: float, signed: bool = True) -> str:
    """A value in initial bets in five characters, or four without the sign: `-.293`, `+1.88`."""
    text = f"{value:+z.3f}" if abs(value) < 0.9995 else f"{value:+z.2f}"
    text = text.replace("0.", ".", 1) if abs(value) < 0.9995 else text
    return text if signed else text[1:]


def policy_lines(
    hit: NDArray[np.float64],
    figures: NDArray[np.float64],
    soft: bool,
    marked: NDArray[np.bool_] | None = None,
) -> list[Line]:
    """A policy on hard or on soft hands: totals downwards from 21, upcards to the right.

    Args:
        hit: the chance of HIT, shape (22, 22).
        figures: the figures next to the letters, in initial bets, shape (22, 22); NaN where a cell is not
            reached. Such a cell is left blank unless it is marked, and a total without others is left out.
        soft: whether the soft hands are shown, or the hard ones.
        marked: the cells with a star before their letter, shape (22, 22); None for no stars.
    """
    columns = [dealer_column(upcard, soft) for upcard in UPCARDS]
    stars = np.zeros((22, 22), dtype=np.bool_) if marked is None else marked
    is_shown = np.logical_or(~np.isnan(figures), stars)
    totals = [total for total in range(21, -1, -1) if is_shown[total, columns].any()]
    if not totals:
        return []
    head = [Piece("soft" if soft else "hard", "bold"), *(Piece(f"{upcard_name(u):>7}") for u in UPCARDS)]
    rows = [
        [
            Piece(f"{total:>4}"),
            *map(
                _cell,
                map(letter, hit[total, columns].tolist()),
                figures[total, columns].tolist(),
                stars[total, columns].tolist(),
            ),
        ]
        for total in totals
    ]
    return [head, *rows]


def show(lines: Sequence[Line]) -> None:
    """Print lines to standard output, in colour if it is a terminal that has colours, without NO_COLOR."""
    if sys.stdout.isatty():
        from rich.console import Console

        console = Console(highlight=False)
        if console.color_system is not None and not console.no_color:
            for line in lines:
                console.print(_text(line), soft_wrap=True)
            return
    print("\n".join("".join(printable(piece.text) for piece in line).rstrip() for line in lines))


def _cell(name: str, figure: float, is_marked: bool) -> Piece:
    if np.isnan(figure) and not is_marked:
        return Piece(" " * 7)
    text = "" if np.isnan(figure) else short(figure)
    return Piece(f"{'*' if is_marked else ' '}{name}{text:5}", COLOURS[name])


def _text(line: Line) -> Text:
    from rich.text import Text

    return Text.assemble(*((printable(piece.text), piece.style) for piece in line))
