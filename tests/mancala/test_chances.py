"""How games end: every figure of the exact tables, in random play and by policies."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from mancala.core.board import Board, Player, initial
from mancala.core.rules import MODEL, TEXT, move, moves
from mancala.solving.chances import Ending, by_length, chance_of, endings, games_in, mean_of
from mancala.solving.space import explore
from tests.mancala.truth import SIZES, TRUTH, names_of, space_of

ONE, TWO, NOBODY = frozenset({Player.ONE}), frozenset({Player.TWO}), frozenset[Player]()


@cache
def endings_of(name: str) -> tuple[Ending, ...]:
    return endings(space_of(name))


def won_by(found: tuple[Ending, ...], winners: frozenset[Player]) -> tuple[Ending, ...]:
    return tuple(each for each in found if each.position.by_store == winners)


def of_length(found: tuple[Ending, ...], moves: int) -> tuple[Ending, ...]:
    return tuple(each for each in found if each.moves == moves)


@SIZES
def test_who_wins(size: str) -> None:
    for name in names_of(size):
        found, known = endings_of(name), TRUTH[name]
        chances = [chance_of(won_by(found, w), lambda _: True) for w in (ONE, TWO, NOBODY)]
        assert [str(chance) for chance in chances] == known["P_exact"] and sum(chances) == 1
        assert float(chances[0]) == pytest.approx(known["P_first_wins"], abs=1e-12)
        assert float(mean_of(found, lambda each: each.position.margin)) == pytest.approx(
            known["E_margin_uniform"], abs=1e-12
        )
        games = [games_in(won_by(found, w)) for w in (ONE, TWO, NOBODY)]
        assert games == known["complete_games_by_outcome(P1,P2,tie)"]
        assert sum(games) == games_in(found) == known["complete_games"]


@SIZES
def test_how_long_games_are(size: str) -> None:
    for name in names_of(size):
        found, known = endings_of(name), TRUTH[name]
        chances = by_length(found, lambda _: True)
        mean = mean_of(found, lambda each: each.moves)
        assert str(mean) == known["mean_exact"]
        assert {
            str(moves): pytest.approx(float(chance), abs=1e-12) for moves, chance in chances.items()
        } == known["len_dist_uniform"]
        variance = mean_of(found, lambda each: each.moves**2) - mean**2
        assert float(variance) ** 0.5 == pytest.approx(known["sd_len"], abs=1e-9)
        assert (min(chances), max(chances)) == (known["min_len_moves"], known["max_len_moves"])
        games = {str(moves): games_in(of_length(found, moves)) for moves in chances}
        assert games == known["len_dist_traces"]
        assert sum(int(moves) * count for moves, count in games.items()) / games_in(found) == pytest.approx(
            known["mean_len_over_traces"]
        )
        for boards, key in ((15, "P(boards<15) uniform"), (21, "P(boards<=20) uniform")):
            short = [each for each in found if each.moves + 1 < boards]
            assert float(chance_of(short, lambda _: True)) == pytest.approx(known[key])


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


def test_how_often_the_original_gets_stuck() -> None:
    # 1.12 % of uniformly random games of 3 x 2; the text's rules allow wraps, and nothing is stuck.
    stuck = chance_of(
        endings_of("3x2 original model (>2H marbles illegal)"), lambda each: each.position.is_stuck
    )
    assert f"{float(stuck):.4f}" == "0.0112"
    text = endings_of("3x2 original text (wraps allowed)")
    assert chance_of(text, lambda each: each.position.is_stuck) == 0


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


@pytest.mark.check
def test_simulated_games_agree() -> None:
    random, games = Random(6), 2_000
    ties = lengths = 0
    for _ in range(games):
        board = initial()
        while holes := moves(board, MODEL):
            board = move(board, random.choice(holes), MODEL)
            lengths += 1
        ties += board.margin == 0
    found = endings_of("3x2 original model (>2H marbles illegal)")
    tie = float(chance_of(found, lambda each: each.position.margin == 0))
    assert abs(ties / games - tie) < 4 * (tie * (1 - tie) / games) ** 0.5
    known = TRUTH["3x2 original model (>2H marbles illegal)"]
    assert abs(lengths / games - known["mean_len_moves_uniform"]) < 4 * known["sd_len"] / games**0.5
