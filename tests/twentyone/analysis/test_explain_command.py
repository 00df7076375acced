"""`analysis explain`: a row for each mistake, with what was learned, what is exact, and a verdict."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from cards import PRESETS, Penetration, Rules
from tests.helpers.learned import empty_table
from tests.twentyone.analysis.laboratory import analysis, document, refusal
from twentyone.exact import solving
from twentyone.exact.report import qtables
from twentyone.learning.curve import Curve, Point, curve_file
from twentyone.policies.action_values import ActionValues, Origin, empty
from twentyone.policies.counting import HI_LO
from twentyone.policies.qtable import HIT, STAND
from twentyone.policies.table_files import save

GAP = 0.00056386
"""What it costs in `course` to stand on hard 16 against 10 alone."""


def table(visits: int, rules: Rules | None = None) -> ActionValues:
    """A table with the exact values, except that it stands on hard 16 against 10 by 0.01 of a bet."""
    learned = qtables.as_qtable(solving.solve(rules or Rules()))
    learned.counts[:] = visits * (learned.counts > 0)
    learned.values[16, 10, STAND] = learned.values[16, 10, HIT] + 0.01
    return learned


def test_one_mistake_is_the_whole_gap_and_few_visits_are_its_reason(tmp_path: Path) -> None:
    save(table(1000), tmp_path / "table.txt")
    done = analysis(tmp_path, "explain", "table.txt")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "rules: course"
    assert lines[1].startswith(
        "table.txt: 0.0005639 of a bet lost per round: 0.0005639 for want of visits; the limit"
    )
    assert lines[5].split() == [
        "hard",
        "16",
        "against",
        "10",
        "S",
        "H",
        "0.0005639",
        "40.754",
        "few",
        "visits",
    ]
    assert [line.split()[0] for line in lines[6:]] == ["hit", "stand"]


def test_the_document_has_every_cell_and_its_costs_add_up(tmp_path: Path) -> None:
    save(table(10**8), tmp_path / "table.txt")
    found = document(tmp_path, "explain", "table.txt")
    assert (len(found["cells"]), found["method"], found["limit_is_known"]) == (280, "exact", False)
    assert found["gap"] == pytest.approx(GAP, abs=5e-9)
    assert sum(cell["cost"] for cell in found["cells"]) == pytest.approx(found["gap"], abs=1e-12)
    assert found["sums"] == {
        "close": 0,
        "limit": 0,
        "few": 0,
        "wrong": pytest.approx(found["gap"], abs=1e-12),
    }
    sixteen = found["cells"][0]
    assert (sixteen["hand"], sixteen["upcard"], sixteen["verdict"]) == ("H16", 10, "wrong")
    stand = sixteen["options"]["STAND"]
    # Who stands on 16 wins or loses one bet, so the mean square is 1.
    assert stand["deviation"] == pytest.approx((1 - stand["exact"] ** 2) ** 0.5, abs=1e-12)
    assert stand["standard_error"] == pytest.approx(stand["deviation"] / 10**4, rel=1e-12)
    assert stand["learned"] == pytest.approx(sixteen["options"]["HIT"]["learned"] + 0.01, abs=1e-12)


def test_a_function_and_new_rules_are_explained_without_visits(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def stands(observation):\n    return 1\n", encoding="utf-8")
    rules = ("--rules", "reno", "--reshuffle", "round")
    found = document(tmp_path, "explain", "mine.py:stands", *rules)
    assert {cell["verdict"] for cell in found["cells"]} <= {None, "close", "wrong"}
    assert sum(found["sums"].values()) + found["rest"] == pytest.approx(found["gap"], abs=1e-12)
    hands = {cell["hand"] for cell in found["cells"]}
    assert {"P8", "PA", "H12", "S18"} <= hands
    eights = next(cell for cell in found["cells"] if (cell["hand"], cell["upcard"]) == ("P8", 6))
    assert (eights["entry"], eights["better"]) == ("S", "P") and eights["cost"] > 0
    shown = analysis(tmp_path, "explain", "mine.py:stands", *rules, "--show").out
    assert shown.splitlines()[-1] == " * not played as by the best chart" and "pairs" in shown


def test_the_rows_of_the_file_are_those_of_the_mistakes_or_of_all_cells(tmp_path: Path) -> None:
    save(table(1000), tmp_path / "table.txt")
    for options, rows in (((), 2), (("--all",), 2 * 280)):
        done = analysis(tmp_path, "explain", "table.txt", "--csv", "cells.csv", *options)
        assert done.status == 0
        read = list(csv.DictReader((tmp_path / "cells.csv").read_text("utf-8").splitlines()))
        assert len(read) == rows
    hit, stand = read[:2]
    assert (hit["hand"], hit["option"], stand["option"], hit["visits"]) == ("H16", "HIT", "STAND", "1000")


def test_a_hand_is_explained_by_what_the_dealer_and_the_hand_come_to(tmp_path: Path) -> None:
    found = document(tmp_path, "explain", "mimic", "10 2", "4")
    assert (found["cell"]["hand"], found["cell"]["entry"], found["cell"]["better"]) == ("H12", "H", "S")
    dealer, hand, results = found["why"]
    assert "and is bust in 39.4 %" in dealer
    # 10 of the 49 cards that are left are pictures and tens but one, and five of six more make 22 or more.
    assert "it stays at 12" in hand and "and is bust in 30.6 %" in hand
    assert "to stand wins 39.4 %, pushes 0.0 % and loses 60.6 %" in results
    text = analysis(tmp_path, "explain", "mimic", "10 2", "4").out
    assert all(line in text for line in found["why"]) and "hard 12 against 4" in text


@pytest.mark.check
def test_the_picture_has_four_panels_and_the_curve_of_the_same_rules(tmp_path: Path) -> None:
    save(table(1000), tmp_path / "table.txt")
    points = [Point(100, 0.2, -0.24, 0.1), Point(1000, 0.01, -0.05, 1.0)]
    Curve(None, points).save(curve_file(tmp_path / "table.txt"))
    learned = table(1000)
    done = analysis(tmp_path, "explain", "table.txt", "--plot", "table.svg")
    assert (done.status, done.err) == (0, "analysis: the picture is table.svg\n")
    drawn = (tmp_path / "table.svg").read_text("utf-8")
    panels = ("entries", "cost", "visits", "exact margin")
    assert all(f">{panel}<" in drawn for panel in panels) and learned.rounds == 0


def test_what_cannot_be_explained_is_refused_in_a_sentence(tmp_path: Path) -> None:
    without = refusal(tmp_path, "explain", "threshold:16", "--rules", "showdown")
    assert without.endswith("or `analysis value`, which simulates")
    assert "expected HAND and UPCARD" in refusal(tmp_path, "explain", "mimic", "10 6")
    assert "'x' is no card for the upcard" in refusal(tmp_path, "explain", "mimic", "10 6", "x")
    assert "so it is bust" in refusal(tmp_path, "explain", "mimic", "10 6 8", "10")
    save(empty_table(Rules(), None), tmp_path / "empty.txt")
    assert document(tmp_path, "explain", "empty.txt")["gap"] > 0


@pytest.mark.check
def test_a_table_by_true_count_is_explained_by_its_layer_for_the_shoe_that_is_expected_there(
    tmp_path: Path,
) -> None:
    """A true count of +10 by Hi-Lo: more tens and aces, fewer low cards, as many sevens, eights and nines."""
    rules = replace(PRESETS["reno"], reshuffle=Penetration(0.5))
    counted = empty(Origin(rules, "qlearning", 0), HI_LO)
    counted.values[:], counted.counts[:] = 0.0, 2000
    save(counted, tmp_path / "counted.txt")
    found = document(tmp_path, "explain", "counted.txt", "--true-count", "10")
    shoe = found["shoe"]
    assert shoe["10"] > 4 * shoe["8"] and shoe["5"] < shoe["8"] == shoe["7"] and sum(shoe.values()) == 39
    assert sum(found["sums"].values()) + found["rest"] == pytest.approx(found["gap"], abs=1e-12)
    assert "expected no --true-count" in refusal(tmp_path, "explain", "mimic", "--true-count", "1")


def test_without_a_dealer_a_table_is_shown_all_the_same(tmp_path: Path) -> None:
    save(table(10, None), tmp_path / "table.txt")
    showdown = empty_table(PRESETS["showdown"], None)
    showdown.values[:], showdown.counts[:] = table(10).values, table(10).counts
    save(showdown, tmp_path / "showdown.txt")
    done = analysis(tmp_path, "explain", "showdown.txt", "--show")
    assert (done.status, done.err) == (0, "") and "the learned value" in done.out
