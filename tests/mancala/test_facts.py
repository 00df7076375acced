"""`mancala facts`: the table of exact figures, as it is printed and as JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from mancala.cli import main
from mancala.commands.facts import facts as command_of_facts
from mancala.core.board import Player
from mancala.core.rules import MODEL, TEXT
from mancala.solving.facts import Facts, facts_of
from mancala.solving.space import Space, explore
from support.command import CommandError
from tests.helpers.inside import inside
from tests.helpers.processes import Finished
from tests.helpers.tiers import first_of
from tests.mancala.truth import TRUTH, rules_of

TABLE = {
    "original model (>2H marbles illegal)": (5_636, 536, 8, 76_808, 5, 12.2370, 43, -1, (-4, -1, -1)),
    "original text (wraps allowed)": (5_749, 536, 0, 92_334, 5, 12.3706, 43, -1, (-4, -1, -1)),
    "+sweep": (5_229, 16, 0, 92_334, 5, 12.3706, 43, 0, (-6, -2, 0)),
    "+capture(nonempty)": (4_001, 595, 0, 5_768, 5, 9.2407, 24, 4, (-4, 4, -3)),
    "+capture(empty too)": (2_965, 543, 0, 2_356, 5, 8.7257, 22, 4, (-5, 4, -1)),
    "+capture(nonempty)+sweep = OpenSpiel/std Kalah": (3_426, 20, 0, 5_768, 5, 9.2407, 24, 4, (-8, 4, 0)),
    "+capture(empty)+sweep = Irving Kalah": (2_442, 20, 0, 2_356, 5, 8.7257, 22, 4, (-8, 4, 0)),
    "+extra turn on non-empty": (1_975, 243, 0, 6_381, 3, 8.1277, 28, 3, (3, -2, 3)),
    "+relay sowing": (1_249, 196, 0, 1_502, 4, 9.3114, 22, 4, (2, 2, 4)),
}
"""3 x 2: boards, final, stuck, games, shortest, mean and longest game, value, and that of each first move."""

AT_RANDOM = {
    "original model (>2H marbles illegal)": (0.46224, 0.39995, 0.13781),
    "original text (wraps allowed)": (0.46494, 0.40178, 0.13328),
    "+sweep": (0.38447, 0.38349, 0.23204),
    "+capture(nonempty)": (0.52256, 0.40260, 0.07484),
    "+capture(empty too)": (0.53441, 0.35802, 0.10757),
    "+capture(nonempty)+sweep = OpenSpiel/std Kalah": (0.43690, 0.41626, 0.14684),
    "+capture(empty)+sweep = Irving Kalah": (0.42860, 0.43117, 0.14023),
    "+extra turn on non-empty": (0.67549, 0.27598, 0.04852),
    "+relay sowing": (0.68001, 0.23218, 0.08782),
}
"""Who wins at random, by the stores: player 1, player 2, nobody."""


@cache
def facts(name: str) -> Facts:
    return facts_of(3, 2, rules_of(TRUTH[f"3x2 {name}"]))


def mancala(folder: Path, *options: object) -> Finished:
    return inside(main, "mancala", *options, cwd=folder)


def document(folder: Path, *options: object) -> Any:
    done = mancala(folder, "facts", *options, "--json")
    assert done.status == 0, done.err
    return json.loads(done.out)


@pytest.mark.parametrize("name", first_of(TABLE, 2))
def test_the_table_of_3_by_2(name: str) -> None:
    found = facts(name)
    boards, final, stuck, games, shortest, mean, longest, value, moves = TABLE[name]
    assert (found.boards, found.final, found.stuck_boards, found.games) == (boards, final, stuck, games)
    assert (found.lengths.shortest, found.lengths.longest) == (shortest, longest)
    assert float(found.lengths.mean) == pytest.approx(mean, abs=5e-5)
    assert (found.perfect.margin, tuple(found.perfect.moves.values())) == (value, moves)
    chances = (found.at_random.player1, found.at_random.player2, found.at_random.tie)
    assert tuple(map(float, chances)) == pytest.approx(AT_RANDOM[name], abs=5e-6)


def test_perfect_play() -> None:
    for known in (known for name, known in TRUTH.items() if name.startswith("2x2 ")):
        found = facts_of(2, 2, rules_of(known)).perfect
        assert found.margin == known["minimax_margin"]
        assert {str(hole): margin for hole, margin in found.moves.items()} == known["first_move_values"]


def test_the_exact_fractions_of_the_text() -> None:
    found = facts("original text (wraps allowed)")
    assert found.at_random.player1 == Fraction(230303991025, 495338913792)
    assert found.at_random.player2 == Fraction(66338792557, 165112971264)
    assert found.at_random.tie == Fraction(8252318137, 61917364224)
    assert found.lengths.mean == Fraction(6127641905789, 495338913792)


def test_the_winner_by_rows_is_another_in_a_quarter_of_the_games() -> None:
    found = facts("original model (>2H marbles illegal)")
    assert found.rows is not None
    assert float(found.rows.disagreement) == pytest.approx(0.2505474056336988, abs=1e-12)
    assert found.rows.player1 + found.rows.player2 + found.rows.both + found.stuck == 1
    assert facts("+sweep").rows is None, "the sweep empties both rows"


def test_ties_are_somewhat_longer_games() -> None:
    lengths = facts("original model (>2H marbles illegal)").lengths
    tie = facts("original model (>2H marbles illegal)").at_random.tie
    assert lengths.mean_of_tied is not None and lengths.mean_of_won is not None
    assert lengths.mean_of_tied > lengths.mean > lengths.mean_of_won
    assert tie * lengths.mean_of_tied + (1 - tie) * lengths.mean_of_won == lengths.mean
    assert sum(lengths.ties[moves] * chance for moves, chance in lengths.chances.items()) == tie
    assert sum(lengths.games.values()) == 76_808
    assert lengths.ties[5] == lengths.ties[43] == 0, "neither the shortest nor the longest game is one"


def test_hoarding_costs_marbles() -> None:
    found = facts("original model (>2H marbles illegal)")
    assert found.cost_of_hoarding(Player.TWO) > found.cost_of_hoarding(Player.ONE) > 0
    for result in found.hoarding.values():
        assert result.player1 + result.player2 + result.tie == 1
    lost = found.hoarding[Player.TWO].margin - found.at_random.margin
    assert lost == found.cost_of_hoarding(Player.TWO)


def test_a_game_without_ties() -> None:
    lengths = facts_of(1, 1, MODEL).lengths
    assert lengths.mean_of_tied is None and lengths.mean_of_won == lengths.mean


def test_progress_is_reported() -> None:
    seen: list[tuple[int, str]] = []
    facts_of(2, 2, TEXT, lambda boards, note: seen.append((boards, note)))
    assert seen[0][1] == "move 1 in random play" and seen[-1][1].endswith(" if player 2 hoards")


def test_facts_are_printed(tmp_path: Path) -> None:
    done = mancala(tmp_path, "facts", "--plot", "lengths.svg")
    lines = done.out.splitlines()
    assert done.status == 0, done.err
    assert lines[1:5] == [
        "boards           5,636: 536 final, 8 stuck",
        "legal moves      8,704",
        "games            76,808",
        "length in moves  5 to 43, mean 12.2370, standard deviation 3.9949",
    ]
    assert "25.055 % have another winner by the stores" in done.out
    assert "stuck            1.119 % of games" in lines
    assert "perfect play     margin -1; after player 1's first move 0: -4, 1: -1, 2: -1" in lines
    assert "covers           all reachable boards" in lines
    picture = (tmp_path / "lengths.svg").read_text(encoding="utf-8")
    assert "length of a random game (moves)" in picture and "mean 12.24" in picture


def test_facts_as_json(tmp_path: Path) -> None:
    found = document(tmp_path, "--rules", "text")
    assert found["at_random"]["player1"]["exact"] == "230303991025/495338913792"
    assert found["at_random"]["player1"]["value"] == pytest.approx(0.46494225390438026)
    known = TRUTH["3x2 original text (wraps allowed)"]
    assert {str(each["moves"]): each["games"] for each in found["lengths"]["each"]} == known[
        "len_dist_traces"
    ]
    assert found["perfect"] == {"margin": -1, "moves": {"0": -4, "1": -1, "2": -1}}
    assert found["covers"] == "all reachable boards"


def test_a_game_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mancala.solving.facts.explore", partial(explore, most=1_000))
    with pytest.raises(CommandError, match=r"^6 holes a side and 48 marbles reach more than 1,000 boards:"):
        command_of_facts(holes=6, marbles=4)


def test_ctrl_c_ends_it_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> Space:
        raise KeyboardInterrupt

    monkeypatch.setattr("mancala.solving.facts.explore", interrupted)
    with pytest.raises(CommandError, match="interrupted before the figures were complete") as failure:
        command_of_facts()
    assert failure.value.status == 130


def test_facts_of_other_rules(tmp_path: Path) -> None:
    found = document(tmp_path, "--rules", "text", "--capture", "nonempty", "--sweep", "--holes", 2)
    known = TRUTH["2x2 +capture(nonempty)+sweep = OpenSpiel/std Kalah"]
    assert found["games"] == known["complete_games"] and found["by_row"] is None
    assert found["lengths"]["mean"]["exact"] == known["mean_exact"]
    skip = document(tmp_path, "--rules", "text", "--wrap", "skip", "--extra", "relay", "--bitwidth", 8)
    assert skip["boards"] == TRUTH["3x2 +relay sowing"]["reachable_states"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--holes 13", "--holes is '"),
        ("--rules chess", "there are no rules 'chess': expected one of model, text, kalah, standard"),
        ("--wrap round", "--wrap: 'round' is not one of "),
        (
            "--plot x.txt",
            "the picture x.txt has no known format: expected a name that ends in .png, .pdf or ",
        ),
    ],
)
def test_errors_are_one_sentence(tmp_path: Path, words: str, sentence: str) -> None:
    done = mancala(tmp_path, "facts", *words.split())
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1), done
    assert done.err.removeprefix("mancala: ").startswith(sentence), done.err
