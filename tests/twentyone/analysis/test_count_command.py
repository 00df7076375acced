"""`analysis count`: the figures that it prints, the picture that it draws, and what it refuses."""

from __future__ import annotations

import re
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import PRESETS, Decision, Rules
from tests.twentyone.analysis import laboratory
from tests.twentyone.analysis.laboratory import analysis, refusal
from twentyone.analysis.figures import counted_report
from twentyone.analysis.studies.counting import solving
from twentyone.analysis.studies.counting.effects import Effects
from twentyone.analysis.studies.counting.indices import Lines
from twentyone.analysis.studies.counting.margins import PLAYS, ROWS, Play
from twentyone.analysis.studies.counting.pairs import PART, Pairs
from twentyone.analysis.studies.counting.playing import TRUE_COUNTS
from twentyone.analysis.studies.counting.plays import published_game
from twentyone.analysis.studies.counting.solving import Figures, Solved, Task, solve_shoe, tasks_for
from twentyone.analysis.studies.counting.study import Beside, Played, Study, Terms
from twentyone.exact import cache
from twentyone.exact.values.game import seat_game
from twentyone.exact.values.shoe import Shoe
from twentyone.kernels.decisions import CompiledPolicy
from twentyone.policies.action_values import SHAPE, TRUSTED, ActionValues, Origin
from twentyone.policies.counting import HI_LO, Spread
from twentyone.support.command import CommandError

ROUNDS = 600_000
PLAYED = (
    *("count", "--decks=1", "--reshuffle=cutoff:26", "--dealer-stands=all17", "--double-after-split=no"),
    *("--split-aces=once", "--surrender=none", "--workers=1", "--seed=4", f"--rounds={ROUNDS}"),
)
"""The game of the published figures, from a shoe that is kept: eleven shoes serve all three games."""


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the command says of Hi-Lo, with a picture."""
    folder = tmp_path_factory.mktemp("count")
    found = laboratory.document(folder, *PLAYED, "--plot", "count.png", "--bankroll=1000")
    assert (folder / "count.png").read_bytes().startswith(b"\x89PNG")
    return found


def test_the_figures_of_hi_lo_are_the_published_ones(document: Any) -> None:
    figures = document["published_game"]
    assert figures == document["figures"]
    assert round(figures["betting_correlation"], 2) in (0.96, 0.97)
    assert round(figures["playing_efficiency"], 2) == 0.51
    assert round(figures["insurance_correlation"], 2) == 0.76
    assert document["value"] == pytest.approx(seat_game(published_game()).best_play().value, abs=1e-9)
    assert document["effects"]["5"]["value"] > 0 > document["effects"]["A"]["value"]
    tags = dict.fromkeys("23456", 1) | dict.fromkeys("789", 0) | {"10": -1, "A": -1}
    assert document["system"] == {"name": "hi-lo", "tags": tags, "of_a_deck": 0}


def test_what_bets_win_follows_from_the_true_counts(document: Any) -> None:
    rows = document["true_counts"]
    assert sum(row["rounds"] for row in rows) == document["rounds"] == ROUNDS
    for bets, key in (("bets", "bet"), ("best_bets", "best_bet")):
        rated = document[bets]
        assert {"mean_bet", "bankroll_for_risk"} < set(rated)
        mean, variance = rated["per_hundred"]["mean"] / 100, rated["deviation_of_hundred"] ** 2 / 100
        assert mean == pytest.approx(sum(row["share"] * row[key] * row["mean"] for row in rows))
        assert rated["n0"] == pytest.approx(variance / mean**2)
        assert rated["score"] * rated["n0"] == pytest.approx(1e6)
        low, high = rated["risk_of_ruin"]["interval"]
        assert low < rated["risk_of_ruin"]["mean"] < high
        assert rated["risk_of_ruin"]["mean"] == pytest.approx(exp(-2 * mean * 1000 / variance))
    best = document["best_bets"]
    assert best["is_within_risk"] and best["risk_of_ruin"]["mean"] <= document["risk"] == 0.05
    assert [row["bet"] for row in rows if row["true_count"] in (1, 2, 3, 4, 5)] == [1, 2, 4, 6, 8]
    assert max(row["best_bet"] for row in rows) <= 8


def test_the_tables_have_the_figures_of_the_document(document: Any, tmp_path: Path) -> None:
    shown = analysis(tmp_path, *PLAYED, "--bankroll=1000")
    assert shown.status == 0, shown.err
    lines = shown.out.splitlines()
    assert lines[0].startswith("rules: vegas decks=1 reshuffle=cutoff:26 dealer-stands=all17")
    assert lines[0].endswith("surrender=none")
    assert lines[1] == "system: hi-lo, balanced"
    assert max(map(len, lines[1:])) <= 100
    assert f"{document['figures']['playing_efficiency']:.3f}" in shown.out
    assert f"{document['bets']['risk_of_ruin']['mean']:.2%}" in shown.out
    assert f"{document['best_bets']['per_hundred']['mean']:+.2f}" in shown.out


@pytest.mark.check
def test_bankrolls_are_played_and_kept(tmp_path: Path) -> None:
    options = ("--bankroll=60", "--bankrolls=300", "--within=2000", "--checkpoint=c.json")
    bankrolls = laboratory.document(tmp_path, *PLAYED, *options)["bankrolls"]
    assert (tmp_path / "c.json").exists() and (tmp_path / "c.json.bankrolls").exists()
    assert (bankrolls["number"], bankrolls["rounds"]) == (300, 2000)
    for bets in ("best_bets", "bets"):
        lost = bankrolls[bets]["lost"]
        assert lost["share"] == lost["count"] / 300
        assert lost["interval"][0] < bankrolls[bets]["risk_of_ruin"] < lost["interval"][1]
    again = analysis(tmp_path, *PLAYED, *options)
    assert "300 bankrolls were kept; 0 new" in again.err
    assert f"{lost['share']:.2%}" in again.out.partition("of 300 bankrolls")[2]


def test_of_a_system_that_is_not_balanced_what_it_adds_on_the_average_does_not_count(tmp_path: Path) -> None:
    found = laboratory.document(tmp_path, *PLAYED, "--system=ko")
    assert found["system"]["of_a_deck"] == 4
    rows = found["true_counts"]
    # The first round of a shoe has a true count of 0 with any system; the mean count stays near it.
    assert abs(sum(row["share"] * row["true_count"] for row in rows)) < 1
    often = [row for row in rows if row["rounds"] > 5_000]
    lowest = min(row["mean"] for row in often if row["true_count"] > 2)
    assert lowest > max(row["mean"] for row in often if row["true_count"] < -2)


def solved_with_indices() -> Solved:
    """Figures by hand: whoever has 16 against a ten stands from 2 on, and against a 9 up to -1."""
    counts, margins = np.tile([-20.0, 20.0], (len(PLAYS), 1)), np.full((len(PLAYS), 2), np.nan)
    margins[ROWS[Play(Decision.STAND, "H16", 10)]] = -21.7, 18.3
    margins[ROWS[Play(Decision.STAND, "H16", 9)]] = 19.5, -20.5
    margins[ROWS[Play(Decision.INSURE, "", 11)]] = -21.0, 19.0
    effects, figures = Effects(np.full(10, 0.1), 52, np.zeros(()), np.zeros(10)), Figures(0.9, 0.5, 0.7)
    return Solved(effects, effects, figures, figures, Lines(counts, margins))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each study that is solved was asked for indices; those by hand are found."""
    told: list[bool] = []

    def solve(*_: object, indices: bool) -> Solved:
        told.append(indices)
        return solved_with_indices()

    monkeypatch.setattr("twentyone.analysis.commands.count._solve", solve)
    monkeypatch.setattr("twentyone.analysis.figures.count_report.solved_counts", lambda *_: [-6, 0, 6])
    monkeypatch.setattr("twentyone.analysis.studies.counting.playing.TRUE_COUNTS", range(-2, 2))
    return told


