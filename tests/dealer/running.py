"""The `dealer` command, running for a test that plays at it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from tests.helpers.patience import eventually
from tests.helpers.peer import BlockingPeer
from tests.helpers.processes import Finished, finish, interruptible, start

MODULE: Final = [sys.executable, "-m", "dealer"]


def by_shell(line: str, shell: str = "sh") -> list[str]:
    """The command as a shell runs it: `$0 "$@"` in the line stands for it."""
    return [shell, "-c", line, str(Path(sys.executable).with_name("dealer"))]


class Dealer:
    """The command, running.

    Args:
        folder: where it runs.
        rounds: how many it deals, on a free port that it writes to a file.
        options: what is typed behind that.
        command: the words of the command where it is not simply the project's own.
        how: as `tests.helpers.processes.start` takes it; with a command as `subprocess.Popen` does.
    """

    def __init__(
        self, folder: Path, rounds: int, *options: object, command: list[str] | None = None, **how: Any
    ) -> None:
        self._folder = folder
        self._port_file = folder / "port"
        self._port_file.unlink(missing_ok=True)
        self._stack = ExitStack()
        words = (0, rounds, "--port-file", "port", *options)
        if command is None:
            self.process = start("dealer", *words, cwd=folder, **how)
        else:
            self.process = subprocess.Popen(
                interruptible(*command, *words),
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=os.environ | {"COLUMNS": "100", "NO_COLOR": "1"},
                **how,
            )

    @property
    def port(self) -> int:
        """The port of its --port-file, which it may still have to write."""
        assert eventually(lambda: self._port_file.exists() or self.process.poll() is not None)
        return int(self._port_file.read_text())

    def read(self, file: str) -> str:
        """The text of a file in its folder."""
        return (self._folder / file).read_text()

    def lines(self, file: str) -> list[dict[str, Any]]:
        """What a file of JSON lines in its folder says."""
        return [json.loads(line) for line in self.read(file).splitlines()]

    def connect(self) -> BlockingPeer:
        return self._stack.enter_context(BlockingPeer(self.port))

    def join(self, message: str = "JOIN a") -> BlockingPeer:
        peer = self.connect()
        peer.say(message)
        return peer

    def seat(self, message: str = "JOIN a") -> BlockingPeer:
        peer = self.join(message)
        peer.hear_until("DECISION")
        return peer

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def wait_until_it_says(self, words: str) -> None:
        """Read its standard error up to a line with these words."""
        assert self.process.stderr is not None
        assert any(words in line for line in iter(self.process.stderr.readline, ""))

    def wait(self) -> Finished:
        """Wait until it has ended; it must never show a traceback."""
        if self.process.stderr is None:
            out, _ = self.process.communicate()
            return Finished(self.process.returncode, out, "")
        return finish(self.process)

    def close(self) -> None:
        """End it, in whatever state it is."""
        self._stack.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
