"""Every `console` block of the README, run in order in an empty folder, its output compared line by line.

Numbers are masked, and so are runs of blanks, since they depend on the width of numbers. Port 8088 is a free
port here. A command that ends in & runs on while the others do.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

README = Path(__file__).parent.parent / "README.md"
TIMEOUT = 400.0


class Step(NamedTuple):
    """A command of the README, and the lines that it is said to print."""

    line: int
    command: str
    output: list[str]


def blocks(language: str) -> Iterator[tuple[int, list[str]]]:
    """The blocks of a language: the number of each one's first line, and its lines."""
    block: list[str] | None = None
    start, kind = 0, ""
    for number, line in enumerate(README.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("```"):
            if block is None:
                block, start, kind = [], number + 1, line[3:].strip()
            else:
                if kind == language:
                    yield start, block
                block = None
        elif block is not None:
            block.append(line)


def steps() -> list[Step]:
    """The commands of all console blocks, in order."""
    found: list[Step] = []
    for start, block in blocks("console"):
        assert block[0].startswith("$ "), f"README line {start}: a console block begins with a command"
        for number, line in enumerate(block, start=start):
            if line.startswith("$ "):
                found.append(Step(number, line[2:], []))
            else:
                found[-1].output.append(line)
    return found


SLOW = re.compile(
    r"[a-z]+: [\d,]+( of [\d,]+)? [a-z]+, [\d,]+ [a-z]+/s"
    r"|analysis: compiling |dealer: [\d,]+ players, "
)
"""Lines that a busy machine prints and an idle one does not."""


def masked(lines: list[str]) -> list[str]:
    """Lines with every number as # and every run of blanks as one."""
    kept = [line for line in lines if not SLOW.match(line)]
    return [re.sub(r"\s+", " ", re.sub(r"[-+±]?\d[\d,.]*(e-\d+)?", "#", line)).strip() for line in kept]


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Terminal:
    """Runs the commands of the README as a reader would, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = {port: str(free_port()) for port in ("8088", "8089")}
        self.background: list[tuple[subprocess.Popen[bytes], Path, int]] = []
        scripts = str(Path(sys.executable).parent)
        self.environment = os.environ | {
            "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "80",
        }

    def run(self, command: str, expected: int) -> list[str]:
        """The lines that a command prints; of one in the background, so many as are expected of it."""
        command = self.with_free_ports(command)
        if command.startswith("wait"):
            return self.wait()
        output = self.folder / f".output{len(self.background)}"
        if command.endswith("&"):
            return self.start(command.removesuffix("&"), output, expected)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT,
            check=False,
        )
        return done.stdout.decode().splitlines()

    def start(self, command: str, output: Path, expected: int) -> list[str]:
        """Start a command and read its first lines."""
        with output.open("wb") as file:
            process = subprocess.Popen(
                ["bash", "-c", f"exec {command}"],
                cwd=self.folder,
                env=self.environment,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + TIMEOUT
        while len(lines := output.read_text().splitlines()) < expected and time.monotonic() < deadline:
            assert process.poll() is None, output.read_text()
            time.sleep(0.02)
        self.background.append((process, output, len(lines)))
        self.wait_until_open(next(port for port in self.ports.values() if port in command))
        return lines

    def with_free_ports(self, text: str) -> str:
        """The same on ports that nobody uses."""
        for port, free in self.ports.items():
            text = text.replace(port, free)
        return text

    def wait_until_open(self, port: str) -> None:
        """Wait for the dealer's port, which a reader would do by typing."""
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(port))) == 0:
                    return
            time.sleep(0.02)

    def wait(self) -> list[str]:
        """What the command in the background prints at its end."""
        process, output, seen = self.background.pop()
        assert process.wait(TIMEOUT) == 0
        return output.read_text().splitlines()[seen:]

    def close(self) -> None:
        """End what still runs."""
        for process, *_ in self.background:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.wait(TIMEOUT)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path)
    yield terminal
    terminal.close()


def test_every_console_block_prints_what_the_readme_says(terminal: Terminal) -> None:
    for _, block in blocks("python"):
        name = re.match(r"# (\w+\.py)", block[0])
        assert name is not None, "a Python block of the README begins with the name of its file"
        (terminal.folder / name[1]).write_text(terminal.with_free_ports("\n".join(block)) + "\n")
    ran = 0
    for step in steps():
        printed = terminal.run(step.command, len(step.output))
        assert masked(printed) == masked(step.output), (
            f"README line {step.line}: {step.command}\n" + "\n".join(printed)
        )
        ran += 1
    assert ran == README.read_text(encoding="utf-8").count("\n$ ")


def test_the_two_commands_of_the_readme_are_in_the_makefile() -> None:
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    commands = [line.split("#")[0].strip() for _, block in blocks("sh") for line in block]
    install = ".venv/bin/pip install -c constraints.txt -e '.[analysis,plot,dask]'"
    assert commands == ["make play", "make test", ". .venv/bin/activate", "make table", install]
    assert all(f"\n{target}:" in makefile for target in ("play", "test", "table"))
