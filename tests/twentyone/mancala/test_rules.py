"""Moves under each of the rules, one case each, and what no move may do."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twentyone.mancala.core.board import Board, Player, from_line, to_line
from twentyone.mancala.core.rules import (
    KALAH,
    MODEL,
    STANDARD,
    TEXT,
    Capture,
    Extra,
    IllegalMoveError,
    Rules,
    Winning,
    Wrap,
    can_move,
    in_bits,
    is_over,
    move,
    moves,
    sowings,
    winners,
)

ALL_RULES = st.builds(
    Rules,
    wrap=st.sampled_from(Wrap),
    capture=st.sampled_from(Capture),
    extra=st.sampled_from(Extra),
    sweep=st.booleans(),
)
PLAYED = st.integers(1, 6).flatmap(
    lambda holes: st.builds(
        Board, st.tuples(*[st.integers(0, 20)] * (2 * holes + 2)), st.sampled_from(Player)
    )
)


MOVES: list[tuple[Rules, str, int, str]] = [
    # Two marbles, and the turn switches.
    (TEXT, "2,2,2:0/2,2,2:0/1", 0, "0,3,3:0/2,2,2:0/2"),
    # The last marble falls into the own store: another turn.
    (TEXT, "2,2,2:0/2,2,2:0/1", 1, "2,0,3:1/2,2,2:0/1"),
    # Past the opponent's store, for either player.
    (TEXT, "0,0,6:0/1,1,1:0/1", 2, "1,1,0:1/2,2,2:0/2"),
    (TEXT, "1,1,1:0/0,0,6:0/2", 6, "2,2,2:0/1,1,0:1/1"),
    # Seven marbles go round the board: into the hole where they began, or past it.
    (TEXT, "0,0,7:0/1,1,1:0/1", 2, "1,1,1:1/2,2,2:0/2"),
    (Rules(wrap=Wrap.SKIP), "0,0,7:0/1,1,1:0/1", 2, "1,1,0:2/2,2,2:0/1"),
    # A capture, with marbles opposite and without.
    (Rules(capture=Capture.NONEMPTY), "1,0,2:0/1,3,0:0/1", 0, "0,0,2:4/1,0,0:0/2"),
    (Rules(capture=Capture.NONEMPTY), "1,0,2:0/1,0,3:0/1", 0, "0,1,2:0/1,0,3:0/2"),
    (Rules(capture=Capture.EMPTY), "1,0,2:0/1,0,3:0/1", 0, "0,0,2:1/1,0,3:0/2"),
    # No capture in the opponent's row.
    (Rules(capture=Capture.EMPTY), "1,0,2:0/0,0,3:0/1", 2, "1,0,0:1/1,0,3:0/2"),
    # The leftovers go to the side they lie on; without a sweep they stay.
    (Rules(sweep=True), "0,0,1:0/1,0,3:2/1", 2, "0,0,0:1/0,0,0:6/1"),
    (TEXT, "0,0,1:0/1,0,3:2/1", 2, "0,0,0:1/1,0,3:2/1"),
    # A last marble in a hole with marbles: another turn, or sown on until it falls into an empty one.
    (Rules(extra=Extra.NONEMPTY), "1,1,0:0/1,0,0:0/1", 0, "0,2,0:0/1,0,0:0/1"),
    (Rules(extra=Extra.NONEMPTY), "0,1,0:0/1,0,0:0/1", 1, "0,0,1:0/1,0,0:0/2"),
    (Rules(extra=Extra.RELAY), "1,1,0:0/0,1,0:0/1", 0, "0,0,1:1/0,1,0:0/1"),
    (Rules(extra=Extra.RELAY), "1,2,0:0/0,1,0:0/1", 0, "0,0,1:1/1,1,0:0/2"),
    # 7 and 1 are -8 in 4 bits.
    (Rules(bits=4), "0,1,1:7/0,1,0:0/1", 2, "0,1,0:-8/0,1,0:0/1"),
]


@pytest.mark.parametrize(("rules", "before", "hole", "after"), MOVES)
def test_a_move(rules: Rules, before: str, hole: int, after: str) -> None:
    assert to_line(move(from_line(before), hole, rules)) == after


def test_where_the_marbles_of_a_move_fall() -> None:
    for rules, before, hole, expected in (
        # Past the opponent's store, and round the board with and without the hole where it began.
        (TEXT, "0,0,6:0/1,1,1:0/1", 2, [(2, (3, 4, 5, 6, 0, 1))]),
        (Rules(wrap=Wrap.SKIP), "0,0,7:0/1,1,1:0/1", 2, [(2, (3, 4, 5, 6, 0, 1, 3))]),
        # A relay sows the hole where the last marble fell; captures and sweeps are left out.
        (Rules(extra=Extra.RELAY), "1,2,0:0/0,1,0:0/1", 0, [(0, (1,)), (1, (2, 3, 4))]),
        (KALAH, "1,0,2:0/1,0,3:0/1", 0, [(0, (1,))]),
    ):
        assert list(sowings(from_line(before), hole, rules)) == expected, before


@settings(max_examples=50)
@given(PLAYED, st.builds(Rules, wrap=st.sampled_from(Wrap), extra=st.sampled_from([*Extra])))
def test_marbles_that_fall_where_it_is_said_make_the_move(board: Board, rules: Rules) -> None:
    for hole in moves(board, rules):
        cells = list(board.cells)
        for sowing in sowings(board, hole, rules):
            assert cells[sowing.hole] == len(sowing.cells)
            cells[sowing.hole] = 0
            for cell in sowing.cells:
                cells[cell] += 1
        assert tuple(cells) == move(board, hole, rules).cells


def test_illegal_moves() -> None:
    for line, hole, sentence in (
        ("2,2,2:0/2,2,2:0/1", 4, "4 is not a hole of player 1: expected 0 to 2"),
        ("2,2,2:0/2,2,2:0/1", 3, "3 is not a hole of player 1"),
        ("2,2,2:0/2,2,2:0/2", 0, "0 is not a hole of player 2: expected 4 to 6"),
        ("2,2,2:0/2,2,2:0/1", -1, "-1 is not a hole of player 1"),
        ("0,3,3:0/2,2,2:0/1", 0, "hole 0 has 0 marbles: expected 1 or more"),
        ("7,0,0:0/2,2,2:0/1", 0, "hole 0 has 7 marbles, which would go round the board: expected at most 6"),
        ("0,0,0:6/2,2,2:0/2", 4, "the game is over: there is no legal move"),
    ):
        with pytest.raises(IllegalMoveError, match=sentence):
            move(from_line(line), hole, MODEL)
        assert not can_move(from_line(line), hole, MODEL), line


def test_a_game_that_is_stuck() -> None:
    board = from_line("0,0,7:0/1,1,1:0/1")
    assert not is_over(board)
    assert moves(board, MODEL) == () and moves(board, TEXT) == (2,)


def test_both_definitions_of_winning() -> None:
    """By the text player 2 has won this board, with more in the store; by the model player 1."""
    board = from_line("0,0,0:3/1,0,0:8/2")
    assert winners(board, TEXT) == {Player.TWO}
    assert winners(board, MODEL) == {Player.ONE}
    both = from_line("0:6/0:6/1")
    assert winners(both, TEXT) == frozenset() and winners(both, MODEL) == set(Player)


def test_counts_of_a_given_width() -> None:
    for count, bits, kept in ((7, 4, 7), (8, 4, -8), (-9, 4, 7), (16, 4, 0), (8, None, 8)):
        assert in_bits(count, bits) == kept
    assert (Rules(bits=2).bits, Rules(bits=32).bits) == (2, 32)
    for bits in (1, 0, -4, 33):
        with pytest.raises(ValueError, match=f"counts have {bits} bits?: expected 2 to 32"):
            Rules(bits=bits)


def test_the_presets() -> None:
    assert Rules(wrap=Wrap.ILLEGAL, winning=Winning.ROW) == MODEL
    assert Rules() == TEXT
    assert Rules(capture=Capture.EMPTY, sweep=True) == KALAH
    assert Rules(capture=Capture.NONEMPTY, sweep=True) == STANDARD


@settings(max_examples=50)
@given(board=PLAYED, rules=ALL_RULES, data=st.data())
def test_a_move_loses_no_marble_and_takes_none_from_a_store(
    board: Board, rules: Rules, data: st.DataObject
) -> None:
    legal = moves(board, rules)
    for hole in legal[:1] and [data.draw(st.sampled_from(legal))]:
        after = move(board, hole, rules)
        assert after.total == board.total
        assert min(after.cells) >= 0
        assert all(after.store(player) >= board.store(player) for player in Player)
