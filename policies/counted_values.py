"""Action values by hand with a layer for each true count: the table of a player who counts, and its file.

    # count: hi-lo
    # columns: true_count hand upcard action value count
    -1 H16 10 STAND -0.5504 18234

Otherwise it is as the table of `policies.action_values`. The true count is that of a decision: of all cards
that are seen, those of the hand and the upcard too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Decision
from policies.action_values import ACTIONS, ActionValues, Cell, Row, policy_of, row_in
from policies.counting import System, system_named
from policies.files import COUNTED_COLUMNS
from policies.hands import HANDS, UPCARDS
from policies.policy import Policy
from policies.qtable import Origin, QTableError, check_end, header_lines, header_of, missing_in, origin_of
from support.command import CommandError
from support.files import read_whole, write_atomically

FURTHEST: Final = 10
"""The layers of true counts this far from 0 stand for all beyond, too."""

TRUE_COUNTS: Final = range(-FURTHEST, FURTHEST + 1)

SHAPE: Final = (len(TRUE_COUNTS), len(HANDS), len(UPCARDS), len(ACTIONS))
"""True count, hand, upcard and action; in this order an array is flat as `learning.cells` has each layer."""

TRUSTED: Final = 1000
"""With fewer visits than this, a hand against an upcard is played as in the next layer towards 0.

The difference of two actions, of this many visits, has a standard error of about 0.08 bets; from one true
count to the next it changes by about 0.01 to 0.03.
"""

HOW_COUNTED: Final = f"by decks not seen, rounded down, from {-FURTHEST} to {FURTHEST} with all beyond"
"""The true count in the words of the header."""


@dataclass(frozen=True, slots=True, eq=False)
class CountedValues:
    """A table of action values by true count and hand.

    Attributes:
        values: float64 of shape `SHAPE`: the values in initial bets; 0 where there is no visit.
        counts: int64 of the same shape: the visits; what has none has no value.
        system: how cards are counted.
        origin: how it was made.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    system: System
    origin: Origin

    def layer(self, true_count: int) -> ActionValues:
        """The values that hold at a true count, each hand against each upcard from a layer that is trusted.

        One with fewer than `TRUSTED` visits is that of the next layer towards 0, and so on; the layer of 0 is
        always trusted.
        """
        places = self.trusted()[_place(true_count)]
        rows: dict[Cell, Mapping[Decision, Row]] = {}
        for at, hand in enumerate(HANDS):
            for column, upcard in enumerate(UPCARDS):
                cell = (places[at, column], at, column)
                known = _known(self.values[cell].tolist(), self.counts[cell].tolist())
                if known:
                    rows[hand, upcard] = known
        return ActionValues(rows, self.origin)

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


def _known(values: list[float], counts: list[int]) -> dict[Decision, Row]:
    return {
        action: Row(value, count)
        for action, value, count in zip(ACTIONS, values, counts, strict=True)
        if count
    }


def save(table: CountedValues, path: Path) -> None:
    """Write a table as text, atomically: a header as of other tables, then a row for each action visited.

    Raises:
        OSError: if it cannot be written; the old file is as it was.
    """
    *header, columns = header_lines(table.origin, COUNTED_COLUMNS)
    lines = [*header, f"# count: {table.system.name}", f"# true-count: {HOW_COUNTED}", columns]
    places = np.argwhere(table.counts > 0)
    found = tuple(places.T)
    values, counts = table.values[found].tolist(), table.counts[found].tolist()
    for (at, hand, column, action), value, count in zip(places.tolist(), values, counts, strict=True):
        cell = f"{TRUE_COUNTS[at]} {HANDS[hand]} {UPCARDS[column]} {ACTIONS[action].value}"
        lines.append(f"{cell} {value!r} {count}")
    write_atomically(path, "\n".join(lines) + "\n")


def load(path: Path) -> CountedValues:
    """Read a table from its file.

    Raises:
        OSError: if the file cannot be read, or is a pipe or a device.
        QTableError: if it is not such a table.
    """
    try:
        text = read_whole(path)
    except UnicodeDecodeError:
        raise QTableError(f"{path} is not a table by true count: it is not text") from None
    lines = text.splitlines()
    header = header_of(path, lines)
    if missing := [*missing_in(header), *(key for key in ("count", "true-count") if key not in header)]:
        raise QTableError(
            f"{path} is not a table by true count: its header does not give the {', '.join(missing)}"
        )
    system = _system(path, header)
    values, counts = np.zeros(SHAPE), np.zeros(SHAPE, np.int64)
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            _add(values, counts, line.split(), f"{path}, line {number}")
    check_end(path, text)
    return CountedValues(values, counts, system, origin_of(path, header))


def _system(path: Path, header: Mapping[str, str]) -> System:
    if header["true-count"] != HOW_COUNTED:
        raise QTableError(
            f"{path} gives {header['true-count'][:60]!r} as its true-count: expected {HOW_COUNTED!r}"
        )
    try:
        return system_named(header["count"])
    except CommandError as error:
        raise QTableError(f"{path} names no way to count: {error}") from None


def _add(values: NDArray[np.float64], counts: NDArray[np.int64], words: list[str], where: str) -> None:
    if len(words) != len(COUNTED_COLUMNS.split()):
        raise QTableError(f"{where}: {' '.join(words)[:60]!r} is not a row: expected {COUNTED_COLUMNS}")
    if words[0] not in _PLACES:
        raise QTableError(
            f"{where}: {words[0][:20]!r} is not a true count: expected {-FURTHEST} to {FURTHEST}"
        )
    (hand, upcard), action, row = row_in(words[1:], where)
    at = _PLACES[words[0]], HANDS.index(hand), UPCARDS.index(upcard), ACTIONS.index(action)
    if row.visits == 0:
        raise QTableError(f"{where}: {' '.join(words)[:60]!r} has no visit: expected a count of 1 or more")
    if counts[at]:
        raise QTableError(f"{where}: {' '.join(words[:4])} has a row already: expected one")
    values[at], counts[at] = row


_PLACES: Final = {str(count): place for place, count in enumerate(TRUE_COUNTS)}
