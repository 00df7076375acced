"""Ctrl-C in tests: processes and tests that react to SIGINT, even if pytest itself was started to ignore it.

A job in the background of a script ignores SIGINT, and every process that it starts inherits this: Python
then installs no handler, and Ctrl-C does nothing. That is right for users, and the commands keep it so. Tests
that send SIGINT need its default disposition:

- a process is started by `subprocess.Popen(interruptible(command, ...))`, or `run`, or
  `asyncio.create_subprocess_exec(*interruptible(command, ...))`;
- a test that raises SIGINT in its own process does so in `with keyboard_interrupts():`.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

LAUNCHER: Final = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
"""


def interruptible(*command: object) -> list[str]:
    """The command line that runs a command with SIGINT at its default; its process has the same id.

    It is the command itself unless this process ignores SIGINT. It may be called on any thread, where
    `signal.signal` would not work, and avoids `preexec_fn`, which is unsafe in a process with threads.
    """
    words = [str(word) for word in command]
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return [sys.executable, "-c", LAUNCHER, *words]
    return words


@contextmanager
def keyboard_interrupts() -> Iterator[None]:
    """Let SIGINT raise KeyboardInterrupt in this process, as usual. Only the main thread may call this."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
