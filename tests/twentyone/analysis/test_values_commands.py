"""`analysis solve`, `value` and `dealer`: what they print, and the files that they write."""

from __future__ import annotations

import json as text_of
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.processes import command
from tests.twentyone.analysis.laboratory import analysis, document, refusal
from twentyone.policies.qtable import HIT, STAND
from twentyone.policies.table_files import load

BEST = -0.0428061253
"""The best chart for a fresh 52-card deck."""

OPTIMUM = -0.0424622758
"""The best play from the same."""


# Solving.


def test_the_best_chart_is_shown_with_its_values(tmp_path: Path) -> None:
    done = analysis(tmp_path, "solve")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "rules: course"
    assert lines[5].split() == ["best", "chart", f"{BEST}", "4.2806", "%"]
    assert lines[6].split() == ["best", "play", f"{OPTIMUM}", "4.2462", "%"]
    assert max(map(len, lines)) <= 80
    (sixteen,) = [line.split() for line in lines if line.startswith("    16 ")]
    assert sixteen[1:] == [*"SSSSSHHHHH"]
    (seventeen,) = [line.split() for line in lines if line.startswith("  4-11 ")]
    assert seventeen[1:] == [*"HHHHHHHHHH"]


def test_the_certificate_has_a_line_for_each_upcard(tmp_path: Path) -> None:
    done = analysis(tmp_path, "solve", "--certificate")
    assert (done.status, done.err) == (0, "")
    said, *_, heading = done.out.splitlines()[-14:-10]
    assert said == "No chart is better. Against each upcard entries are closed in passes:"
    assert " ".join(heading.split()) == "upcard hands settled in doubt passes least gain where"
    rows = [line.split() for line in done.out.splitlines()[-10:]]
    assert [row[0] for row in rows] == [*map(str, range(2, 11)), "A"]
    assert {tuple(row[1:3]) for row in rows} == {("28", "0")}
    solved = document(tmp_path, "solve", "--certificate")
    assert (solved["proved"], len(solved["certificate"])) == (True, 10)
    four = solved["certificate"][2]
    # Hard 12 against 4 is the closest decision of all. If earlier passes agree, STAND gains at least 0.004.
    assert four["least_gain"] == pytest.approx(0.004482, abs=1e-6)
    assert (four["upcard"], four["hand"], four["settled"], four["in_doubt"]) == (4, "H12", 28, 0)
    assert [str(each["passes"]) for each in solved["certificate"]] == [row[3] for row in rows]
    assert four["passes"] > 1


def test_with_an_infinite_deck_no_card_of_the_hand_matters(tmp_path: Path) -> None:
    done = analysis(tmp_path, "solve", "--decks", "inf", "--margins")
    assert done.out.count("-0.0465559771") == 2 and "found" not in done.out
    # The closest decision of all: standing on hard 12 against 4, by 0.00247.
    twelve, _ = (line.split() for line in done.out.splitlines() if line.startswith("    12 "))
    assert twelve[3] == "S.002"


@pytest.mark.parametrize("rules", [(), ("--rules", "reno", "--reshuffle", "round")])
def test_the_keys_of_a_document_are_those_of_any_rules(tmp_path: Path, rules: tuple[str, ...]) -> None:
    solved = document(tmp_path, "solve", *rules)
    assert " ".join(solved) == (
        "rules shoe best_chart proved bound best_play house_edge standard_deviation insurance upcards"
        " upcard_chances best_chart_by_upcard best_play_by_upcard chart cells published"
    )
    assert solved["proved"] is True


def test_a_solution_as_a_document_a_table_and_a_picture(tmp_path: Path) -> None:
    solved = document(tmp_path, "solve", "--table", "best.txt", "--plot", "best.png")
    assert solved["best_chart"] == pytest.approx(BEST, abs=5e-11)
    assert solved["best_play"] == pytest.approx(OPTIMUM, abs=5e-11)
    assert solved["upcards"] == [*range(2, 12)]
    assert len(solved["cells"]) == 280
    assert (tmp_path / "best.png").read_bytes().startswith(b"\x89PNG")

    table = load(tmp_path / "best.txt")
    greedy = np.where(table.values[:, :, HIT] > table.values[:, :, STAND], "H", "S")
    for cell in solved["cells"]:
        total, column = int(cell["hand"][1:]), cell["upcard"] + (10 if cell["hand"][0] == "S" else 0)
        options = [cell["options"]["HIT"], cell["options"]["STAND"]]
        assert table.values[total, column].tolist() == pytest.approx(options, abs=1e-13)
        assert greedy[total, column] == cell["entry"]

    # Other commands can read the table: it is graded.
    (grade,) = document(tmp_path, "value", "best.txt")["policies"]
    assert (grade["value"], grade["gap"]) == (solved["best_chart"], 0.0)
    assert grade["differing_cells"] == 0


