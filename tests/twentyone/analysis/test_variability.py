"""How much results vary: independent repeats, the right deviations, 1 / sqrt(games), and the command."""

from __future__ import annotations

import csv
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cards import PRESETS
from tests.twentyone.analysis.laboratory import analysis, document, refusal
from twentyone.analysis.figures.variability_plots import variability_figure
from twentyone.analysis.studies.batches import MOST_ROUNDS, Batches, play
from twentyone.analysis.studies.estimate import deviation_interval
from twentyone.analysis.studies.montecarlo import decisions_of
from twentyone.analysis.studies.policies import policy_named
from twentyone.analysis.studies.variability import (
    MEASURES,
    PAID,
    SQUARED,
    WON,
    check_size,
    measure_variability,
)
from twentyone.analysis.work.shards import Job
from twentyone.kernels.rounds import WIN
from twentyone.kernels.streams import MAX_SHARDS
from twentyone.kernels.tables import TENTHS
from twentyone.support.command import CommandError

STUDY = PRESETS["study"]
BELOW_16 = policy_named("threshold:16", STUDY)
INFINITE = replace(PRESETS["devs"], decks=None)
"""An infinite deck in which an ace counts 1."""

PAYOFF, WINS = MEASURES["payoff"], MEASURES["wins"]


def test_no_two_repeats_are_dealt_the_same_cards() -> None:
    found = measure_variability(STUDY, BELOW_16, [40, 10], 12, seed=5)
    assert [*found.results] == [40, 10]
    decisions = decisions_of(BELOW_16)
    for games, first in ((40, 0), (10, 12)):
        # Streams are numbered consecutively, so no stream serves two numbers of games.
        repeats = play(Batches(STUDY, decisions, 5, first, 12, games))
        assert np.all(repeats.outcomes[:, 0].sum(axis=1) == games)
        assert np.array_equal(found.results[games][:, WON], repeats.outcomes[:, 0, WIN])
        assert np.array_equal(found.results[games][:, PAID:], repeats.sums[:, 0])
    assert len({tuple(each) for each in found.results[40].tolist()}) > 6


def test_the_deviations_are_those_of_the_results() -> None:
    found = measure_variability(STUDY, BELOW_16, [5, 50], 30, seed=1)
    won, paid, squared = np.concatenate([*found.results.values()]).sum(axis=0).tolist()
    games, decided = 30 * 55, squared // TENTHS**2
    lost = won - paid // TENTHS
    assert won + lost == decided < games
    every = np.repeat([1.0, 0.0, -1.0], [won, games - decided, lost])
    assert found.mean(PAYOFF) == pytest.approx(every.mean())
    assert found.single(PAYOFF) == pytest.approx(every.std(ddof=1))
    assert found.mean(WINS) == pytest.approx(100 * won / games)
    assert found.single(WINS) == pytest.approx(100 * (every == 1).std(ddof=1))
    sums = found.results[50]
    results = {PAYOFF.name: sums[:, PAID] / TENTHS / 50, WINS.name: sums[:, WON] * 2.0}
    for measure in MEASURES.values():
        spread = found.spreads(measure)[1]
        assert (spread.games, spread.repeats) == (50, 30)
        assert spread.deviation == pytest.approx(results[measure.name].std(ddof=1))
        assert spread.expected == pytest.approx(found.single(measure) / sqrt(50))
        assert spread.interval == deviation_interval(spread.deviation, 30)
        assert spread.ratio == spread.deviation / spread.expected


def test_finished_repeats_are_kept(tmp_path: Path) -> None:
    finished: list[int] = []
    games, file = [10, 1_000], tmp_path / "checkpoint"
    first = measure_variability(STUDY, BELOW_16, games, 60, 2, Job(checkpoint=file, done=finished.append))
    assert sum(finished) == 60 * 1_010
    again = measure_variability(STUDY, BELOW_16, games, 60, 2, Job(checkpoint=file))
    for number in games:
        assert np.array_equal(first.results[number], again.results[number])
    below = BELOW_16
    for policy, numbers, seed in (
        (policy_named("threshold:15", STUDY), games, 2),
        (below, [10, 999], 2),
        (below, games, 3),
    ):
        with pytest.raises(CommandError, match="checkpoint"):
            measure_variability(STUDY, policy, numbers, 60, seed, Job(checkpoint=file))


def test_the_result_is_that_of_the_first_seat() -> None:
    found = measure_variability(
        PRESETS["showdown"], policy_named("threshold:16", PRESETS["showdown"]), [100], 20, seed=1
    )
    played = play(
        Batches(
            PRESETS["showdown"],
            decisions_of(policy_named("threshold:16", PRESETS["showdown"])),
            1,
            0,
            20,
            100,
        )
    )
    assert np.array_equal(found.results[100][:, WON], played.outcomes[:, 0, WIN])
    assert not np.array_equal(found.results[100][:, WON], played.outcomes[:, 1, WIN])


