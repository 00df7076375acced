"""The learning curve of a table: its gap to the best chart by rounds learned, in a file next to it."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Final

from cards import Rules
from twentyone.policies.action_values import ActionValues, policy_of
from twentyone.policies.decisions import greedy
from twentyone.policies.qtable import is_by_hand
from twentyone.support.csv_lines import csv_lines
from twentyone.support.files import read_whole, write_atomically

FIRST: Final = 100
"""The rounds of the first point."""

STEPS: Final = (10, 15, 20, 30, 50, 70)
"""Rounds of the points of a decade, in tenths of its first point: each is about 1.5 times the one before."""

HEADINGS: Final = ("rounds", "gap", "expected_value", "seconds")


class CurveError(Exception):
    """A file that is not a learning curve, in one sentence that says where it is wrong."""


class NoGapError(Exception):
    """Rules under which the value of the best chart is not known exactly, in one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a learning curve.

    Attributes:
        rounds: the number of rounds learned from.
        gap: how much the greedy policy lost to the best chart, in initial bets per round; None
            for rules without an exact form.
        value: its exact expected value, in initial bets per round; None for such rules.
        seconds: how long learning had taken until then, including earlier runs.
    """

    rounds: int
    gap: float | None
    value: float | None
    seconds: float


class GreedyValue:
    """Finds the exact value of greedy play under some rules, in milliseconds each time.

    A shoe that is kept over rounds counts as a fresh one, and the value is with the table's own bets on
    insurance.

    Args:
        rules: the rules.

    Attributes:
        best: the value of the best chart, in initial bets per round.

    Raises:
        NoGapError: if the rules have no exact form.
    """

    def __init__(self, rules: Rules) -> None:
        from twentyone.exact.values.game import NoExactFormError

        try:
            self.best, self.value = _by_hand(rules) if is_by_hand(rules) else _by_total(rules)
        except NoExactFormError as error:
            raise NoGapError(str(error)) from None


Value = Callable[[ActionValues], float]
"""The expected value of greedy play by a table."""


def _by_total(rules: Rules) -> tuple[float, Value]:
    from twentyone.exact import solving

    def value(table: ActionValues) -> float:
        return solving.evaluate(rules, greedy(table, "").hit).value

    return solving.solve(rules).value, value


def _by_hand(rules: Rules) -> tuple[float, Value]:
    from twentyone.exact.best.mixed import evaluate_policy
    from twentyone.exact.values.game import seat_game
    from twentyone.exact.yardsticks import yardsticks_of
    from twentyone.policies.chances import sure

    game = seat_game(rules)

    def value(table: ActionValues) -> float:
        return evaluate_policy(game, sure(policy_of(table))).value

    return yardsticks_of(game).best_chart, value


class Curve:
    """The learning curve of a table, beginning with the points of earlier runs.

    Args:
        greedy: finds the value of greedy play; None for rules without an exact form.
        points: the points of earlier runs.
        until: the gap at which learning is to stop; None not to stop at a gap.

    Attributes:
        points: all points, by increasing rounds.
        next: the number of rounds after which the next point is due.
    """

    def __init__(
        self, greedy: GreedyValue | None, points: Sequence[Point] = (), until: float | None = None
    ) -> None:
        self.points = list(points)
        self._greedy = greedy
        self._until = until
        self._before = self.points[-1].seconds if self.points else 0.0
        self.next = next_point(self.points[-1].rounds if self.points else 0)

    def add(self, rounds: int, table: Callable[[], ActionValues], seconds: float) -> bool:
        """Add a point, unless there is one for this number of rounds; return whether the gap is small enough.

        Args:
            rounds: how many have been learned from, including earlier runs.
            table: returns what has been learned.
            seconds: how long this run has taken.
        """
        if not self.points or rounds > self.points[-1].rounds:
            value = None if self._greedy is None else self._greedy.value(table())
            gap = None if self._greedy is None or value is None else self._greedy.best - value
            self.points.append(Point(rounds, gap, value, self._before + seconds))
        self.next = next_point(rounds)
        gap = self.points[-1].gap
        return self._until is not None and gap is not None and gap <= self._until

    def save(self, path: Path) -> None:
        """Write the points as comma-separated values, atomically; unknown values are left empty.

        Raises:
            OSError: if it cannot be written.
        """
        rows = [
            (point.rounds, point.gap, point.value, Decimal(f"{point.seconds:z.3f}")) for point in self.points
        ]
        write_atomically(path, "".join(csv_lines([HEADINGS, *rows])))


def next_point(rounds: int) -> int:
    """The rounds of the first point of the series that comes after a number of rounds."""
    decade = FIRST
    while rounds >= decade * 10:
        decade *= 10
    return next(point for step in (*STEPS, 100) if (point := decade // 10 * step) > rounds)


def curve_file(table: Path) -> Path:
    """The file of a table's learning curve, next to the table."""
    return table.with_name(f"{table.name}.curve.csv")


def load_points(path: Path, rounds: int) -> list[Point]:
    """Read the points of the learning curve of a table.

    Points after the table's own rounds are left out: learning after the last save of the table was lost. A
    table without a file of points has none.

    Args:
        path: the file of the curve.
        rounds: the number of rounds that the table was learned from.

    Raises:
        OSError: if the file exists and cannot be read.
        CurveError: if it is not a learning curve.
    """
    try:
        text = read_whole(path)
    except FileNotFoundError:
        return []
    except UnicodeDecodeError:
        raise CurveError(f"{path} is not a learning curve: it is not text") from None
    try:
        rows = list(csv.reader(text.splitlines()))
    except csv.Error as error:
        raise CurveError(f"{path} is not a learning curve: {error}") from None
    if not rows or tuple(rows[0]) != HEADINGS:
        raise CurveError(f"{path} is not a learning curve: expected a first line {','.join(HEADINGS)}")
    if not text.endswith("\n"):  # a figure of 12 may be the beginning of 1234
        raise CurveError(f"{path} may be cut: expected its last line to end in a line feed")
    points = [_point(path, number, row) for number, row in enumerate(rows[1:], start=2)]
    for number, (one, following) in enumerate(pairwise(points), start=3):
        if following.rounds <= one.rounds:
            raise CurveError(f"{path}, line {number}: expected more rounds than the {one.rounds} before")
    return [point for point in points if point.rounds <= rounds]


def _point(path: Path, number: int, row: list[str]) -> Point:
    try:
        rounds, gap, value, seconds = row
        point = Point(int(rounds), _maybe(gap), _maybe(value), float(seconds))
    except ValueError:
        point = None
    if point is None or not _is_possible(point):
        raise CurveError(f"{path}, line {number}: expected {','.join(HEADINGS)}, as in 1000,0.04,-0.08,1.5")
    return point


def _maybe(text: str) -> float | None:
    return float(text) if text else None


def _is_possible(point: Point) -> bool:
    """Whether the figures of a point are possible; no gap or value is beyond 2 initial bets per round."""
    bets = [number for number in (point.gap, point.value) if number is not None]
    return point.rounds > 0 and 0 <= point.seconds < inf and all(abs(number) <= 2 for number in bets)
