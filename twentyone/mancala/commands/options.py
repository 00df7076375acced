"""The options that choose a game of Mancala, the same on every command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Final

import typer

from twentyone.mancala.core.board import MAX_HOLES, MAX_MARBLES, Board, from_line, initial
from twentyone.mancala.core.rules import PRESETS, Capture, Extra, Rules, Winning, Wrap, settled
from twentyone.mancala.model.predicates import wellformed
from twentyone.support.command import USAGE, CommandError
from twentyone.support.counts import counted
from twentyone.support.options import option, replace_parameter

PANEL: Final = "The game"

HolesOption = Annotated[int, typer.Option(min=1, max=MAX_HOLES, help="Holes a side.", rich_help_panel=PANEL)]
MarblesOption = Annotated[
    int,
    typer.Option(min=1, max=MAX_MARBLES, help="Marbles in each hole at the start.", rich_help_panel=PANEL),
]
BoardOption = Annotated[
    str | None,
    typer.Option(
        "--board",
        metavar="BOARD",
        help="Begin with this board, such as 2,2,2:0/2,2,2:0/1: player 1's holes and store, player 2's holes"
        " and store, and the player to move. It replaces --holes and --marbles. If it is over, its"
        " rows are swept first where the rules have a sweep.",
        show_default=False,
        rich_help_panel=PANEL,
    ),
]
BitwidthOption = Annotated[
    int | None,
    typer.Option(
        "--bitwidth",
        min=2,
        max=32,
        help="Counts have this many bits and overflow; the original has 4.",
        rich_help_panel=PANEL,
    ),
]

RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="|".join(PRESETS),
        help="model: the original model, where a hole that would be sown round the whole board cannot be"
        " played. text: the rules in the original's text. kalah: with captures, also if the opposite hole is"
        " empty, and a sweep. standard: kalah, but without captures if the opposite hole is empty.",
        rich_help_panel=PANEL,
    ),
]
WrapOption = Annotated[
    Wrap | None, typer.Option(help="What to do with a hole of more than 2H marbles.", rich_help_panel=PANEL)
]
CaptureOption = Annotated[
    Capture | None,
    typer.Option(
        help="Whether a last marble in an empty hole of your own captures the opposite hole.",
        rich_help_panel=PANEL,
    ),
]
ExtraOption = Annotated[
    Extra | None,
    typer.Option(help="What a last marble in a hole with marbles does.", rich_help_panel=PANEL),
]
SweepOption = Annotated[
    bool | None,
    typer.Option(
        "--sweep/--no-sweep",
        help="At the end, the marbles left in a row go to the store of that side.",
        rich_help_panel=PANEL,
    ),
]
WinningOption = Annotated[
    Winning | None,
    typer.Option(
        "--winner", help="The winner: by the fuller store, or by the empty row.", rich_help_panel=PANEL
    ),
]


def takes_rules(
    preset: str, *, winner: bool = False, bitwidth: bool = False
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options that choose the rules in place of its parameter `rules`.

    Args:
        preset: the preset if `--rules` is not given.
        winner: whether the command has the option `--winner`.
        bitwidth: whether it has the option `--bitwidth`.
    """
    options = [
        option("preset", RulesOption, preset),
        option("wrap", WrapOption),
        option("capture", CaptureOption),
        option("extra", ExtraOption),
        option("sweep", SweepOption),
        *([option("winning", WinningOption)] if winner else []),
        *([option("bits", BitwidthOption)] if bitwidth else []),
    ]
    return lambda command: replace_parameter(command, "rules", options, rules_of)


def rules_of(preset: str, **changed: Any) -> Rules:
    """The rules of a preset, with the fields that were given in place of its own; None is not given.

    Raises:
        CommandError: if there is no such preset.
    """
    if preset not in PRESETS:
        raise CommandError(f"there are no rules {preset!r}: expected one of {', '.join(PRESETS)}", USAGE)
    return replace(PRESETS[preset], **{name: value for name, value in changed.items() if value is not None})


def first_board(rules: Rules, holes: int, marbles: int, line: str | None = None) -> Board:
    """The board to begin with: the one in a line of text, if one was given, otherwise the initial board.

    A board that is already over is swept, if the rules have a sweep.

    Raises:
        CommandError: if a number is out of range, the line is not a board, or nobody could play on it.
    """
    try:
        board = initial(holes, marbles) if line is None else from_line(line)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    if not wellformed(board):
        raise CommandError(
            f"a cell of {line} has {counted(min(board.cells), 'marble')}: expected 0 or more", USAGE
        )
    most = 2 * MAX_HOLES * MAX_MARBLES
    if board.holes > MAX_HOLES or board.total > most:
        raise CommandError(
            f"the board has {counted(board.holes, 'hole')} a side and {counted(board.total, 'marble')}:"
            f" expected at most {MAX_HOLES} holes and {most} marbles",
            USAGE,
        )
    return settled(board, rules)
