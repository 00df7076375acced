"""The answers to the checks, by a complete search through all pairs of 4-bit boards, or through all games.

Games are those of the original: three holes a side, two marbles in each, no sowing round the board, 4-bit
counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Final

from twentyone.mancala.core.board import Board, to_picture
from twentyone.mancala.core.coverage import REACHABLE, Coverage, traces_up_to
from twentyone.mancala.core.rules import MODEL, move, moves
from twentyone.mancala.model import predicates as p
from twentyone.mancala.model.checks.boards import BOARD_CHECKS
from twentyone.mancala.model.checks.check import Check, Kind
from twentyone.mancala.model.checks.named import NAMED, ORIGINAL, Meaning
from twentyone.mancala.model.checks.traces import CLAIMS, Claim
from twentyone.mancala.model.counterexample import find_counterexample
from twentyone.mancala.model.finite_domains import BITS, GROWN, Formula, instance, negation, solve
from twentyone.mancala.model.statements import Roles, Statement, counting
from twentyone.support.counts import counted

GAME: Final = replace(MODEL, bits=BITS)
"""The rules of the original, including its 4-bit counts."""

BOARDS: Final = 8
"""The number of boards in the longest trace that the original checks."""

EVERY_PAIR: Final = Coverage("all pairs of 4-bit boards", is_proof=True)
ONE_INSTANCE: Final = Coverage("one instance", is_proof=True)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a check.

    Attributes:
        check: the check.
        holds: whether its claim is true.
        is_vacuous: whether it is true only because its assumptions can never hold.
        coverage: how far the answer reaches.
        boards: the boards of an instance or a counterexample, drawn; empty if there is none.
        remark: what the verdict does not show; "" if there is nothing to add.
    """

    check: Check
    holds: bool
    is_vacuous: bool
    coverage: Coverage
    boards: tuple[str, ...] = ()
    remark: str = ""

    @property
    def is_as_expected(self) -> bool:
        """Whether the verdict is the expected one."""
        return self.holds == self.check.expected


def answer(check: Check, boards: int = BOARDS, meaning: Meaning = ORIGINAL) -> Answer:
    """Answer a check.

    Args:
        check: the check.
        boards: the most boards in a trace, for a claim that holds only up to some length.
        meaning: what its statements mean.
    """
    if not check.is_about_traces:
        return _by_search(check, meaning)
    if check.kind.is_assert:
        return _by_claim(check, boards, meaning.first)
    return _by_example(check, boards, meaning.first)


def is_answered_for(check: Check, meaning: Meaning) -> bool:
    """Whether the answer to a check depends on a meaning. Of a game, only the first board does."""
    return not check.is_about_traces or meaning.first != ORIGINAL.first


def _by_search(check: Check, meaning: Meaning) -> Answer:
    """Search all pairs of boards for an instance, or for a counterexample."""
    named = meaning.named
    asked = (formula for roles in check.roles for formula in questions(check, roles, named))
    found = next(filter(None, map(solve, asked)), None)
    drawn = () if found is None else tuple(map(str, instance(found)[: 1 if check in BOARD_CHECKS else 2]))
    if not check.kind.is_assert:
        holds = (found is not None) == (check.kind is Kind.SATISFIABLE)
        coverage = EVERY_PAIR if found is None else ONE_INSTANCE
        return Answer(check, holds, False, coverage, drawn, check.remark)
    is_vacuous = not any(solve(given(check, roles, named)) for roles in check.roles)
    return Answer(check, found is None, is_vacuous, EVERY_PAIR, drawn, check.remark)


def given(check: Check, roles: Roles, named: Mapping[str, Statement] = NAMED) -> Formula:
    """The assumptions of a check, for some roles."""
    return _defined(tuple(chain.from_iterable(named[name](roles) for name in check.given)))


def questions(check: Check, roles: Roles, named: Mapping[str, Statement] = NAMED) -> Iterator[Formula]:
    """The formulas that decide a check: an instance of any refutes an assertion, or satisfies an expectation.

    An assertion fails where the assumptions hold and the conclusion does not. There is a formula for each way
    in which the conclusion can fail.
    """
    start = given(check, roles, named)
    if not check.then:
        yield start
        return
    then = named[check.then](roles)
    if not check.is_negated:
        then = tuple(clause for clause in then if clause not in start)  # an assumption cannot fail
    for case in (then,) if check.is_negated else negation(then):
        yield _defined((*case, *start))


def _defined(formula: Formula) -> Formula:
    """A formula, with the definition of its counting variables if it has any."""
    counts = any(variable >= GROWN for clause in formula for box in clause for variable, _ in box)
    return (*formula, *counting()) if counts else formula


def _by_claim(check: Check, boards: int, first: Board) -> Answer:
    """Search for the shortest game that violates a claim about its boards, or the intended claim."""
    claim = CLAIMS[check.then]
    violation = find_counterexample(first, GAME, claim.holds)
    if violation is None:
        return _as_intended(check, claim, first)
    length = len(violation) + claim.spares_last
    if length > boards:
        remark = f"the shortest game that violates it has {counted(length, 'board')}"
        return Answer(check, True, False, traces_up_to(boards), (), remark)
    return Answer(
        check, False, False, traces_up_to(boards), _drawn(_continued(violation, length)), check.remark
    )


def _as_intended(check: Check, claim: Claim, first: Board) -> Answer:
    """The answer to a claim that holds, with a game that violates the intended claim if there is one."""
    violation = None if claim.intended is None else find_counterexample(first, GAME, claim.intended)
    if violation is None:
        return Answer(check, True, False, REACHABLE, (), check.remark)
    remark = f"{check.remark}; as intended, it fails with {counted(len(violation), 'board')}"
    return Answer(check, True, False, REACHABLE, _drawn(violation), remark)


def _by_example(check: Check, boards: int, first: Board) -> Answer:
    """Play one game, and test whether it is an instance."""
    trace = _continued((first,), boards)
    holds = all(EXAMPLES[name](trace) for name in check.given)
    return Answer(check, holds, False, ONE_INSTANCE, _drawn(trace))


EXAMPLES: Final[dict[str, Callable[[Sequence[Board]], bool]]] = {
    "game_trace": lambda trace: p.wellformed(trace[0]) and all(_is_step(*step) for step in pairwise(trace)),
    "first_is_move": lambda trace: p.some_move(trace[0], trace[1], bits=BITS),
    "some_is_move": lambda trace: any(p.some_move(*step, bits=BITS) for step in pairwise(trace)),
}
"""The properties of a game that expectations are about, by name. The game begins with the first board."""


def _is_step(before: Board, after: Board) -> bool:
    return p.some_move(before, after, bits=BITS) or p.do_nothing(before, after)


def _continued(trace: Sequence[Board], boards: int) -> list[Board]:
    """A game of this many boards, continued by the first legal move, or by doing nothing when it is over."""
    continued = [*trace]
    while len(continued) < boards:
        choices = moves(continued[-1], GAME)
        continued.append(move(continued[-1], choices[0], GAME) if choices else continued[-1])
    return continued


def _drawn(trace: Sequence[Board]) -> tuple[str, ...]:
    return tuple(map(to_picture, trace))
