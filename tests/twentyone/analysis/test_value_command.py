"""`analysis value` under new rules: charts, followed as written, and any other policies."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cards import PRESETS
from tests.helpers.published import chart_of, closest
from tests.twentyone.analysis.laboratory import analysis, document, refusal
from twentyone.policies.chart import Chart, save
from twentyone.policies.decisions import fresh

RENO = fresh(PRESETS["reno"])

A_DECK = "2=4 3=4 4=4 5=4 6=4 7=4 8=4 9=4 10=16 A=4"


def test_a_shoe_that_is_a_deck_is_worth_what_a_deck_is(tmp_path: Path) -> None:
    found = document(tmp_path, "value", "threshold:16", "basic", "--shoe", A_DECK)
    assert found["best_chart"] == pytest.approx(-0.0428061253, abs=5e-11)
    assert found["best_play"] == pytest.approx(-0.0424622758, abs=5e-11)
    limit, basic = found["policies"]
    assert limit["value"] == pytest.approx(-0.0751120177, abs=5e-11)
    assert limit["gap"] == found["best_chart"] - limit["value"]
    assert basic["value"] == pytest.approx(found["best_chart"], abs=1e-13)
    assert (basic["gap"], basic["differing_cells"]) == (pytest.approx(0, abs=1e-13), 0)
    costs = [cell["cost"] for cell in limit["costliest_cells"]]
    assert len(costs) == 5 and costs == sorted(costs, reverse=True) and costs[-1] > 0
    cost = pytest.approx(0.0024, abs=2e-4)
    fifteen = {"hand": "H15", "upcard": 5, "entry": "H", "better": "S", "cost": cost}
    assert limit["costliest_cells"][0] == fifteen


def test_a_chart_brings_its_rules_and_has_a_row(tmp_path: Path) -> None:
    chart = chart_of(closest(RENO))
    sixes = ("S", "S", "S", "S", "S", "S", *chart.rows["H16"][6:])
    save(Chart("mine", {**chart.rows, "H16": sixes}, RENO), tmp_path / "mine.txt")
    done = analysis(tmp_path, "value", "mine.txt")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "rules: reno reshuffle=round"
    assert lines[2].split()[0] == "mine.txt"
    assert lines[4].startswith("best chart ")
    assert lines[5].split() == ["best", "play", "-0.0042850077"]
    assert lines[-1] == "why: analysis explain mine.txt"
    assert max(map(len, lines)) <= 80
    costs = document(tmp_path, "value", "mine.txt")["policies"][0]["costliest_cells"]
    assert any(each["hand"] == "H16" and each["upcard"] == 7 and each["better"] == "H" for each in costs)
    found = document(tmp_path, "value", "mine.txt", "--removed", "A A A A")
    assert found["policies"][0]["value_by_upcard"][-1] is None
    assert found["policies"][0]["value"] <= found["best_chart"] <= found["bound"]
    assert "A" not in found["shoe"]


@pytest.mark.check
def test_several_policies_stand_side_by_side_by_upcard(tmp_path: Path) -> None:
    save(replace(chart_of(closest(RENO)), rules=RENO), tmp_path / "chart.txt")
    done = analysis(tmp_path, "value", "chart.txt", "mimic")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["policy", "chart.txt", "mimic"]
    heads, chart, mimic = (line.split() for line in lines[8:11])
    assert heads == ["upcard", *map(str, range(2, 11)), "A"]
    assert (chart[0], mimic[0], len(chart)) == ("chart.txt", "mimic", 11)


FUNCTIONS = """
import numpy as np


def limit(observation):
    return 0 if observation[0] < 16 else 1


def insures(observation, mask):
    total, upcard, soft, pair, hands, question = observation
    return 5 if question == 1 else 0 if mask[0] and total < 16 else 1


def anything(observations, masks):
    return masks / masks.sum(axis=1, keepdims=True)


def doubles(observation):
    return 2 if observation[0] == 11 else 1


def fails(observation):
    return {}[observation[0]]
"""


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of a user."""
    (tmp_path / "mine.py").write_text(FUNCTIONS, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "mine", raising=False)  # of another test in this process
    return tmp_path


def test_a_function_is_graded_as_the_policy_that_it_is(functions: Path) -> None:
    simple = document(functions, "value", "mine:limit", "threshold:16")
    assert [each["value"] for each in simple["policies"]] == [simple["policies"][0]["value"]] * 2
    names = ("threshold:16", "mine:insures", "mine.py:anything")
    limit, insures, anything = document(functions, "value", *names, "--rules", "reno")["policies"]
    assert insures["value"] - insures["insurance"] == pytest.approx(limit["value"], abs=1e-13)
    # 16 of the 51 cards beside the ace are tens, and half a bet is paid 2:1
    assert insures["insurance"] == pytest.approx((3 * 16 / 51 - 1) / 2 / 13, abs=1e-13)
    assert insures["gap"] == pytest.approx(limit["gap"] - insures["insurance"], abs=1e-13)
    assert anything["insurance"] == pytest.approx(insures["insurance"] / 2, abs=1e-13)
    assert anything["costliest_cells"][0]["entry"] == "H33% S33% P33%"


TALKATIVE = """
print("the module runs")


def limit(observation):
    print("asked about", observation)
    return 0 if observation[0] < 16 else 1


class Limit:
    def predict(self, observation):
        print("told", observation)
        return limit(observation), None


print("it is made by", Limit.__name__)
model = Limit()
"""


def test_what_the_code_of_a_user_prints_is_not_among_the_results(tmp_path: Path) -> None:
    (tmp_path / "talks.py").write_text(TALKATIVE, encoding="utf-8")
    done = analysis(tmp_path, "value", "talks.py:limit", "talks:model", "threshold:16", "--json")
    assert done.status == 0
    assert len({each["value"] for each in json.loads(done.out)["policies"]}) == 1
    said = done.err.splitlines()
    assert {"the module runs", "it is made by Limit", "asked about (16, 10, 0)", "told [16 10  0]"} <= {*said}


@pytest.mark.check
def test_the_lines_of_a_random_policy_fit_a_terminal(functions: Path) -> None:
    done = analysis(functions, "value", "mine:anything", "--rules", "reno", "--reshuffle", "round")
    assert (done.status, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "of the value of mine:anything, its own bets on insurance" in done.out


def test_a_function_that_cannot_be_graded(functions: Path) -> None:
    doubled = "mine:doubles with the observation (11, 2, 0, 0, 1, 0) returned 2 (double), which is"
    for name, status, said in (
        ("nothing:here", 2, "there is no module 'nothing': expected one in the working directory or an"),
        ("mine:nothing", 2, "there is no 'nothing' in mine: expected what this module defines"),
        ("nothing.py:here", 2, "there is no file nothing.py: expected one with Python in it"),
        ("mine:doubles", 1, doubled),
        ("mine:fails", 1, "mine:fails with the observation ("),
    ):
        options = ("--rules", "vegas", "--reshuffle", "round")
        assert refusal(functions, "value", name, *options, status=status).startswith(said)


def test_what_has_no_value_is_said_in_a_sentence(tmp_path: Path) -> None:
    for options, said in {
        "": "POLICY",
        "basic --rules vegas --shoe 2=9": "a shoe of these 9 cards may run out in a round: ",
        "basic --rules showdown --removed 2": "showdown has no short exact form: ",
        "total-only --rules vegas": "there is no policy total-only for these rules: ",
    }.items():
        assert refusal(tmp_path, "value", *options.split()).startswith(said)
