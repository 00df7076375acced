"""Programs that try to get away with something: real ones, in Python, in shell and in C."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.patience import PATIENCE, eventually
from tournament.playing import confine
from tournament.playing.programs import Program, file_name, folder_of
from tournament.settings import Entrant, Limits
from twentyone.support.loop import run as run_as_the_command_does

PYTHON = (sys.executable, "-I", "-S", "-c")


def spec_of(folder: Path, words: tuple[str, ...], **limits: int) -> dict[str, Any]:
    places = {
        "words": list(words),
        "box": [],
        "folder": str(folder),
        "log": str(folder / "log"),
        "log_size": 100_000,
    }
    return places | {"memory": 1 << 30, "files": 64, "processes": 32, "file_size": 1 << 20} | limits


def supervised(spec: dict[str, Any]) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-I", "-S", confine.__file__, json.dumps(spec)]
    return subprocess.Popen(words, stdin=subprocess.PIPE)


def status_of(folder: Path, *words: str, **limits: int) -> tuple[int, str]:
    """How a program ends that nobody stops, and what it has printed."""
    with supervised(spec_of(folder, words, **limits)) as supervisor:
        try:
            status = supervisor.wait(PATIENCE)
        finally:
            supervisor.kill()
    return status, (folder / "log").read_text()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):  # gone since, or a system without such files
        return not Path("/proc/self/stat").exists()
    return stat.rpartition(")")[2].split()[0] != "Z"


def pids_in(file: Path, count: int) -> list[int]:
    """The process numbers that a program writes to a file, once they are all there."""
    assert eventually(lambda: file.exists() and len(file.read_text().split()) == count)
    return list(map(int, file.read_text().split()))


DAEMON = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
pids = os.open("pids", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
os.write(pids, b"%d\\n" % os.getpid())
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(pids, b"%d\\n" % os.getpid())
        time.sleep(3600)
    os._exit(0)
while open("pids").read().count("\\n") < 2:
    time.sleep(0.01)
"""

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans on")


@needs_linux
@pytest.mark.parametrize("how", ["ends itself", "is told to end", "loses who started it"])
def test_nothing_is_left_of_a_program_that_makes_daemons(how: str, tmp_path: Path) -> None:
    then = "" if how == "ends itself" else "time.sleep(3600)"
    with supervised(spec_of(tmp_path, (*PYTHON, DAEMON + then))) as supervisor:
        pids = pids_in(tmp_path / "pids", 2)
        if how == "is told to end":
            supervisor.send_signal(signal.SIGTERM)
        elif how == "loses who started it":
            assert supervisor.stdin is not None
            supervisor.stdin.close()
        assert supervisor.wait(PATIENCE) == 0
    assert not any(map(is_running, pids))


OWNER = """
import asyncio, os, pathlib, signal, sys
from tournament.playing.programs import Program
from tournament.settings import Limits
async def main():
    folder = pathlib.Path(sys.argv[1])
    program = await Program.start(sys.argv[2:], folder, folder / "log", Limits())
    (folder / "supervisor").write_text(str(program.pid))
    await program.wait()
asyncio.run(main())
"""


@needs_linux
def test_nothing_is_left_when_the_tournament_is_killed(tmp_path: Path) -> None:
    words = [sys.executable, "-c", OWNER, str(tmp_path), *PYTHON, DAEMON + "time.sleep(3600)"]
    with subprocess.Popen(words) as owner:
        pids = [*pids_in(tmp_path / "pids", 2), *pids_in(tmp_path / "supervisor", 1)]
        owner.send_signal(signal.SIGKILL)
        owner.wait(PATIENCE)
    assert eventually(lambda: not any(map(is_running, pids)))


@needs_linux
def test_nothing_is_left_when_a_program_kills_who_watches_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        words = (*PYTHON, DAEMON + "time.sleep(3600)")
        program = await Program.start(words, tmp_path, tmp_path / "log", Limits())
        pids = await asyncio.to_thread(pids_in, tmp_path / "pids", 2)
        assert all(map(is_running, pids))
        os.kill(program.pid, signal.SIGKILL)
        await program.wait()
        await program.stop()
        assert await asyncio.to_thread(eventually, lambda: not any(map(is_running, pids)))

    run_as_the_command_does(scenario())


