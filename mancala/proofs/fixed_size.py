"""The theorems for one number of holes a side and any number of marbles.

Counts are unbounded integers. A move is a function here: the marbles of the hole go to the cells of its
route, in the order of sowing. There is a lemma for each of the 2H holes; everything else is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from mancala.proofs import symbolic
from mancala.proofs.lemmas import Lemma
from mancala.proofs.mutants import RULE, Sowing
from mancala.proofs.symbolic import SymbolicBoard, unknown_board
from mancala.proofs.terms import Term, z3


@dataclass(frozen=True, slots=True)
class Step:
    """A move from one hole.

    Attributes:
        start: the hole.
        before: a board about which nothing is known.
        after: the board after the move.
        own: the mover's store.
        theirs: the opponent's store.
        legal: a truth-valued term: the move is legal.
    """

    start: int
    before: SymbolicBoard
    after: SymbolicBoard
    own: int
    theirs: int
    legal: Term


def steps(holes: int, sowing: Sowing) -> list[Step]:
    """The moves from each hole, by a rule that may be wrong."""
    return [_step(start, holes, sowing) for start in range(2 * holes + 1) if start != holes]


def _step(start: int, holes: int, sowing: Sowing) -> Step:
    before = unknown_board("before", holes)
    is_first = (start < holes) == sowing.is_own_side
    own, theirs = (holes, 2 * holes + 1) if is_first else (2 * holes + 1, holes)
    count = before.cells[start]
    sown = count + sowing.too_many
    order = {
        cell: place for place, cell in enumerate(route(start, holes, theirs if sowing.skips else None), 1)
    }
    emptied = {start: z3.IntVal(0) if sowing.empties else count}
    cells = tuple(
        emptied.get(cell, each) + z3.If(sown >= order[cell], 1, 0) if cell in order else each
        for cell, each in enumerate(before.cells)
    )
    kept_turn = z3.And(sown == order[own], z3.BoolVal(sowing.gives_extra_turn))
    legal = [before.player1_moves == is_first, count > 0, count <= 2 * holes]
    legal += [z3.Not(symbolic.end_game(before))] if sowing.stops else []
    after = SymbolicBoard(cells, before.player1_moves == kept_turn)
    return Step(start, before, after, own, theirs, z3.And(legal))


def route(start: int, holes: int, skipped: int | None) -> list[int]:
    """The cells in the order in which a hole is sown, once round the board, with the hole itself last."""
    size = 2 * holes + 2
    return [cell % size for cell in range(start + 1, start + size + 1) if cell % size != skipped]


def lemmas_of(theorem: str, holes: int, sowing: Sowing = RULE) -> list[Lemma]:
    """The lemmas that prove a theorem for this number of holes a side.

    Args:
        theorem: its name, one of `LEMMAS`.
        holes: H, 1 or more.
        sowing: the rule that the theorem is about.
    """
    return list(LEMMAS[theorem](holes, sowing))


def _for_each_hole(holes: int, sowing: Sowing, claim: Callable[[Step], Term]) -> Iterable[Lemma]:
    """A lemma for each hole: the claim holds for every legal move."""
    for step in steps(holes, sowing):
        yield _lemma(step, (step.legal,), claim(step))


def _lemma(step: Step, given: tuple[Term, ...], claim: Term) -> Lemma:
    small = z3.And([z3.And(each >= 0, each <= 2 * step.before.holes) for each in step.before.cells])
    return Lemma(f"a move from hole {step.start}", given, claim, {}, (step.before, step.after), (small,))


def _wellformed(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    board, next_board, marbles = (
        unknown_board("before", holes),
        unknown_board("after", holes),
        z3.Int("marbles"),
    )
    start = (marbles >= 0, symbolic.init(board, marbles))
    yield Lemma("the first board", start, symbolic.wellformed(board), {"marbles": marbles}, (board,))
    nothing = (symbolic.wellformed(board), symbolic.do_nothing(board, next_board))
    yield Lemma("doing nothing", nothing, symbolic.wellformed(next_board), {}, (board, next_board))
    for step in steps(holes, sowing):
        yield _lemma(step, (step.legal, symbolic.wellformed(step.before)), symbolic.wellformed(step.after))


def _conservation(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    return _for_each_hole(holes, sowing, lambda step: z3.Sum(step.after.cells) == z3.Sum(step.before.cells))


def _nonnegative(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    return _for_each_hole(
        holes,
        sowing,
        lambda step: _all_cells(step, lambda before, after: z3.Implies(before >= 0, after >= 0)),
    )


def _all_cells(step: Step, claim: Callable[[Term, Term], Term]) -> Term:
    return z3.And([claim(*each) for each in zip(step.before.cells, step.after.cells, strict=True)])


def _stores(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    return _for_each_hole(
        holes,
        sowing,
        lambda step: z3.And(
            step.after.cells[step.own] >= step.before.cells[step.own],
            step.after.cells[step.theirs] == step.before.cells[step.theirs],
        ),
    )


def _rows(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    def claim(step: Step) -> Term:
        first = step.theirs - holes
        row = range(first, first + holes)
        return z3.And([step.after.cells[hole] >= step.before.cells[hole] for hole in row])

    return _for_each_hole(holes, sowing, claim)


def _sown(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    def claim(step: Step) -> Term:
        before, after = step.before.cells, step.after.cells
        *others, start = route(step.start, holes, step.theirs)
        grown = [
            after[cell] == before[cell] + z3.If(before[start] >= place, 1, 0)
            for place, cell in enumerate(others, 1)
        ]
        return z3.And(after[start] == 0, after[step.theirs] == before[step.theirs], *grown)

    return _for_each_hole(holes, sowing, claim)


def _turn(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    return _for_each_hole(holes, sowing, lambda step: symbolic.check_turn(step.before, step.after))


def _wraps(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    after = unknown_board("after", holes)
    for step in steps(holes, sowing):
        relation = symbolic.move_from(step.before, after, step.start)
        yield Lemma(
            f"a move from hole {step.start}",
            (relation,),
            step.before.cells[step.start] <= 2 * holes,
            {},
            (step.before, after),
        )


def _deterministic(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    one, two = unknown_board("one", holes), unknown_board("two", holes)
    for step in steps(holes, sowing):
        given = tuple(symbolic.move_from(step.before, after, step.start) for after in (one, two))
        yield Lemma(
            f"a move from hole {step.start}",
            given,
            symbolic.equal_term(one, two),
            {},
            (step.before, one, two),
        )


def _ends(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    def claim(step: Step) -> Term:
        in_play, later_in_play = _in_play(step.before), _in_play(step.after)
        distance, later_distance = _distance(step.before), _distance(step.after)
        return z3.Or(later_in_play < in_play, z3.And(later_in_play == in_play, later_distance < distance))

    for step in steps(holes, sowing):
        yield _lemma(step, (step.legal,), claim(step))
    board = unknown_board("before", holes)
    bounded = z3.And(_in_play(board) >= 0, _distance(board) >= 0)
    yield Lemma(
        "neither part of the measure is negative", (symbolic.wellformed(board),), bounded, {}, (board,)
    )


def _in_play(board: SymbolicBoard) -> Term:
    """The number of marbles outside the stores."""
    return z3.Sum([*board.cells[: board.holes], *board.cells[board.holes + 1 : -1]])


def _distance(board: SymbolicBoard) -> Term:
    """The sum of the distances of all marbles to the next store on their way."""
    return z3.Sum(
        [each * ((board.holes - cell) % (board.holes + 1)) for cell, each in enumerate(board.cells)]
    )


def _relation(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    after = unknown_board("after", holes)
    for step in steps(holes, sowing):
        by_function = z3.And(step.legal, symbolic.equal_term(after, step.after))
        by_relation = symbolic.move_from(step.before, after, step.start)
        lemma = _lemma(step, (), by_function == by_relation)
        # A counterexample that a wrong function makes is easier to read than one that it leaves out.
        small = (*lemma.preferred, by_function)
        yield Lemma(lemma.name, (), lemma.claim, {}, (step.before, after), small)


def _final(holes: int, sowing: Sowing) -> Iterable[Lemma]:
    before, after = unknown_board("before", holes), unknown_board("after", holes)
    wins = (symbolic.player1_win, symbolic.player2_win)
    kept = z3.And([win(before) == win(after) for win in wins])
    yield Lemma("doing nothing", (symbolic.do_nothing(before, after),), kept, {}, (before, after))
    for step in steps(holes, sowing):
        yield _lemma(step, (step.legal,), z3.Not(symbolic.end_game(step.before)))


LEMMAS: Final[dict[str, Callable[[int, Sowing], Iterable[Lemma]]]] = {
    "wellformed": _wellformed,
    "conservation": _conservation,
    "nonnegative": _nonnegative,
    "stores": _stores,
    "rows": _rows,
    "sown": _sown,
    "turn": _turn,
    "relation": _relation,
    "deterministic": _deterministic,
    "wraps": _wraps,
    "ends": _ends,
    "final": _final,
}
"""The functions that make the lemmas of each theorem."""