def test_indices_are_shown_if_they_are_asked_for(tmp_path: Path, asked: list[bool]) -> None:
    words = ("count", "--rules=reno", "--rounds=0", "--policy=mimic")
    found = laboratory.document(tmp_path, *words, "--indices")
    keys = ("decision", "hand", "upcard", "true_count", "index", "from")
    assert "true_counts" not in found
    assert [tuple(index) for index in found["indices"]] == [keys] * 3
    assert [tuple(index.values()) for index in found["indices"]] == [
        ("STAND", "H16", 9, pytest.approx(-0.5), -2, "down"),
        ("STAND", "H16", 10, pytest.approx(1.7), 2, "up"),
        ("INSURE", None, 11, pytest.approx(1.0), 1, "up"),
    ]
    shown = analysis(tmp_path, *words, "--indices").out
    assert "which it is); . where none lies within 6\n\ninsurance: +1\n" in shown
    (row,) = (line.split() for line in shown.splitlines() if line.startswith("H16"))
    assert row == ["H16", *"......", ".", "-2-", "+2", "."]
    assert "indices" not in laboratory.document(tmp_path, *words, "--policy=indices")
    assert "indices:" not in analysis(tmp_path, *words).out
    assert asked == [True, True, False, False]


def test_play_by_the_indices_is_by_a_policy_for_each_true_count(
    tmp_path: Path, asked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(rules: Rules, policies: list[CompiledPolicy], *_: object) -> None:
        assert [each.name for each in policies] == [f"indices at {count:+}" for count in range(-2, 2)]
        raise CommandError("enough")

    monkeypatch.setattr("twentyone.analysis.commands.count._rounds", play)
    words = ("count", "--rules=reno", "--rounds=10", "--policy=indices")
    assert refusal(tmp_path, *words, status=1) == "enough"
    assert asked == [True]


def test_a_table_is_shown_beside_the_policy_that_ignores_the_count() -> None:
    """It wins 0.1 bets a round in one part and 0.3 in the other, and the other policy nothing."""
    rules, won = PRESETS["reno"], np.zeros((2, 2, 3, len(TRUE_COUNTS)), np.int64)
    won[:, :, 0, 25], won[:, :, 2, 25], won[0, :, 1, 25] = PART, 100 * PART, (PART, 3 * PART)
    counts = np.full(SHAPE, TRUSTED, np.int64)
    table = ActionValues(np.zeros(SHAPE), counts, Origin(rules, "qlearning", 5), HI_LO)

    def study(parts: int, solved: Solved) -> Study:
        pairs = Pairs(*won[:, :parts])
        played = Played("counted:t.txt", 1, pairs.by_count[0], Terms(Spread(1, 8), 1000, 0.05))
        return Study(rules, HI_LO, solved, played, Beside(table, "basic", pairs))

    solved = solved_with_indices()
    found = counted_report.as_json(study(2, solved._replace(lines=None)))["beside"]
    one, spread = found["bets"]
    assert (found["policy"], one["bets"], spread["bets"]) == ("basic", "one unit", "count:1-8")
    assert one["table"]["per_hundred"] == pytest.approx(20)
    assert one["plain"]["per_hundred"] == 0
    assert one["difference"] == {"per_hundred": pytest.approx(20), "standard_error": pytest.approx(10)}
    assert spread["difference"] == {"per_hundred": pytest.approx(160), "standard_error": pytest.approx(80)}
    shown = "\n".join(counted_report.parts(study(2, solved)))
    assert "by the table and by basic, from the same shoes: what 100 rounds win, in units\nbets " in shown
    assert cells_of(shown, "one unit ")[-2:] == ["+20.000", "±19.600"]
    assert cells_of(shown, "H16 against 10: stand")[-2:] == ["+2", "0"], "computed, and published"
    # Of a single part, nobody knows the error.
    single = study(1, solved._replace(lines=None))
    difference = counted_report.as_json(single)["beside"]["bets"][0]["difference"]
    assert difference == {"per_hundred": pytest.approx(10), "standard_error": None}
    assert cells_of("\n".join(counted_report.parts(single)), "one unit ")[-1] == "+10.000"


def cells_of(text: str, row: str) -> list[str]:
    """The cells of the one row of a table that begins so."""
    (line,) = (line for line in text.splitlines() if line.startswith(row))
    return line.split()


def test_what_was_solved_is_kept_and_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    shoe = Shoe.of(published_game())
    task = Task(published_game(), shoe, first=True)
    solved = solve_shoe(task)
    monkeypatch.setattr("twentyone.analysis.studies.counting.solving.round_value", None)
    assert solve_shoe(task) == solved
    assert cache.load(task.name, (len(solved),)) is not None
    monkeypatch.undo()
    assert solved[0] == pytest.approx(seat_game(published_game()).best_play().value, abs=1e-12)


def test_the_margins_of_all_plays_are_solved_behind_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "round_value", lambda *_: 0.5)
    parts = np.full(len(PLAYS), 1.0), np.full((len(PLAYS), 10), 2.0)
    monkeypatch.setattr(solving, "margins_of", lambda *_: parts)
    task = Task(published_game(), Shoe.of(published_game()), margins=True)
    assert solving._solved(task).tolist() == [0.5, *[1.0] * len(PLAYS), *[2.0] * 10 * len(PLAYS)]
    assert [np.shape(part) for part in (0.5, *parts)] == task.shapes


