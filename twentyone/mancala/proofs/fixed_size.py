"""The theorems for one number of holes a side and any number of marbles.

Counts are unbounded integers. A move is a function here: each marble of the hole goes to a known cell, the
first one to the first cell and so on. There is a lemma for each of the 2H holes; everything else is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from twentyone.mancala.proofs import symbolic
from twentyone.mancala.proofs.claims import DESCENT
from twentyone.mancala.proofs.lemmas import Lemma
from twentyone.mancala.proofs.mutants import RULE, Drop, Rule, Sowing
from twentyone.mancala.proofs.symbolic import SymbolicBoard, unknown_board
from twentyone.mancala.proofs.terms import Term, z3

ONE_LAP: Final = 1
"""The laps of sowing in the original: a hole of more than 2H marbles has no legal move."""


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


def steps(holes: int, sowing: Sowing, laps: int = ONE_LAP) -> Iterator[Step]:
    """The moves from each hole, by a rule that may be wrong.

    Args:
        holes: H, the holes a side.
        sowing: the rule.
        laps: how often sowing may go round the board, with 2H marbles each time.
    """
    return (_step(start, holes, sowing, laps) for start in range(2 * holes + 1) if start != holes)


def _step(start: int, holes: int, sowing: Sowing, laps: int) -> Step:
    before = unknown_board("before", holes)
    is_first = (start < holes) == sowing.is_own_side
    own, theirs = (holes, 2 * holes + 1) if is_first else (2 * holes + 1, holes)
    count = before.cells[start]
    most = 2 * holes * laps
    cells = [*before.cells]
    cells[start] = z3.IntVal(0) if sowing.empties else count
    kept = []
    place, sown = start, count + sowing.too_many
    for number in range(1, most + sowing.too_many + 1):
        drop = sowing.drop if number <= 2 * holes else sowing.later
        place = _next_place(place, theirs, len(cells), drop)
        for cell, gained in ((place, drop.size), (theirs, drop.feeds)):
            cells[cell] += z3.If(sown >= number, gained, 0) if gained else 0
        kept += [sown == number] if place == own and sowing.gives_extra_turn else []
    legal = [before.player1_moves == is_first, count > 0, count <= most]
    legal += [z3.Not(symbolic.end_game(before))] if sowing.stops else []
    after = SymbolicBoard(tuple(cells), before.player1_moves == z3.Or(kept))
    return Step(start, before, after, own, theirs, z3.And(legal))


def _next_place(place: int, theirs: int, size: int, drop: Drop) -> int:
    """The place of the next marble."""
    for _ in range(drop.stride):
        place = (place + 1) % size
        if drop.skips and place == theirs:
            place = (place + 1) % size
    return place


def route(start: int, holes: int, theirs: int) -> list[int]:
    """The cells in the order in which a hole is sown, once round the board, with the hole itself last."""
    size = 2 * holes + 2
    return [cell % size for cell in range(start + 1, start + size + 1) if cell % size != theirs]


@dataclass(frozen=True, slots=True)
class Scope:
    """The subject of the lemmas for one number of holes.

    Attributes:
        holes: H, 1 or more.
        rule: the rule, which may be wrong.
        laps: how often sowing may go round the board.
    """

    holes: int
    rule: Rule
    laps: int

    def steps(self) -> Iterator[Step]:
        """The moves from each hole."""
        return steps(self.holes, self.rule.sowing, self.laps)

    def related(self, before: SymbolicBoard, after: SymbolicBoard, start: int) -> Term:
        """The relation `move`, or a wrong one."""
        return symbolic.move_from(before, after, start, self.rule.left_out)


def lemmas_of(theorem: str, holes: int, rule: Rule = RULE, laps: int = ONE_LAP) -> Iterator[Lemma]:
    """The lemmas that prove a theorem for this number of holes a side, each made when it is asked for.

    Args:
        theorem: its name, one of `LEMMAS`.
        holes: H, 1 or more.
        rule: the rule that the theorem is about.
        laps: how often sowing may go round the board: once in the original.
    """
    return iter(LEMMAS[theorem](Scope(holes, rule, laps)))


def _for_each_hole(scope: Scope, claim: Callable[[Step], Term]) -> Iterable[Lemma]:
    """A lemma for each hole: the claim holds for every legal move."""
    for step in scope.steps():
        yield _lemma(step, (step.legal,), claim(step))


def _lemma(step: Step, given: tuple[Term, ...], claim: Term) -> Lemma:
    small = z3.And([z3.And(each >= 0, each <= 2 * step.before.holes) for each in step.before.cells])
    return Lemma(f"a move from hole {step.start}", given, claim, {}, (step.before, step.after), (small,))


def _wellformed(scope: Scope) -> Iterable[Lemma]:
    board, next_board, marbles = (
        unknown_board("before", scope.holes),
        unknown_board("after", scope.holes),
        z3.Int("marbles"),
    )
    start = (marbles >= 0, symbolic.init(board, marbles))
    yield Lemma("the first board", start, symbolic.wellformed(board), {"marbles": marbles}, (board,))
    nothing = (symbolic.wellformed(board), symbolic.do_nothing(board, next_board))
    yield Lemma("doing nothing", nothing, symbolic.wellformed(next_board), {}, (board, next_board))
    for step in scope.steps():
        yield _lemma(step, (step.legal, symbolic.wellformed(step.before)), symbolic.wellformed(step.after))


def _conservation(scope: Scope) -> Iterable[Lemma]:
    return _for_each_hole(scope, lambda step: z3.Sum(step.after.cells) == z3.Sum(step.before.cells))


def _nonnegative(scope: Scope) -> Iterable[Lemma]:
    return _for_each_hole(
        scope,
        lambda step: _all_cells(step, lambda before, after: z3.Implies(before >= 0, after >= 0)),
    )


def _all_cells(step: Step, claim: Callable[[Term, Term], Term]) -> Term:
    return z3.And([claim(*each) for each in zip(step.before.cells, step.after.cells, strict=True)])


def _stores(scope: Scope) -> Iterable[Lemma]:
    return _for_each_hole(
        scope,
        lambda step: z3.And(
            step.after.cells[step.own] >= step.before.cells[step.own],
            step.after.cells[step.theirs] == step.before.cells[step.theirs],
        ),
    )


def _rows(scope: Scope) -> Iterable[Lemma]:
    def claim(step: Step) -> Term:
        first = step.theirs - scope.holes
        row = range(first, step.theirs)
        return z3.And([step.after.cells[hole] >= step.before.cells[hole] for hole in row])

    return _for_each_hole(scope, claim)


def _sown(scope: Scope) -> Iterable[Lemma]:
    def claim(step: Step) -> Term:
        before, after = [*step.before.cells], step.after.cells
        order = route(step.start, scope.holes, step.theirs)
        count, before[step.start] = before[step.start], z3.IntVal(0)
        for number in range(1, 2 * scope.holes * scope.laps + 1):
            before[order[(number - 1) % len(order)]] += z3.If(count >= number, 1, 0)
        return z3.And([now == due for now, due in zip(after, before, strict=True)])

    return _for_each_hole(scope, claim)


def _turn(scope: Scope) -> Iterable[Lemma]:
    return _for_each_hole(scope, lambda step: symbolic.check_turn(step.before, step.after))


def _wraps(scope: Scope) -> Iterable[Lemma]:
    after = unknown_board("after", scope.holes)
    for step in scope.steps():
        relation = scope.related(step.before, after, step.start)
        yield Lemma(
            f"a move from hole {step.start}",
            (relation,),
            step.before.cells[step.start] <= 2 * scope.holes,
            {},
            (step.before, after),
        )


def _deterministic(scope: Scope) -> Iterable[Lemma]:
    one, two = unknown_board("one", scope.holes), unknown_board("two", scope.holes)
    for step in scope.steps():
        given = tuple(scope.related(step.before, after, step.start) for after in (one, two))
        yield Lemma(
            f"a move from hole {step.start}",
            given,
            symbolic.equal_term(one, two),
            {},
            (step.before, one, two),
        )


def _ends(scope: Scope) -> Iterable[Lemma]:
    def claim(step: Step) -> Term:
        in_play, later_in_play = _in_play(step.before), _in_play(step.after)
        distance, later_distance = _distance(step.before), _distance(step.after)
        nearer = z3.And(later_in_play == in_play, later_distance < distance)
        return z3.And(symbolic.wellformed(step.after), z3.Or(later_in_play < in_play, nearer))

    for step in scope.steps():
        yield _lemma(step, (step.legal, symbolic.wellformed(step.before)), claim(step))
    board = unknown_board("before", scope.holes)
    bounded = z3.And(_in_play(board) >= 0, _distance(board) >= 0)
    given = (symbolic.wellformed(board),)
    yield Lemma("neither part of the measure is negative", given, bounded, {}, (board,), scheme=DESCENT)


def _in_play(board: SymbolicBoard) -> Term:
    """The number of marbles outside the stores."""
    return z3.Sum([*board.cells[: board.holes], *board.cells[board.holes + 1 : -1]])


def _distance(board: SymbolicBoard) -> Term:
    """The sum of the distances of all marbles to the next store on their way."""
    return z3.Sum(
        [each * ((board.holes - cell) % (board.holes + 1)) for cell, each in enumerate(board.cells)]
    )


def _relation(scope: Scope) -> Iterable[Lemma]:
    after = unknown_board("after", scope.holes)
    for step in scope.steps():
        by_function = z3.And(step.legal, symbolic.equal_term(after, step.after))
        by_relation = scope.related(step.before, after, step.start)
        lemma = _lemma(step, (), by_function == by_relation)
        # A counterexample that a wrong function makes is easier to read than one that it leaves out.
        small = (*lemma.preferred, by_function if scope.rule.left_out is None else symbolic.wellformed(after))
        yield Lemma(lemma.name, (), lemma.claim, {}, (step.before, after), small)


def _final(scope: Scope) -> Iterable[Lemma]:
    board = unknown_board("before", scope.holes)
    rows = board.cells[: scope.holes], board.cells[scope.holes + 1 : -1]
    first, second = (z3.Or([each > 0 for each in row]) for row in rows)
    can_move = z3.If(board.player1_moves, first, second)
    small = (z3.And([each <= 2 * scope.holes for each in board.cells]),)
    for what, stops in scope.rule.stops().items():
        goes_on = (z3.Not(symbolic.end_game(board)),) if stops else ()
        given = (symbolic.wellformed(board), *goes_on)
        yield Lemma(f"{what}: a hole with marbles", given, can_move, {}, (board,), small)


LEMMAS: Final[dict[str, Callable[[Scope], Iterable[Lemma]]]] = {
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
