"""The complete search, and its statements, which say the same as the predicates of the same names."""

from __future__ import annotations

from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twentyone.mancala.domains import domains_of, is_satisfied
from tests.twentyone.mancala.drawn_boards import steps
from twentyone.mancala.core.board import Board, Player, from_line, initial
from twentyone.mancala.model import predicates as p
from twentyone.mancala.model import statements as s
from twentyone.mancala.model.finite_domains import (
    DOMAINS,
    GROWN,
    TURN,
    Formula,
    instance,
    negation,
    solve,
)
from twentyone.mancala.model.statements import Roles, Statement
from twentyone.mancala.model.structure import INTS, Structure, board_of, structure_of

SMALL = ((TURN, 4), (GROWN, 16), (GROWN + 1, 16))
"""Variables with few values, and how many."""


def random_formula(random: Random) -> Formula:
    def literal() -> tuple[int, int]:
        variable, values = random.choice(SMALL)
        return variable, random.randrange(1 << values)

    return tuple(
        tuple(
            tuple(dict(literal() for _ in range(random.randint(1, 3))).items())
            for _ in range(random.randint(1, 4))
        )
        for _ in range(random.randint(1, 9))
    )


def instances(formula: Formula) -> int:
    """The number of instances, by trying all values."""
    found = 0
    for values in product(*(range(values) for _, values in SMALL)):
        domains = list(DOMAINS)
        for (variable, _), value in zip(SMALL, values, strict=True):
            domains[variable] = 1 << value
        found += is_satisfied(formula, domains)
    return found


def test_the_search_finds_an_instance_exactly_if_there_is_one() -> None:
    random = Random(6)
    verdicts = []
    for _ in range(30):
        formula = random_formula(random)
        found = solve(formula)
        assert (found is not None) == (instances(formula) > 0)
        assert found is None or is_satisfied(formula, found)
        verdicts.append(found is None)
    assert 2 < sum(verdicts) < 28, "both verdicts occur"


def test_a_negation_is_what_the_formula_leaves() -> None:
    random = Random(7)
    for _ in range(10):
        formula = random_formula(random)
        assert any(solve(case) is not None for case in negation(formula)) == (
            instances(formula) < 4 * 16 * 16
        )


@settings(max_examples=60)
@given(steps().filter(lambda step: max(step[1].cells) < 8))
def test_statements_say_what_the_predicates_say(step: tuple[Board, Board, int]) -> None:
    before, after, hole = step
    found = domains_of(structure_of(before), structure_of(after))
    mine, other = (3, 7) if before.turn is Player.ONE else (7, 3)
    roles = Roles(hole, other, mine)

    def says(statement: Statement) -> bool:
        return is_satisfied((*statement(roles), *s.counting()), found)

    assert says(s.wellformed) == p.wellformed(before)
    assert says(s.wellformed_after) == p.wellformed(after)
    assert says(s.init) == p.init(before)
    assert says(s.player1_win) == p.player1_win(before)
    assert says(s.player2_win) == p.player2_win(before)
    assert says(s.end_game) == p.end_game(before)
    assert says(s.end_game_after) == p.end_game(after)
    assert says(s.check_turn) == p.check_turn(before, after, bits=4)
    assert says(s.update_marbles) == p.update_marbles(before, after, hole, bits=4)
    assert says(s.move) == p.move(before, after, hole, bits=4)
    assert says(s.do_nothing) == p.do_nothing(before, after)


ORDER = dict(structure_of(initial()).prev)

ONES = dict.fromkeys(range(8), 1)

MALFORMED = {
    "a cell is missing": Structure({0: 1}, {}, Player.ONE),
    "a cell too many": Structure({**ONES, -1: 0}, ORDER, Player.ONE),
    "a negative count": Structure({**ONES, 3: -1}, ORDER, Player.ONE),
    "a bad order": Structure(ONES, {**ORDER, 1: 1}, Player.ONE),
    "no order": Structure(ONES, {}, Player.TWO),
}


def test_a_malformed_board_is_not_wellformed() -> None:
    for why, board in MALFORMED.items():
        found = domains_of(board, board)
        assert not is_satisfied(s.wellformed(Roles()), found), why
        assert instance(found) == (board, board)


def test_structures_are_boards_if_they_can_be() -> None:
    for board in (initial(), initial(1, 3), from_line("0,0:1/2,3:4/2")):
        assert board_of(structure_of(board)) == board
    assert [why for why, each in MALFORMED.items() if board_of(each) is not None] == ["a negative count"]
    assert board_of(Structure({0: 1, 1: 1, 2: 0, 3: 0, 4: 0}, {}, Player.ONE)) is None
    assert str(structure_of(initial())).startswith("        2   2   2")
    assert str(MALFORMED["a cell is missing"]) == "cells 0:1; order none; player 1 to move"


@settings(max_examples=30)
@given(st.lists(st.sampled_from([None, *INTS]), min_size=16, max_size=16))
def test_a_missing_cell_neither_grows_nor_is_empty(values: list[int | None]) -> None:
    cells = {number: value for number, value in zip(INTS, values, strict=True) if value is not None}
    structure = Structure(cells, {}, Player.ONE)
    found = domains_of(structure, structure)
    for number in INTS:
        assert is_satisfied(s.everywhere(s.value_before(0), [number]), found) == (cells.get(number) == 0)
        assert not is_satisfied(s.everywhere(s.GREW, [number]), found)
