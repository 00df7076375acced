"""The predicates agree with the rules, also on boards that no game reaches."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given

from tests.twentyone.mancala.drawn_boards import steps
from twentyone.mancala.core.board import Board, Player, from_line, initial
from twentyone.mancala.core.rules import MODEL, Rules, Wrap, can_move, is_over, move, moves
from twentyone.mancala.model import predicates as p
from twentyone.mancala.solving.space import explore

FOUR_BITS = Rules(wrap=Wrap.ILLEGAL, bits=4)


@pytest.mark.parametrize(("rules", "bits"), [(MODEL, None), (FOUR_BITS, 4)])
def test_every_move_that_the_rules_make_satisfies_the_relation(rules: Rules, bits: int | None) -> None:
    space = explore(initial(), rules)
    for number in range(0, space.boards, 3):
        before = space.board(number)
        for hole in moves(before, rules):
            assert p.move(before, move(before, hole, rules), hole, bits)


def test_the_relation_holds_of_no_other_pair_of_boards() -> None:
    # Every pair of boards of one hole a side with up to two marbles in a cell, either turn, any hole.
    boards = [Board(cells, turn) for cells in product(range(3), repeat=4) for turn in Player]
    made = {(before, move(before, hole, MODEL), hole) for before in boards for hole in moves(before, MODEL)}
    related = {
        (before, after, hole)
        for before in boards
        if not is_over(before)
        for after in boards
        if after.cells[0] == 0 or after.cells[2] == 0
        for hole in (0, 2)
        if p.move(before, after, hole)
    }
    assert related == {step for step in made if max(step[1].cells) < 3}
    assert len(related) > 30


@given(steps())
def test_the_relation_and_the_rules_agree_on_steps_that_are_nearly_right(
    step: tuple[Board, Board, int],
) -> None:
    before, after, hole = step
    is_move = can_move(before, hole, MODEL) and move(before, hole, MODEL) == after
    assert p.move(before, after, hole) == is_move
    if is_move:
        assert p.update_marbles(before, after, hole) and p.check_turn(before, after)
        assert p.some_move(before, after) and not p.do_nothing(before, after)


def test_boards_of_different_sizes_are_not_a_move() -> None:
    assert not p.update_marbles(initial(3), initial(2), 0) and not p.update_marbles(initial(), initial(), 8)


def test_more_marbles_than_other_cells_have_no_move() -> None:
    before = from_line("7,0,0:0/1,1,1:0/1")
    once_round = from_line("1,1,1:1/2,2,2:0/2")
    assert not p.move(before, once_round, 0)
    assert not moves(before, MODEL)


def test_boards() -> None:
    assert p.wellformed(initial()) and not p.wellformed(from_line("2,2,2:-1/2,2,2:0/1"))
    assert p.init(initial()) and p.init(initial(6, 4), marbles=4) and not p.init(initial(6, 4))
    assert not p.init(from_line("2,2,2:0/2,2,2:0/2"))
    won = from_line("0,0,0:5/1,0,2:4/1")
    assert p.player1_win(won) and not p.player2_win(won) and p.end_game(won)
    both = from_line("0,0,0:5/0,0,0:7/1")
    assert p.player1_win(both) and p.player2_win(both)
    assert not p.end_game(initial())


def test_the_text_and_the_model_disagree_about_who_won() -> None:
    # By the model player 1 has won here, and has fewer marbles in the store.
    board = from_line("0,0,0:2/1,0,2:7/1")
    assert p.player1_win(board) and board.margin < 0


def test_nothing_is_done_only_when_the_game_is_over() -> None:
    over = from_line("0,0,0:5/1,0,2:4/1")
    assert p.do_nothing(over, over)
    assert not p.do_nothing(over, from_line("0,0,0:5/1,0,2:4/2"))
    assert not p.do_nothing(initial(), initial())


def test_traces() -> None:
    line = [1, 2, 6, 0, 1, 5, 0, 6, 4, 5, 2, 4, 1, 6, 0, 5, 2, 1, 6]  # a line of perfect play; it ends 5:6
    boards = [initial()]
    for hole in line:
        boards.append(move(boards[-1], hole, MODEL))
    assert is_over(boards[-1]) and (boards[-1].cells[3], boards[-1].cells[7]) == (5, 6)
    assert p.game_trace(boards) and p.game_trace([*boards, boards[-1]])
    assert (
        not p.game_trace(boards[1:]) and not p.game_trace([]) and not p.game_trace([boards[0], *boards[2:]])
    )


def test_an_overflow_is_a_move_of_4_bits_only() -> None:
    before = from_line("0,0,1:7/1,0,0:0/1")
    after = from_line("0,0,0:-8/1,0,0:0/1")
    assert p.move(before, after, 2, bits=4) and not p.move(before, after, 2)


def test_each_has_a_name_and_a_sentence() -> None:
    assert sorted(p.PREDICATES) == sorted(
        (
            *("wellformed", "init", "end_game", "player1_win", "player2_win"),
            *("check_turn", "update_marbles", "move", "do_nothing", "game_trace"),
        )
    )
    for name, predicate in p.PREDICATES.items():
        assert predicate.name == name and predicate.sentence.endswith(".")
        assert predicate.holds is getattr(p, name)
