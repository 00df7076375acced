"""A process that has everything imported, and forks the commands that tests start.

A command that is started anew pays for Python, typer, numpy and numba: 0.5 to 1.5 s of processor time,
several hundred times. A fork is at work after some 10 ms, and is as much a process of its own as before: it
has its own session, signals, environment, folder, real streams and a real status. Only what it has imported is
not its own doing. So one true start of every command stays among the tests, and `TRUE_STARTS=1` in the
environment makes every start a true one (coverage of processes is measured that way).

`python -m tests.helpers.forking FD` is the process itself. It ends when the other end of the socket is closed.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import random
import runpy
import signal
import socket
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]

LIBRARIES: Final = (
    "matplotlib.figure",
    "matplotlib.backends.backend_agg",
    "numba",
    "rich.progress",
    "uvloop",
)

PACKAGES: Final = (
    *("cards", "protocol", "support", "policies", "kernels", "exact", "learning", "dealer", "player"),
    *("tournament", "analysis", "devs", "mancala"),
)

STREAMS: Final = 3

LARGEST: Final = 1 << 17
"""Bytes of the longest request: a command line and an environment."""


class Forked(subprocess.Popen[str]):
    """A command, as `subprocess.Popen` would start it, but forked. Its status comes over a socket.

    It replaces the three places in which `Popen` starts and waits for a child of its own, and inherits all
    that is hard: streams, `communicate` and what is done about timeouts.
    """

    def _execute_child(self, words: list[str], *given: Any) -> None:
        _, _, _, _, folder, environment, _, _, _, *pipes = given[:15]
        mine, its = socket.socketpair()
        streams = [own if pipe == -1 else pipe for own, pipe in enumerate((pipes[0], pipes[3], pipes[5]))]
        request = json.dumps([words, os.fspath(folder or Path.cwd()), dict(environment or os.environ)])
        socket.send_fds(_server(), [request.encode()], [*streams, its.fileno()])
        its.close()
        self._ended = mine
        self._child_created = True
        self.pid = int.from_bytes(_exactly(mine, 8))
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]

    def _try_wait(self, flags: int) -> tuple[int, int]:
        try:
            told = self._ended.recv(8, socket.MSG_DONTWAIT if flags & os.WNOHANG else 0)
        except BlockingIOError:
            return 0, 0
        self._ended.close()
        return self.pid, int.from_bytes(told)

    def _internal_poll(self, _deadstate: int | None = None) -> int | None:
        lock = self._waitpid_lock  # type: ignore[attr-defined]
        if self.returncode is None and lock.acquire(blocking=False):
            try:
                pid, status = self._try_wait(os.WNOHANG)
                if pid == self.pid:
                    self._handle_exitstatus(status)  # type: ignore[attr-defined]
            finally:
                lock.release()
        return self.returncode


def is_possible() -> bool:
    """Whether commands can be forked here."""
    return hasattr(os, "fork") and "TRUE_STARTS" not in os.environ


@cache
def _server() -> socket.socket:
    """The way to the process that forks, which is started for the first command."""
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        words = [sys.executable, "-m", "tests.helpers.forking", str(its.fileno())]
        server = subprocess.Popen(
            words, cwd=ROOT, pass_fds=[its.fileno()], stdin=subprocess.DEVNULL, start_new_session=True
        )

    def end() -> None:
        mine.close()
        server.wait()

    atexit.register(end)
    return mine


def _exactly(stream: socket.socket, count: int) -> bytes:
    read = b""
    while len(read) < count:
        piece = stream.recv(count - len(read))
        assert piece, "the process that forks has ended"
        read += piece
    return read


# In the process that forks.


def _serve(control: socket.socket) -> list[str]:
    """Fork for every request; returns the words of its command in each fork, and ends the process itself.

    Between the two stands a process that waits for the fork and tells its status.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that wait
    while True:
        request, handles, _, _ = socket.recv_fds(control, LARGEST, STREAMS + 1)
        if not request:
            os._exit(0)
        if os.fork() == 0:
            control.close()
            with socket.socket(fileno=handles.pop()) as asked:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                if (pid := os.fork()) == 0:
                    asked.close()
                    return _prepare(handles, *json.loads(request))
                for handle in handles:
                    os.close(handle)
                asked.sendall(pid.to_bytes(8))
                status = os.waitpid(pid, 0)[1]
                try:
                    asked.sendall(status.to_bytes(8))
                except OSError:
                    status = 1  # the test is over, and nobody wants to know
                os._exit(status and 1)
        for handle in handles:
            os.close(handle)


def _prepare(handles: list[int], words: list[str], folder: str, environment: dict[str, str]) -> list[str]:
    """Make this process what it would be at its own start."""
    os.setsid()
    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for place, handle in enumerate(handles):
        os.dup2(handle, place)
        os.close(handle)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    random.seed()
    return words


def _load() -> None:
    """Import what commands import, each of them sooner or later."""
    for name in LIBRARIES:
        import_module(name)
    for package in map(import_module, PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    gc.collect()
    gc.freeze()  # what is shared stays shared: no collection of a fork looks at it


def _run(words: list[str]) -> None:
    """Run `python -c CODE ...`, `python -m MODULE ...`, or one of the project's commands."""
    program, *rest = words
    if program != sys.executable:
        sys.argv, sys.path[0] = words, str(Path(program).parent)
        sys.exit(getattr(import_module("twentyone_start"), Path(program).name)())
    kind, code, *options = rest
    sys.argv, sys.path[0] = [kind, *options], str(Path.cwd()) if kind == "-m" else ""
    if kind == "-m":
        runpy.run_module(code, run_name="__main__", alter_sys=True)
    else:
        assert kind == "-c", words
        sys.modules["__main__"].__dict__.update(__name__="__main__")
        exec(compile(code, "<string>", "exec"), sys.modules["__main__"].__dict__)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as waiting:
        _load()
        command = _serve(waiting)
    _run(command)
