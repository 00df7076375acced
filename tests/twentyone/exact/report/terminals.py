"""What a terminal shows of what is printed."""

from __future__ import annotations

import os
import pty
import re
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest

COLOURED: Final = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
"""The settings of a terminal that has all colours."""

ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*m")


def on_a_terminal(prints: Callable[[], None], **settings: str) -> str:
    """What a terminal gets, with these variables of the environment, when something is printed."""
    ours, its = pty.openpty()
    with ThreadPoolExecutor(1) as pool, pytest.MonkeyPatch.context() as patch:
        for name in ("NO_COLOR", "COLORTERM"):
            patch.delenv(name, raising=False)
        for name, value in ({"COLUMNS": "80"} | settings).items():
            patch.setenv(name, value)
        shown = pool.submit(_everything, ours)  # else what is printed has to wait
        with os.fdopen(its, "w") as terminal:
            patch.setattr(sys, "stdout", terminal)
            prints()
        return shown.result()


def _everything(descriptor: int) -> str:
    """What comes until the other end is closed."""
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        shown = b""
        try:
            while more := file.read(1 << 16):
                shown += more
        except OSError:  # what Linux says when the other end is closed
            pass
    return shown.decode()