def test_a_shoe_with_a_cut_card_is_solved_as_a_fresh_one(tmp_path: Path) -> None:
    done = analysis(tmp_path, "solve", "--rules", "study", "--table", "best.txt")
    assert done.status == 0
    assert done.err == "analysis: the table is best.txt\n"
    assert done.out.startswith("rules: study reshuffle=round (exact values are those of a fresh shoe)\n")
    assert "\nsoft" not in done.out, "an ace that counts 1 makes no hand soft"
    assert load(tmp_path / "best.txt").rules.fields()["reshuffle"] == "round"


def test_what_cannot_be_done_is_said_in_a_sentence(tmp_path: Path) -> None:
    for name in ("taken", "poem.txt"):
        (tmp_path / name).write_text("Shall I compare thee to a summer's day?\n")
    for words, status, said in (
        ("solve --plot best.jpg", 2, "expected a name that ends in .png, .pdf or .svg"),
        ("solve --plot taken/best.png", 1, "the picture taken/best.png cannot be written: "),
        ("solve --table taken/best.txt", 1, "the table taken/best.txt cannot be written: "),
        ("solve --decks 9", 2, "decks is 9: expected 1 to 8, or inf"),
        ("solve --rules showdown", 2, "showdown has no short exact form: "),
        ("dealer --rules showdown", 2, "showdown has no short exact form: "),
        ("value clever", 2, "there is no policy 'clever': expected basic, "),
        ("value qtable:none.txt", 1, "the table none.txt cannot be read: no such file or directory"),
        ("value poem.txt", 1, "poem.txt is not a Q table: "),
    ):
        assert said in refusal(tmp_path, *words.split(), status=status)


def test_without_matplotlib_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "matplotlib.py").write_text("raise ImportError('not here')")
    options = ("solve", "--plot", "best.png")
    done = command("analysis", *options, cwd=tmp_path, is_true=True, PYTHONPATH=str(tmp_path))
    said = "analysis: pictures need matplotlib, which is not installed: pip install 'twentyone[plot]'\n"
    assert (done.status, done.out, done.err) == (1, "", said)
    assert not (tmp_path / "best.png").exists()


# Grading.


def test_a_policy_is_graded(tmp_path: Path) -> None:
    done = analysis(tmp_path, "value", "threshold:16", "--decks", "inf", "--ace", "1")
    assert (done.status, done.err) == (0, "")
    figures = [line.split() for line in done.out.splitlines()[2:6]]
    assert figures == [
        ["threshold:16", "-0.0823170951", "0.0248902391", "23"],
        [],
        ["best", "chart", "-0.0574268560"],
        ["best", "play", "-0.0574268560"],
    ]


def test_several_policies_are_compared(tmp_path: Path) -> None:
    names = ("basic", "total-only", "random")
    compared = document(tmp_path, "value", *names, "--decks", "inf")
    values = {policy["name"]: policy["value"] for policy in compared["policies"]}
    known = dict(zip(names, (-0.0465559771, -0.0559118641, -0.3958959928), strict=True))
    assert values == pytest.approx(known, abs=5e-11)
    best = (compared["best_chart"], compared["best_play"])
    assert best == pytest.approx((values["basic"],) * 2, abs=1e-13)
    assert compared["proved"] is True
    for policy in compared["policies"]:
        assert policy["gap"] == compared["best_chart"] - policy["value"]
        costliest = policy["costliest_cells"]
        assert len(costliest) == (0 if policy["name"] == "basic" else 5)
        assert all(cell["cost"] > 0 for cell in costliest)
    text = analysis(tmp_path, "value", *names, "--decks", "inf").out.splitlines()
    assert [line.split()[0] for line in text[2:5]] == [*names]
    assert text[3].split()[1:3] == ["-0.0559118641", "0.0093558871"]


