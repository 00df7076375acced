"""`mancala trace`: a game to step through."""

from __future__ import annotations

import json as text_of
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from twentyone.mancala.commands.app import app
from twentyone.mancala.commands.options import (
    BoardOption,
    HolesOption,
    MarblesOption,
    first_board,
    takes_rules,
)
from twentyone.mancala.commands.policies import POLICY_NAMES, policy_of
from twentyone.mancala.core.board import HOLES, MARBLES, Board, Player
from twentyone.mancala.core.rules import Rules
from twentyone.support.command import FAILED, OK, USAGE, CommandError, describe, os_reason
from twentyone.support.counts import counted
from twentyone.support.options import JsonOption, SeedOption, seed_or_new
from twentyone.support.terminal import printable, tell

if TYPE_CHECKING:
    from twentyone.mancala.solving.games import Game


@describe(app, example="mancala trace --policy random --holes 3")
@takes_rules("text", winner=True, bitwidth=True)
def trace(
    *,
    policy: Annotated[str, typer.Option(metavar="NAME", help=f"Player 1: {POLICY_NAMES}.")] = "random",
    against: Annotated[
        str | None, typer.Option(metavar="NAME", help="Player 2. Default: as player 1.", show_default=False)
    ] = None,
    moves: Annotated[
        str | None,
        typer.Option(
            metavar="HOLES", help="Play these moves instead, such as '0 4 1 4 2'.", show_default=False
        ),
    ] = None,
    seed: SeedOption = None,
    holes: HolesOption = HOLES,
    marbles: MarblesOption = MARBLES,
    board: BoardOption = None,
    rules: Rules,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a web page instead, which needs no network.", show_default=False
        ),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Play a game and step through it with the arrow keys.

    Perfect play takes minutes at most: boards larger than six holes with four marbles are refused, and those
    larger than six with three where nothing is captured.

    The cells that a move has changed are marked, and a line names the player to move. If the output is not a
    terminal, all boards are printed.

    The keys of --json: `holes`, `seed`, and `steps`, each with `cells`, `turn`, `over` (whether the game is
    over, and so nobody is to move), `hole` (the hole that was sown; null on the first board), `changed` (a
    list of cells), `sowings` (in the order of the move: each a `hole`, and the `cells` that its marbles fell
    into, one by one) and `said`.
    """
    from twentyone.mancala.commands.page import document_of, page_of
    from twentyone.support.files import write_atomically

    seed = seed_or_new(seed)
    first = first_board(rules, holes, marbles, board)
    if moves is None:
        game = _play(first, rules, (policy, against or policy), Random(seed))
    else:
        game = _replay(first, rules, moves)
    if html is not None:
        try:
            write_atomically(html, page_of(game, rules))
        except OSError as error:
            raise CommandError(f"the page {html} cannot be written: {os_reason(error)}", FAILED) from None
    if json:
        print(text_of.dumps(document_of(game, rules) | {"seed": seed}))
    elif html is not None:
        tell(f"wrote {printable(str(html))}: {counted(len(game), 'board')}, seed {seed}")
    else:
        _show(game, rules, seed)
    return OK


def _play(board: Board, rules: Rules, names: tuple[str, str], random: Random) -> Game:
    from twentyone.mancala.solving.games import play_game

    made = {name: policy_of(name, random, board, rules) for name in dict.fromkeys(names)}
    return play_game(board, rules, {player: made[name] for player, name in zip(Player, names, strict=True)})


def _replay(board: Board, rules: Rules, text: str) -> Game:
    from twentyone.mancala.core.rules import IllegalMoveError
    from twentyone.mancala.solving.games import replay_game

    try:
        holes = [int(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise CommandError(
            f"the moves {text!r} are invalid: expected numbers of holes, such as '0 4 1 4 2'", USAGE
        ) from None
    try:
        return replay_game(board, rules, holes)
    except IllegalMoveError as error:
        raise CommandError(str(error), USAGE) from None


def _show(game: Game, rules: Rules, seed: int) -> None:
    from twentyone.mancala.commands.stepper import is_terminal, print_all, step_through

    if is_terminal():
        step_through(game, rules)
    else:
        print_all(game, rules)
    print(f"{counted(len(game), 'board')}, seed {seed}")
