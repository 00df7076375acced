"""The options that say which Mancala is played, the same on every command."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from mancala.core.board import MAX_HOLES, MAX_MARBLES, Board, from_line, initial
from mancala.core.rules import PRESETS, Capture, Extra, Rules, Winning, Wrap
from mancala.model.predicates import wellformed
from support.command import USAGE, CommandError

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
        help="Begin with this board, as in 2,2,2:0/2,2,2:0/1: player 1's holes and store, player 2's, and who"
        " is to move. It has its own holes and marbles.",
        show_default=False,
        rich_help_panel=PANEL,
    ),
]
RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="|".join(PRESETS),
        help="model: the original model, where a wrap is illegal. text: what its text says. kalah: with "
        "capture, also of an empty hole, and sweep. standard: the same, but an empty hole captures nothing.",
        rich_help_panel=PANEL,
    ),
]
WrapOption = Annotated[
    Wrap | None, typer.Option(help="A hole with more than 2H marbles.", rich_help_panel=PANEL)
]
CaptureOption = Annotated[
    Capture | None,
    typer.Option(help="A last marble in an empty own hole takes what is opposite.", rich_help_panel=PANEL),
]
ExtraOption = Annotated[
    Extra | None,
    typer.Option(help="A last marble in a hole with marbles in it.", rich_help_panel=PANEL),
]
SweepOption = Annotated[
    bool | None,
    typer.Option("--sweep/--no-sweep", help="Leftovers go to their side's store.", rich_help_panel=PANEL),
]
WinningOption = Annotated[
    Winning | None,
    typer.Option("--winner", help="Most marbles in the store, or the empty row.", rich_help_panel=PANEL),
]
BitwidthOption = Annotated[
    int | None,
    typer.Option(
        min=2, max=32, help="Counts of so many bits that overflow; the original has 4.", rich_help_panel=PANEL
    ),
]


def rules_of(
    preset: str,
    wrap: Wrap | None = None,
    capture: Capture | None = None,
    extra: Extra | None = None,
    sweep: bool | None = None,
    winning: Winning | None = None,
    bits: int | None = None,
) -> Rules:
    """The rules of a preset, with what was chosen otherwise.

    Raises:
        CommandError: for a preset that does not exist.
    """
    if preset not in PRESETS:
        raise CommandError(f"no rules are called {preset!r}: expected one of {', '.join(PRESETS)}", USAGE)
    base = PRESETS[preset]
    return Rules(
        wrap=wrap or base.wrap,
        capture=capture or base.capture,
        extra=extra or base.extra,
        sweep=base.sweep if sweep is None else sweep,
        winning=winning or base.winning,
        bits=base.bits if bits is None else bits,
    )


def first_board(holes: int, marbles: int, line: str | None = None) -> Board:
    """The board to begin with: one that was given in one line, or else the initial one.

    Raises:
        CommandError: if a number is out of its range, the line is no board, or the board is impossible.
    """
    try:
        board = initial(holes, marbles) if line is None else from_line(line)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    if not wellformed(board):
        raise CommandError(f"a cell of {line} has {min(board.cells)} marbles: expected none below 0", USAGE)
    most = 2 * MAX_HOLES * MAX_MARBLES
    if board.holes > MAX_HOLES or board.total > most:
        raise CommandError(
            f"{board.holes} holes a side and {board.total} marbles: expected {MAX_HOLES} and {most} at most",
            USAGE,
        )
    return board
