"""Runs one program with limits, and ends it with all its descendants. It stands alone, and starts fast.

python -I -S confine.py 'JSON': an object with `words` (the command), `box` (the words before it that make a
sandbox; none where there is none), `folder` (where it runs), `log` (the file that its output is added to),
`log_size` (bytes of it), and the limits `memory`, `files`, `processes` and `file_size`.

The program has an empty standard input; its standard output and standard error both come here through a pipe
that is always read, so it never waits for it, and what is beyond the size of the file is dropped with a note.
It is ended when it ends itself, when this process gets SIGTERM, and when standard input ends here: that is a
pipe from whoever started it, so that nothing is left even if they were killed. On Linux its descendants are
all found, since those whose parent has ended become children of this process; elsewhere they are found as far
as they stay in its process group.

The status is the program's, or 128 and the number of the signal that ended it. A sandbox hands on the same.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from typing import Any

LOOK = 0.25
"""Seconds between two looks at how many processes there are."""

OTHERS = 4096
"""Processes that a user may have besides: the system counts those of all programs of a user together."""

BOX = 2
"""Processes of a sandbox that are not the program's: bwrap, and the first one within."""

NOTE = "--- "
"""Before each sentence about the program in its file."""

TRIES = 2000
"""Looks for descendants that are left, a millisecond apart."""

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def main(spec: dict[str, Any]) -> int:
    """Run the program to its end; its status."""
    adopt_orphans()
    wakes, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(wakes, False)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # whoever started this may have blocked some
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    for wakening in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(wakening, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    log = Log(spec["log"], spec["log_size"])
    output, end = os.pipe()
    started = time.monotonic()
    program = os.fork()
    if program == 0:
        become(spec, end)
    os.close(end)
    os.set_blocking(output, False)
    own = BOX if spec["box"] else 0
    status = watch(program, log, output, wakes, spec["processes"], own)
    killed = end_all(program)
    log.take_rest(output)
    seconds = time.monotonic() - started
    if status is None and killed in (None, signal.SIGKILL):
        log.note(f"ended after {seconds:z.1f} s, as the match no longer needed it")
        return 0
    # A crash closes the connection first: the match may be done with a program that is just ending by itself.
    number = os.waitstatus_to_exitcode(killed or 0 if status is None else status)
    log.note(f"ended after {seconds:z.1f} s {told(number, is_boxed=bool(spec['box']))}")
    if status is None:
        return 0
    return number if number >= 0 else 128 - number


def told(number: int, *, is_boxed: bool) -> str:
    """The end of a program in words: by its status, or if less than 0 by a signal."""
    if number < 0:
        return f"by signal {-number} ({signal.strsignal(-number)})"
    if is_boxed and number - 128 in signal.valid_signals():
        return f"with status {number}, as by signal {number - 128} ({signal.strsignal(number - 128)})"
    return f"with status {number}"


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, where the system can do that."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def prctl(option: int, value: int) -> None:
    """Set something about this process that only Linux knows."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def become(spec: dict[str, Any], output: int) -> None:
    """Be the program, in the process that was made for it."""
    status, words = 126, [*spec["box"], *spec["words"]]
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.closerange(3, 256)
        os.chdir(spec["folder"])
        limit(spec)
        os.execvpe(words[0], words, environment(spec["folder"]))
    except OSError as error:
        os.write(2, f"{words[0]} cannot be started: {error.strerror}\n".encode())
        status = 127
    finally:
        os._exit(status)


def environment(folder: str) -> dict[str, str]:
    """The environment variables of a program."""
    path = os.environ.get("PATH", os.defpath)
    return {"PATH": path, "HOME": folder, "TMPDIR": folder, "LANG": "C.UTF-8"}


def limit(spec: dict[str, Any]) -> None:
    """Set the limits that the system offers; none is raised above what it was."""
    limits = {
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": spec["files"],
        "RLIMIT_FSIZE": spec["file_size"],
        "RLIMIT_NPROC": OTHERS + spec["processes"],
        "RLIMIT_AS": spec["memory"],
    }
    for name, most in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except (OSError, ValueError) as error:
            os.write(2, f"{name} cannot be limited to {most}: {error}\n".encode())


def watch(program: int, log: Log, output: int, wakes: int, processes: int, own: int) -> int | None:
    """Read the program's output until it ends, and return how; None if it is to be ended.

    Limit its processes, besides the sandbox's own.
    """
    poll = select.poll()
    poll.register(0, select.POLLIN | select.POLLHUP)
    poll.register(wakes, select.POLLIN)
    poll.register(output, select.POLLIN)
    looked = time.monotonic()
    while True:
        for fd, _ in poll.poll(LOOK * 1000):
            if fd == output:
                if not log.take(output):
                    poll.unregister(output)
            elif fd == 0:
                if not os.read(0, 4096):
                    return None
            elif signal.SIGTERM in os.read(wakes, 4096):
                return None
        status = reap(program)
        if status is not None:
            return status
        if time.monotonic() - looked >= LOOK:
            looked = time.monotonic()
            count = len(threads(program)) - own
            if count > processes:
                log.note(f"it has {count} processes and threads, and may have {processes}")
                return int(signal.SIGKILL)


def reap(program: int) -> int | None:
    """Take note of all children that have ended; how the program did, if it is among them."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid == 0:
            return found
        if pid == program:
            found = status


def end_all(program: int) -> int | None:
    """End all that is left of the program; how it ended, if that was not known yet."""
    found = None
    with suppress(ProcessLookupError, PermissionError):  # nothing may be left of its group
        os.killpg(program, signal.SIGKILL)
    for _ in range(TRIES):
        left = descendants(os.getpid())
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):  # it may have just ended, or be bwrap as root
                os.kill(pid, signal.SIGKILL)
        if (status := reap(program)) is not None:
            found = status
        if not left and not descendants(os.getpid()):
            return found
        time.sleep(0.001)
    return found


