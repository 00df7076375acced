"""The best chart and the best play: computed once, and kept with all that they depend on."""

from __future__ import annotations

from pathlib import Path

import pytest

from cards import PRESETS, Rules, rules_from
from twentyone.exact.values.game import seat_game
from twentyone.exact.values.shoe import Shoe
from twentyone.exact.yardsticks import Yardsticks, note_of, yardsticks_of
from twentyone.policies.decisions import fresh


def test_they_are_kept_by_rules_shoe_and_insurance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with_it, without = (
        fresh(rules_from({"preset": "europe", "decks": "1", "insurance": each})) for each in ("yes", "no")
    )
    games = [seat_game(with_it), seat_game(without), seat_game(without, Shoe.of(without).without([5, 5]))]
    found = [yardsticks_of(game) for game in games]
    assert len([*tmp_path.rglob("yardsticks-*")]) == 3
    assert found[0].best_play >= found[1].best_play and found[2].best_chart > found[1].best_chart
    monkeypatch.setattr("twentyone.exact.yardsticks.best_chart", lambda _: pytest.fail("it is known"))
    assert [yardsticks_of(game) for game in games] == found


def test_only_a_proved_chart_is_called_the_best() -> None:
    names = [[name for name, _ in Yardsticks(-0.1, each, -0.05, -0.05).rows()] for each in (True, False)]
    assert names == [
        ["best chart", "best play"],
        ["best chart found", "no chart is worth more than", "best play"],
    ]


def test_a_kept_shoe_is_named() -> None:
    assert note_of(Rules()) == ""
    assert note_of(PRESETS["casino"]) == "\nThe exact values are those of a shoe that is fresh every round."
