"""`mancala play`: a game against a policy, on the terminal."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated, Final

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
from twentyone.mancala.core.board import HOLES, MARBLES, Player
from twentyone.mancala.core.rules import Rules
from twentyone.support.command import OK, describe
from twentyone.support.options import SeedOption, seed_or_new

if TYPE_CHECKING:
    from twentyone.mancala.solving.games import Step
    from twentyone.mancala.solving.policies import Policy

HELP: Final = (
    "Type the number of a hole to sow it: {first} to {last} are yours, from left to right. Your store is on"
    " the right, your opponent's on the left, and > marks the row of the player to move. Type q to leave."
)


@describe(app, example="mancala play --against perfect")
@takes_rules("kalah")
def play(
    *,
    against: Annotated[str, typer.Option(metavar="NAME", help=f"The opponent: {POLICY_NAMES}.")] = "perfect",
    seed: SeedOption = None,
    holes: HolesOption = HOLES,
    marbles: MarblesOption = MARBLES,
    board: BoardOption = None,
    rules: Rules,
) -> int:
    """Play as player 1 against a policy.

    Type the number of a hole, ? for help, or q to leave; the end of the input leaves too.
    """
    from twentyone.mancala.commands.stepper import draw_step
    from twentyone.mancala.core.rules import moves
    from twentyone.mancala.solving.games import Step

    seed = seed_or_new(seed)
    first = first_board(rules, holes, marbles, board)
    opponent = policy_of(against, Random(seed), first, rules)
    step: Step | None = Step(first)
    print(f"You are player 1 against {against}, seed {seed}; type ? for help.")
    while step is not None:
        print(f"\n{draw_step(step, rules).plain}")
        if not moves(step.board, rules):
            store = step.board.store
            print(f"The stores: {store(Player.ONE)} for you, {store(Player.TWO)} for {against}.")
            return OK
        step = _play_turn(step, rules, opponent)
    print("You left the game.")
    return OK


def _play_turn(step: Step, rules: Rules, opponent: Policy) -> Step | None:
    from twentyone.mancala.solving.games import next_step

    if step.board.turn is Player.TWO:
        return next_step(step, opponent(step.board, rules), rules)
    return _ask_person(step, rules)


def _ask_person(step: Step, rules: Rules) -> Step | None:
    """Ask for a hole until one can be sown; None if the person leaves."""
    from twentyone.mancala.core.rules import IllegalMoveError
    from twentyone.mancala.solving.games import next_step

    while True:
        try:
            text = input("hole: ").strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return None
        if text.lower() in ("q", "quit"):
            return None
        if text == "?":
            print(HELP.format(first=0, last=step.board.holes - 1))
            continue
        try:
            return next_step(step, int(text), rules)
        except IllegalMoveError as error:
            print(error)
        except ValueError:
            print(f"{text!r} is not a hole: expected a number, ? or q")
