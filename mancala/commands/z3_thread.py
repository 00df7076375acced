"""Work with z3, done aside, so that Ctrl-C finds a thread that can end the command in good order."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Thread
from typing import Final, TypeVar

from mancala.proofs.stopping import STOPPED
from support.command import CommandError

Result = TypeVar("Result")

STOP_EVERY: Final = 0.05
"""Seconds between two attempts to stop z3, which does not listen while it is told of a formula."""


def with_z3(what: str, work: Callable[[], Result]) -> Result:
    """Do some work on a thread of its own, and wait for it.

    Ctrl-C reaches the main thread alone. In the midst of a call of z3 it would be lost, or become an error of
    another kind.

    Args:
        what: what needs z3, in the plural.
        work: the work, which imports all that needs z3 itself.

    Raises:
        CommandError: if z3 is not installed, or as the work.
        KeyboardInterrupt: on Ctrl-C, when the work has stopped.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def checked() -> None:
        try:
            _check_z3(what)
            results.append(work())
        except BaseException as error:  # raised again by the thread that waits
            errors.append(error)

    worker = Thread(target=checked)
    try:
        worker.start()
        worker.join()
    except KeyboardInterrupt:
        _stop(worker)
        raise
    if errors:
        raise errors[0]
    return results[0]


def has_z3() -> bool:
    """Whether z3 can be loaded."""
    try:
        with_z3("questions", lambda: None)
    except CommandError:
        return False
    return True


def _check_z3(what: str) -> None:
    try:
        import mancala.proofs.terms  # noqa: F401
    except ImportError:
        raise CommandError(
            f"{what} need z3-solver, which is not installed: pip install 'twentyone[prove]'"
        ) from None


def _stop(worker: Thread) -> None:
    """Wait until the work has ended, which it does when z3 is stopped."""
    STOPPED.set()
    while worker.is_alive():
        terms = sys.modules.get("mancala.proofs.terms")
        if terms is not None and hasattr(terms, "interrupt"):  # it may be about to be loaded
            terms.interrupt()
        worker.join(STOP_EVERY)
