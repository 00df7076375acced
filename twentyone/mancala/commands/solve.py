"""`mancala solve`: perfect play."""

from __future__ import annotations

import json as text_of
from typing import TYPE_CHECKING, Annotated, Any

import typer

from twentyone.mancala.commands.app import app
from twentyone.mancala.commands.options import (
    BoardOption,
    HolesOption,
    MarblesOption,
    first_board,
    takes_rules,
)
from twentyone.mancala.commands.perfect_play import announce, ask_with_progress
from twentyone.mancala.core.board import HOLES, MARBLES, to_line
from twentyone.mancala.core.coverage import REACHABLE
from twentyone.mancala.core.rules import Rules
from twentyone.mancala.solving import perfect
from twentyone.support.command import OK, CommandError, describe
from twentyone.support.options import JsonOption
from twentyone.support.summary import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from twentyone.mancala.solving.published import Cell


@describe(app, example="mancala solve --holes 3 --marbles 3")
@takes_rules("kalah", bitwidth=True)
def solve(
    *,
    holes: HolesOption = HOLES,
    marbles: MarblesOption = MARBLES,
    board: BoardOption = None,
    rules: Rules,
    only_value: Annotated[
        bool,
        typer.Option("--only-value", help="Skip the values of the first moves, which are most of the work."),
    ] = False,
    table: Annotated[
        bool, typer.Option("--table", help="Compare with the published table of who wins Kalah instead.")
    ] = False,
    most: Annotated[
        int, typer.Option(min=1, max=6, help="With --table: the most holes and marbles that are compared.")
    ] = 4,
    json: JsonOption = False,
) -> int:
    """Find the value of a game under perfect play, and of each first move.

    The value is player 1's store minus player 2's at the end. Both play for the best margin, whatever the
    rules count as winning. It covers all reachable boards. Six holes with four marbles take about a minute
    for the value and about four minutes more for the first moves, each of which is a game of its own. Work
    that takes more than two seconds is announced. Most larger games are out of reach.

    The keys of --json: `board`, `margin`, and `moves`, the value of each first move by its hole. With
    --table: `games`, each with `holes`, `marbles`, `published`, `found` (W, L, D or ?) and `margin`, and the
    numbers `agree` and `compared`.
    """
    if table:
        cells = _compare(most)
        print(text_of.dumps(_table_document(cells)) if json else _table_text(cells))
        return OK
    first = first_board(rules, holes, marbles, board)
    announce(first, rules, with_moves=not only_value)
    margin = ask_with_progress("solving", perfect.solve_margin, first, rules)
    if not json:  # now, since the moves of a large board take several times as long
        print(f"value {margin:+d} for player 1 ({REACHABLE.text})", flush=True)
    moves = {} if only_value else ask_with_progress("solving", perfect.solve_board, first, rules).moves
    if json:
        document = {"board": to_line(first), "margin": margin}
        print(text_of.dumps(document if only_value else {**document, "moves": moves}))
    elif moves:
        rows = [("first move", "value"), *((f"hole {hole}", f"{m:+d}") for hole, m in moves.items())]
        print(columns(rows))
    return OK


def _compare(most: int) -> list[Cell]:
    from twentyone.mancala.solving.published import compare
    from twentyone.mancala.solving.space import TooLargeError
    from twentyone.support.progress import Progress

    cells = []
    try:
        with Progress("solving", 36, "games") as progress:
            for cell in compare(most):
                cells.append(cell)
                progress.show(len(cells))
    except TooLargeError as error:
        raise CommandError(str(error)) from None
    return cells


def _counts(cells: Sequence[Cell]) -> tuple[int, int]:
    verdicts = [cell.agrees for cell in cells if cell.agrees is not None]
    return sum(verdicts), len(verdicts)


def _table_text(cells: Sequence[Cell]) -> str:
    numbers = sorted({cell.marbles for cell in cells})
    rows = [("holes", *(f"{number} each" for number in numbers))]
    for holes in sorted({cell.holes for cell in cells}):
        rows.append((str(holes), *(_cell_text(cell) for cell in cells if cell.holes == holes)))
    agree, compared = _counts(cells)
    return "\n".join(
        (
            columns(rows),
            "Each cell: whether player 1 wins (W), loses (L) or draws (D) as published, and our value.",
            "- was not computed, ! disagrees.",
            f"{agree} of {compared} agree with Irving, Donkers and Uiterwijk, Solving Kalah (2000)",
        )
    )


def _cell_text(cell: Cell) -> str:
    value = "-" if cell.margin is None else f"{cell.margin:+d}"
    return f"{cell.published} {value}{'!' if cell.agrees is False else ''}"


def _table_document(cells: Sequence[Cell]) -> dict[str, Any]:
    agree, compared = _counts(cells)
    games = [
        {
            "holes": cell.holes,
            "marbles": cell.marbles,
            "published": cell.published,
            "found": cell.found,
            "margin": cell.margin,
        }
        for cell in cells
    ]
    return {"games": games, "agree": agree, "compared": compared}
