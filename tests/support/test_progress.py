"""Progress on standard error: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from support import progress
from support.progress import Progress

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
ON_A_TERMINAL = """
from support.progress import Progress
import time
with Progress("playing", 50, "rounds") as bar:
    for done in range(51):
        bar.show(done, "so far")
        time.sleep(0.005)
print("result")
"""


def test_a_line_is_printed_when_it_is_due(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(progress, "LOG_EVERY", 0.0)
    with Progress("playing", 5000, "rounds") as bar:
        bar.show(1000)
        bar.show(2000, "all well")
    out, err = capsys.readouterr()
    assert out == "", "standard output carries only the result"
    first, second = err.splitlines()
    assert re.fullmatch(r"playing: 1,000 of 5,000 rounds, [\d,]+ rounds/s", first)
    assert re.fullmatch(r"playing: 2,000 of 5,000 rounds, [\d,]+ rounds/s all well", second)


def test_work_without_a_known_end(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(progress, "LOG_EVERY", 0.0)
    with Progress("dealing", None, "rounds") as bar:
        bar.show(7)
    assert re.fullmatch(r"dealing: 7 rounds, [\d,]+ rounds/s\n", capsys.readouterr().err)


def test_short_work_prints_no_progress(capsys: Captured) -> None:
    """The first line comes after ten seconds, and the result shows the end."""
    with Progress("playing", 100, "rounds") as bar:
        for done in range(101):
            bar.show(done)
    assert capsys.readouterr().err == ""


def test_the_rate_is_the_one_since_the_start(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr(progress, "LOG_EVERY", 0.0)
    started = time.monotonic()
    with Progress("playing", None, "rounds") as bar:
        time.sleep(0.05)
        bar.show(1000)
        longest = time.monotonic() - started
    found = re.search(r", ([\d,]+) rounds/s", capsys.readouterr().err)
    assert found is not None
    assert 1000 / longest - 1 <= int(found[1].replace(",", "")) <= 1000 / 0.05 + 1


def test_the_work_is_not_stopped_by_its_progress() -> None:
    with pytest.raises(ZeroDivisionError), Progress("playing", 1, "rounds"):
        raise ZeroDivisionError


def test_a_terminal_shows_a_bar_and_the_output_stays_clean() -> None:
    reading, writing = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", ON_A_TERMINAL],
        cwd=ROOT,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=writing,
        timeout=150,
        check=True,
    )
    os.close(writing)
    shown = read_all(reading).decode()
    assert done.stdout == b"result\n"
    assert "playing" in shown
    assert "50/50" in shown
    assert "rounds/s so far" in shown


def read_all(terminal: int) -> bytes:
    """What was written to a terminal that is closed at the other end, which Linux reports as an error."""
    shown = b""
    try:
        while piece := os.read(terminal, 65536):
            shown += piece
    except OSError:
        pass
    finally:
        os.close(terminal)
    return shown


def test_what_an_earlier_run_has_done_is_not_in_the_rate(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    now = 100.0
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: now))
    with Progress("playing", 5000, "rounds") as bar:
        bar.go_on_from(3000)
        now = 120.0
        bar.show(4000)
    assert capsys.readouterr().err == "playing: 4,000 of 5,000 rounds, 50 rounds/s\n"
