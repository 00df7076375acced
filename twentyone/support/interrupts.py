"""The signals that end a program or have it open files again, and Ctrl-C held back while it must not come."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


def ending_signals() -> list[signal.Signals]:
    """The signals that ask a program to end; SIGHUP is none of them where it is ignored, as under `nohup`."""
    is_kept = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if is_kept else [signal.SIGHUP])]


def reopening_signals() -> list[signal.Signals]:
    """The signals that ask a daemon to open its files again.

    SIGHUP is one of them without a controlling terminal that could close. It stays ignored where it is.
    """
    is_kept = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGUSR1, *([] if is_kept or _has_terminal() else [signal.SIGHUP])]


def _has_terminal() -> bool:
    """Whether this process has a controlling terminal."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the context.

    Only the main thread receives Ctrl-C, so on other threads this does nothing. Where SIGINT is ignored, as
    in a job in the background, it stays ignored, here and in the processes that are started in the context.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return
    pressed: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed and callable(before):
            before(*pressed[0])


@contextmanager
def kept_from_children() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the context, and for good from the processes that are started in it.

    They inherit that it is blocked. One that came while they begin, or before they were told what to do,
    would be shown with a traceback.
    """
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # first, because it unblocks signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
