"""Action values by hand, for a player who counts with a layer for each true count; and their files.

    # columns: hand upcard action value count
    H16 10 STAND -0.5404 18234
    P8 10 SPLIT -0.4756 9120

    # count: hi-lo
    # columns: true_count hand upcard action value count
    -1 H16 10 STAND -0.5504 18234

A hand is a word of `twentyone.policies.hands`: a pair only while it may be split. A value is a payoff in
initial bets, from the player's view; those of one hand and upcard are to be compared with each other. That of
INSURE is compared with 0, which is what it pays not to insure. The true count is that of a decision: of all
cards that are seen, those of the hand and the upcard too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Decision, Rules
from twentyone.policies.counting import System, system_named
from twentyone.policies.files import ACTION_COLUMNS, COUNTED_COLUMNS
from twentyone.policies.hands import EXPECTED, HANDS, UPCARDS, hand_of
from twentyone.policies.policy import Observation, Policy
from twentyone.policies.qtable import (
    Origin,
    QTableError,
    check_end,
    header_lines,
    header_of,
    missing_in,
    origin_of,
)
from twentyone.support.command import CommandError
from twentyone.support.files import read_whole, write_atomically

ACTIONS: Final[tuple[Decision, ...]] = tuple(
    decision for decision in Decision if decision is not Decision.DECLINE
)
"""The decisions that have values, in the order in which the file has them."""

_NAMES: Final = {decision.value: decision for decision in ACTIONS}
_UPCARDS: Final = {str(upcard): upcard for upcard in UPCARDS}
_ROWS: Final = {hand: row for row, hand in enumerate(HANDS)}

LAYER: Final = (len(HANDS), len(UPCARDS), len(ACTIONS))
"""The shape of a layer; in this order an array is flat as `twentyone.learning.cells` has it."""

FURTHEST: Final = 10
"""The layers of true counts this far from 0 stand for all beyond, too."""

TRUE_COUNTS: Final = range(-FURTHEST, FURTHEST + 1)

SHAPE: Final = (len(TRUE_COUNTS), *LAYER)
"""The shape of a table by true count: true count, hand, upcard and action."""

TRUSTED: Final = 1000
"""With fewer visits than this, a hand against an upcard is played as in the next layer towards 0.

