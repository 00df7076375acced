"""`mancala trace`: a game to step through."""

from __future__ import annotations

import json as text_of
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from mancala.commands.app import app
from mancala.commands.options import (
    BitwidthOption,
    BoardOption,
    CaptureOption,
    ExtraOption,
    HolesOption,
    MarblesOption,
    RulesOption,
    SweepOption,
    WinningOption,
    WrapOption,
    first_board,
    rules_of,
)
from mancala.commands.parts import POLICY_NAMES, policy_of
from mancala.core.board import HOLES, MARBLES, Board, Player
from support.command import FAILED, OK, USAGE, CommandError, describe, os_reason
from support.options import JsonOption, SeedOption, seed_or_new

if TYPE_CHECKING:
    from mancala.core.rules import Rules
    from mancala.solving.games import Game


@describe(app)
def trace(
    *,
    policy: Annotated[str, typer.Option(metavar="NAME", help=f"Player 1: {POLICY_NAMES}.")] = "random",
    against: Annotated[
        str | None, typer.Option(metavar="NAME", help="Player 2, if not the same.", show_default=False)
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option(metavar="HOLES", help="These moves instead, as in '0 4 1 4 2'.", show_default=False),
    ] = None,
    seed: SeedOption = None,
    holes: HolesOption = HOLES,
    marbles: MarblesOption = MARBLES,
    board: BoardOption = None,
    rules: RulesOption = "text",
    wrap: WrapOption = None,
    capture: CaptureOption = None,
    extra: ExtraOption = None,
    sweep: SweepOption = None,
    winning: WinningOption = None,
    bitwidth: BitwidthOption = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page instead, which opens from disk.", show_default=False),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Play a game and step through it with the arrow keys.

    The cells that a move has changed are marked, and it is said whose turn it is. Where the output is no
    terminal, all boards are printed.

    The keys of --json: `holes`, `seed`, and `steps`, each with `cells`, `turn`, `hole` (which was sown to
    come here; null at first), `changed` (cells) and `said`.
    """
    from mancala.commands.page import document_of, page_of
    from support.files import write_atomically

    chosen = rules_of(rules, wrap, capture, extra, sweep, winning, bitwidth)
    seed = seed_or_new(seed)
    first = first_board(holes, marbles, board)
    if moves is None:
        game = _played(first, chosen, (policy, against or policy), Random(seed))
    else:
        game = _replayed(first, chosen, moves)
    if html is not None:
        try:
            write_atomically(html, page_of(game, chosen))
        except OSError as error:
            raise CommandError(f"the page {html} cannot be written: {os_reason(error)}", FAILED) from None
    if json:
        print(text_of.dumps(document_of(game, chosen) | {"seed": seed}))
    elif html is not None:
        print(f"wrote {html}: {len(game)} boards, seed {seed}")
    else:
        _show(game, chosen, seed)
    return OK


def _played(board: Board, rules: Rules, names: tuple[str, str], random: Random) -> Game:
    from mancala.solving.games import played
    from mancala.solving.space import TooLargeError

    policies = {player: policy_of(name, random) for player, name in zip(Player, names, strict=True)}
    try:
        return played(board, rules, policies)
    except TooLargeError as error:
        raise CommandError(str(error)) from None


def _replayed(board: Board, rules: Rules, text: str) -> Game:
    from mancala.core.rules import IllegalMoveError
    from mancala.solving.games import replayed

    try:
        holes = [int(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise CommandError(
            f"{text!r} are no moves: expected numbers of holes, as in '0 4 1 4 2'", USAGE
        ) from None
    try:
        return replayed(board, rules, holes)
    except IllegalMoveError as error:
        raise CommandError(str(error), USAGE) from None


def _show(game: Game, rules: Rules, seed: int) -> None:
    from mancala.commands.stepper import is_terminal, print_all, step_through

    if is_terminal():
        step_through(game, rules)
    else:
        print_all(game, rules)
    print(f"{len(game)} boards, seed {seed}")
