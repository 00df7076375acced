"""Whole games: steps, policies, and the keys to step through them."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

import pytest

from twentyone.mancala.commands.stepper import draw_step, place_after
from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.core.rules import KALAH, MODEL, STANDARD, TEXT, is_over, moves
from twentyone.mancala.solving.games import describe_step, play_game
from twentyone.mancala.solving.policies import POLICIES, greedy, hoard, perfect


def test_every_policy_plays_a_game_to_its_end() -> None:
    for name, rules in product(POLICIES, (TEXT, KALAH, MODEL)):
        policy = POLICIES[name].make(Random(3))
        game = play_game(initial(), rules, {Player.ONE: policy, Player.TWO: policy})
        assert moves(game[-1].board, rules) == ()
        for before, after in pairwise(game):
            assert after.hole in moves(before.board, rules)
            assert after.changed == {
                cell for cell in range(8) if before.board.cells[cell] != after.board.cells[cell]
            }


@pytest.mark.parametrize(("rules", "margin"), [(MODEL, -1), (TEXT, -1), (KALAH, 4), (STANDARD, 4)])
def test_perfect_play_against_itself_ends_with_the_value_of_the_game(rules: object, margin: int) -> None:
    """The values are those of three holes and two marbles in the exact enumerations of the original."""
    game = play_game(initial(), rules, {Player.ONE: perfect, Player.TWO: perfect})  # type: ignore[arg-type]
    assert game[-1].board.margin == margin


@pytest.mark.check
def test_perfect_play_on_a_large_board_takes_the_lowest_of_the_best_moves() -> None:
    """Kalah with four holes and four marbles: first moves worth 2, -2, 2 and -4."""
    assert perfect(initial(4, 4), KALAH) == 0


def test_hoarding_and_greed() -> None:
    board = Board((3, 1, 1, 0, 2, 2, 2, 0), Player.ONE)
    assert hoard(board, TEXT) == 1, "one marble moves within the row, as many remain"
    assert greedy(board, TEXT) == 0, "both 0 and 2 gain one: the lowest hole"


def test_what_is_said_of_a_board() -> None:
    assert (
        describe_step(play_game(initial(), TEXT, dict.fromkeys(Player, hoard))[0], TEXT)
        == "Player 1 to move."
    )
    last = play_game(initial(), KALAH, dict.fromkeys(Player, perfect))[-1]
    assert describe_step(last, KALAH).endswith("was sown. The game is over: player 1 won.")
    assert is_over(last.board)


def test_changed_cells_are_marked_in_the_drawing() -> None:
    step = play_game(initial(), TEXT, dict.fromkeys(Player, greedy))[1]
    assert (step.hole, set(step.changed)) == (1, {1, 2, 3})
    lines = draw_step(step, TEXT).plain.splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["2", "2", "2"],
        ["0", "[1]"],
        [">", "2", "[0]", "[3]"],
    ]


def test_keys_lead_through_the_boards() -> None:
    right, left = b"\x1b[C", b"\x1b[D"
    for key, place, then in (
        *((right, 0, 1), (right, 9, 9), (left, 3, 2), (left, 0, 0)),
        *((b"G", 3, 9), (b"g", 3, 0), (b"x", 3, 3), (b"q", 3, None)),
    ):
        assert place_after(key, place, 9) == then, (key, place)
