"""The predicates in Python and as formulas of z3 agree on every board."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

pytest.importorskip("z3")

from tests.helpers.tiers import first_of
from twentyone.mancala.core.board import Board, Player, initial
from twentyone.mancala.core.rules import MODEL, Rules, Wrap, can_move, in_bits, move, moves
from twentyone.mancala.model import predicates
from twentyone.mancala.proofs import symbolic
from twentyone.mancala.proofs.fixed_size import Step, steps
from twentyone.mancala.proofs.mutants import RULE, Conjunct
from twentyone.mancala.proofs.symbolic import SymbolicBoard, known_board, unknown_board
from twentyone.mancala.proofs.terms import Term, z3


class Evaluator:
    """Decides formulas about unknown boards for known ones, all at once: bit k of the code is formula k."""

    def __init__(self, boards: Sequence[SymbolicBoard], formulas: Sequence[Term], bits: int | None) -> None:
        self._unknowns = [term for board in boards for term in (*board.cells, board.player1_moves)]
        self._code = z3.Sum([z3.If(formula, 1 << place, 0) for place, formula in enumerate(formulas)])
        self._bits = bits

    def code(self, *boards: Board) -> int:
        known = (known_board(board, self._bits) for board in boards)
        values = [term for board in known for term in (*board.cells, board.player1_moves)]
        pairs = list(zip(self._unknowns, values, strict=True))
        return int(z3.simplify(z3.substitute(self._code, *pairs)).as_long())


def board_evaluator(holes: int, marbles: int, bits: int | None = None) -> Evaluator:
    board = unknown_board("board", holes, bits)
    formulas = [each(board) for each in symbolic.ON_BOARDS.values()]
    return Evaluator([board], [*formulas, symbolic.init(board, marbles)], bits)


def board_code(board: Board, marbles: int) -> int:
    said = [predicates.PREDICATES[name].holds(board) for name in symbolic.ON_BOARDS]
    return sum(truth << place for place, truth in enumerate([*said, predicates.init(board, marbles)]))


def step_evaluator(holes: int, bits: int | None = None) -> Evaluator:
    before, after = unknown_board("before", holes, bits), unknown_board("after", holes, bits)
    cells = range(2 * holes + 2)
    formulas = [
        symbolic.check_turn(before, after),
        symbolic.do_nothing(before, after),
        *(symbolic.move_from(before, after, start) for start in cells),
        *(symbolic.update_marbles(before, after, start) for start in cells),
    ]
    return Evaluator([before, after], formulas, bits)


def step_code(before: Board, after: Board, bits: int | None = None) -> int:
    cells = range(len(before.cells))
    said = [
        predicates.check_turn(before, after, bits),
        predicates.do_nothing(before, after),
        *(predicates.move(before, after, start, bits) for start in cells),
        *(predicates.update_marbles(before, after, start, bits) for start in cells),
    ]
    return sum(truth << place for place, truth in enumerate(said))


def any_board(random_source: random.Random, holes: int, least: int, most: int) -> Board:
    cells = tuple(random_source.randint(least, most) for _ in range(2 * holes + 2))
    return Board(cells, random_source.choice(list(Player)))


def damaged(board: Board, source: random.Random) -> Board:
    """The board with one count changed by one, or the turn changed."""
    place = source.randrange(len(board.cells) + 1)
    if place == len(board.cells):
        return Board(board.cells, board.turn.other)
    cells = list(board.cells)
    cells[place] += source.choice((-1, 1))
    return Board(tuple(cells), board.turn)


@pytest.mark.parametrize(("holes", "bits"), [(1, None), (2, 4), (3, None)])
def test_both_engines_say_the_same_of_any_boards(holes: int, bits: int | None) -> None:
    source = random.Random(holes)
    boards, steps = board_evaluator(holes, 1, bits), step_evaluator(holes, bits)
    over = (0,) * holes + (1,) * (holes + 2)
    special = [initial(holes, 1), Board(over, Player.ONE), Board(over[::-1], Player.TWO)]
    for board in special:
        assert boards.code(board) == board_code(board, 1) != 0, board
        assert steps.code(board, board) == step_code(board, board, bits), board
    seen = set()
    for before, after in some_steps(source, holes, bits):
        assert boards.code(before) == board_code(before, 1), before
        code = step_code(before, after, bits)
        assert steps.code(before, after) == code, (before, after)
        seen.add(code)
    assert len(seen) > 3 * holes


def some_steps(source: random.Random, holes: int, bits: int | None) -> Iterator[tuple[Board, Board]]:
    """Legal moves from any boards, half of them damaged, and with counts that overflow if they can."""
    rules = Rules(wrap=Wrap.ILLEGAL, bits=bits)
    for number in range(60):
        before = any_board(source, holes, -1 if number % 4 == 0 else 0, 7)
        playable = moves(before, rules)
        after = move(before, source.choice(playable), rules) if playable else before
        yield before, after if number % 2 else board_in_bits(damaged(after, source), bits)


def board_in_bits(board: Board, bits: int | None) -> Board:
    return Board(tuple(in_bits(count, bits) for count in board.cells), board.turn)


def test_a_store_of_seven_and_a_marble_is_minus_eight_in_four_bits() -> None:
    before = Board((1, 1, 1, 7, 1, 0, 0, 0), Player.ONE)
    after = move(before, 2, Rules(wrap=Wrap.ILLEGAL, bits=4))
    assert after.cells[3] == -8
    wide, narrow = step_evaluator(3), step_evaluator(3, 4)
    assert narrow.code(before, after) == step_code(before, after, 4) != 0
    assert wide.code(before, after) == step_code(before, after) == 0


def test_a_model_of_z3_is_read_back_as_the_board_it_is() -> None:
    board = Board((3, -1, 0, 7, 2, -8, 5, 1), Player.TWO)
    for bits in (None, 4):
        unknown = unknown_board("board", 3, bits)
        solver = z3.Solver()
        solver.add(symbolic.equal_term(unknown, known_board(board, bits)))
        assert solver.check() == z3.sat
        assert symbolic.board_in(solver.model(), unknown) == board


def test_the_relation_asks_every_conjunct_and_none_follows_from_the_others() -> None:
    before, after = unknown_board("before", 2), unknown_board("after", 2)
    for each in Conjunct:
        solver = z3.Solver()
        ways = []
        # Nothing can grow past the store from hole 0, nor at all from hole 1 by player 2.
        for start in (0, 1):
            terms = symbolic.move_terms(before, after, start)
            assert list(terms) == list(Conjunct)
            ways.append(z3.And(symbolic.move_from(before, after, start, each), z3.Not(terms[each])))
        solver.add(z3.Or(ways))
        assert solver.check() == z3.sat, f"{each} follows from the others"


def made_by(step: Step, board: Board) -> Board | None:
    """The board that a symbolic step leads to from a board; None if the step is not legal there."""
    known = known_board(board)
    unknowns = [*step.before.cells, step.before.player1_moves]
    pairs = list(zip(unknowns, [*known.cells, known.player1_moves], strict=True))
    terms = [*step.after.cells, z3.If(step.after.player1_moves, 1, 0), z3.If(step.legal, 1, 0)]
    *cells, is_first, is_legal = (z3.simplify(z3.substitute(term, *pairs)).as_long() for term in terms)
    return Board(tuple(cells), Player.ONE if is_first else Player.TWO) if is_legal else None


@pytest.mark.parametrize("holes", first_of([2, 1]))
def test_more_laps_are_sown_as_by_the_rules_that_allow_them(holes: int) -> None:
    source, seen = random.Random(holes), 0
    for step in steps(holes, RULE.sowing, laps=3):
        for _ in range(20):
            board = any_board(source, holes, 0, 6 * holes + 1)
            after = made_by(step, board)
            assert after is None or board.cells[step.start] <= 6 * holes
            if after is not None:
                assert after == move(board, step.start, Rules(wrap=Wrap.ALLOWED))
                seen += board.cells[step.start] > 2 * holes
    assert seen > 2, "holes that go round the board"


@pytest.mark.parametrize("holes", first_of([2, 1, 3]))
def test_the_step_that_theorems_are_about_is_the_move_of_the_rules(holes: int) -> None:
    source = random.Random(holes)
    for step in steps(holes, RULE.sowing):
        for _ in range(20):
            board = any_board(source, holes, 0, 2 * holes + 1)
            after = made_by(step, board)
            assert (after is not None) == can_move(board, step.start, MODEL)
            if after is not None:
                assert after == move(board, step.start, MODEL)
