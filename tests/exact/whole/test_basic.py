"""Basic strategy of a whole game is the best chart for its very rules, computed once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, EveryRound, rules_from
from exact import cache
from exact.named import MAKERS
from exact.whole.basic import basic_chart
from exact.whole.best import best_chart
from exact.whole.game import whole_game
from policies.chart import Chart

ONE_DECK = rules_from({"preset": "reno", "decks": "1"})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own for the user, and nothing in memory, before the test nor after it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    basic_chart.cache_clear()
    yield tmp_path
    basic_chart.cache_clear()


def test_it_is_the_best_chart_also_as_it_was_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    best = best_chart(whole_game(ONE_DECK)).chart
    assert basic_chart(ONE_DECK).rows == best.rows
    basic_chart.cache_clear()
    monkeypatch.setattr("exact.whole.basic.best_chart", None)  # a call of it would be an error
    assert basic_chart(ONE_DECK).rows == best.rows


def test_other_rules_have_a_file_of_their_own(folder: Path) -> None:
    without = rules_from({"preset": "reno", "decks": "1", "double": "any"})
    assert basic_chart(ONE_DECK).rows["H8"] != basic_chart(without).rows["H8"]
    assert len([*folder.rglob("chart-*")]) == 2


def test_a_kept_shoe_and_bets_do_not_change_it(folder: Path) -> None:
    kept = PRESETS["vegas"]
    assert kept.reshuffle != EveryRound()
    fresh = rules_from({"preset": "vegas", "reshuffle": "round", "bets": "10-80"})
    assert basic_chart(kept).rows == basic_chart(fresh).rows
    assert len([*folder.rglob("chart-*")]) == 1


def test_a_file_with_other_numbers_is_computed_again(folder: Path) -> None:
    rows = basic_chart(ONE_DECK).rows
    basic_chart.cache_clear()
    (file,) = folder.rglob("chart-*")
    name = file.name.removesuffix(cache.file_name(""))
    cache.write(file.parent, name, np.full((52, 10), 100.0))
    assert basic_chart(ONE_DECK).rows == rows


def test_players_and_bots_have_it_by_its_name(folder: Path) -> None:
    chart = MAKERS["basic"](ONE_DECK)
    assert isinstance(chart, Chart)
    # As published for one deck and doubling of 10 and 11 only.
    assert chart.row("H16")[10 - 2] == "H"
    assert chart.row("H11")[6 - 2] == "Dh"
    assert chart.row("H9")[6 - 2] == "H"
    assert chart.row("PA")[6 - 2] == "P"
