"""The predicates of the original model as formulas of z3, written independently of `model.predicates`.

A board is a list of unknown counts and an unknown turn, so a formula is about every board at once. Counts are
unbounded integers, or bit vectors that overflow, as in the original. Tests compare these predicates with
those in Python. All functions here return terms of z3, not Python's truth values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from twentyone.mancala.core.board import MARBLES, Board, Player
from twentyone.mancala.proofs.mutants import Conjunct
from twentyone.mancala.proofs.terms import Term, z3


@dataclass(frozen=True, slots=True)
class SymbolicBoard:
    """A board of unknown counts.

    Attributes:
        cells: a term for the marbles of each of the 2H + 2 cells, in the order of the cycle.
        player1_moves: a truth-valued term: player 1 is to move.
    """

    cells: tuple[Term, ...]
    player1_moves: Term

    @property
    def holes(self) -> int:
        """H, the holes a side."""
        return len(self.cells) // 2 - 1


def unknown_board(name: str, holes: int, bits: int | None = None) -> SymbolicBoard:
    """A board about which nothing is known.

    Args:
        name: the prefix of its unknowns. Boards with the same name are the same board.
        holes: H, the holes a side.
        bits: the width of a count; None for unbounded integers.
    """
    names = (f"{name}[{cell}]" for cell in range(2 * holes + 2))
    cells = tuple(z3.Int(each) if bits is None else z3.BitVec(each, bits) for each in names)
    return SymbolicBoard(cells, z3.Bool(f"{name}.is_first"))


def known_board(board: Board, bits: int | None = None) -> SymbolicBoard:
    """A board as constant terms."""
    cells = tuple(z3.IntVal(each) if bits is None else z3.BitVecVal(each, bits) for each in board.cells)
    return SymbolicBoard(cells, z3.BoolVal(board.turn is Player.ONE))


def board_in(model: Term, board: SymbolicBoard) -> Board:
    """The board in a model of z3. What the model leaves open is 0, or player 2's turn."""
    counts = (model.eval(each, model_completion=True) for each in board.cells)
    cells = tuple(each.as_signed_long() if z3.is_bv(each) else each.as_long() for each in counts)
    is_first = z3.is_true(model.eval(board.player1_moves, model_completion=True))
    return Board(cells, Player.ONE if is_first else Player.TWO)


def equal_term(board: SymbolicBoard, other: SymbolicBoard) -> Term:
    """Two boards have the same counts and the same turn."""
    counts = (one == two for one, two in zip(board.cells, other.cells, strict=True))
    return z3.And(*counts, board.player1_moves == other.player1_moves)


def wellformed(board: SymbolicBoard) -> Term:
    """No count is negative."""
    return z3.And([each >= 0 for each in board.cells])


def init(board: SymbolicBoard, marbles: int = MARBLES) -> Term:
    """Every hole holds `marbles`, the stores are empty, and player 1 is to move."""
    holes = board.holes
    counts = [
        each == (0 if cell in (holes, 2 * holes + 1) else marbles) for cell, each in enumerate(board.cells)
    ]
    return z3.And(*counts, board.player1_moves)


def player1_win(board: SymbolicBoard) -> Term:
    """Player 1's row is empty."""
    return z3.And([each == 0 for each in board.cells[: board.holes]])


def player2_win(board: SymbolicBoard) -> Term:
    """Player 2's row is empty."""
    return z3.And([each == 0 for each in board.cells[board.holes + 1 : -1]])


def end_game(board: SymbolicBoard) -> Term:
    """Either row is empty."""
    return z3.Or(player1_win(board), player2_win(board))


def check_turn(before: SymbolicBoard, after: SymbolicBoard) -> Term:
    """The turn is kept exactly if the mover's store grew by one and the cell after it did not change."""
    return z3.And(*_turn_terms(before, after).values())


def update_marbles(before: SymbolicBoard, after: SymbolicBoard, start: int) -> Term:
    """The marbles of the hole `start` went one into each following cell, except the opponent's store."""
    return z3.And(*_sown_terms(before, after, start).values())


def move_terms(before: SymbolicBoard, after: SymbolicBoard, start: int) -> dict[Conjunct, Term]:
    """The conjuncts of `move` for two boards and the cell `start`."""
    holes = before.holes
    in_row_term = before.player1_moves if start < holes else z3.Not(before.player1_moves)
    return {
        Conjunct.NOT_OVER: z3.Not(end_game(before)),
        Conjunct.OWN_ROW: z3.BoolVal(False) if start in _stores(before) else in_row_term,
        Conjunct.NOT_EMPTY: before.cells[start] > 0,
        **_sown_terms(before, after, start),
        **_turn_terms(before, after),
    }


def move_from(
    before: SymbolicBoard, after: SymbolicBoard, start: int, left_out: Conjunct | None = None
) -> Term:
    """The game is not over, the mover's hole `start` has marbles, and marbles and turn are updated.

    Args:
        before: the board before the move.
        after: the board after it.
        start: the hole.
        left_out: what is not asked, for a wrong relation.
    """
    return z3.And([term for each, term in move_terms(before, after, start).items() if each is not left_out])


