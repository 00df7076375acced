"""Instances of predicates, by both engines: the same ones, all of them, and a core if there are none."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

pytest.importorskip("z3")

from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.core.coverage import ANY_MARBLES, REACHABLE
from twentyone.mancala.core.rules import MODEL
from twentyone.mancala.core.sower import Sower
from twentyone.mancala.model import predicates, search
from twentyone.mancala.model.questions import Answer, ImpossibleError, Question, default_boards
from twentyone.mancala.model.search import TooManyError
from twentyone.mancala.proofs import instances
from twentyone.mancala.proofs.symbolic import unknown_board
from twentyone.mancala.proofs.terms import Term, check_satisfiable, new_solver

TRACES = (3, 8, 19, 40, 81, 154)
"""The numbers of beginnings of 1, 2, ... 6 moves; the 81 of five moves are the benchmark for z3."""

ALL = 1_000


@pytest.mark.parametrize("moves", [1, 3, pytest.param(5, marks=pytest.mark.check)])
def test_both_engines_find_all_traces(moves: int) -> None:
    question = Question(("game_trace",), moves + 1)
    by_search, by_z3 = search.find_instances(question, ALL), instances.find_instances(question, ALL)
    assert by_search.is_all and by_z3.is_all
    assert len(by_search.instances) == TRACES[moves - 1]
    assert set(by_search.instances) == set(by_z3.instances)
    assert len(set(by_z3.instances)) == len(by_z3.instances), "no instance comes twice"


def test_both_engines_find_as_many() -> None:
    for names, count in (
        (("wellformed", "init"), 1),
        (("init", "move"), 3),
        (("init", "update_marbles", "move"), 3),
        (("init", "do_nothing"), 0),
        (("init", "end_game"), 0),
    ):
        for bits in (None, 4):
            question = Question(names, default_boards(names), bits=bits)
            found = [engine(question, ALL) for engine in (search.find_instances, instances.find_instances)]
            assert [(len(answer.instances), answer.is_all) for answer in found] == [(count, True)] * 2, names
            assert set(found[0].instances) == set(found[1].instances), names


@pytest.mark.parametrize("find", [search.find_instances, instances.find_instances], ids=["explicit", "z3"])
def test_what_one_question_asks_is_so(find: Callable[[Question, int], Answer]) -> None:
    (boards,) = find(Question(("do_nothing",), 2), 1).instances
    assert predicates.do_nothing(*boards)
    for before, after in find(Question(("move",), 2, below=4, bits=4), 4).instances:
        assert predicates.some_move(before, after, 4) and max(*before.cells, *after.cells) < 4
    assert [len(find(Question(("init", "move"), 2, below=below), 9).instances) for below in (3, 4)] == [0, 3]


def test_the_explicit_engine_begins_with_boards_that_need_the_fewest_moves() -> None:
    ended = search.find_instances(Question(("end_game",), 1), 1).instances[0][0]
    assert ended == Board((0, 0, 0, 2, 1, 5, 4, 0), Player.TWO), "five moves are the shortest game"
    assert search.find_instances(Question(("wellformed",), 1), 2).instances[0] == (initial(),)
    every = search.find_instances(Question(("wellformed",), 1), 10_000)
    assert (len(every.instances), every.is_all, every.coverage) == (5_636, True, REACHABLE)


def test_z3_knows_boards_that_no_game_reaches() -> None:
    question = Question(("player1_win", "player2_win", "wellformed"), 1)
    assert search.find_instances(question, 1) == Answer((), True, REACHABLE)
    found = instances.find_instances(question, 1)
    assert found.coverage is ANY_MARBLES and not found.is_all
    (board,) = found.instances[0]
    assert not any(count for player in Player for count in board.row(player))


@pytest.mark.parametrize(
    ("question", "core"),
    [
        (Question(("wellformed", "init", "do_nothing"), 2), {"init", "do_nothing"}),
        (Question(("update_marbles", "move", "do_nothing", "wellformed"), 2), {"move", "do_nothing"}),
        (Question(("wellformed", "init"), 1, below=2), {"init", "below 2"}),
        (Question(("end_game", "move"), 2, bits=4), {"end_game", "move"}),
        (Question(("game_trace", "end_game"), 3), {"game_trace", "end_game"}),
    ],
)
def test_a_core_contradicts_itself_and_nothing_in_it_can_go(question: Question, core: set[str]) -> None:
    answer = instances.find_instances(question, 1)
    assert not answer.instances and set(answer.core) == core
    boards = [unknown_board(f"b{place}", 3, question.bits) for place in range(question.boards)]
    claims = instances.claim_terms(question, boards)
    assert not can_be(*(claims[name] for name in core))
    for part in combinations(core, len(core) - 1):
        assert can_be(*(claims[name] for name in part))


def can_be(*claims: Term) -> bool:
    solver = new_solver()
    solver.add(*claims)
    return check_satisfiable(solver)


@pytest.mark.parametrize(
    ("names", "boards", "options", "sentence"),
    [
        (("int",), 1, {}, "there is no predicate 'int': expected one of wellformed, init"),
        (("move",), 1, {}, "move is about 2 boards: expected --boards 2 or more"),
        (("init",), 1, {"marbles": 8, "bits": 4}, "8 marbles do not fit in a count of 4 bits: expected"),
    ],
)
def test_impossible_questions_are_refused(
    names: tuple[str, ...], boards: int, options: dict[str, int], sentence: str
) -> None:
    with pytest.raises(ImpossibleError, match=sentence):
        Question(names, boards, **options)


def test_a_limit_that_four_bits_cannot_hold_excludes_nothing() -> None:
    question = Question(("init", "move"), 2, below=9, bits=4)
    assert len(instances.find_instances(question, ALL).instances) == 3


def test_a_search_that_would_take_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_BOARDS", 2_000)
    seen: list[int] = []
    with pytest.raises(TooManyError, match="the first 2,000 boards hold no answer"):
        search.find_instances(Question(("move", "end_game"), 2, holes=6, marbles=4), 1, seen.append)
    assert seen == [512, 1_024, 1_536]


def test_every_reachable_board_comes_once() -> None:
    boards = list(search.reachable(initial(2, 2), Sower(2, MODEL)))
    assert len(set(boards)) == len(boards) == 28
