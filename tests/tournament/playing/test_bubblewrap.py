"""Programs that are confined: what they see, what they may use, and that nothing is left of them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cards import PRESETS
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.tiers import first_of
from tests.tournament.playing.test_confine import DAEMON, spec_of, supervised
from tournament.playing.bubblewrap import Box, View, box_for
from tournament.settings import Entrant, Settings
from twentyone.support.command import CommandError

SPY = """
import json, os, sys
def listed(path):
    try:
        return sorted(os.listdir(path))
    except OSError:
        return None
def written(path):
    try:
        open(path, "a").close()
        return True
    except OSError:
        return False
def read(path):
    try:
        return open(path).read()
    except OSError:
        return None
print(json.dumps({
    "listed": {path: listed(path) for path in json.loads(sys.argv[1])},
    "read": {path: read(path) for path in json.loads(sys.argv[1])},
    "written": [path for path in json.loads(sys.argv[2]) if written(path)],
    "processes": len([name for name in os.listdir("/proc") if name.isdigit()]),
}))
"""


def tournament_of(folder: Path, *entrants: Entrant) -> Settings:
    """A tournament beside whose file there are a program, another one, a table and the results."""
    for name in ("cup.toml", "bot.py", "other.py", "tables/own.txt", "cup/results.sqlite"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(name)
    (folder / "cup" / "programs" / "bot").mkdir(parents=True, exist_ok=True)
    return Settings(PRESETS["course"], 10, 1, entrants)


def bot_in(folder: Path, *see: str) -> Entrant:
    """The entrant `bot`, whose program is bot.py."""
    words = (sys.executable, str(folder / "bot.py"), "{port}")
    return Entrant("bot", command=words, see=tuple(folder / each for each in see))


@pytest.fixture
def boxed(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """What `confine.py` is told for a program in a sandbox; the test is skipped where there is none."""
    found = box_for(
        tournament_of(tmp_path, bot_in(tmp_path, "tables")), tmp_path / "cup.toml", tmp_path / "cup"
    )
    if isinstance(found, str):
        pytest.skip(f"programs cannot be confined here, since {found}")
    folder = tmp_path / "cup" / "programs" / "bot"

    def spec(*words: str, **limits: int) -> dict[str, Any]:
        told = spec_of(folder, words, **limits)
        return told | {"box": found.words("bot", folder), "log": str(tmp_path / "log")}

    return spec


def run(spec: dict[str, Any]) -> tuple[int, str]:
    """How a program ends that nobody stops, and what it has printed."""
    with supervised(spec) as supervisor:
        try:
            status = supervisor.wait(PATIENCE)
        finally:
            supervisor.kill()
    return status, Path(spec["log"]).read_text()


def processes_of(folder: Path) -> list[int]:
    """The processes that have a folder as their HOME."""
    found = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"HOME={folder}".encode() in file.read_bytes().split(b"\0"):
                found.append(int(file.parent.name))
        except OSError:
            continue
    return found


def test_a_program_sees_what_is_its_own_and_no_more(
    boxed: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path.parent / f"{tmp_path.name}.home").write_text("a file beside")
    asked = ["", "cup", "tables", "bot.py", "other.py", "cup.toml", "cup/results.sqlite"]
    asked = [str(tmp_path / name) for name in asked] + [f"{tmp_path}.home"]
    changed = [str(tmp_path / name) for name in ("bot.py", "tables/own.txt")]
    changed += ["/etc/new", "/new", "/dev/new", "/tmp/new", "/dev/shm/new", "new"]
    status, log = run(boxed(sys.executable, "-I", "-c", SPY, json.dumps(asked), json.dumps(changed)))
    assert status == 0, log
    told = json.loads(log.splitlines()[0])
    assert told["listed"][str(tmp_path)] == ["bot.py", "cup", "tables"]
    assert told["listed"][str(tmp_path / "cup")] == ["programs"]
    assert told["listed"][str(tmp_path / "tables")] == ["own.txt"]
    assert [path for path, text in told["read"].items() if text is not None] == [str(tmp_path / "bot.py")]
    assert told["written"] == ["/tmp/new", "/dev/shm/new", "new"]
    assert not Path("/tmp/new").exists()
    assert told["processes"] == 2  # the sandbox's first one, and itself


@pytest.mark.parametrize(
    "how", first_of(["ends itself", "is told to end", "loses who started it", "kills who watches it"])
)
def test_nothing_is_left_of_a_confined_program_that_makes_daemons(
    how: str, boxed: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    then = "" if how == "ends itself" else "time.sleep(3600)"
    spec = boxed(sys.executable, "-I", "-S", "-c", DAEMON + then)
    folder, pids = Path(spec["folder"]), Path(spec["folder"]) / "pids"
    with supervised(spec) as supervisor:
        assert eventually(lambda: pids.exists() and len(pids.read_text().split()) == 2)
        assert how == "ends itself" or len(processes_of(folder)) >= 3
        if how == "is told to end":
            supervisor.send_signal(signal.SIGTERM)
        elif how == "loses who started it":
            assert supervisor.stdin is not None
            supervisor.stdin.close()
        elif how == "kills who watches it":
            supervisor.kill()
        assert supervisor.wait(PATIENCE) == (-signal.SIGKILL if how == "kills who watches it" else 0)
    assert eventually(lambda: not processes_of(folder))


@pytest.mark.check
def test_a_sandbox_needs_no_process_of_its_program_and_hands_on_how_that_ended(
    boxed: Callable[..., dict[str, Any]],
) -> None:
    lasting = "import time; time.sleep(0.7)"  # it is looked at how many there are every quarter of a second
    status, log = run(boxed(sys.executable, "-I", "-S", "-c", lasting, processes=1))
    assert (status, "may have" in log) == (0, False)
    forking = "import os, time\nfor _ in range(12):\n    if os.fork() == 0: break\ntime.sleep(3600)"
    status, log = run(boxed(sys.executable, "-I", "-S", "-c", forking, processes=8))
    assert status == 128 + signal.SIGKILL and "processes and threads, and may have 8" in log
    status, log = run(boxed("sh", "-c", "kill -SEGV $$"))
    assert status == 128 + signal.SIGSEGV
    assert "with status 139, as by signal 11 (Segmentation fault)" in log


def test_the_deepest_path_decides(tmp_path: Path) -> None:
    """The file lies among the packages of Python, of which the rest is seen."""
    place = tmp_path.resolve()
    (place / "lib" / "cup").mkdir(parents=True)
    (place / "link").symlink_to(place / "lib" / "b.py")
    named = {"a": View((place / "lib" / "cup" / "a.py", place / "lib" / "b.py", place / "link"))}
    box = Box("bwrap", View((place / "lib",)), (place / "lib" / "cup", place / "elsewhere"), named, 1000)
    words = " ".join(box.words("a", place / "lib" / "cup" / "own")).replace(str(place), "")
    assert (
        "--ro-bind-try /lib /lib --symlink /lib/b.py /link --tmpfs /lib/cup"
        " --ro-bind-try /lib/cup/a.py /lib/cup/a.py --bind /lib/cup/own /lib/cup/own"
    ) in words
    assert "/elsewhere" not in words and "b.py /lib/b.py" not in words
    assert words.endswith("--remount-ro /dev --remount-ro /lib/cup --remount-ro / --chdir /lib/cup/own --")
    assert "a.py" not in " ".join(box.words("b", place / "own"))


def test_an_entrant_may_not_be_shown_the_seed(tmp_path: Path) -> None:
    for see in (".", "cup.toml", "cup", "cup/results.sqlite", "/"):
        told = tournament_of(tmp_path, bot_in(tmp_path, see))
        with pytest.raises(
            CommandError, match=r"cup\.toml: entrant bot: it would see .*, and the seed in it"
        ):
            box_for(told, tmp_path / "cup.toml", tmp_path / "cup")
    for see in ("/tmp", "/proc"):
        told = tournament_of(tmp_path, bot_in(tmp_path, see))
        with pytest.raises(CommandError, match=f"cannot see {see}, since every program has its own"):
            box_for(told, tmp_path / "cup.toml", tmp_path / "cup")


def test_where_it_does_not_work_the_reason_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tournament_of(tmp_path, bot_in(tmp_path))
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert box_for(told, tmp_path / "cup.toml", tmp_path / "cup") == "bwrap is not installed"
    for text, said in (
        ("echo bwrap: no namespaces >&2; exit 1", "bwrap: no namespaces"),
        ("exit 3", "bwrap ended with status 3"),
    ):
        (tmp_path / "bin" / "bwrap").write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "bin" / "bwrap").chmod(0o755)
        assert box_for(told, tmp_path / "cup.toml", tmp_path / "cup") == said
    (tmp_path / "bin" / "bwrap").write_text('#!/bin/sh\ncase "$*" in *--size*) exit 1;; esac\n')
    older = box_for(told, tmp_path / "cup.toml", tmp_path / "cup")
    assert isinstance(older, Box) and older.size is None


def test_a_python_that_another_program_starts_is_seen_with_its_packages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those that pyenv has in PATH; and one in an environment brings that along, for its entrant alone."""
    told = tournament_of(tmp_path, bot_in(tmp_path))
    shims = tmp_path / "shims"
    shims.mkdir()
    (shims / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (shims / "bwrap").write_text("#!/bin/sh\n")
    for each in shims.iterdir():
        each.chmod(0o755)
    monkeypatch.setenv("PATH", f"{shims}:{os.environ['PATH']}")
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True, timeout=PATIENCE)
    other = Entrant("other", command=(str(venv / "bin" / "python"), "{port}"))
    found = box_for(replace(told, entrants=(*told.entrants, other)), tmp_path / "cup.toml", tmp_path / "cup")
    assert isinstance(found, Box)
    assert found.common.links == {shims / "python3": Path(sys.executable)}
    assert venv / "pyvenv.cfg" in found.named["other"].seen and venv / "lib" in found.named["other"].seen
    assert not any(path.is_relative_to(venv) for path in (*found.common.seen, *found.named["bot"].seen))
