"""A dealer for this player alone, as a process beside this one."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cards import Rules
from twentyone.support.command import CommandError
from twentyone.support.rules import options_of

START_TIMEOUT: Final = 20.0
STOP_TIMEOUT: Final = 10.0


@contextmanager
def local_dealer(rules: Rules, seed: int | None) -> Iterator[int]:
    """Run a dealer on a free port of this machine and end it afterwards; yields the port.

    Where the rules have more seats than one, its bots take the others.

    Raises:
        CommandError: if it does not start.
    """
    with tempfile.TemporaryDirectory() as folder:
        port_file = Path(folder) / "port"
        options = options_of(rules)
        options += [] if rules.seats == 1 else [f"--bots={rules.seats - 1}"]
        options += [] if seed is None else [f"--seed={seed}"]
        dealer = subprocess.Popen(
            [sys.executable, "-m", "dealer", "0", "0", "--quiet", f"--port-file={port_file}", *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            # Ctrl-C in the terminal is for the player; its dealer is told to end when the player has left.
            start_new_session=True,
        )
        try:
            yield _wait_for_port(dealer, port_file)
        finally:
            dealer.send_signal(signal.SIGTERM)
            try:
                dealer.wait(STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                dealer.kill()
                dealer.wait()


def _wait_for_port(dealer: subprocess.Popen[bytes], port_file: Path) -> int:
    deadline = time.monotonic() + START_TIMEOUT
    while time.monotonic() < deadline and dealer.poll() is None:
        if port_file.exists():  # it is written in one step, so it is whole
            return int(port_file.read_text())
        time.sleep(0.02)
    raise CommandError("the local dealer did not start; see its message above")