def move(before: SymbolicBoard, after: SymbolicBoard) -> Term:
    """There is a hole from which a move leads from one board to the other."""
    return z3.Or([move_from(before, after, start) for start in range(len(before.cells))])


def some_update(before: SymbolicBoard, after: SymbolicBoard) -> Term:
    """There is a hole that can be sown to turn the counts of one board into those of the other."""
    holes = (cell for cell in range(len(before.cells)) if cell not in _stores(before))
    return z3.Or([update_marbles(before, after, start) for start in holes])


def do_nothing(before: SymbolicBoard, after: SymbolicBoard) -> Term:
    """The game is over, and nothing changes, not even the turn."""
    return z3.And(end_game(before), equal_term(before, after))


def game_trace(boards: Sequence[SymbolicBoard], marbles: int = MARBLES) -> Term:
    """The first board is wellformed and init, and each next board follows by a move or by doing nothing."""
    steps = (z3.Or(move(before, after), do_nothing(before, after)) for before, after in pairwise(boards))
    return z3.And(wellformed(boards[0]), init(boards[0], marbles), *steps)


ON_BOARDS: Final[dict[str, Callable[[SymbolicBoard], Term]]] = {
    each.__name__: each for each in (wellformed, end_game, player1_win, player2_win)
}
"""Predicates of one board, by name, except `init`, which also takes the marbles in a hole."""

ON_STEPS: Final[dict[str, Callable[[SymbolicBoard, SymbolicBoard], Term]]] = {
    "check_turn": check_turn,
    "update_marbles": some_update,
    "move": move,
    "do_nothing": do_nothing,
}
"""Predicates of two boards, by name. Those about a hole hold if they hold for some hole."""


def _stores(board: SymbolicBoard) -> tuple[int, int]:
    return board.holes, 2 * board.holes + 1


def _grew_term(before: SymbolicBoard, after: SymbolicBoard, cell: int) -> Term:
    return after.cells[cell] == before.cells[cell] + 1


def _turn_terms(before: SymbolicBoard, after: SymbolicBoard) -> dict[Conjunct, Term]:
    """The two claims of `check_turn`."""

    def ended_in_term(store: int) -> Term:
        beyond = (store + 1) % len(before.cells)
        return z3.And(_grew_term(before, after, store), after.cells[beyond] == before.cells[beyond])

    own = z3.If(before.player1_moves, *map(ended_in_term, _stores(before)))
    kept = after.player1_moves == before.player1_moves
    return {Conjunct.TURN_KEPT: z3.Implies(own, kept), Conjunct.TURN_SWITCHED: z3.Implies(kept, own)}


def _sown_terms(before: SymbolicBoard, after: SymbolicBoard, start: int) -> dict[Conjunct, Term]:
    """The seven claims of `update_marbles`."""
    size = len(before.cells)
    others = [cell for cell in range(size) if cell != start]
    gained = {cell: _grew_term(before, after, cell) for cell in others}

    def no_gap_term(theirs: int) -> Term:
        before_it = {cell: (cell - 1) % size for cell in others}
        needy = [cell for cell in others if before_it[cell] not in (start, theirs)]
        return z3.And([z3.Implies(gained[cell], gained[before_it[cell]]) for cell in needy])

    def past_store_term(theirs: int) -> Term:
        beyond, near = (gained.get((theirs + step) % size, z3.BoolVal(False)) for step in (1, -1))
        return z3.Implies(beyond, near)

    own, theirs = _stores(before)
    then, now = before.cells, after.cells
    return {
        Conjunct.START_EMPTY: after.cells[start] == 0,
        Conjunct.OTHER_STORE: z3.If(before.player1_moves, now[theirs] == then[theirs], now[own] == then[own]),
        Conjunct.AS_MANY: _count_term(list(gained.values()), before.cells[start]),
        Conjunct.NO_MORE: z3.And([z3.Or(gained[cell], now[cell] <= then[cell]) for cell in others]),
        Conjunct.NO_LESS: z3.And([z3.Or(gained[cell], now[cell] >= then[cell]) for cell in others]),
        Conjunct.NO_GAP: z3.If(before.player1_moves, no_gap_term(theirs), no_gap_term(own)),
        Conjunct.PAST_STORE: z3.If(before.player1_moves, past_store_term(theirs), past_store_term(own)),
    }


def _count_term(conditions: list[Term], count: Term) -> Term:
    """The number of conditions that are true is `count`. Their sum never overflows."""
    if not z3.is_bv(count):
        return z3.Sum([z3.If(each, 1, 0) for each in conditions]) == count
    room = len(conditions).bit_length() + 1
    width = count.size() + room
    units = (z3.If(each, z3.BitVecVal(1, width), z3.BitVecVal(0, width)) for each in conditions)
    return sum(units, z3.BitVecVal(0, width)) == z3.SignExt(room, count)
