"""A process that has everything imported, and forks the commands that tests start.

A command that is started anew pays for Python, typer, numpy and numba: 0.5 to 1.5 s of processor time,
several hundred times. A fork is at work after some 10 ms, and is as much a process of its own as before: it
has its own session, signals, environment, folder, real streams and a real status. Only what it has imported
is not its own doing, and its limits and umask are those of the tests when the first command was started. So
one true start of every command stays among the tests, and `TRUE_STARTS=1` in the environment makes every
start a true one (coverage of processes is measured that way).

`python -m tests.helpers.forking FD` is the process itself. It ends when the other end of the socket is
closed. The processor time of its forks is part of its own, and so of the tests'.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
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
    *("cards", "protocol", "twentyone.support", "twentyone.policies", "twentyone.kernels", "twentyone.exact"),
    *("twentyone.learning", "dealer", "player", "tournament", "twentyone.analysis", "twentyone.devs"),
    "twentyone.mancala",
)

STREAMS: Final = 3

LARGEST: Final = 1 << 17
"""Bytes of the longest request: a command line and an environment."""

LOCK: Final = threading.Lock()
"""Held by the thread that starts the process that forks."""

BEGUN: Final = b"begun"
ENDED: Final = b"ended"
"""What comes back for each command, each once, with a number behind it: its process id, and its status."""


class Forked(subprocess.Popen[str]):
    """A command, as `subprocess.Popen` would start it, but forked. Its status comes over a socket.

    It replaces the three places in which `Popen` starts and waits for a child of its own, and inherits all
    that is hard: streams, `communicate` and what is done about timeouts.
    """

    def _execute_child(self, words: list[str], *given: Any) -> None:
        _, _, _, _, folder, environment, _, _, _, *pipes = given[:15]
        self._told, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its:
            streams = [own if pipe == -1 else pipe for own, pipe in enumerate((pipes[0], pipes[3], pipes[5]))]
            request = [words, os.fspath(folder or Path.cwd()), dict(environment or os.environ)]
            socket.send_fds(_server(), [json.dumps(request).encode()], [*streams, its.fileno()])
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]
        kind, number = _message(self._told.recv(64))
        if kind != BEGUN:
            self._told.close()
            raise OSError(f"{words} could not be started in {folder}")
        self._child_created = True
        self.pid = number

    def _try_wait(self, flags: int) -> tuple[int, int]:
        try:
            told = self._told.recv(64, socket.MSG_DONTWAIT if flags & os.WNOHANG else 0)
        except BlockingIOError:
            return 0, 0
        self._told.close()
        return self.pid, _message(told)[1]

    def _internal_poll(self, _deadstate: int | None = None) -> int | None:
        lock = self._waitpid_lock  # type: ignore[attr-defined]
        if self.returncode is None and lock.acquire(blocking=False):
            try:
                if self.returncode is None:
                    pid, status = self._try_wait(os.WNOHANG)
                    if pid == self.pid:
                        self._handle_exitstatus(status)  # type: ignore[attr-defined]
            finally:
                lock.release()
        return self.returncode


def is_possible() -> bool:
    """Whether commands can be forked here."""
    return sys.platform == "linux" and "TRUE_STARTS" not in os.environ


def _message(told: bytes) -> tuple[bytes, int]:
    assert told, "the process that forks has ended"
    return told[: len(BEGUN)], int.from_bytes(told[len(BEGUN) :])


_servers: Final[list[socket.socket]] = []


def _server() -> socket.socket:
    """The way to the process that forks, which is started for the first command."""
    with LOCK:
        if not _servers:
            _servers.append(_start_server())
        return _servers[0]


def _start_server() -> socket.socket:
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        server = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.forking", str(its.fileno())],
            cwd=ROOT,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # a process with threads should not fork
            pass_fds=[its.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def end() -> None:
        mine.close()
        server.wait()

    atexit.register(end)
    return mine


# In the process that forks.


def _serve(control: socket.socket) -> list[str]:
    """Fork for every request, and tell the status of every fork that has ended.

    Returns:
        In a fork: the words of its command. The process that forks never returns.
    """
    children: dict[int, socket.socket] = {}
    waking, woken = socket.socketpair()
    waking.setblocking(False)
    signal.set_wakeup_fd(waking.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ready, _, _ = select.select([control, woken], [], [])
        if woken in ready:
            woken.recv(1024)
            while children and (ended := os.waitpid(-1, os.WNOHANG))[0]:
                with children.pop(ended[0]) as asking:
                    _tell(asking, ENDED, ended[1])
        if control in ready:
            request, handles, _, _ = socket.recv_fds(control, LARGEST, STREAMS + 1)
            if not request:
                os._exit(0)
            asking = socket.socket(fileno=handles.pop())
            if (pid := os.fork()) == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for other in (control, waking, woken, *children.values()):
                    other.close()
                words = _prepare(handles, *json.loads(request))
                _tell(asking, BEGUN, os.getpid())
                asking.close()
                return words
            children[pid] = asking
            for handle in handles:
                os.close(handle)


def _tell(asking: socket.socket, kind: bytes, number: int) -> None:
    try:
        asking.send(kind + number.to_bytes(8))
    except OSError:  # the test is over, and nobody wants to know
        return


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
    """Run `python -c CODE ...`, or one of the project's commands."""
    program, *rest = words
    sys.modules["__main__"] = main = ModuleType("__main__")  # else what it spawns would import this module
    if program != sys.executable:
        sys.argv, sys.path[0] = words, str(Path(program).parent)
        sys.exit(getattr(import_module("twentyone.start"), Path(program).name)())
    kind, code, *options = rest
    assert kind == "-c", words
    sys.argv, sys.path[0] = [kind, *options], ""
    exec(compile(code, "<string>", "exec"), main.__dict__)


def _end_quickly(work: Callable[[], None]) -> None:
    """Do some work, and end this process as Python does, but for what takes longest: freeing all it holds.

    An exception, a status that is no number, or a stream that cannot be written is left to Python itself.
    """
    try:
        work()
        status = 0
    except SystemExit as ended:
        if not isinstance(ended.code, int | None):
            raise
        status = ended.code or 0
    shut_down: Callable[[], None] = threading._shutdown  # type: ignore[attr-defined]
    shut_down()
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None and not stream.closed:
                stream.flush()
    except OSError:
        sys.exit(status)
    os._exit(status & 0xFF)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as waiting:
        _load()
        command = _serve(waiting)
    _end_quickly(lambda: _run(command))
