"""Basic strategy is the best chart for its very rules, computed once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, Double, EveryRound, rules_from
from twentyone.exact.best.basic import basic_chart
from twentyone.exact.best.chart import BestChart, best_chart
from twentyone.exact.cache import file_name, write
from twentyone.exact.named import MAKERS
from twentyone.exact.values.game import SeatGame, seat_game
from twentyone.policies.chart import Chart

FEW_RULES = rules_from({"preset": "europe", "decks": "inf", "reshuffle": "round"})
"""Their chart takes the least time."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own for the user, and nothing in memory, before the test nor after it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    basic_chart.cache_clear()
    yield tmp_path
    basic_chart.cache_clear()


@pytest.fixture
def computed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[SeatGame]:
    """The games whose best chart is computed; it is that of `FEW_RULES` for all, which takes no time."""
    best, games = best_of_few(), list[SeatGame]()

    def compute(game: SeatGame) -> BestChart:
        games.append(game)
        return best

    monkeypatch.setattr("twentyone.exact.best.basic.best_chart", compute)
    return games


@cache
def best_of_few() -> BestChart:
    return best_chart(seat_game(FEW_RULES))


def test_it_is_the_best_chart_as_it_was_kept_and_computed_again_if_that_is_none(
    folder: Path, computed: list[SeatGame]
) -> None:
    rows = best_of_few().chart.rows
    assert basic_chart(FEW_RULES).rows == rows
    (file,) = folder.rglob("chart-*")
    name, kept = file.name.removesuffix(file_name("")), file.read_bytes()
    basic_chart.cache_clear()
    again = basic_chart(FEW_RULES)
    assert (again.rows, again.rules, len(computed)) == (rows, FEW_RULES, 1)
    for number, wrong in enumerate((100.0, 0.5, -1.0), 2):
        write(file.parent, name, np.full((52, 10), wrong))
        basic_chart.cache_clear()
        assert basic_chart(FEW_RULES).rows == rows
        assert (len(computed), file.read_bytes()) == (number, kept)


def test_other_rules_have_a_file_of_their_own_and_a_kept_shoe_and_bets_have_none(
    folder: Path, computed: list[SeatGame]
) -> None:
    kept = PRESETS["europe"]
    assert kept.reshuffle != EveryRound()
    for rules in (kept, rules_from({"preset": "europe", "reshuffle": "round", "bets": "10-80"})):
        basic_chart(rules)
        assert len([*folder.rglob("chart-*")]) == len(computed) == 1
    basic_chart(FEW_RULES)
    basic_chart(replace(FEW_RULES, double=Double.NONE, double_after_split=False))
    assert len([*folder.rglob("chart-*")]) == len(computed) == 3


def test_players_and_bots_have_it_by_its_name(folder: Path) -> None:
    chart = MAKERS["basic"](FEW_RULES)
    assert isinstance(chart, Chart)
    # As published where the dealer looks for a natural last: 11 is not doubled against a ten.
    assert chart.row("H16")[10 - 2] == chart.row("H11")[10 - 2] == "H"
    assert chart.row("H11")[6 - 2] == "Dh"
    assert chart.row("P8")[6 - 2] == "P"
