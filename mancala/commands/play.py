"""`mancala play`: a game against a policy, in the terminal."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated, Final

import typer

from mancala.commands.app import app
from mancala.commands.options import (
    BoardOption,
    CaptureOption,
    ExtraOption,
    HolesOption,
    MarblesOption,
    RulesOption,
    SweepOption,
    WrapOption,
    first_board,
    rules_of,
)
from mancala.commands.parts import POLICY_NAMES, policy_of
from mancala.core.board import HOLES, MARBLES, Player
from support.command import OK, CommandError, describe
from support.options import SeedOption, seed_or_new

if TYPE_CHECKING:
    from mancala.core.rules import Rules
    from mancala.solving.games import Step
    from mancala.solving.policies import Policy

HELP: Final = (
    "Type the number of a hole to sow it; {first} to {last} are yours, from left to right. Your store is"
    " on the right, the other on the left, and > stands before the row to move. q leaves."
)


@describe(app)
def play(
    *,
    against: Annotated[str, typer.Option(metavar="NAME", help=f"The opponent: {POLICY_NAMES}.")] = "perfect",
    seed: SeedOption = None,
    holes: HolesOption = HOLES,
    marbles: MarblesOption = MARBLES,
    board: BoardOption = None,
    rules: RulesOption = "kalah",
    wrap: WrapOption = None,
    capture: CaptureOption = None,
    extra: ExtraOption = None,
    sweep: SweepOption = None,
) -> int:
    """Play as player 1 against a policy.

    Type the number of a hole, ? for help, q or the end of the input to leave.
    """
    from mancala.commands.stepper import drawn
    from mancala.core.rules import moves
    from mancala.solving.games import Step
    from mancala.solving.space import TooLargeError

    chosen = rules_of(rules, wrap, capture, extra, sweep)
    seed = seed_or_new(seed)
    opponent = policy_of(against, Random(seed))
    step: Step | None = Step(first_board(holes, marbles, board))
    print(f"You are player 1 against {against}, seed {seed}; ? helps.")
    while step is not None:
        print(f"\n{drawn(step, chosen).plain}")
        if not moves(step.board, chosen):
            store = step.board.store
            print(f"The stores: {store(Player.ONE)} for you, {store(Player.TWO)} for {against}.")
            return OK
        try:
            step = _next(step, chosen, opponent)
        except TooLargeError as error:
            raise CommandError(str(error)) from None
    print("You left the game.")
    return OK


def _next(step: Step, rules: Rules, opponent: Policy) -> Step | None:
    from mancala.solving.games import stepped

    if step.board.turn is Player.TWO:
        return stepped(step, opponent(step.board, rules), rules)
    return _asked(step, rules)


def _asked(step: Step, rules: Rules) -> Step | None:
    """The step that the person chooses; None if they leave."""
    from mancala.core.rules import IllegalMoveError
    from mancala.solving.games import stepped

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
            return stepped(step, int(text), rules)
        except IllegalMoveError as error:
            print(error)
        except ValueError:
            print(f"{text!r} is no hole: expected a number, ? or q")