def test_games_that_are_the_same_are_solved_once() -> None:
    assert len(tasks_for(published_game(), HI_LO, indices=False).by_name) == 11


@pytest.mark.check
def test_insurance_is_left_out_where_it_is_not_offered(tmp_path: Path) -> None:
    with_it, without = (
        analysis(tmp_path, *PLAYED, "--rounds=0", f"--insurance={each}").out for each in ("yes", "no")
    )
    assert "in percent of the bet; of the stake on insurance, with an ace up" in with_it
    assert "\ninsurance -5.88 " in with_it
    assert "stake on insurance" not in without and "\ninsurance -5.88" not in without


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    for options, said in {
        "--risk nan": "--risk",
        "--system hilo": "there is no system 'hilo': expected hi-lo, ko,",
        "--system tags:-1,1,1,1,1,1,0,0,0,x": "with a whole number from -9 to 9 for each",
        "--system tags:1,1,1,1,1,1,1,1,1,1": "all tags of tags:1,.*,1 are equal, so it counts nothing",
        "--bet count:8-1": "--bet count:8-1 is no spread: expected count:LOW-HIGH",
        "--bet count:1-1001": r"such as count:1-8 \(1 to 1000\)",
        "--rules showdown": "showdown has no dealer to play against",
        "--decks inf --reshuffle round": "decks is 'inf': expected 1 to 8, and no infinite deck",
        "--decks 9": "decks is '9': expected 1 to 8, and no infinite deck",
        "--rules textbook": "textbook has an infinite deck: expected 1 to 8 decks, such as --decks 6",
        "--policy luck": "there is no policy 'luck'",
        "--rounds 0 --policy luck": "there is no policy 'luck'",
        "--rounds 0 --bankrolls 5": "--bankrolls needs rounds, .*: expected --rounds 1 or more",
        "--plot count.jpg": "expected a name that ends in .png, .pdf or .svg",
    }.items():
        assert re.search(said, refusal(tmp_path, "count", *options.split()))
