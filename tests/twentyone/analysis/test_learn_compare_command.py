"""`analysis learn --compare` and `--sweep`: the tables, the document, the picture and the refusals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cards import Rules
from tests.twentyone.analysis.laboratory import analysis, document, refusal
from twentyone.analysis.commands.learn import learn
from twentyone.analysis.studies.contenders import Contender
from twentyone.support.command import INTERRUPTED

ALONE = ("--workers", 1)


def test_the_table_has_a_line_for_each_method_and_a_column_for_each_decade(tmp_path: Path) -> None:
    options = ("--compare", "qlearning,random-play", "--seeds", 2, "--seed", 4, *ALONE)
    done = analysis(tmp_path, "learn", "12k", *options)
    assert done.status == 0, done.err
    lines = done.out.splitlines()
    assert lines[:3] == [
        "rules: course",
        "best chart: -0.0428061253 initial bets per round",
        "gap to it after rounds of learning; 2 seeds, 4 to 5",
    ]
    assert lines[3].split() == ["1,000", "10,000", "12,000", "limit"]
    blocks = ["median", "least", "most", "mean", "standard error of the mean"]
    assert lines[4:-1:3] == blocks
    for place, line in enumerate(lines[4:-1]):
        if place % 3:
            name = ("qlearning", "random-play")[place % 3 - 1]
            figures = 4 if place < 3 else 3
            assert re.fullmatch(rf"  {name}( +[\d.-]+){{{figures}}}", line)
    assert lines[5].endswith(" -") and lines[6].endswith(" 0.071139")
    assert lines[-1] == "limit: the exact gap that a method ends at if its steps get ever smaller"
    assert not list(tmp_path.iterdir())


def test_the_document_has_the_keys_of_the_help_and_every_gap(tmp_path: Path) -> None:
    options = ("--compare", "qlearning,random-play", "--seeds", 3, "--seed", 1, *ALONE)
    found = document(tmp_path, "learn", "1k", *options)
    help_text = (learn.__doc__ or "").split("The keys of --json with --compare")[1]
    for key in (*found, *found["methods"][0]):
        assert f"`{key}`" in help_text
    assert found["rules"] == Rules().fields()
    assert (found["rounds"], found["seeds"], found["band"]) == (1_000, [1, 2, 3], [0, 100])
    assert found["points"][-1] == 1_000
    own, other = found["methods"]
    assert (own["name"], own["settings"], own["limit"]) == ("qlearning", {}, None)
    assert other["limit"][0] == other["limit"][1] > 0
    for method in found["methods"]:
        by_point = list(zip(*method["gaps"], strict=True))
        assert [sorted(gaps)[1] for gaps in by_point] == method["median"]
        assert [min(gaps) for gaps in by_point] == method["low"]
        assert [max(gaps) for gaps in by_point] == method["high"]
        assert [sum(gaps) / 3 for gaps in by_point] == pytest.approx(method["mean"])


def test_one_seed_has_neither_band_nor_error_and_its_gap_is_that_of_the_table(tmp_path: Path) -> None:
    one = ("--compare", "random-play", "--seeds", 1, "--seed", 6)
    (method,) = document(tmp_path, "learn", "5k", *one)["methods"]
    assert method["mean_error"] is None
    written = document(tmp_path, "learn", "5k", "--method", "random-play", "--seed", 6)
    assert method["gaps"][0][-1] == pytest.approx(written["grade"]["gap"], abs=1e-12)
    lines = analysis(tmp_path, "learn", 500, *one).out.splitlines()
    assert lines[2] == "gap to it after rounds of learning; seed 6"
    assert (lines[3].split(), lines[4], len(lines)) == (["500", "limit"], "gap", 7)


def test_a_comparison_draws_a_picture_and_keeps_what_is_finished(tmp_path: Path) -> None:
    kept = ("learn", 500, "--compare", "qlearning,random-play", "--seeds", 2, "--checkpoint", "kept.json")
    done = analysis(tmp_path, *kept, *ALONE, "--seed", 1, "--plot", "c.svg")
    assert done.status == 0, done.err
    assert "analysis: the picture is c.svg" in done.err
    picture = (tmp_path / "c.svg").read_text(encoding="utf-8")
    assert "random-play" in picture and "rounds learned" in picture
    again = analysis(tmp_path, *kept, *ALONE)  # the seed is that of the checkpoint
    assert (again.err, again.out) == ("", done.out)
    said = refusal(tmp_path, *kept, "--seed", 2, status=1)
    assert "kept.json is the checkpoint of other work: its seed is 1, and here it is 2" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c.svg", "kept.json"]


@pytest.mark.check
def test_the_methods_that_may_chatter_have_two_limits(tmp_path: Path) -> None:
    options = ("--compare", "monte-carlo-es:epsilon=0.1", "--seeds", 2, "--seed", 1, *ALONE)
    lines = analysis(tmp_path, "learn", 200, *options).out.splitlines()
    assert lines[5].endswith(" 0.000165 or 0.000729")
    assert lines[-1].startswith("two limits: learning may go on changing between policies")


def test_what_is_impossible_is_said_in_a_sentence(tmp_path: Path) -> None:
    for options, said in {
        "--compare sarsa --sweep alpha:1": "--sweep makes the comparison itself: expected --compare or",
        "--compare sarsa --method sarsa": "--compare names the methods itself: expected no --method with",
        "--compare sarsa --table t.txt": "a comparison writes no table: expected no --table with it",
        "--compare sarsa --fresh": "a comparison writes no table: expected no --fresh with it",
        "--sweep alpha:1 --until-gap=0.1": "a comparison writes no table: expected no --until-gap with it",
        "--compare sarsa --until-change 1": "a comparison writes no table: expected no --until-change",
        "--compare sarsa --from h.csv": "a comparison plays its own rounds: expected no --from with it",
        "--seeds 3": "--seeds is for a comparison: expected --compare or --sweep with it",
        "--compare sarsa --show": "a comparison writes no table: expected no --show with it",
        "--checkpoint c": "--checkpoint is for a comparison: expected --compare or --sweep with it",
        "--compare sarsa --seeds 0": "--seeds",
        "--compare sarsa --plot c.txt": "the picture c.txt has no known format: expected a name",
        "--compare sarsa --rules showdown": "methods are compared by exact values only: showdown has no",
        "--compare none": "there is no method 'none': expected qlearning, q-constant,",
    }.items():
        assert said in refusal(tmp_path, "learn", 1_000, *options.split())
        assert not list(tmp_path.iterdir())


def test_what_learns_in_a_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without rounds a million of them, and without a method that with a constant step size."""
    learned: list[object] = []

    def learn_nothing(
        methods: list[Contender], _: Rules, rounds: int, seeds: range, *__: object, **___: object
    ) -> None:
        told = [(each.name, each.knobs.alpha, each.knobs.epsilon) for each in methods]
        learned.append((rounds, len(seeds), told))
        raise KeyboardInterrupt

    monkeypatch.setattr("twentyone.analysis.studies.learning_curves.learning_curves", learn_nothing)
    given = "500 --method double-q --sweep alpha:0.01,0.1 --epsilon 0.3 --seeds 2"
    for options in ("--sweep alpha:0.01", given):
        done = analysis(tmp_path, "learn", *options.split(), *ALONE)
        assert (done.status, done.out) == (INTERRUPTED, "")
        assert done.err.endswith(", and nothing is kept; with --checkpoint FILE finished curves would be\n")
    swept = [(f"double-q epsilon=0.3 alpha={alpha}", alpha, 0.3) for alpha in (0.01, 0.1)]
    assert learned == [(1_000_000, 20, [("q-constant alpha=0.01", 0.01, 0.1)]), (500, 2, swept)]
