"""Action values by hand, and their file.

    # columns: hand upcard action value count
    H16 10 STAND -0.5404 18234
    P8 10 SPLIT -0.4756 9120

A hand is a word of `policies.hands`: a pair only while it may be split. A value is a payoff in initial bets,
from the player's view; those of one hand and upcard are to be compared with each other. That of INSURE is
compared with 0, which is what it pays not to insure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from cards import Decision, Rules
from policies.files import ACTION_COLUMNS
from policies.hands import EXPECTED, HANDS, UPCARDS, hand_of
from policies.policy import Observation, Policy
from policies.qtable import Origin, QTableError, check_end, header_lines, header_of, missing_in, origin_of
from support.files import read_whole, write_atomically

ACTIONS: Final[tuple[Decision, ...]] = tuple(
    decision for decision in Decision if decision is not Decision.DECLINE
)
"""The decisions that have values, in the order in which the file has them."""

_NAMES: Final = {decision.value: decision for decision in ACTIONS}
_UPCARDS: Final = {str(upcard): upcard for upcard in UPCARDS}


class Row(NamedTuple):
    """The value of an action, in initial bets, and how often it was visited."""

    value: float
    visits: int


Cell = tuple[str, int]
"""A hand, as its word, and the value of the upcard, 2 to 11."""


@dataclass(frozen=True, slots=True)
class ActionValues:
    """A table of action values by hand.

    Attributes:
        rows: what is known of each hand against each upcard; a cell or an action may be missing.
        origin: how it was made.
    """

    rows: Mapping[Cell, Mapping[Decision, Row]]
    origin: Origin

    @property
    def rules(self) -> Rules:
        """The rules under which it was learned."""
        return self.origin.rules

    @property
    def method(self) -> str:
        """The name of the learning method."""
        return self.origin.method

    def decide(self, seen: Observation) -> Decision:
        """The best action that is allowed now. No row means STAND, and equal values the plainer action."""
        known = {} if seen.upcard is None else self.rows.get((hand_of(seen), seen.upcard), {})
        if Decision.DECLINE in seen.options:
            return self._before_play(known, seen)
        best, most = Decision.STAND, -math.inf
        for decision in (Decision.STAND, *seen.options):
            if decision in known and decision in seen.options and known[decision].value > most:
                best, most = decision, known[decision].value
        return best

    def _before_play(self, known: Mapping[Decision, Row], seen: Observation) -> Decision:
        """Insure if that pays; surrender if it is better than all that may be done later."""
        extra = seen.options[0]
        if extra not in known:
            return Decision.DECLINE
        others = [known[each].value for each in known if each not in (extra, Decision.INSURE)]
        without = 0.0 if extra is Decision.INSURE else max(others, default=-math.inf)
        return extra if known[extra].value > without else Decision.DECLINE


def policy_of(table: ActionValues) -> Policy:
    """A table as a function of what a seat sees; it looks everything up once."""
    return cache(table.decide)


def save(table: ActionValues, path: Path) -> None:
    """Write a table as text, atomically: a header as of other tables, then a row for each action.

    Raises:
        OSError: if it cannot be written; the old file is as it was.
    """
    lines = header_lines(table.origin, ACTION_COLUMNS)
    for hand in HANDS:
        for upcard in UPCARDS:
            known = table.rows.get((hand, upcard), {})
            lines += [
                f"{hand} {upcard} {action.value} {known[action].value!r} {known[action].visits}"
                for action in ACTIONS
                if action in known
            ]
    write_atomically(path, "\n".join(lines) + "\n")


def load(path: Path) -> ActionValues:
    """Read a table from its file.

    Raises:
        OSError: if the file cannot be read, or is a pipe or a device.
        QTableError: if it is not such a table.
    """
    try:
        text = read_whole(path)
    except UnicodeDecodeError:
        raise QTableError(f"{path} is not an action-value table: it is not text") from None
    lines = text.splitlines()
    header = header_of(path, lines)
    if missing := missing_in(header):
        raise QTableError(
            f"{path} is not an action-value table: its header does not give the {', '.join(missing)}"
        )
    rows: dict[Cell, dict[Decision, Row]] = {}
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            _add(rows, line.split(), f"{path}, line {number}")
    check_end(path, text)
    return ActionValues(rows, origin_of(path, header))


def _add(rows: dict[Cell, dict[Decision, Row]], words: list[str], where: str) -> None:
    if len(words) != len(ACTION_COLUMNS.split()):
        raise QTableError(f"{where}: {' '.join(words)[:60]!r} is not a row: expected {ACTION_COLUMNS}")
    cell, action, row = row_in(words, where)
    known = rows.setdefault(cell, {})
    if action in known:
        raise QTableError(f"{where}: {' '.join(words[:3])} has a row already: expected one")
    known[action] = row


def row_in(words: list[str], where: str) -> tuple[Cell, Decision, Row]:
    """The cell, the decision and the values in the five words of a row.

    Args:
        words: hand, upcard, action, value and count.
        where: the file and the line, for the sentences.

    Raises:
        QTableError: if one of them is not valid.
    """
    hand, upcard, action, value, count = words
    if hand not in HANDS:
        raise QTableError(f"{where}: {hand[:20]!r} is not a hand: expected {EXPECTED}")
    if upcard not in _UPCARDS:
        raise QTableError(f"{where}: {upcard[:20]!r} is not an upcard: expected 2 to 11")
    if action not in _NAMES:
        *most, last = _NAMES
        raise QTableError(f"{where}: {action[:20]!r} is not an action: expected {', '.join(most)} or {last}")
    return (hand, _UPCARDS[upcard]), _NAMES[action], Row(_value(value, where), _count(count, where))


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
