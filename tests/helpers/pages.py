"""The README and the pages of the documentation: their blocks, and a terminal that runs them.

    python -m tests.helpers.pages docs/tutorials/play.md

runs the console blocks of a page, and writes into the page what they print now where it differs in more than
times and rates. Look at the difference before you keep it, and at what the page says of the figures.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple

from tests.helpers import forking
from tests.helpers.patience import eventually
from tests.helpers.processes import PROGRESS_LINE

ROOT: Final = Path(__file__).parents[2]
README: Final = ROOT / "README.md"
PAGES: Final = [README, *sorted(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts)]

TIMEOUT: Final = 400.0
MOMENT: Final = 1.0
"""Seconds in which a command in the background prints its first lines, on a machine that is not busy."""

PORTS: Final = ("8088", "8089")
"""The ports that the pages use. Here each is a free one."""

COMMANDS: Final = frozenset(
    tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
)
"""The project's own commands."""

_SHELL: Final = re.compile(r"[|&;<>()$`*?\[#~{\\]")
"""What means more to a shell than a word, or the end of one."""

_FILE: Final = re.compile(r"(?:#|//) (\w+\.\w+)\b")
"""The first line of a block that is a file."""

_SLOW: Final = re.compile(PROGRESS_LINE + r"|(?:analysis: )?compiling for this |dealer: [\d,]+ players, ")
"""Lines that a busy machine prints and an idle one does not."""

_TIME: Final = re.compile(r"(\bin|\bholds|,) +[\d,.]+ s\b")
"""A time that something took. What happens at a time that is simulated has other words before it."""

_RATE: Final = re.compile(r"[\d,]+ (?=\w+/s)")


class Block(NamedTuple):
    """A block of code: its language, the number of its first line in the page, and its lines."""

    language: str
    start: int
    lines: list[str]


class Step(NamedTuple):
    """A command of a page, the number of its line, and the lines that it is said to print."""

    line: int
    command: str
    output: list[str]


def blocks(page: Path, language: str = "") -> list[Block]:
    """The blocks of a page, of one language if it is given."""
    found: list[Block] = []
    fence = ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        marks = re.match("`{3,}", line)
        if not fence and marks:
            fence = marks[0]
            found.append(Block(line.removeprefix(fence).strip(), number + 1, []))
        elif line == fence:
            fence = ""
        elif fence:
            found[-1].lines.append(line)
    return [block for block in found if language in ("", block.language)]


def steps(page: Path) -> list[Step]:
    """The commands of all console blocks of a page, in order."""
    found: list[Step] = []
    for block in blocks(page, "console"):
        assert block.lines[0].startswith("$ "), f"{page}, line {block.start}: expected a command first"
        for number, line in enumerate(block.lines, start=block.start):
            if line.startswith("$ "):
                found.append(Step(number, line[2:], []))
            else:
                found[-1].output.append(line)
    return found


def files(page: Path) -> Iterator[tuple[str, str]]:
    """The files that a page shows, by their names: blocks whose first line is a comment with a name."""
    for block in blocks(page):
        name = _FILE.match(block.lines[0]) if block.lines else None
        if name is not None and block.language != "console":
            yield name[1], "\n".join(block.lines) + "\n"


def comparable(lines: list[str]) -> list[str]:
    """Lines without what differs from run to run: times, rates, and the width of the blanks beside them.

    Every other figure stays as it is. So a page runs its commands with seeds.
    """
    kept = [line for line in lines if not _SLOW.match(line)]
    return [re.sub(r"\s+", " ", _RATE.sub("# ", _TIME.sub(r"\1 # s", line))).strip() for line in kept]


class Running(NamedTuple):
    """A command line that has been started: its processes in order, its output, and the lines read so far."""

    processes: list[subprocess.Popen[str]]
    output: Path
    seen: int = 0

    def end(self) -> int:
        """Wait for its end; its status."""
        for process in self.processes:
            process.wait(TIMEOUT)
        return self.processes[-1].returncode

    def stop(self) -> None:
        """End it as Ctrl-C does, or by force."""
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            try:
                process.wait(TIMEOUT)
            finally:
                if process.poll() is None:
                    process.kill()