def descendants(pid: int) -> list[int]:
    """The descendants of a process; none where the system does not tell."""
    found: list[int] = []
    new = children(pid)
    while new:
        found += new
        new = [child for parent in new for child in children(parent)]
    return found


def children(pid: int) -> list[int]:
    """The children of a process that this one may know."""
    found: list[int] = []
    for task in tasks(pid):
        try:
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:  # noqa: PTH123
                found += map(int, file.read().split())
        except OSError:
            continue  # it has just ended
    return found


def tasks(pid: int) -> list[str]:
    """The threads of a process."""
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []


def threads(program: int) -> list[str]:
    """The threads of all that there is of the program."""
    return [task for pid in descendants(os.getpid()) for task in tasks(pid)]


class Log:
    """The file that a program's output is added to, up to a size."""

    def __init__(self, path: str, size: int) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self._size = size
        self._is_lost = self._is_open_line = False

    def take(self, output: int) -> bool:
        """Write what has come; False at its end."""
        try:
            data = os.read(output, 65_536)
        except BlockingIOError:
            return True
        self._write(data)
        return bool(data)

    def take_rest(self, output: int) -> None:
        """Write what is left, once nobody is there to write more."""
        while True:
            try:
                data = os.read(output, 65_536)
            except BlockingIOError:
                return
            if not data:
                return
            self._write(data)

    def note(self, sentence: str) -> None:
        """Write a sentence about the program with the time of day, on a line of its own."""
        end = "\n" if self._is_open_line else ""
        now = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
        self._write(f"{end}{NOTE}{now}: {sentence}\n".encode())

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _write(self, data: bytes) -> None:
        try:
            left = self._size - os.fstat(self._file).st_size
            if left > 0 and data:
                os.write(self._file, data[:left])
                self._is_open_line = not data.endswith(b"\n")
                if len(data) >= left:
                    os.write(self._file, b"\n--- the rest is dropped: the file is as large as it may be\n")
        except OSError:
            self._is_lost = True  # a full disk must not end the program


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
