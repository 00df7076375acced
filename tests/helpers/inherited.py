"""Commands that are started with sockets, as systemd starts them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

LAUNCHER: Final = """
import os, sys
for number, inherited in enumerate(sys.argv[2].split(","), 3):
    os.dup2(int(inherited), number)
os.environ.update(LISTEN_FDS=str(number - 2), LISTEN_PID=sys.argv[1] or str(os.getpid()))
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Starts a command with sockets, as systemd does."""


def inheriting(sockets: Sequence[Any], pid: str = "") -> dict[str, Any]:
    """The way to start a dealer with these sockets; with a process id they are for another process."""
    numbers = [each.fileno() for each in sockets]
    program = str(Path(sys.executable).with_name("dealer"))
    command = [sys.executable, "-c", LAUNCHER, pid, ",".join(map(str, numbers)), program]
    return {"command": command, "pass_fds": numbers}
