"""Questions about perfect play, asked with a progress bar where the answer may take long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from twentyone.support.command import CommandError
from twentyone.support.terminal import notice

if TYPE_CHECKING:
    from twentyone.mancala.core.board import Board
    from twentyone.mancala.core.progress import OnProgress
    from twentyone.mancala.core.rules import Rules

Answer_co = TypeVar("Answer_co", covariant=True)


class Ask(Protocol[Answer_co]):
    """A function of `twentyone.mancala.solving.perfect`."""

    def __call__(self, board: Board, rules: Rules, on_progress: OnProgress = ...) -> Answer_co:
        """The answer for a board."""


def announce(board: Board, rules: Rules, with_moves: bool = False) -> None:
    """Say on standard error how long perfect play will take, if that is more than a second or two.

    Args:
        board: the board that it begins with.
        rules: the rules.
        with_moves: whether the values of the first moves are wanted too.

    Raises:
        CommandError: as `ask_with_progress`.
    """
    from twentyone.mancala.solving.effort import effort_of
    from twentyone.mancala.solving.perfect import solver_of
    from twentyone.mancala.solving.space import TooLargeError

    effort = effort_of(board, rules)
    if effort is None:
        return
    try:
        solver_of(board, rules)  # a search that cannot begin is refused without a word on its time
    except TooLargeError as error:
        raise CommandError(str(error)) from None
    moves = f", and the first moves {effort.moves} (--only-value skips them)" if with_moves else ""
    notice("mancala", f"this takes {effort.value}{moves}, as measured on one core; Ctrl-C gives up")


def ask_with_progress(what: str, ask: Ask[Answer_co], board: Board, rules: Rules) -> Answer_co:
    """Ask about perfect play, and show progress if the compiled search has to find the answer.

    Args:
        what: the work, as the progress bar names it.
        ask: the question.
        board: the board that it is about.
        rules: the rules.

    Raises:
        CommandError: if there are too many boards or marbles, or numba is not installed.
    """
    from twentyone.mancala.solving.perfect import needs_kernel
    from twentyone.mancala.solving.space import TooLargeError
    from twentyone.support.progress import Progress

    try:
        if not needs_kernel(board, rules):
            return ask(board, rules)
        with Progress(what, None, "positions") as progress:
            return ask(board, rules, progress.show)
    except TooLargeError as error:
        raise CommandError(str(error)) from None
