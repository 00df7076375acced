"""Players that take one read() for one message, as those of the blackjack course do."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests.helpers.house import House, open_house
from tests.helpers.patience import PATIENCE

RUNS: Final = 200
AT_ONCE: Final = 8

TOO_SLOW: Final = 3
TRIALS: Final = 10

UNSEEN: Final = 2
"""Runs that may fail: a machine may keep a player from running just once, which it cannot see later."""


def test_a_program_that_sleeps_after_it_has_written_reads_one_message_at_a_time(classic_player: Path) -> None:
    """Several at once, beside a busy loop: what comes at once and what comes a pause later keep apart."""
    with open_house() as house, ThreadPoolExecutor(AT_ONCE) as pool:
        busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        try:
            complaints = list(pool.map(lambda _: complaint(classic_player, house), range(RUNS)))
        finally:
            busy.kill()
            busy.wait()
    heard = [text for text in complaints if text]
    assert len(heard) <= UNSEEN, heard


def complaint(player: Path, house: House) -> str:
    """What a player says that has heard something else than one message at a time.

    One that the machine has kept from running, for longer than a dealer waits, plays again.
    """
    for _ in range(TRIALS):
        run = subprocess.run([player, str(house.port)], capture_output=True, text=True, timeout=PATIENCE)
        if run.returncode != TOO_SLOW:
            break
    return run.stderr if run.returncode else ""