def test_a_table_brings_its_rules_unless_others_are_given(tmp_path: Path) -> None:
    analysis(tmp_path, "solve", "--rules", "devs", "--decks", "inf", "--table", "devs.txt")
    analysis(tmp_path, "solve", "--decks", "inf", "--table", "infinite.txt")
    assert document(tmp_path, "value", "qtable:devs.txt", "threshold:15")["rules"]["preset"] == "devs"
    other = document(tmp_path, "value", "devs.txt", "infinite.txt", "--rules", "course")
    assert other["rules"]["ace"] == "either"
    assert [policy["gap"] > 1e-5 for policy in other["policies"]] == [True, False]
    said = refusal(tmp_path, "value", "devs.txt", "infinite.txt", status=2)
    assert said.startswith("devs.txt is a table for preset=devs")
    assert said.endswith("expected --rules to choose")


def test_a_shoe_that_is_kept_is_valued_as_a_fresh_one(tmp_path: Path) -> None:
    done = analysis(tmp_path, "value", "threshold:16", "--rules", "study", "--json")
    assert done.err == ""
    fresh = document(tmp_path, "value", "threshold:16", "--rules", "study", "--reshuffle", "round")
    assert text_of.loads(done.out) == fresh


def test_without_a_dealer_all_seats_play_the_policy_and_it_is_simulated(tmp_path: Path) -> None:
    options = ("value", "threshold:16", "never-bust", "--rules", "showdown", "--rounds", 50_000)
    done = analysis(tmp_path, *options)
    assert done.err.startswith("analysis: without a dealer there is no exact value")
    seed = int(done.out.splitlines()[-1].removeprefix("seed "))

    simulated = document(tmp_path, *options, "--seed", seed)
    assert set(simulated) == {"rules", "seed", "policies"}
    assert (simulated["rules"]["preset"], simulated["seed"]) == ("showdown", seed)
    first, second = simulated["policies"]
    assert set(first) == {"name", "rounds", "mean_payoff", "standard_error", "interval"}
    assert (first["name"], second["name"], first["rounds"]) == ("threshold:16", "never-bust", 50_000)
    # One seat wins what the other loses, except in rounds in which both are bust.
    assert -0.1 < first["mean_payoff"] < 0
    low, high = first["interval"]
    assert low < first["mean_payoff"] < high
    assert high - low == pytest.approx(2 * 1.959964 * first["standard_error"])
    assert f"{first['mean_payoff']:+.6f}" in done.out, "the same seed gives the same figures"


# The dealer.


def test_the_dealers_ends(tmp_path: Path) -> None:
    ends = document(tmp_path, "dealer", "--decks", "inf")
    assert ends["outcomes"] == ["17", "18", "19", "20", "21", "natural", "bust"]
    assert ends["upcards"] == [*range(2, 12)]
    assert [sum(chances) for chances in ends["chances"]] == pytest.approx([1.0] * 10, abs=1e-13)
    assert sum(ends["any_upcard"]) == pytest.approx(1.0, abs=1e-13)
    naturals = [chances[5] for chances in ends["chances"]]
    assert naturals == pytest.approx([0.0] * 8 + [1 / 13, 4 / 13])
    assert ends["any_upcard"][5] == pytest.approx(2 * 4 / 13**2)


def test_the_dealers_ends_in_percent(tmp_path: Path) -> None:
    done = analysis(tmp_path, "dealer")
    heading, *rows = done.out.splitlines()[1:]
    assert heading.split() == ["upcard,", "%", "17", "18", "19", "20", "21", "natural", "bust"]
    assert [row.split()[0] for row in rows] == [*"23456789", "10", "A", "any"]
    for row in rows:
        assert sum(map(float, row.split()[1:])) == pytest.approx(100, abs=0.0004)
    # With a ten shown, 4 of the other 51 cards are aces; with an ace shown, 16 count 10.
    assert rows[8].split()[6] == f"{100 * 4 / 51:.4f}"
    assert rows[9].split()[6] == f"{100 * 16 / 51:.4f}"
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("what", ["value", "explain"])
def test_the_name_of_a_file_does_nothing_to_a_terminal(tmp_path: Path, what: str) -> None:
    assert analysis(tmp_path, "solve", "--table=q\x1b[2J.txt").err.endswith(
        r"the table is q\x1b[2J.txt" + "\n"
    )
    done = analysis(tmp_path, what, "q\x1b[2J.txt")
    assert (done.status, done.err) == (0, "")
    assert r"q\x1b[2J.txt" in done.out
    assert "\x1b" not in done.out
    missing = analysis(tmp_path, what, "qtable:\x9b2J")
    assert (missing.status, missing.out) == (1, "")
    assert r"\x9b2J" in missing.err