The difference of two actions, of this many visits, has a standard error of about 0.08 bets; from one true
count to the next it changes by about 0.01 to 0.03.
"""

HOW_COUNTED: Final = f"by decks not seen, rounded down, from {-FURTHEST} to {FURTHEST} with all beyond"
"""The true count in the words of the header."""


class Row(NamedTuple):
    """The value of an action, in initial bets, and how often it was visited."""

    value: float
    visits: int


Cell = tuple[str, int]
"""A hand, as its word, and the value of the upcard, 2 to 11."""


@dataclass(frozen=True, slots=True, eq=False)
class ActionValues:
    """A table of action values by hand.

    Attributes:
        values: float64 (layers, *`LAYER`): in initial bets; NaN where there is no value. By true count there
            is none without a visit, whatever stands here.
        counts: int64 of the same shape: the visits.
        origin: how it was made.
        counted: how cards are counted, with a layer for each true count; None for one layer.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    origin: Origin
    counted: System | None = None

    @property
    def rules(self) -> Rules:
        """The rules under which it was learned."""
        return self.origin.rules

    @property
    def method(self) -> str:
        """The name of the learning method."""
        return self.origin.method

    @property
    def system(self) -> System:
        """The way to count of a table by true count."""
        assert self.counted is not None, "it is a table of one layer"
        return self.counted

    @property
    def rows(self) -> dict[Cell, dict[Decision, Row]]:
        """The values of a table of one layer, by hand and upcard and then by action."""
        (known,), (visits,) = self.known(), self.counts
        rows: dict[Cell, dict[Decision, Row]] = {}
        for row, column, action in np.argwhere(known).tolist():
            cell = rows.setdefault((HANDS[row], UPCARDS[column]), {})
            value, count = self.values[0, row, column, action], visits[row, column, action]
            cell[ACTIONS[action]] = Row(float(value), int(count))
        return rows

    def known(self) -> NDArray[np.bool_]:
        """Whether there is a value, in the shape of the values."""
        known: NDArray[np.bool_] = ~np.isnan(self.values) if self.counted is None else self.counts > 0
        return known

    def decide(self, seen: Observation) -> Decision:
        """The best action that is allowed now. No value means STAND, and equal values the plainer action."""
        known = self._known(seen)
        if Decision.DECLINE in seen.options:
            return _before_play(known, seen)
        best, most = Decision.STAND, -math.inf
        for decision in (Decision.STAND, *seen.options):
            if decision in known and decision in seen.options and known[decision] > most:
                best, most = decision, known[decision]
        return best

    def _known(self, seen: Observation) -> dict[Decision, float]:
        row = _ROWS.get(hand_of(seen))
        if seen.upcard is None or row is None:
            return {}
        values = self.values[0, row, seen.upcard - UPCARDS[0]].tolist()
        return {action: value for action, value in zip(ACTIONS, values, strict=True) if value == value}

    def layer(self, true_count: int) -> ActionValues:
        """The values that hold at a true count, each hand against each upcard from a layer that is trusted.

        One with fewer than `TRUSTED` visits is that of the next layer towards 0, and so on; the layer of 0 is
        always trusted.
        """
        places = self.trusted()[_place(true_count)]
        rows, columns = np.indices(places.shape)
        cells = places, rows, columns
        values = np.where(self.known()[cells], self.values[cells], np.nan)
        return ActionValues(values[np.newaxis], self.counts[cells][np.newaxis], self.origin)

    def policy(self, true_count: int) -> Policy:
        """The policy at a true count."""
        return policy_of(self.layer(true_count))

    def trusted(self) -> NDArray[np.int64]:
        """(true counts, hands, upcards): the place of the layer by which each hand is played."""
        visits = self.counts.sum(axis=-1)
        places = np.empty(visits.shape, np.int64)
        places[FURTHEST] = FURTHEST
        for step in (-1, 1):
            for distance in range(1, FURTHEST + 1):
                at = FURTHEST + step * distance
                places[at] = np.where(visits[at] >= TRUSTED, at, places[at - step])
        return places


def _place(true_count: int) -> int:
    return min(max(true_count, -FURTHEST), FURTHEST) + FURTHEST


def _before_play(known: Mapping[Decision, float], seen: Observation) -> Decision:
    """Insure if that pays; surrender if it is better than all that may be done later."""
    extra = seen.options[0]
    if extra not in known:
        return Decision.DECLINE
    others = [known[each] for each in known if each not in (extra, Decision.INSURE)]
    without = 0.0 if extra is Decision.INSURE else max(others, default=-math.inf)
    return extra if known[extra] > without else Decision.DECLINE


def of_rows(rows: Mapping[Cell, Mapping[Decision, Row]], origin: Origin) -> ActionValues:
    """The table of one layer with these values."""
    table = empty(origin)
    for (hand, upcard), known in rows.items():
        for action, row in known.items():
            at = 0, _ROWS[hand], upcard - UPCARDS[0], ACTIONS.index(action)
            table.values[at], table.counts[at] = row
    return table


def empty(origin: Origin, system: System | None = None) -> ActionValues:
    """A table without any value."""
    shape = (1, *LAYER) if system is None else SHAPE
    return ActionValues(np.full(shape, np.nan), np.zeros(shape, np.int64), origin, system)


def policy_of(table: ActionValues) -> Policy:
    """A table as a function of what a seat sees; it looks everything up once."""
    return cache(table.decide)


def save(table: ActionValues, path: Path) -> None:
    """Write a table as text, atomically: a header as of other tables, then a row for each value.

    Raises:
        OSError: if it cannot be written; the old file is as it was.
    """
    *lines, columns = header_lines(table.origin, ACTION_COLUMNS if table.counted is None else COUNTED_COLUMNS)
    if table.counted is not None:
        lines += [f"# count: {table.counted.name}", f"# true-count: {HOW_COUNTED}"]
    lines.append(columns)
    places = np.argwhere(table.known())
    found = tuple(places.T)
    values, counts = table.values[found].tolist(), table.counts[found].tolist()
    for (at, hand, column, action), value, count in zip(places.tolist(), values, counts, strict=True):
        layer = "" if table.counted is None else f"{TRUE_COUNTS[at]} "
        cell = f"{layer}{HANDS[hand]} {UPCARDS[column]} {ACTIONS[action].value}"
        lines.append(f"{cell} {value!r} {count}")
    write_atomically(path, "\n".join(lines) + "\n")


