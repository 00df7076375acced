"""A command that tests fork is a process as one that is started: streams, signals, status, surroundings."""

from __future__ import annotations

import json
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from tests.helpers import forking
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.processes import command, end_what_runs, start

pytestmark = pytest.mark.skipif(not forking.is_possible(), reason="commands are not forked here")

REPORT = """
import json, os, signal, sys
print(json.dumps({
    "typed": sys.stdin.read(),
    "argv": sys.argv,
    "folder": os.getcwd(),
    "path": sys.path[0],
    "name": __name__,
    "names": sorted(name for name in globals() if not name.startswith("__")),
    "variable": os.environ.get("VARIABLE"),
    "others": "PATH" in os.environ,
    "process": [os.getpid(), os.getsid(0), os.getpgid(0)],
    "open": sorted(os.listdir("/proc/self/fd"))[:-1],
    "sigint": signal.getsignal(signal.SIGINT) is signal.default_int_handler,
    "sigchld": signal.getsignal(signal.SIGCHLD) is signal.SIG_DFL,
}))
print("said", file=sys.stderr)
"""
WAIT = "import sys\nprint('ready', flush=True)\nsys.stdin.read()\n"
AT_EXIT = """
import atexit, sys, threading
atexit.register(print, "at exit")
threading.Thread(target=lambda: (threading.main_thread().join(), print("thread"))).start()
sys.exit(300)
"""

LEAVES = """
import os, signal, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "input()"])
os.kill(child.pid, signal.SIGSTOP)
print(child.pid, flush=True)
sys.stdin.read()
"""


def test_it_has_its_own_session_folder_environment_and_streams(tmp_path: Path) -> None:
    process = start("python", "a", "b c", cwd=tmp_path, code=REPORT, VARIABLE="text")
    out, err = process.communicate("typed\n", timeout=PATIENCE)
    said = json.loads(out)
    assert (process.returncode, err) == (0, "said\n")
    assert said == {
        "typed": "typed\n",
        "argv": ["-c", "a", "b c"],
        "folder": str(tmp_path),
        "path": "",
        "name": "__main__",
        "names": ["json", "os", "signal", "sys"],
        "variable": "text",
        "others": True,
        "process": [process.pid] * 3,
        "open": ["0", "1", "2"],
        "sigint": True,
        "sigchld": True,
    }


def test_it_ends_as_python_does_with_threads_functions_at_exit_and_a_status_of_8_bits(tmp_path: Path) -> None:
    done = command("python", cwd=tmp_path, code=AT_EXIT)
    assert (done.status, done.out, done.err) == (300 & 0xFF, "thread\nat exit\n", "")
    assert command("python", cwd=tmp_path, code="raise SystemExit('why')") == (1, "", "why\n")
    out, err = (failing := start("python", cwd=tmp_path, code="1 / 0")).communicate(timeout=PATIENCE)
    assert (failing.returncode, out) == (1, "")
    assert err.endswith("ZeroDivisionError: division by zero\n")


def test_a_signal_ends_it_and_its_status_says_which(tmp_path: Path) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        process = start("python", cwd=tmp_path, code=WAIT)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        assert process.poll() is None
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == process.poll() == -number
        assert ("KeyboardInterrupt" in err) == (number == signal.SIGINT)


@pytest.mark.parametrize("is_true", [False, True])
def test_what_a_failed_test_leaves_behind_is_ended_with_all_that_it_has_started(
    tmp_path: Path, is_true: bool
) -> None:
    """The process that it has started is stopped and has its streams, so they do not end by themselves."""
    process = start("python", cwd=tmp_path, code=LEAVES, is_true=is_true)
    assert process.stdout is not None
    with suppress(ProcessLookupError), Path(f"/proc/{process.stdout.readline().strip()}/stat").open() as left:
        end_what_runs()
        assert process.returncode == -signal.SIGKILL
        assert eventually(lambda: left.seek(0) or left.read().rpartition(")")[2].split()[0] == "Z")