def test_its_status_and_what_it_prints_are_kept(tmp_path: Path) -> None:
    status, log = status_of(tmp_path, "sh", "-c", "echo out; echo err >&2; exit 7")
    assert status == 7
    assert set(log.splitlines()[:2]) == {"out", "err"}
    assert "with status 7" in log
    status, log = status_of(tmp_path, "sh", "-c", "kill -SEGV $$")
    assert status == 128 + signal.SIGSEGV
    assert f"by signal {int(signal.SIGSEGV)}" in log
    status, log = status_of(tmp_path, "no-such-command")
    assert status == 127
    assert "no-such-command cannot be started: No such file or directory" in log


def test_it_reads_nothing_and_knows_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNAMENT_SECRET", "secret")
    status, log = status_of(tmp_path, "sh", "-c", "cat; env; pwd")
    assert (status, f"HOME={tmp_path}" in log, "secret" in log) == (0, True, False)


def test_a_program_that_prints_without_end_is_not_held_up(tmp_path: Path) -> None:
    """Sixteen megabytes, of which the file has as much as it may."""
    status, log = status_of(tmp_path, "sh", "-c", "head -c 16000000 /dev/zero | tr '\\0' x; exit 5")
    assert status == 5
    assert 100_000 <= len(log) < 101_000
    assert "the rest is dropped" in log


def test_files_and_memory_are_limited(tmp_path: Path) -> None:
    many = "import os\nfor _ in range(100): os.open('/dev/null', 0)"
    status, log = status_of(tmp_path, *PYTHON, many, files=30)
    assert status == 1 and "Too many open files" in log
    status, log = status_of(tmp_path, *PYTHON, "x = bytearray(2 << 30)", memory=512 << 20)
    assert status == 1 and "MemoryError" in log
    status, _ = status_of(tmp_path, *PYTHON, "open('big', 'wb').write(bytes(3 << 20))", file_size=1 << 20)
    assert status != 0
    assert (tmp_path / "big").stat().st_size <= 1 << 20


@needs_linux
def test_a_program_with_too_many_processes_is_ended(tmp_path: Path) -> None:
    program = "import os, time\nfor _ in range(12):\n    if os.fork() == 0: break\ntime.sleep(3600)"
    status, log = status_of(tmp_path, *PYTHON, program, processes=8)
    assert status == 128 + signal.SIGKILL
    assert "processes and threads, and may have 8" in log


def test_a_program_is_ended_by_who_started_it(tmp_path: Path) -> None:
    async def start_and_stop() -> None:
        words = ("sh", "-c", "trap '' TERM INT; echo here > there; sleep 3600")
        program = await Program.start(words, tmp_path, tmp_path / "log", Limits())
        while not (tmp_path / "there").exists():  # noqa: ASYNC110 (a file has no event)
            await asyncio.sleep(0.01)
        assert not program.has_ended
        await program.stop()
        assert program.has_ended

    run_as_the_command_does(start_and_stop())


def test_an_entrant_has_a_copy_of_its_folder_which_it_keeps(tmp_path: Path) -> None:
    given = tmp_path / "given"
    given.mkdir()
    (given / "table").write_text("1")
    entrant = Entrant("a", command=("x",), folder=given)
    place = folder_of(entrant, tmp_path)
    assert (place / "table").read_text() == "1"
    (place / "table").write_text("2")
    assert folder_of(entrant, tmp_path) == place
    assert (place / "table").read_text() == "2"
    assert (given / "table").read_text() == "1"
    assert [each.name for each in (tmp_path / "programs").iterdir()] == ["a"]


def test_no_name_leads_out_of_the_folder() -> None:
    for name in ("..", ".", "a/b", "../x", ".hidden", "%2E", "ada"):
        made = file_name(name)
        assert "/" not in made and not made.startswith(".")
        assert (made == name) == (name == "ada")
