"""`mancala facts`: the table of exact figures, as it is printed and as JSON."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from tests.twentyone.mancala.commands import document, mancala
from tests.twentyone.mancala.truth import SIZES, TRUTH, names_of, rules_of
from twentyone.mancala.commands.facts import facts as command_of_facts
from twentyone.mancala.core.board import Player
from twentyone.mancala.core.rules import MODEL, TEXT
from twentyone.mancala.solving.facts import Facts, facts_of
from twentyone.mancala.solving.space import Space, explore
from twentyone.support.command import CommandError


@cache
def facts(name: str) -> Facts:
    return facts_of(3, 2, rules_of(TRUTH[f"3x2 {name}"]))


@SIZES
def test_the_figures_of_every_variant(size: str) -> None:
    for name in names_of(size):
        compare(facts_of(int(size[0]), 2, rules_of(TRUTH[name])), TRUTH[name])


def compare(found: Facts, known: dict[str, Any]) -> None:
    counts = (found.boards, found.final, found.stuck_boards, found.games, found.transitions)
    names = ("reachable_states", "terminal_states", "stuck_nonterminal_states", "complete_games")
    assert counts == (*(known[each] for each in names), known["transitions(labelled moves)"])
    lengths = found.lengths
    assert (lengths.shortest, lengths.longest) == (known["min_len_moves"], known["max_len_moves"])
    assert str(lengths.mean) == known["mean_exact"]
    assert lengths.deviation == pytest.approx(known["sd_len"], abs=1e-9)
    chances = (found.at_random.player1, found.at_random.player2, found.at_random.tie)
    assert [*map(str, chances)] == known["P_exact"]
    assert float(found.at_random.margin) == pytest.approx(known["E_margin_uniform"], abs=1e-12)
    assert found.perfect.margin == known["minimax_margin"]
    first_moves = {str(hole): margin for hole, margin in found.perfect.moves.items()}
    assert first_moves == known["first_move_values"]


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
    done = mancala(tmp_path, "facts --plot lengths.svg")
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
    found = document(tmp_path, "facts --rules text")
    assert found["at_random"]["player1"]["exact"] == "230303991025/495338913792"
    assert found["at_random"]["player1"]["value"] == pytest.approx(0.46494225390438026)
    known = TRUTH["3x2 original text (wraps allowed)"]
    assert {str(each["moves"]): each["games"] for each in found["lengths"]["each"]} == known[
        "len_dist_traces"
    ]
    assert found["perfect"] == {"margin": -1, "moves": {"0": -4, "1": -1, "2": -1}}
    assert found["covers"] == "all reachable boards"


def test_a_game_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twentyone.mancala.solving.facts.explore", partial(explore, most=1_000))
    with pytest.raises(CommandError, match=r"^6 holes a side and 48 marbles reach more than 1,000 boards:"):
        command_of_facts(holes=6, marbles=4)


def test_ctrl_c_ends_it_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> Space:
        raise KeyboardInterrupt

    monkeypatch.setattr("twentyone.mancala.solving.facts.explore", interrupted)
    with pytest.raises(CommandError, match="interrupted before the figures were complete") as failure:
        command_of_facts()
    assert failure.value.status == 130


def test_facts_of_other_rules(tmp_path: Path) -> None:
    found = document(tmp_path, "facts --rules text --capture nonempty --sweep --holes 2")
    known = TRUTH["2x2 +capture(nonempty)+sweep = OpenSpiel/std Kalah"]
    assert found["games"] == known["complete_games"] and found["by_row"] is None
    assert found["lengths"]["mean"]["exact"] == known["mean_exact"]
    skip = document(tmp_path, "facts --rules text --wrap skip --extra relay --bitwidth 8")
    assert skip["boards"] == TRUTH["3x2 +relay sowing"]["reachable_states"]