def test_doubling_and_naturals_at_a_ratio_count_as_they_are_paid() -> None:
    vegas = PRESETS["vegas"]
    found = measure_variability(vegas, policy_named("basic", vegas), [1, 100], 400, seed=1)
    paid = found.results[1][:, PAID]
    assert np.array_equal(found.results[1][:, SQUARED], paid**2)
    assert {-20, -10, 0, 10, 15, 20} <= set(paid.tolist())
    assert 1.1 < found.single(PAYOFF) < 1.2, "1.15 by any book"


def test_there_are_random_numbers_for_so_many_games_and_repeats_and_no_more() -> None:
    check_size([1, MOST_ROUNDS], MAX_SHARDS // 2)
    for games, repeats, said in (
        ([], 100, "expected numbers from 1 to"),
        ([10, 0], 100, "the games are 10,0: expected numbers from 1 to 1000000000, each once"),
        ([MOST_ROUNDS + 1], 100, "expected numbers from 1 to"),
        ([10, 10], 100, "each once"),
        ([10], 9, "9 repeats of 1 numbers of games: expected 10 to 4,194,304"),
        ([10, 20, 30], MAX_SHARDS // 3 + 1, "expected 10 to 1,398,101"),
    ):
        with pytest.raises(ValueError, match=said):
            check_size(games, repeats)


def test_the_picture_shows_the_deviations_their_intervals_and_the_line() -> None:
    found = measure_variability(INFINITE, policy_named("threshold:16", INFINITE), [10, 100], 50, seed=1)
    figure = variability_figure(found, "infinite deck")
    assert len(figure.axes) == 2
    for axes, measure in zip(figure.axes, MEASURES.values(), strict=True):
        assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
        assert axes.get_xlabel() == "games"
        assert axes.get_ylabel() == f"standard deviation ({measure.unit})"
        spreads = found.spreads(measure)
        line: Any = axes.lines[0].get_ydata()
        assert list(line) == [spread.expected for spread in spreads]
        bars: Any = axes.containers[0]
        shown = np.array([segment[:, 1] for segment in bars[2][0].get_segments()])
        assert shown == pytest.approx(np.array([spread.interval for spread in spreads]))


def test_what_never_varies_has_no_place_in_the_picture() -> None:
    # A policy that draws below 22 is always bust.
    found = measure_variability(STUDY, policy_named("threshold:22", STUDY), [10, 100], 10, seed=1)
    for measure in MEASURES.values():
        assert [(spread.deviation, spread.ratio) for spread in found.spreads(measure)] == [(0, None)] * 2
    figure = variability_figure(found, "always bust")
    figure.get_layout_engine().execute(figure)  # type: ignore[union-attr]
    assert [len(axes.containers) for axes in figure.axes] == [0, 0]


# The command.


def test_the_study_as_a_document_a_file_and_a_picture(tmp_path: Path) -> None:
    options = ("--games", "10,100,1000", "--repeats", 50, "--seed", 6, "--workers", 1)
    found = document(tmp_path, "variability", *options, "--csv", "a.csv", "--plot", "a.pdf")
    told = {"rules": STUDY.fields(), "policy": "threshold:16", "seed": 6, "repeats": 50}
    assert found == told | {name: found[name] for name in ("payoff", "wins")}
    assert -0.15 < found["payoff"]["mean"] < 0 and 35 < found["wins"]["mean"] < 50
    for result in (found["payoff"], found["wins"]):
        assert set(result) == {"mean", "single", "spreads"}
        assert [spread["games"] for spread in result["spreads"]] == [10, 100, 1000]
        for spread in result["spreads"]:
            low, high = spread["interval"]
            assert low < spread["deviation"] < high
            assert spread["expected"] == result["single"] / sqrt(spread["games"])
            assert spread["ratio"] == spread["deviation"] / spread["expected"]
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-1.")
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["result"], row["games"]) for row in rows[2:4]] == [("payoff", "1000"), ("wins", "10")]
    assert float(rows[0]["deviation"]) == found["payoff"]["spreads"][0]["deviation"]


def test_the_tables_fit_a_terminal(tmp_path: Path) -> None:
    options = ("--games", "10,100", "--seed", 6, "--rules", "devs", "--workers", 1)
    done = analysis(tmp_path, "variability", *options)
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:2] == ["rules: devs", "policy: threshold:15; 200 repeats; seed 6"]
    assert lines[3].startswith("mean payoff per game (initial bets): -0.")
    assert lines[4].split()[:3] == ["games", "standard", "deviation"]
    assert [line.split()[0] for line in lines[5:7]] == ["10", "100"]
    assert max(map(len, lines)) <= 90


def test_what_cannot_be_played_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for options, said in {
        "--games 10,many": "the games are '10,many': expected whole numbers separated by commas, as",
        "--repeats 2": "2 repeats of 4 numbers of games: expected 10 to 1,048,576",
        "--policy clever": "there is no policy 'clever'",
    }.items():
        assert refusal(tmp_path, "variability", *options.split()).startswith(said)
