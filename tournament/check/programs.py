"""Programs that are started for a check, and ended with all their children.

They run as their author runs them, in this folder and with this environment, so that what is found is theirs.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tournament.playing.confine import descendants
from twentyone.support.command import CommandError, os_reason

KEPT: Final = 65_536
"""Bytes of a program's output that are kept: the last ones."""

LINES: Final = 12
"""Lines of it that are shown below a fault."""

FIRST_SIGNAL: Final = 128
"""A shell's status of a program that a signal ended is this and the number of the signal."""


class Program:
    """A program that runs, in a session of its own, without input.

    Args:
        process: the process.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._said = b""
        self._listening = [
            asyncio.ensure_future(self._listen(each)) for each in (process.stdout, process.stderr)
        ]

    @classmethod
    async def start(cls, words: Sequence[str], places: dict[str, str]) -> Program:
        """Start a program; each `{host}`, `{port}` and `{name}` in its words is replaced.

        Raises:
            CommandError: if it cannot be started.
        """
        command = []
        for word in words:
            for place, text in places.items():
                word = word.replace(f"{{{place}}}", text)
            command.append(word)
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise CommandError(
                f"{command[0]} cannot be started: {os_reason(error)}: expected a program, such as ./mybot"
            ) from None
        return cls(process)

    async def status(self, seconds: float) -> int | None:
        """The status with which it ends within some seconds, as a shell tells it; None if it runs on."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), seconds)
        status = self._process.returncode
        return status if status is None or status >= 0 else FIRST_SIGNAL - status

    def seconds_computed(self) -> float | None:
        """The seconds of processor time that it has used; None where the system does not say."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            return None

    async def end(self) -> None:
        """End it, all that it has started in its session, and its descendants elsewhere that can be found."""
        others = descendants(self._process.pid)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for pid in others:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        await self._process.wait()
        await asyncio.wait(self._listening, timeout=1)
        for each in self._listening:
            each.cancel()

    def last_words(self) -> list[str]:
        """The last lines that it wrote to standard error."""
        return self._said.decode("utf-8", "replace").splitlines()[-LINES:]

    async def _listen(self, stream: asyncio.StreamReader | None) -> None:
        """Read what it writes, so that it never waits; of its standard error the end is kept."""
        while stream is not None and (data := await stream.read(KEPT)):
            if stream is self._process.stderr:
                self._said = (self._said + data)[-KEPT:]


def told(status: int) -> str:
    """A status in words: `status 139 (SIGSEGV)`."""
    try:
        return f"status {status} ({signal.Signals(status - FIRST_SIGNAL).name})"
    except ValueError:
        return f"status {status}"
