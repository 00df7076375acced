"""Calls of z3, made on a thread of their own, so that Ctrl-C can end the command cleanly."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Thread
from typing import Final, TypeVar

from twentyone.mancala.proofs.stopping import STOPPED
from twentyone.support.command import CommandError

Result = TypeVar("Result")

STOP_EVERY: Final = 0.05
"""Seconds between attempts to interrupt z3, which ignores them while a formula is passed to it."""


def run_with_z3(what: str, work: Callable[[], Result]) -> Result:
    """Do some work on another thread, and wait for it.

    Python runs its handler of Ctrl-C on the main thread only. If that were inside a call of z3, the key would
    be ignored, or raise an error of another kind.

    Args:
        what: what needs z3, in the plural.
        work: the work. It imports itself whatever needs z3.

    Raises:
        CommandError: if z3 is not installed, or if the work raises it.
        KeyboardInterrupt: on Ctrl-C, once the work has stopped.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def checked() -> None:
        try:
            _load_z3(what)
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


def is_z3_installed() -> bool:
    """Whether z3 can be loaded."""
    try:
        run_with_z3("searches by z3", lambda: None)
    except CommandError:
        return False
    return True


def _load_z3(what: str) -> None:
    try:
        import twentyone.mancala.proofs.terms  # noqa: F401
    except ImportError:
        raise CommandError(
            f"{what} need z3-solver, which is not installed: pip install 'twentyone[prove]'"
        ) from None


def _stop(worker: Thread) -> None:
    """Interrupt z3 until the work has ended."""
    STOPPED.set()
    while worker.is_alive():
        terms = sys.modules.get("twentyone.mancala.proofs.terms")
        if terms is not None and hasattr(terms, "interrupt"):  # the module may only be half loaded
            terms.interrupt()
        worker.join(STOP_EVERY)
