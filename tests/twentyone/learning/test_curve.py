"""The learning curve: its points, its file, and how it goes on."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from cards import PRESETS, Rules
from twentyone.exact import solving
from twentyone.learning.curve import (
    Curve,
    CurveError,
    GreedyValue,
    NoGapError,
    Point,
    curve_file,
    load_points,
    next_point,
)
from twentyone.learning.figure import gaps_of
from twentyone.learning.resuming import curve_for
from twentyone.policies.action_values import ActionValues, Origin
from twentyone.policies.qtable import HIT, SHAPE, STAND

ALWAYS_STAND = -0.1863676662
"""The values of always standing and of the best play, from an infinite deck."""
OPTIMUM = -0.0465559771


def standing() -> ActionValues:
    return table_of(np.zeros(SHAPE))


def table_of(values: NDArray[np.float64]) -> ActionValues:
    return ActionValues(values, np.zeros(SHAPE, np.int64), Origin(Rules(decks=None), "", 0))


def test_points_are_round_numbers_about_half_as_many_again_apart() -> None:
    points = [*accumulate(range(11), lambda rounds, _: next_point(rounds), initial=0)]
    assert points == [0, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000]
    assert (next_point(999), next_point(1_000), next_point(10**9)) == (1_000, 1_500, 15 * 10**8)


def test_a_point_holds_the_exact_value_of_greedy_play_and_its_gap() -> None:
    curve = Curve(GreedyValue(Rules(decks=None)))
    assert curve.next == 100
    assert not curve.add(100, standing, 0.5)
    (point,) = curve.points
    assert (point.rounds, point.seconds) == (100, 0.5)
    assert point.value == pytest.approx(ALWAYS_STAND, abs=1e-10)
    assert point.gap == pytest.approx(OPTIMUM - ALWAYS_STAND, abs=1e-10)
    assert curve.next == 150


def test_hit_is_played_only_where_its_value_is_greater() -> None:
    rules, values = Rules(decks=None), np.zeros(SHAPE)
    values[:12, :, HIT], values[12:, :, STAND] = 0.1, 0.1
    values[12:, 12:, HIT] = 0.2
    # Below 12 it hits, from hard 12 on it stands, and it hits every soft hand.
    hit = np.zeros((22, 22))
    hit[:12, :] = hit[12:, 12:] = 1.0
    assert GreedyValue(rules).value(table_of(values)) == solving.evaluate(rules, hit).value


def test_it_stops_at_the_gap_that_was_asked_for_and_not_before() -> None:
    greedy = GreedyValue(Rules(decks=None))
    gap = greedy.best - greedy.value(standing())
    assert not Curve(greedy, until=gap - 1e-9).add(100, standing, 0.0)
    assert Curve(greedy, until=gap + 1e-9).add(100, standing, 0.0)


def test_saved_and_read_again_it_goes_on_with_rounds_and_seconds(tmp_path: Path) -> None:
    file = curve_file(tmp_path / "q.txt")
    assert file == tmp_path / "q.txt.curve.csv"
    first = Curve(GreedyValue(Rules()))
    first.add(100, standing, 1.5)
    first.add(120, standing, 2.0)
    first.save(file)
    heading, line, _ = file.read_text().splitlines()
    assert heading == "rounds,gap,expected_value,seconds"
    assert line == f"100,{first.points[0].gap!r},{first.points[0].value!r},1.500"
    points = load_points(file, 120)
    assert points == first.points
    second = Curve(GreedyValue(Rules()), points)
    second.add(120, standing, 0.25)  # there is a point for this number of rounds
    assert second.points == first.points
    second.add(150, standing, 0.25)
    assert (second.points[-1].rounds, second.points[-1].seconds) == (150, 2.25)


def test_points_beyond_the_table_are_left_out_and_without_a_file_there_are_none(tmp_path: Path) -> None:
    curve = Curve(None, [Point(100, 0.1, -0.2, 1.0), Point(150, 0.1, -0.2, 1.5)])
    curve.save(tmp_path / "curve")
    assert [point.rounds for point in load_points(tmp_path / "curve", 149)] == [100]
    assert load_points(tmp_path / "none", 100) == []


def test_without_an_exact_form_the_gap_stays_empty_and_cannot_be_a_goal(tmp_path: Path) -> None:
    with pytest.raises(NoGapError, match="no short exact form"):
        GreedyValue(PRESETS["showdown"])
    with pytest.raises(NoGapError, match="no short exact form"):
        curve_for(PRESETS["showdown"], [], 0.1)
    curve = curve_for(PRESETS["showdown"], [], None)
    assert not curve.add(100, standing, 1.0)
    curve.save(tmp_path / "curve")
    assert (tmp_path / "curve").read_text().splitlines()[1] == "100,,,1.000"
    assert load_points(tmp_path / "curve", 100) == [Point(100, None, None, 1.0)]
    assert gaps_of([Point(100, None, None, 1.0), Point(150, 0.1, -0.2, 1.5)]) == [(150, 0.1)]


HEADING = "rounds,gap,expected_value,seconds\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a first line rounds,gap,"),
        ("\udcff", "not text"),
        (f"{HEADING}1,2,3\n", "line 2"),
        (f"{HEADING}1,a,3,4\n", "line 2"),
        (f"{HEADING}0,,,1\n", "line 2"),
        (f"{HEADING}1,nan,0.1,1\n", "line 2"),
        (f"{HEADING}1,0.1,1e300,1\n", "line 2"),
        (f"{HEADING}1,,,nan\n", "line 2"),
        (f"{HEADING}1,,,-1\n", "line 2"),
        (f"{HEADING}{'1' * 200_000}", "field larger than"),
        (f"{HEADING}2,,,1\n2,,,1\n", "line 3: expected more rounds than the 2"),
        # Without its last digits a figure is still a number.
        (f"{HEADING}100,0.5,-0.5,12.3", "may be cut: expected its last line to end in a line feed"),
    ],
)
def test_an_invalid_curve_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "curve").write_text(text, errors="surrogateescape")
    with pytest.raises(CurveError, match=said):
        load_points(tmp_path / "curve", 100)
