"""Progress on standard error: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.twentyone.support.terminals import shown
from twentyone.support import progress
from twentyone.support.progress import LOG_EVERY, Progress

Captured = pytest.CaptureFixture[str]
ON_A_TERMINAL = """
import os
from twentyone.support import progress
from types import SimpleNamespace
now = 0.0
progress.time = SimpleNamespace(monotonic=lambda: now)
with progress.Progress("playing", 50, "rounds") as bar:
    bar.go_on_from(10)
    for done in range(10, 51):
        now += 0.05
        bar.show(done, "so far")
print("result")
with progress.Progress("playing", 50, "rounds") as bar:
    os.close(2)
    for done in range(51):
        now += 1
        bar.show(done)
print("goes on")
"""


class Clock(SimpleNamespace):
    """A clock that stands until a test moves it."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def test_a_line_is_printed_every_ten_seconds_with_the_rate_since_the_start(
    clock: Clock, capsys: Captured
) -> None:
    assert LOG_EVERY == 10
    with Progress("playing", 5000, "rounds") as bar:
        for seconds, done, note in ((9.5, 900, ""), (0.5, 1000, ""), (9.5, 1900, ""), (10.5, 2400, "well")):
            clock.now += seconds
            bar.show(done, note)
        clock.now += 60
        bar.show(5000)
    with pytest.raises(ZeroDivisionError), Progress("dealing", None, "rounds") as bar:
        bar.go_on_from(3000)
        clock.now += 20
        bar.show(4000)
        raise ZeroDivisionError
    out, err = capsys.readouterr()
    assert out == "", "standard output carries only the result"
    assert err.splitlines() == [
        "playing: 1,000 of 5,000 rounds, 100 rounds/s",
        "playing: 2,400 of 5,000 rounds, 80 rounds/s well",
        "dealing: 4,000 rounds, 50 rounds/s",  # without a known end; an earlier run has done a part
    ]


def test_a_speed_below_one_a_second_is_told_as_the_seconds_left(clock: Clock, capsys: Captured) -> None:
    """Of 8 units, the first was done before; 2 in 30 s leave 5 for 75 s."""
    for total in (8, None):
        with Progress("searching", total, "tables") as bar:
            bar.go_on_from(1)
            for seconds, done in ((10.0, 1), (20.0, 3)):
                clock.now += seconds
                bar.show(done, "found")
    assert capsys.readouterr().err.splitlines() == [
        "searching: 1 of 8 tables found",
        "searching: 3 of 8 tables, about 75 s left found",
        "searching: 1 tables found",
        "searching: 3 tables, 15 s each found",
    ]


def test_a_terminal_shows_a_bar_and_the_output_stays_clean(tmp_path: Path) -> None:
    text, printed = shown(tmp_path, ON_A_TERMINAL, COLUMNS="100")
    assert printed == "result\ngoes on\n"
    assert "playing" in text and "50/50" in text
    assert "20 rounds/s so far" in text
    assert text.count("rounds/s") <= 22, "it is drawn every tenth of a second"
