"""A question for instances: which predicates shall hold, of how many boards, and what an engine answers.

Predicates of one board are about the first one, those of two about each board and the next, and `game_trace`
about all of them; several mean that all hold, of the same boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mancala.core.board import HOLES, MARBLES, Board, Player, row_of
from mancala.core.coverage import Coverage
from mancala.model.predicates import PREDICATES, Kind, Predicate

TRACE: Final = 5
"""Boards of a trace when nothing is said."""

BOARDS_OF: Final = {Kind.BOARD: 1, Kind.STEP: 2, Kind.MOVE: 2, Kind.TRACE: 1}
"""Boards that a predicate needs at least."""


class ImpossibleError(ValueError):
    """A question that means nothing: one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Question:
    """What instances are wanted.

    Attributes:
        predicates: names of `PREDICATES`, one or more.
        boards: how many boards an instance has, 1 or more.
        holes: H, holes a side.
        marbles: what `init` has in every hole.
        below: a number that no count of any board may reach; None if they may be anything.
        bits: the width of a count, None for counts without end.

    Raises:
        ImpossibleError: if a name is missing or unknown, boards are too few, or marbles do not fit the bits.
    """

    predicates: tuple[str, ...]
    boards: int
    holes: int = HOLES
    marbles: int = MARBLES
    below: int | None = None
    bits: int | None = None

    def __post_init__(self) -> None:
        if not self.predicates:
            raise ImpossibleError(f"no predicate was named: expected one or more of {', '.join(PREDICATES)}")
        for name in self.predicates:
            if name not in PREDICATES:
                raise ImpossibleError(
                    f"no predicate is called {name!r}: expected one of {', '.join(PREDICATES)}"
                )
            needed = BOARDS_OF[PREDICATES[name].kind]
            if self.boards < needed:
                raise ImpossibleError(f"{name} is about {needed} boards: expected --boards {needed} or more")
        if self.bits is not None and self.marbles >= 1 << (self.bits - 1):
            most = (1 << (self.bits - 1)) - 1
            raise ImpossibleError(
                f"{self.marbles} marbles do not fit in a count of {self.bits} bits: expected {most} at most"
            )

    @property
    def is_of_a_game(self) -> bool:
        """Whether all instances begin with the initial board and go on by what may follow it."""
        names = set(self.predicates)
        goes_on = self.boards == 1 or not names.isdisjoint({"move", "do_nothing"})
        return "game_trace" in names or ("init" in names and goes_on)


def default_boards(names: Sequence[str]) -> int:
    """How many boards an instance has when nothing is said; an unknown predicate counts for 1."""
    kinds = [PREDICATES[name].kind for name in names if name in PREDICATES]
    return TRACE if Kind.TRACE in kinds else max((BOARDS_OF[kind] for kind in kinds), default=1)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine says to a question.

    Attributes:
        instances: those that were wanted, as far as there are any, each its boards in their order in time.
        is_all: whether there are no others.
        coverage: among what they were looked for.
        core: where there is no instance, predicates that are enough to have none; empty if that is not known.
    """

    instances: tuple[tuple[Board, ...], ...]
    is_all: bool
    coverage: Coverage
    core: tuple[str, ...] = ()


def first_fits(question: Question, board: Board) -> bool:
    """Whether an instance of a question can begin with a board."""
    return _is_below(question, board) and all(
        predicate.holds(board, question.marbles) if predicate.name == "init" else predicate.holds(board)
        for predicate in _of_kind(question, Kind.BOARD)
    )


def step_fits(question: Question, before: Board, after: Board) -> bool:
    """Whether in an instance of a question one board can follow another."""
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
    """Whether what a question says of all boards at once holds."""
    return all(
        predicate.holds(boards, question.marbles, question.bits)
        for predicate in _of_kind(question, Kind.TRACE)
    )


def _of_kind(question: Question, kind: Kind) -> list[Predicate]:
    return [PREDICATES[name] for name in question.predicates if PREDICATES[name].kind is kind]


def _is_below(question: Question, board: Board) -> bool:
    return question.below is None or max(board.cells) < question.below


def _bits(question: Question, name: str) -> tuple[int | None, ...]:
    """The width of a count for a predicate that adds to one; doing nothing does not."""
    return () if name == "do_nothing" else (question.bits,)


def _all_holes(board: Board) -> list[int]:
    return [*row_of(Player.ONE, board.holes), *row_of(Player.TWO, board.holes)]