def load(path: Path) -> ActionValues:
    """Read a table of one layer from its file.

    Raises:
        OSError: if the file cannot be read, or is a pipe or a device.
        QTableError: if it is not such a table.
    """
    return _loaded(path, is_counted=False)


def load_counted(path: Path) -> ActionValues:
    """Read a table by true count from its file, as `load`."""
    return _loaded(path, is_counted=True)


def _loaded(path: Path, *, is_counted: bool) -> ActionValues:
    kind = "a table by true count" if is_counted else "an action-value table"
    try:
        text = read_whole(path)
    except UnicodeDecodeError:
        raise QTableError(f"{path} is not {kind}: it is not text") from None
    lines = text.splitlines()
    header = header_of(path, lines)
    more = ("count", "true-count") if is_counted else ()
    if missing := [*missing_in(header), *(key for key in more if key not in header)]:
        raise QTableError(f"{path} is not {kind}: its header does not give the {', '.join(missing)}")
    system = _system(path, header) if is_counted else None
    rows = [
        (line.split(), f"{path}, line {number}")
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]
    shape = SHAPE if is_counted else (1, *LAYER)
    values, counts = np.full(shape, 0.0 if is_counted else np.nan), np.zeros(shape, np.int64)
    is_known = np.zeros(shape, np.bool_)
    for words, where in rows:
        at, row = _row_in(words, where, is_counted=is_counted)
        if is_known[at]:
            raise QTableError(f"{where}: {' '.join(words[:-2])} has a row already: expected one")
        (values[at], counts[at]), is_known[at] = row, True
    check_end(path, text)
    return ActionValues(values, counts, origin_of(path, header), system)


def _system(path: Path, header: Mapping[str, str]) -> System:
    if header["true-count"] != HOW_COUNTED:
        raise QTableError(
            f"{path} gives {header['true-count'][:60]!r} as its true-count: expected {HOW_COUNTED!r}"
        )
    try:
        return system_named(header["count"])
    except CommandError as error:
        raise QTableError(f"{path} names no way to count: {error}") from None


def _row_in(words: list[str], where: str, *, is_counted: bool) -> tuple[tuple[int, ...], Row]:
    """The place of a row in a table, and its value."""
    columns = COUNTED_COLUMNS if is_counted else ACTION_COLUMNS
    if len(words) != len(columns.split()):
        raise QTableError(f"{where}: {' '.join(words)[:60]!r} is not a row: expected {columns}")
    if is_counted and words[0] not in _PLACES:
        raise QTableError(
            f"{where}: {words[0][:20]!r} is not a true count: expected {-FURTHEST} to {FURTHEST}"
        )
    hand, upcard, action, value, count = words[-5:]
    if hand not in _ROWS:
        raise QTableError(f"{where}: {hand[:20]!r} is not a hand: expected {EXPECTED}")
    if upcard not in _UPCARDS:
        raise QTableError(f"{where}: {upcard[:20]!r} is not an upcard: expected 2 to 11")
    if action not in _NAMES:
        *most, last = _NAMES
        raise QTableError(f"{where}: {action[:20]!r} is not an action: expected {', '.join(most)} or {last}")
    row = Row(_value(value, where), _count(count, where))
    if is_counted and row.visits == 0:
        raise QTableError(f"{where}: {' '.join(words)[:60]!r} has no visit: expected a count of 1 or more")
    layer = _PLACES[words[0]] if is_counted else 0
    return (layer, _ROWS[hand], _UPCARDS[upcard] - UPCARDS[0], ACTIONS.index(_NAMES[action])), row


def _value(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise QTableError(f"{where}: {text[:40]!r} is not a value: expected a finite number")
    return value


def _count(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) < 2**63):
        raise QTableError(f"{where}: {text[:40]!r} is not a count: expected 0 or more")
    return int(text)


_PLACES: Final = {str(count): place for place, count in enumerate(TRUE_COUNTS)}
