"""How games end: every figure of the exact tables, in random play and by policies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest

from tests.twentyone.mancala.truth import SIZES, TRUTH, names_of, space_of
from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.core.rules import MODEL, TEXT, moves
from twentyone.mancala.solving.chances import Ending, by_length, chance_of, endings, games_in
from twentyone.mancala.solving.space import explore

WINNERS = (frozenset({Player.ONE}), frozenset({Player.TWO}), frozenset[Player]())


@cache
def endings_of(name: str) -> tuple[Ending, ...]:
    return endings(space_of(name))


def of_length(found: tuple[Ending, ...], moves: int) -> tuple[Ending, ...]:
    return tuple(each for each in found if each.moves == moves)


@SIZES
def test_who_wins_and_how_long_games_are(size: str) -> None:
    """Means and deviations are those of `twentyone.mancala.solving.facts`, whose test compares them."""
    for name in names_of(size):
        found, known = endings_of(name), TRUTH[name]
        won = [[each for each in found if each.position.by_store == winners] for winners in WINNERS]
        assert [str(chance_of(each, lambda _: True)) for each in won] == known["P_exact"]
        assert [*map(games_in, won)] == known["complete_games_by_outcome(P1,P2,tie)"]
        lengths = by_length(found, lambda _: True)
        chances = {str(moves): pytest.approx(float(chance), abs=1e-12) for moves, chance in lengths.items()}
        assert chances == known["len_dist_uniform"]
        games = {str(moves): games_in(of_length(found, moves)) for moves in lengths}
        assert games == known["len_dist_traces"]


@SIZES
def test_the_two_definitions_of_winning(size: str) -> None:
    for name in [name for name in names_of(size) if "uniform P(P1 row empty at end)" in TRUTH[name]]:
        found, known = endings_of(name), TRUTH[name]
        rows = {
            "uniform P(P1 row empty at end)": lambda each: each.position.row1_empty,
            "uniform P(P2 row empty at end)": lambda each: each.position.row2_empty,
            "uniform P(Forge row-empty winner != most-marbles winner)": lambda each: (
                not each.position.is_stuck and each.position.by_row != each.position.by_store
            ),
            "uniform P(final board has a cell > 7)": lambda each: each.position.largest > 7,
        }
        for key, where in rows.items():
            if key in known:
                assert float(chance_of(found, where)) == pytest.approx(known[key], abs=1e-12), key


def test_the_shortest_game() -> None:
    # 0 4 1 4 2: one game of five moves, with the probability 1/3 1/3 1/2 1/3 1.
    (shortest,) = of_length(endings_of("3x2 original text (wraps allowed)"), 5)
    assert shortest.games == 1 and shortest.chance == Fraction(1, 54)


def test_a_policy_leaves_one_game_of_two_policies() -> None:
    def first(board: Board) -> int:
        return moves(board, MODEL)[0]

    space = explore(initial(), MODEL)
    (only,) = endings(space, {Player.ONE: first, Player.TWO: first})
    assert only.chance == only.games == 1
    mixed = endings(space, {Player.TWO: first})
    assert chance_of(mixed, lambda _: True) == 1
    assert 1 < games_in(mixed) < games_in(endings(space))


def test_a_policy_is_asked_only_on_boards_of_its_player() -> None:
    asked: set[Player] = set()

    def last(board: Board) -> int:
        asked.add(board.turn)
        return moves(board, TEXT)[-1]

    seen: list[int] = []
    endings(explore(initial(2, 2), TEXT), {Player.TWO: last}, seen.append)
    assert asked == {Player.TWO} and seen == [*range(1, len(seen) + 1)]
