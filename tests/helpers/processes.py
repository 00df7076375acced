"""The project's commands as processes, started as a person or a script starts them.

A job in the background of a script ignores SIGINT, and every process that it starts inherits this: Python
then installs no handler, and Ctrl-C does nothing. That is right for users, and the commands keep it so. Tests
that send SIGINT need its default disposition:

- a process is started by `subprocess.Popen(interruptible(command, ...))`, or `run`, or
  `asyncio.create_subprocess_exec(*interruptible(command, ...))`;
- a test that raises SIGINT in its own process does so in `with keyboard_interrupts():`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.helpers import forking
from tests.helpers.patience import PATIENCE, eventually

LAUNCHER: Final = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
"""

PROGRESS_LINE: Final = (
    r"[a-z]+: [\d,]+( of [\d,]+)? [a-z ]+, ([\d,]+ [a-z]+/s|about [\d,]+ s left|[\d,]+ s each)"
)
"""How a line begins that a command prints now and then on a busy machine, and hardly ever on an idle one."""

PROGRESS: Final = re.compile(rf"(?m)^{PROGRESS_LINE}.*\n")


def interruptible(*command: object) -> list[str]:
    """The command line that runs a command with SIGINT and SIGHUP at their defaults; it keeps its process id.

    It is the command itself unless this process ignores one of them, the second as under `nohup`. It may be
    called on any thread, where `signal.signal` would not work, and avoids `preexec_fn`, which is unsafe in a
    process with threads.
    """
    words = [str(word) for word in command]
    if signal.SIG_IGN in map(signal.getsignal, (signal.SIGINT, signal.SIGHUP)):
        return [sys.executable, "-c", LAUNCHER, *words]
    return words


@contextmanager
def keyboard_interrupts() -> Iterator[None]:
    """Let SIGINT raise KeyboardInterrupt in this process, as usual. Only the main thread may call this."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_STARTED: Final[list[subprocess.Popen[str]]] = []
"""What was started since the last test."""


class Finished(NamedTuple):
    """What a command that has ended left, without lines of progress."""

    status: int
    out: str
    err: str


def start(
    name: str,
    *options: object,
    cwd: Path,
    code: str = "",
    is_true: bool = False,
    stderr: int = subprocess.PIPE,
    **variables: str,
) -> subprocess.Popen[str]:
    """Start one of the project's commands.

    Args:
        name: its name.
        options: what is typed behind it.
        cwd: the folder that it runs in.
        code: a program of Python to be run in the place of the command; the name is for the reader then.
        is_true: a new process, as a person starts it, where the start itself matters; else a fork of one that
            has everything imported, which is much quicker.
        stderr: where its standard error goes, such as a terminal; else to whoever reads it here.
        variables: of the environment, beside those of the tests. What a library reads when it is imported
            reaches true starts only.
    """
    program = [sys.executable, "-c", code] if code else [str(Path(sys.executable).with_name(name))]
    words = [*program, *map(str, options)]
    is_forked = forking.is_possible() and not is_true
    process = (forking.Forked if is_forked else subprocess.Popen[str])(
        words if is_forked else interruptible(*words),
        cwd=cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env=os.environ | {"COLUMNS": "200", "NO_COLOR": "1"} | variables,
        start_new_session=True,
    )
    _STARTED.append(process)
    return process


def end_what_runs() -> None:
    """Kill every command that was started and still runs, as after a test that has failed.

    What it has printed is not read: a process that it has started may hold its streams open for ever.
    """
    while _STARTED:
        process = _STARTED.pop()
        if process.poll() is None:
            with suppress(ProcessLookupError):  # it has just ended
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            for stream in filter(None, (process.stdin, process.stdout, process.stderr)):
                with suppress(BrokenPipeError):  # of what was still to be said to it
                    stream.close()


def finish(process: subprocess.Popen[str], typed: str = "") -> Finished:
    """Wait for a command to end; it must never show a traceback."""
    try:
        out, err = process.communicate(typed, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate(timeout=PATIENCE)
        raise AssertionError(f"it did not end; it said:\n{out}\n{err}") from None
    assert "Traceback" not in out + err, err
    return Finished(process.returncode, out, PROGRESS.sub("", err))


def command(name: str, *options: object, cwd: Path, typed: str = "", **how: Any) -> Finished:
    """Run one of the project's commands to its end; `how` as `start` takes it."""
    return finish(start(name, *options, cwd=cwd, **how), typed)


@contextmanager
def dealing(folder: Path, rounds: int = 0, *options: object) -> Iterator[int]:
    """A real dealer on a free port; gives the port. It ends with the block at the latest."""
    with dealer_process(folder, rounds, *options) as (_, port):
        yield port


@contextmanager
def dealer_process(
    folder: Path, rounds: int = 0, *options: object
) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The same, with its process, for tests that end it in another way."""
    port_file = folder / "port"
    port_file.unlink(missing_ok=True)
    dealer = start("dealer", 0, rounds, "--quiet", f"--port-file={port_file}", *options, cwd=folder)
    try:
        assert eventually(port_file.exists)
        yield dealer, int(port_file.read_text())
    finally:
        dealer.send_signal(signal.SIGINT)
        finish(dealer)
