"""Whose decisions were timed, and what is shown while a tournament runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.tournament.results.made import settings_of
from tournament.commands import course
from tournament.commands.course import Course
from tournament.results import store
from tournament.results.timing import places_of
from tournament.settings import Block, first_state


def test_at_a_table_decisions_belong_to_who_sits_there_in_that_round() -> None:
    settings = settings_of(2, 10, seats=2)
    assert [places_of(settings, round_, "SS") for round_ in (0, 1, 2, 3)] == [[0, 1], [1, 0], [0, 1], [1, 0]]
    assert places_of(settings_of(2, 10), 0, "HS") == [0, 0]


def test_in_a_pipe_the_course_is_a_line_every_ten_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four rounds of twenty were played by an earlier run, and four more in ten seconds."""
    monkeypatch.setattr(course, "is_live", lambda: False)
    settings, payoffs, now = settings_of(2, 10), np.array([[10]] * 4, np.int32), [100.0]
    with store.open_for(tmp_path / "results.sqlite", settings) as kept:
        begun = first_state(settings, settings.matches[0])
        kept.add(Block(0, begun, begun, ["S"] * 4, payoffs, None, None, ()))
        with Course(kept, clock=lambda: now[0]) as shown:
            for seconds in (0, 4, 5.9, 0.1, 9):
                now[0] += seconds
                shown.show(Block(1, begun, begun, ["S"] * 4, payoffs) if seconds == 4 else None)
    assert capsys.readouterr().err == "tournament: 8 of 20 rounds of all entrants, 0 rounds/s, 0:31 left\n"


def test_the_course_shows_means_with_what_is_certain_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four rounds, three won and one lost: 0.5, with a deviation of the square root of 0.75."""
    monkeypatch.setattr(course, "is_live", lambda: True)
    settings = settings_of(2, 10)
    with store.open_for(tmp_path / "results.sqlite", settings) as kept:
        begun = first_state(settings, settings.matches[0])
        payoffs = np.array([[10], [-10], [10], [10]], np.int32)
        kept.add(Block(0, begun, begun, ["S"] * 4, payoffs, None, None, ()))
        assert "player0       4      +0.5000  +- 0.8487" in Course(kept)._text(1.0)
