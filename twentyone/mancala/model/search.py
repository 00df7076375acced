"""The explicit engine: it searches the boards that a game can reach, breadth first, and their steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from twentyone.mancala.core.board import Board, initial
from twentyone.mancala.core.coverage import REACHABLE, traces_up_to
from twentyone.mancala.core.progress import OnProgress, ignore_progress
from twentyone.mancala.core.rules import MODEL
from twentyone.mancala.core.sower import Sower, State, board_of, state_of
from twentyone.mancala.model.questions import Answer, Question, first_fits, step_fits, trace_fits

MOST_BOARDS: Final = 200_000
"""About ten seconds of searching: more than all boards of 3 holes a side with 2 or 3 marbles in each."""

PROGRESS_EVERY: Final = 512


class TooManyError(Exception):
    """A search was given up after too many boards, in one sentence."""


def find_instances(question: Question, wanted: int, on_progress: OnProgress = ignore_progress) -> Answer:
    """The first instances of a question, those that are reached in the fewest moves first.

    Boards that no game can reach, and steps that are neither a move nor doing nothing, are not searched.

    Args:
        question: the question.
        wanted: the most instances to find, 1 or more.
        on_progress: called now and then with the number of boards visited so far.

    Raises:
        TooManyError: after `MOST_BOARDS` boards.
    """
    found = tuple(islice(_all_instances(question, _Counter(on_progress)), wanted + 1))
    coverage = traces_up_to(question.boards) if question.is_of_a_game and question.boards > 1 else REACHABLE
    return Answer(found[:wanted], len(found) <= wanted, coverage)


class _Counter:
    """Counts the boards that were visited, reports them, and stops the search after too many."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._seen = 0
        self._on_progress = on_progress

    def count(self) -> None:
        self._seen += 1
        if self._seen % PROGRESS_EVERY == 0:
            self._on_progress(self._seen)
        if self._seen > MOST_BOARDS:
            raise TooManyError(f"the first {MOST_BOARDS:,} boards hold no answer")


def _all_instances(question: Question, counter: _Counter) -> Iterator[tuple[Board, ...]]:
    sower = Sower(question.holes, replace(MODEL, bits=question.bits))
    first = initial(question.holes, question.marbles)
    for start in (first,) if question.is_of_a_game else reachable(first, sower):
        counter.count()
        if first_fits(question, start):
            yield from _continued(question, (start,), sower, counter)


def _continued(
    question: Question, boards: tuple[Board, ...], sower: Sower, counter: _Counter
) -> Iterator[tuple[Board, ...]]:
    """The instances that begin with some boards, in the order of the holes that are sown."""
    if len(boards) == question.boards:
        if trace_fits(question, boards):
            yield boards
        return
    for following in map(board_of, successors(state_of(boards[-1]), sower)):
        counter.count()
        if step_fits(question, boards[-1], following):
            yield from _continued(question, (*boards, following), sower, counter)


def reachable(first: Board, sower: Sower) -> Iterator[Board]:
    """The boards that a game can reach, each once, those that need fewer moves first."""
    waiting = deque([state_of(first)])
    seen = set(waiting)
    while waiting:
        state = waiting.popleft()
        yield board_of(state)
        for following in successors(state, sower):
            if following not in seen:
                seen.add(following)
                waiting.append(following)


def successors(state: State, sower: Sower) -> list[State]:
    """The states after each move, in the order of the holes; the state itself if the game is over."""
    return [state] if sower.is_over(state) else [after for _, after in sower.moves(state)]
