"""Histories as arrays."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, Bets
from tests.tournament.replay.made import dealers_lines, results_of, settings_of
from tournament.replay.frames import rounds
from tournament.replay.history import lines


def test_a_history_as_an_array(tmp_path: Path) -> None:
    rules = [PRESETS["course"], replace(PRESETS["vegas"], seats=2, bets=Bets(10, 80))]
    written = dealers_lines(rules, 20)
    path = tmp_path / "rounds.jsonl"
    path.write_text("".join(f"{line}\n" for line in written))
    rows = rounds(path, 1)
    told = [(line["round"], seat) for line in map(json.loads, written) for seat in line["seats"]]
    assert rows["round"].tolist() == [number for number, _ in told]
    assert rows["payoff"].tolist() == [float(seat["payoff"]) for _, seat in told]
    assert rows["name"].tolist() == [seat["name"] for _, seat in told]
    assert rows["bet"].tolist() == [int(seat["bet"] or 0) for _, seat in told]
    assert rows["hands"].tolist() == [len(seat["hands"]) for _, seat in told]
    assert rows["late"].sum() == "".join(written).count('"late": true')
    assert set(rows["entrant"]) == {0}
    assert np.isnan(rows["lost"][rows["decisions"] > 0]).all()
    assert rounds(path, 1, size=5000).tobytes() == rows.tobytes()


@pytest.mark.check
def test_several_processes_make_the_same_array(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_text("".join(f"{line}\n" for line in dealers_lines([PRESETS["course"]], 20)))
    assert rounds(path, 2, size=5000).tobytes() == rounds(path, 1).tobytes()


def test_the_costs_of_a_tournament_as_an_array(tmp_path: Path) -> None:
    """The EV lost by each entrant is the sum of what its decisions cost."""
    written = list(lines(results_of(settings_of(PRESETS["course"], rounds=20))))
    path = tmp_path / "cup.jsonl"
    path.write_text("".join(f"{line}\n" for line in written))
    rows = rounds(path)
    assert rows["entrant"].tolist() == [1] * 20 + [2] * 20
    hands = [json.loads(line)["seats"][0]["hands"][0] for line in written]
    costs = [question["cost"] for hand in hands for question in hand["decisions"]]
    assert rows["lost"].sum() == pytest.approx(sum(costs))
    assert rows["lost"].sum() > 0


def test_what_is_no_history(tmp_path: Path) -> None:
    """One sentence; an empty file has no rows."""
    path = tmp_path / "note.jsonl"
    for text, why in (
        ('{"a": 1}', "version is missing: expected 2"),
        ('{"version": 1}', "version is 1: expected 2"),
        ('{"version": 2}', "version 2: KeyError"),
        ("hello", "it is not JSON"),
    ):
        path.write_text(f"{text}\n")
        with pytest.raises(ValueError, match=rf"note\.jsonl is no history.*{why}"):
            rounds(path)
    path.write_text("")
    assert len(rounds(path)) == 0
