"""The answers to the checks: by a complete search through all 4-bit boards, or through the games there are.

Games are those of the original: three holes a side, two marbles in each, wraps illegal, counts of 4 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Final

from mancala.core.board import Board, initial, to_picture
from mancala.core.coverage import REACHABLE, Coverage, up_to
from mancala.core.rules import MODEL, move, moves
from mancala.model import predicates as p
from mancala.model.checks.boards import BOARD_CHECKS
from mancala.model.checks.check import Check, Kind
from mancala.model.checks.named import NAMED
from mancala.model.checks.traces import CLAIMS, Claim
from mancala.model.counterexample import find_counterexample
from mancala.model.finite_domains import BITS, GROWN, Formula, instance, negation, solve
from mancala.model.statements import Roles, counting

GAME: Final = replace(MODEL, bits=BITS)
"""The rules of the original, its 4-bit counts among them."""

BOARDS: Final = 8
"""The boards of the longest trace that the original's checks look at."""

EVERY_PAIR: Final = Coverage("all pairs of 4-bit boards", is_proof=True)
ONE_INSTANCE: Final = Coverage("one instance", is_proof=True)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a check comes to.

    Attributes:
        check: the check.
        holds: whether what it claims is so.
        is_vacuous: whether it claims something of nothing, for what it takes for granted cannot be.
        coverage: how far the answer reaches.
        boards: an instance or a counterexample, drawn, a board each; empty if there is none.
        remark: what the verdict alone does not say; "" if nothing.
    """

    check: Check
    holds: bool
    is_vacuous: bool
    coverage: Coverage
    boards: tuple[str, ...] = ()
    remark: str = ""

    @property
    def is_as_expected(self) -> bool:
        """Whether the verdict is the one that is known to be right."""
        return self.holds == self.check.expected


def answer(check: Check, boards: int = BOARDS) -> Answer:
    """Answer a check.

    Args:
        check: the check.
        boards: the boards of the longest trace that is looked at, where not all can be.
    """
    if not check.is_about_traces:
        return _by_search(check)
    return _by_claim(check, boards) if check.kind.is_assert else _by_example(check, boards)


def _by_search(check: Check) -> Answer:
    """Look for an instance, or for a counterexample, among all pairs of boards."""
    asked = (formula for roles in check.roles for formula in questions(check, roles))
    found = next(filter(None, map(solve, asked)), None)
    drawn = () if found is None else tuple(map(str, instance(found)[: 1 if check in BOARD_CHECKS else 2]))
    if not check.kind.is_assert:
        holds = (found is not None) == (check.kind is Kind.SATISFIABLE)
        coverage = EVERY_PAIR if found is None else ONE_INSTANCE
        return Answer(check, holds, False, coverage, drawn, check.remark)
    is_vacuous = not any(solve(given(check, roles)) for roles in check.roles)
    return Answer(check, found is None, is_vacuous, EVERY_PAIR, drawn, check.remark)


def given(check: Check, roles: Roles) -> Formula:
    """All that a check takes for granted, for some roles."""
    return _defined(tuple(chain.from_iterable(NAMED[name](roles) for name in check.given)))


def questions(check: Check, roles: Roles) -> Iterator[Formula]:
    """Formulas, an instance of any of which settles a check: an assertion fails, an expectation is met.

    An assertion fails where what is given holds and the conclusion does not, in any way that this can be.
    """
    start = given(check, roles)
    if not check.then:
        yield start
        return
    then = NAMED[check.then](roles)
    if not check.is_negated:
        then = tuple(clause for clause in then if clause not in start)  # what is given cannot fail
    for case in (then,) if check.is_negated else negation(then):
        yield _defined((*case, *start))


def _defined(formula: Formula) -> Formula:
    """A formula, with what its counting variables mean if it has any."""
    counts = any(variable >= GROWN for clause in formula for box in clause for variable, _ in box)
    return (*formula, *counting()) if counts else formula


def _by_claim(check: Check, boards: int) -> Answer:
    """Look for the shortest game that violates a claim about its boards, or what was meant by it."""
    claim = CLAIMS[check.then]
    violation = find_counterexample(initial(), GAME, claim.holds)
    if violation is None:
        return _as_meant(check, claim)
    length = len(violation) + claim.spares_last
    if length > boards:
        remark = f"the shortest game that violates it has {length} boards"
        return Answer(check, True, False, up_to(boards), (), remark)
    return Answer(check, False, False, up_to(boards), _drawn(_continued(violation, length)), check.remark)


def _as_meant(check: Check, claim: Claim) -> Answer:
    """The answer to a claim that holds, with the game that violates what was meant, where that is another."""
    violation = None if claim.meant is None else find_counterexample(initial(), GAME, claim.meant)
    if violation is None:
        return Answer(check, True, False, REACHABLE, (), check.remark)
    remark = f"{check.remark}; as meant, it fails with {len(violation)} boards"
    return Answer(check, True, False, REACHABLE, _drawn(violation), remark)


def _by_example(check: Check, boards: int) -> Answer:
    """Play a game, and see whether what is asked for is so of it."""
    trace = _continued((initial(),), boards)
    holds = all(EXAMPLES[name](trace) for name in check.given)
    return Answer(check, holds, False, ONE_INSTANCE, _drawn(trace))


EXAMPLES: Final[dict[str, Callable[[Sequence[Board]], bool]]] = {
    "game_trace": lambda trace: p.game_trace(trace, bits=BITS),
    "first_is_move": lambda trace: p.some_move(trace[0], trace[1], bits=BITS),
    "some_is_move": lambda trace: any(p.some_move(*step, bits=BITS) for step in pairwise(trace)),
}
"""What is asked of a game, by name."""


def _continued(trace: Sequence[Board], boards: int) -> list[Board]:
    """A game of so many boards that goes on by the first legal move, or by doing nothing when it is over."""
    continued = [*trace]
    while len(continued) < boards:
        choices = moves(continued[-1], GAME)
        continued.append(move(continued[-1], choices[0], GAME) if choices else continued[-1])
    return continued


def _drawn(trace: Sequence[Board]) -> tuple[str, ...]:
    return tuple(map(to_picture, trace))
