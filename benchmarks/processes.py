"""The processes that a benchmark starts: each is waited for with a time limit, and none outlives it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from enum import Enum
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Final, NoReturn

from benchmarks.variants import PLAIN, ROOT, Variant, Words
from twentyone.support.command import CommandError

START_LIMIT: Final = 30.0
"""Seconds for a process to be ready: a hundred times what it takes, for machines that are busy."""

LEAST_PRIORITY: Final = 19


class Cores(Enum):
    """The cores of the two processes of a pair.

    It decides what a single connection costs. On one core the pair takes turns, and the cost is that of the
    code; on two, each wakes the other across the machine for every message, which may cost more than
    everything else, and the same for any program. Left to the system it may be either, and change
    within a run.
    """

    ANY = "any"
    ONE = "one"
    TWO = "two"

    def pair(self) -> tuple[int | None, int | None]:
        """The cores of the server and of its client.

        Raises:
            CommandError: if there are not enough, or the system does not let them be chosen.
        """
        if self is Cores.ANY:
            return None, None
        if not hasattr(os, "sched_getaffinity"):
            raise CommandError("the system does not let cores be chosen: expected --cores any")
        cores = sorted(os.sched_getaffinity(0))
        if self is Cores.TWO and len(cores) == 1:
            raise CommandError("there is one core only: expected --cores one or any")
        return cores[0], cores[0] if self is Cores.ONE else cores[1]


class Child:
    """A Python process of the benchmark's own, as a context manager that ends it.

    Args:
        arguments: what to run, as after `python`.
        core: the core that it is kept to; None leaves that to the system.
        variant: whose Python, and with which packages.
        is_least: whether all others come before it, where there are not enough cores.
    """

    def __init__(
        self, arguments: Words, core: int | None = None, variant: Variant = PLAIN, is_least: bool = False
    ) -> None:
        self._name = " ".join(map(str, arguments))
        self._process = subprocess.Popen(
            variant.words(arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=variant.variables,
        )
        if is_least:
            os.setpriority(os.PRIO_PROCESS, self._process.pid, LEAST_PRIORITY)
        if core is not None:
            os.sched_setaffinity(self._process.pid, (core,))

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def read(self, limit: float) -> Any:
        """The next line that it prints, as JSON.

        Raises:
            CommandError: if none comes in `limit` seconds.
        """
        assert self._process.stdout is not None
        ready, _, _ = select.select((self._process.stdout,), (), (), limit)
        line = self._process.stdout.readline() if ready else ""
        if not line:
            raise CommandError(f"{self._name} said nothing for {limit:g} s" if not ready else self._ended())
        return json.loads(line)

    def tell(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def interrupt(self) -> None:
        """Ask it to end, as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)

    def result(self, limit: float) -> dict[str, Any]:
        """Close its standard input, wait for its end, and return the JSON document that it printed.

        Raises:
            CommandError: if it does not end in `limit` seconds, or ends without a document.
        """
        try:
            output, _ = self._process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            raise CommandError(f"{self._name} did not end in {limit:g} s") from None
        if self._process.returncode or not output.strip():
            raise CommandError(self._ended())
        document: dict[str, Any] = json.loads(output)
        return document

    def _ended(self) -> str:
        return f"{self._name} ended with status {self._process.wait()} before it had a result"


class Dealer(Child):
    """A dealer on a free loopback port.

    Args:
        folder: where it may leave its port file; a folder for each dealer.
        rounds: how many rounds it deals, 0 for no end.
        options: further options of the command.
        core: the core that it is kept to; None leaves that to the system.
        variant: whose dealer.
        times: where it leaves its own time for decisions (`benchmarks.timed`); None to note none.
    """

    def __init__(
        self,
        folder: Path,
        rounds: int,
        *options: str,
        core: int | None = None,
        variant: Variant = PLAIN,
        times: Path | None = None,
    ) -> None:
        self._port_file = folder / "port"
        port_file = ("--port-file", self._port_file)
        program = (variant.command("dealer"),) if times is None else (ROOT / "benchmarks" / "timed.py", times)
        super().__init__((*program, 0, rounds, *port_file, "--quiet", "--json", *options), core, variant)

    def __enter__(self) -> Dealer:
        return self

    def wait_for_port(self) -> int:
        """The port, as soon as it listens.

        Raises:
            CommandError: if it does not listen in time.
        """
        give_up = time.monotonic() + START_LIMIT
        while not self._port_file.exists():
            if not self.is_running or time.monotonic() > give_up:
                raise CommandError("the dealer did not open its port")
            time.sleep(0.002)
        return int(self._port_file.read_text(encoding="utf-8"))


def end_well_on_sigterm() -> None:
    """Let SIGTERM end this process as an exception does, so that the processes it started end too."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, end)


def say(sentence: str) -> None:
    """Tell the person who waits how far the benchmark is."""
    print(sentence, file=sys.stderr, flush=True)
