"""What a program shows on a terminal."""

from __future__ import annotations

import os
import pty
from pathlib import Path
from typing import Final

from tests.helpers.processes import command

ON_A_TERMINAL: Final = """
import os, sys
os.dup2(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY), 2)
sys.stderr = open(2, "w", 1, encoding="utf-8", closefd=False)
"""


def shown(folder: Path, program: str, **environment: str) -> tuple[str, str]:
    """What a program shows on a terminal of 24 lines of 80 characters, and what it prints."""
    reading, writing = pty.openpty()
    size = {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
    try:
        name = os.ttyname(writing)
        done = command("python", name, cwd=folder, code=ON_A_TERMINAL + program, **(size | environment))
        assert done.status == 0, done.err
    finally:
        os.close(writing)
        seen = read_all(reading)
    return seen.decode(), done.out


def read_all(terminal: int) -> bytes:
    """What was written to a terminal that is closed at the other end, which Linux reports as an error."""
    seen = b""
    try:
        while piece := os.read(terminal, 65536):
            seen += piece
    except OSError:
        return seen
    finally:
        os.close(terminal)
    return seen
