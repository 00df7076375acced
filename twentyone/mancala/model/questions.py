"""Questions that ask for instances of predicates, and the answers of an engine.

Predicates of one board are about the first board, predicates of two about each board and the next, and
`game_trace` about all boards. Several predicates must all hold, of the same boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from twentyone.mancala.core.board import HOLES, MARBLES, Board, Player, row_of
from twentyone.mancala.core.coverage import Coverage
from twentyone.mancala.model.predicates import PREDICATES, Kind, Predicate
from twentyone.support.counts import counted

TRACE: Final = 5
"""Boards in a trace, unless a number is given."""

BOARDS_OF: Final = {Kind.BOARD: 1, Kind.STEP: 2, Kind.MOVE: 2, Kind.TRACE: 1}
"""The fewest boards that a predicate needs."""


class ImpossibleError(ValueError):
    """A question that cannot be asked, in one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question for instances.

    Attributes:
        predicates: names of `PREDICATES`, one or more.
        boards: the number of boards in an instance, 1 or more.
        holes: H, the holes a side.
        marbles: the marbles in each hole of the initial board.
        below: every count must be lower than this; None for no limit.
        bits: the width of a count; None for unbounded counts.

    Raises:
        ImpossibleError: if there is no predicate or an unknown one, there are too few boards, or the marbles
            do not fit into the bits.
    """

    predicates: tuple[str, ...]
    boards: int
    holes: int = HOLES
    marbles: int = MARBLES
    below: int | None = None
    bits: int | None = None

    def __post_init__(self) -> None:
        if not self.predicates:
            raise ImpossibleError(f"no predicate is given: expected one or more of {', '.join(PREDICATES)}")
        for name in self.predicates:
            if name not in PREDICATES:
                raise ImpossibleError(
                    f"there is no predicate {name!r}: expected one of {', '.join(PREDICATES)}"
                )
            needed = BOARDS_OF[PREDICATES[name].kind]
            if self.boards < needed:
                raise ImpossibleError(
                    f"{name} is about {counted(needed, 'board')}: expected --boards {needed} or more"
                )
        if self.bits is not None and self.marbles >= 1 << (self.bits - 1):
            most = (1 << (self.bits - 1)) - 1
            raise ImpossibleError(
                f"{self.marbles} marbles do not fit in a count of {self.bits} bits: expected at most {most}"
            )

    @property
    def is_of_a_game(self) -> bool:
        """Whether every instance is the beginning of a game: the initial board and what may follow it."""
        names = set(self.predicates)
        goes_on = self.boards == 1 or not names.isdisjoint({"move", "do_nothing"})
        return "game_trace" in names or ("init" in names and goes_on)


def default_boards(names: Sequence[str]) -> int:
    """The number of boards in an instance, unless it is given. An unknown predicate counts as one board."""
    kinds = [PREDICATES[name].kind for name in names if name in PREDICATES]
    return TRACE if Kind.TRACE in kinds else max((BOARDS_OF[kind] for kind in kinds), default=1)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of an engine to a question.

    Attributes:
        instances: the instances that were found, up to the number wanted, each as its boards in order.
        is_all: whether there are no others.
        coverage: what was searched.
        core: if there is no instance, predicates that suffice to exclude one; empty if that is not known.
    """

    instances: tuple[tuple[Board, ...], ...]
    is_all: bool
    coverage: Coverage
    core: tuple[str, ...] = ()


def first_fits(question: Question, board: Board) -> bool:
    """Whether a board can be the first one of an instance."""
    return _is_below(question, board) and all(
        predicate.holds(board, question.marbles) if predicate.name == "init" else predicate.holds(board)
        for predicate in _of_kind(question, Kind.BOARD)
    )


def step_fits(question: Question, before: Board, after: Board) -> bool:
    """Whether one board can follow another in an instance."""
    return (
        _is_below(question, after)
        and all(
            predicate.holds(before, after, *_bits(question, predicate.name))
            for predicate in _of_kind(question, Kind.STEP)
        )
        and all(
            any(predicate.holds(before, after, hole, question.bits) for hole in _all_holes(before))
            for predicate in _of_kind(question, Kind.MOVE)
        )
    )


def trace_fits(question: Question, boards: Sequence[Board]) -> bool:
    """Whether the predicates about all boards together hold."""
    return all(
        predicate.holds(boards, question.marbles, question.bits)
        for predicate in _of_kind(question, Kind.TRACE)
    )


def _of_kind(question: Question, kind: Kind) -> list[Predicate]:
    return [PREDICATES[name] for name in question.predicates if PREDICATES[name].kind is kind]


def _is_below(question: Question, board: Board) -> bool:
    return question.below is None or max(board.cells) < question.below


def _bits(question: Question, name: str) -> tuple[int | None, ...]:
    """The width of a count, for predicates that add to counts; doing nothing does not."""
    return () if name == "do_nothing" else (question.bits,)


def _all_holes(board: Board) -> list[int]:
    return [*row_of(Player.ONE, board.holes), *row_of(Player.TWO, board.holes)]
