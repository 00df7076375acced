"""Training shown in a browser: the process of the page, told now and then how far training is."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from types import TracebackType
from typing import Final

from player.trainer import Trainer
from player.web.snapshot import Learned, Snapshot
from twentyone.learning.curve import Point
from twentyone.learning.methods import End
from twentyone.support.command import CommandError

EVERY: Final = 1.0
"""Seconds between two snapshots: each takes training a few milliseconds."""

LAST: Final = 120.0
"""Seconds that the process has to end: to draw, and to hand out the last picture."""

ENDINGS: Final = {
    End.DONE: "Training has ended: all rounds were played.",
    End.CONVERGED: "Training has ended: learning has converged.",
    End.GAP: "Training has ended: the gap is small enough.",
    End.DEALER: "Training has ended: the dealer ended first.",
    End.INTERRUPTED: "Training has ended: it was interrupted.",
}


class Watching:
    """A page that shows how training goes, as a context manager.

    At the end of the context the process of the page ends by itself once the pages that are open have the
    last picture, some seconds at most.

    Args:
        file: the file of the table.

    Attributes:
        address: of the page.

    Raises:
        CommandError: if the page cannot be served.
    """

    def __init__(self, file: Path) -> None:
        # A group of its own: Ctrl-C reaches this process only. In a session of its own its niceness would not
        # be compared with training's on systems that share out time by session.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "player.web", str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # It finds the modules where this process does.
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            process_group=0,
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().decode().strip()
        if not self.address:
            self._process.wait()
            raise CommandError("the page for the browser cannot be served: expected a free port on 127.0.0.1")
        self._snapshots: Queue[Snapshot | None] = Queue(1)
        self._told = 0.0
        # A thread of its own: training never waits for the process of the page.
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def __enter__(self) -> Watching:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with suppress(Full):
                self._snapshots.put(None, timeout=EVERY)  # after the last snapshot
            self._process.wait(LAST if error is None else EVERY)
        except (KeyboardInterrupt, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()

    def look(self, trainer: Trainer, points: Sequence[Point]) -> None:
        """Tell the page how far training is, unless it was told a moment ago or is still reading that."""
        now = time.monotonic()
        if now >= self._told + EVERY:
            self._told = now
            with suppress(Full):
                self._snapshots.put_nowait(_snapshot(trainer, points))

    def end(self, trainer: Trainer, points: Sequence[Point]) -> None:
        """Tell the page that training has ended."""
        with suppress(Empty):
            self._snapshots.get_nowait()  # it has not been read, and is old
        with suppress(Full):
            self._snapshots.put_nowait(_snapshot(trainer, points, ENDINGS[trainer.end]))

    def _write(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        with suppress(OSError), stream:
            while (snapshot := self._snapshots.get()) is not None:
                pickle.dump(snapshot, stream)
                stream.flush()


def _snapshot(trainer: Trainer, points: Sequence[Point], end: str | None = None) -> Snapshot:
    learner, tally = trainer.learner, trainer.tally
    learned = None
    if learner is not None:
        learned = Learned(learner.table(trainer.plan.seed), list(points))
    return Snapshot(
        trainer.played,
        trainer.plan.rounds,
        trainer.elapsed,
        tally.mean_payoff,
        tally.standard_error,
        learned,
        end,
    )