class Terminal:
    """Runs the commands of a page as a reader would, in one folder.

    The project's own commands are forked where a command line begins with one, which is much quicker than to
    start them (`tests.helpers.forking`); a shell runs everything else.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = {port: str(_free_port()) for port in PORTS}
        self.background: list[Running] = []
        self.started = 0
        self.scripts = Path(sys.executable).parent
        self.environment = os.environ | {
            "PATH": f"{self.scripts}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "80",
        }

    def write(self, name: str, text: str) -> None:
        """Write a file of the page."""
        (self.folder / name).write_text(self._with_free_ports(text), encoding="utf-8")

    def run(self, command: str, expected: int | None = None) -> list[str]:
        """The lines that a command prints; of one in the background, as many as are expected of it.

        Args:
            command: as typed.
            expected: how many lines; None for those of the first moment.
        """
        command = self._with_free_ports(command)
        if command.startswith("wait"):
            return self._with_usual_ports(self._wait())
        if command.endswith("&"):
            return self._with_usual_ports(self._leave_running(command.removesuffix("&").strip(), expected))
        running = self._begin(command)
        try:
            running.end()
        finally:
            running.stop()
        return self._with_usual_ports(running.output.read_text(encoding="utf-8").splitlines())

    def close(self) -> None:
        """End what still runs."""
        for running in self.background:
            running.stop()

    def _begin(self, command: str) -> Running:
        """Start a command line; its output goes into a file."""
        self.started += 1
        output = self.folder / f".output{self.started}"
        first, _, rest = command.partition(" | ")
        words = self._own_words(first)
        with output.open("w") as file:
            if words is None:
                return Running([self._start(["bash", "-c", command], None, file)], output)
            if not rest:
                return Running([self._start(words, None, file)], output)
            read, write = os.pipe()
            with os.fdopen(read) as end, os.fdopen(write, "w") as begin:
                processes = [
                    self._start(words, None, begin, file),
                    self._start(["bash", "-c", rest], end, file),
                ]
            return Running(processes, output)

    def _own_words(self, command: str) -> list[str] | None:
        """The words of one of the project's commands, where they mean nothing more to a shell."""
        if not forking.is_possible() or _SHELL.search(command):
            return None
        name, *options = shlex.split(command)
        return [str(self.scripts / name), *options] if name in COMMANDS else None

    def _start(
        self, words: list[str], reads: IO[str] | None, writes: IO[str], errors: IO[str] | None = None
    ) -> subprocess.Popen[str]:
        is_own = words[0].startswith(str(self.scripts))
        return (forking.Forked if is_own else subprocess.Popen[str])(
            words,
            cwd=self.folder,
            env=self.environment,
            stdin=reads or subprocess.DEVNULL,
            stdout=writes,
            stderr=errors or subprocess.STDOUT,
            text=True,
        )

    def _leave_running(self, command: str, expected: int | None) -> list[str]:
        """Start a command in the background and read its first lines."""
        running = self._begin(command if self._own_words(command) else f"exec {command}")
        self.background.append(running)
        _wait_until_open(next(port for port in self.ports.values() if port in command))
        if expected is None:
            time.sleep(MOMENT)

        def lines() -> list[str]:
            return running.output.read_text(encoding="utf-8").splitlines()

        assert eventually(lambda: len(lines()) >= (expected or 0) or running.processes[0].poll() is not None)
        assert len(lines()) >= (expected or 0), "\n".join(lines())
        self.background[-1] = running._replace(seen=len(read := lines()))
        return read

    def _wait(self) -> list[str]:
        """What the command that was started last prints from then on to its end."""
        running = self.background[-1]
        assert running.end() == 0
        self.background.pop()
        return running.output.read_text(encoding="utf-8").splitlines()[running.seen :]

    def _with_free_ports(self, text: str) -> str:
        for port, free in self.ports.items():
            text = _with_port(text, port, free)
        return text

    def _with_usual_ports(self, lines: list[str]) -> list[str]:
        for port, free in self.ports.items():
            lines = [_with_port(line, free, port) for line in lines]
        return lines


@contextmanager
def terminal_of(page: Path, folder: Path) -> Iterator[Terminal]:
    """A terminal in a folder that holds the files of a page."""
    terminal = Terminal(folder)
    for name, text in files(page):
        terminal.write(name, text)
    try:
        yield terminal
    finally:
        terminal.close()


def rewrite(page: Path) -> None:
    """Run the console blocks of a page, and write into it what differs in more than times and rates."""
    lines = page.read_text(encoding="utf-8").splitlines()
    added = 0
    with tempfile.TemporaryDirectory() as folder, terminal_of(page, Path(folder)) as terminal:
        for step in steps(page):
            start = time.monotonic()
            printed = [line for line in terminal.run(step.command) if not _SLOW.match(line)]
            print(f"{time.monotonic() - start:6.1f} s  {step.command}", file=sys.stderr)
            if comparable(printed) != comparable(step.output):
                begin = step.line + added
                lines[begin : begin + len(step.output)] = printed
                added += len(printed) - len(step.output)
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _with_port(text: str, port: str, other: str) -> str:
    """A text with another port: as a number of its own, since its digits may also be a part of a figure."""
    return re.sub(rf"(?<![\d.,]){port}(?!\d|[.,]\d)", other, text)


def _free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_open(port: str) -> None:
    """Wait for a dealer's port, which a reader would do by typing."""

    def is_open() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", int(port))) == 0

    assert eventually(is_open)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name))
