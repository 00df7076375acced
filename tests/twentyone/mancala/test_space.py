"""State spaces: the known counts, and fast moves that are the moves of the rules."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tiers import first_of
from tests.twentyone.mancala.truth import SIZES, TRUTH, names_of, space_of
from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.core.rules import TEXT, Capture, Extra, Rules, Wrap, is_over, move, moves
from twentyone.mancala.core.sower import Sower, board_of, state_of
from twentyone.mancala.solving.space import TooLargeError, explore

ALL_RULES = tuple(
    Rules(wrap, capture, extra, sweep, bits=bits)
    for wrap, capture, extra, sweep, bits in product(Wrap, Capture, Extra, (False, True), (None, 4))
)


@SIZES
def test_what_the_boards_of_every_variant_hold(size: str) -> None:
    """How many boards, moves and ends there are is compared with the facts of `mancala facts`."""
    for name in names_of(size):
        space, known = space_of(name), TRUTH[name]
        assert len({state[:-1] for state in space.states}) == known["distinct_boards_ignoring_turn"]
        boards = [space.board(number) for number in range(space.boards)]
        rows = [board.row(Player.ONE) + board.row(Player.TWO) for board in boards]
        assert sum(max(row) > 7 for row in rows) == known["states_hole>7"]
        assert max(map(max, rows)) == known["max_hole"]
        assert max(board.store(player) for board in boards for player in Player) == known["max_mancala"]
        assert sum(max(board.cells) > 7 for board in boards) == known["states_any_cell>7 (4-bit overflow)"]
        assert sum(0 not in board.cells for board in boards) == known["states_no_empty_cell"]
        going = [board for board in boards if not is_over(board)]
        assert sum(max(board.cells) >= 7 for board in going) == known["nonterminal_any_cell>=7"]
        movers = sum(max(board.row(board.turn)) > 2 * board.holes for board in going)
        assert movers == known["states_where_mover_has_hole>2H"]
        assert {board.total for board in boards} == {boards[0].total}, "marbles are conserved"
        ends = [board for board in map(space.board, space.ends) if is_over(board)]
        won = [sum(board.margin > 0 for board in ends), sum(board.margin < 0 for board in ends)]
        outcomes = {"P1": won[0], "P2": won[1], "tie": len(ends) - sum(won)}
        assert outcomes == {"P1": 0, "P2": 0, "tie": 0} | known["terminal_outcome_states"]


@pytest.mark.parametrize(
    ("holes", "marbles", "boards"), first_of([(3, 1, 240), (3, 4, 272_142), (4, 2, 426_986)])
)
def test_other_sizes_by_the_text(holes: int, marbles: int, boards: int) -> None:
    assert explore(initial(holes, marbles), TEXT).boards == boards


def test_fast_moves_are_moves_on_every_board_that_small_games_reach() -> None:
    for rules, (holes, marbles) in product(ALL_RULES, ((1, 3), (2, 1))):
        space = explore(initial(holes, marbles), rules)
        for number in range(space.boards):
            agree(space.board(number), rules)


def agree(board: Board, rules: Rules) -> None:
    fast = Sower(board.holes, rules).moves(state_of(board))
    assert [(hole, board_of(state)) for hole, state in fast] == [
        (hole, move(board, hole, rules)) for hole in moves(board, rules)
    ]


@st.composite
def boards(draw: Any) -> Board:
    holes = draw(st.integers(1, 7))
    counts = st.one_of(st.integers(0, 3), st.integers(0, 40))
    cells = draw(st.lists(counts, min_size=2 * holes + 2, max_size=2 * holes + 2))
    return Board(tuple(cells), draw(st.sampled_from(Player)))


@given(boards(), st.sampled_from(ALL_RULES))
def test_fast_moves_are_moves_on_any_board(board: Board, rules: Rules) -> None:
    agree(board, rules)


def test_numbers_of_moves() -> None:
    space = explore(initial(2, 1), TEXT)
    assert space.starts[:3] == [0, 1, 3]
    for number, after in enumerate(space.after):
        assert [space.states[each] for each in after] == [
            state for _, state in space.sower.moves(space.states[number])
        ]
        assert space.index[space.states[number]] == number


def test_a_game_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooLargeError, match="6 holes a side and 48 marbles reach more than 20,000 boards"):
        explore(initial(6, 4), TEXT, most=20_000)


def test_progress_is_reported() -> None:
    seen: list[int] = []
    explore(initial(3, 2), TEXT, on_progress=seen.append)
    assert seen == [4096]
