"""Instances found by looking: boards that a game can reach, breadth first, and what can follow each."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from mancala.core.board import Board, initial
from mancala.core.coverage import REACHABLE, up_to
from mancala.core.rules import MODEL
from mancala.core.sower import Sower, State, board_of, state_of
from mancala.model.questions import Answer, Question, first_fits, step_fits, trace_fits

MOST_BOARDS: Final = 200_000
"""Some ten seconds of looking: more than all boards of 3 holes a side with 2 or 3 marbles each."""

WATCH_EVERY: Final = 512


class TooManyError(Exception):
    """There is more to look at than a person would wait for: one sentence that says so."""


def instances(question: Question, wanted: int, watch: Callable[[int], None] = lambda seen: None) -> Answer:
    """The first instances of a question, those that are reached soonest first.

    Boards are those that a game can reach; boards that none can, and steps that are neither a move nor doing
    nothing, are not looked at.

    Args:
        question: what is wanted.
        wanted: how many instances, 1 or more.
        watch: called now and then with the number of boards looked at so far.

    Raises:
        TooManyError: after `MOST_BOARDS` boards.
    """
    found = tuple(islice(_all_instances(question, _Counter(watch)), wanted + 1))
    coverage = up_to(question.boards) if question.is_of_a_game and question.boards > 1 else REACHABLE
    return Answer(found[:wanted], len(found) <= wanted, coverage)


class _Counter:
    """Counts the boards that were looked at, and stops when they are too many."""

    def __init__(self, watch: Callable[[int], None]) -> None:
        self._seen = 0
        self._watch = watch

    def count(self) -> None:
        self._seen += 1
        if self._seen % WATCH_EVERY == 0:
            self._watch(self._seen)
        if self._seen > MOST_BOARDS:
            raise TooManyError(f"there is no answer among the first {MOST_BOARDS:,} boards")


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
    """The instances that begin with some boards, in the order of the holes that are played."""
    if len(boards) == question.boards:
        if trace_fits(question, boards):
            yield boards
        return
    for following in map(board_of, successors(state_of(boards[-1]), sower)):
        counter.count()
        if step_fits(question, boards[-1], following):
            yield from _continued(question, (*boards, following), sower, counter)


def reachable(first: Board, sower: Sower) -> Iterator[Board]:
    """The boards that a game can reach, each once, those that fewer moves lead to before others."""
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
    """What a move leads to, in the order of the holes; the same when the game is over, by doing nothing."""
    return [state] if sower.is_over(state) else [after for _, after in sower.moves(state)]
