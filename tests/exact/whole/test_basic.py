"""Basic strategy of a whole game is the best chart for its very rules, computed once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, Double, EveryRound, rules_from
from exact import cache
from exact.named import MAKERS
from exact.whole.basic import basic_chart
from exact.whole.best import best_chart
from exact.whole.game import whole_game
from policies.chart import Chart

FEW_RULES = rules_from({"preset": "europe", "decks": "inf", "reshuffle": "round"})
"""Their chart takes the least time."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own for the user, and nothing in memory, before the test nor after it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    basic_chart.cache_clear()
    yield tmp_path
    basic_chart.cache_clear()


def test_it_is_the_best_chart_as_it_was_kept_and_computed_again_if_that_is_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = best_chart(whole_game(FEW_RULES)).chart
    assert basic_chart(FEW_RULES).rows == best.rows
    (file,) = folder.rglob("chart-*")
    name, kept = file.name.removesuffix(cache.file_name("")), file.read_bytes()
    for numbers in (100.0, 0.5, -1.0):
        cache.write(file.parent, name, np.full((52, 10), numbers))
        basic_chart.cache_clear()
        assert basic_chart(FEW_RULES).rows == best.rows
        assert file.read_bytes() == kept
    basic_chart.cache_clear()
    monkeypatch.setattr("exact.whole.basic.best_chart", None)  # a call of it would be an error
    again = basic_chart(FEW_RULES)
    assert (again.rows, again.rules) == (best.rows, best.rules)


def test_other_rules_have_a_file_of_their_own_and_a_kept_shoe_and_bets_have_none(folder: Path) -> None:
    kept = PRESETS["europe"]
    assert kept.reshuffle != EveryRound()
    fresh = rules_from({"preset": "europe", "reshuffle": "round", "bets": "10-80"})
    assert basic_chart(kept).rows == basic_chart(fresh).rows
    assert len([*folder.rglob("chart-*")]) == 1
    without = replace(FEW_RULES, double=Double.NONE)
    assert basic_chart(without).rows["H11"] != basic_chart(kept).rows["H11"]
    assert len([*folder.rglob("chart-*")]) == 2


def test_players_and_bots_have_it_by_its_name(folder: Path) -> None:
    chart = MAKERS["basic"](FEW_RULES)
    assert isinstance(chart, Chart)
    # As published where the dealer looks for a natural last: 11 is not doubled against a ten.
    assert chart.row("H16")[10 - 2] == chart.row("H11")[10 - 2] == "H"
    assert chart.row("H11")[6 - 2] == "Dh"
    assert chart.row("P8")[6 - 2] == "P"
