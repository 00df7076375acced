"""The Q table of 22 x 22 x 2 action values, what its cells mean, and its file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Decision, Rules, RulesError
from twentyone.policies.files import rules_in
from twentyone.policies.policy import Observation
from twentyone.support.counts import counted
from twentyone.support.files import read_whole, write_atomically

SHAPE: Final = (22, 22, 2)
"""Player's total 0..21, dealer column 0..21, action 0 (HIT) or 1 (STAND)."""

CELLS: Final = 22 * 22 * 2
HIT: Final = 0
STAND: Final = 1
FORMAT: Final = "1"

_KEYS: Final = ("format", "rules", "method", "rounds", "seed")


class QTableError(Exception):
    """A file that is not a Q table, in one sentence that says where it is wrong."""


def dealer_column(upcard: int | None, is_soft: bool) -> int:
    """The column of the table for the dealer's upcard and the softness of the hand.

    It is the upcard's value (2 to 11) for a hard hand and 10 more (12 to 21) for a soft one; without an
    upcard it is 0 for a hard hand and 1 for a soft one. So the 22 columns hold the full decision state.
    """
    if upcard is None:
        return 1 if is_soft else 0
    return upcard + 10 if is_soft else upcard


def state_of(observation: Observation) -> int:
    """The number of an observation's state, 0..483: its total times 22, plus its dealer column."""
    return observation.total * 22 + dealer_column(observation.upcard, observation.is_soft)


class Origin(NamedTuple):
    """The origin of a table.

    Attributes:
        rules: the rules under which it was learned.
        method: the name of the learning method.
        rounds: the number of rounds that it was learned from.
        seed: the seed of the last training; None if it had no seed.
    """

    rules: Rules
    method: str
    rounds: int
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class QTable:
    """Action values, and how often each was visited.

    Attributes:
        values: float64 of shape `SHAPE`: the expected payoff in initial bets, from the player's view.
        counts: int64 of the same shape: the visits; where it is 0 the value is 0.
        rules: the rules under which it was learned.
        method: the name of the learning method.
        rounds: the number of rounds that it was learned from.
        seed: the seed of the last training; None if it had no seed.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.int64]
    rules: Rules
    method: str
    rounds: int
    seed: int | None = None

    def decide(self, observation: Observation) -> Decision:
        """HIT if its value is greater, else STAND, also for equal values and for cells never visited."""
        cell = self.values[observation.total, dealer_column(observation.upcard, observation.is_soft)]
        return Decision.HIT if cell[HIT] > cell[STAND] else Decision.STAND


def save(table: QTable, path: Path) -> None:
    """Write a table as text, atomically: a header of `# key: value` lines, then 968 rows.

    A row is `player dealer action value count`, rows in this order of their indices, so that
    `numpy.loadtxt(file)[:, 3].reshape(22, 22, 2)` reads the values, to the same float64.

    Raises:
        OSError: if it cannot be written; the old file is as it was.
    """
    origin = Origin(table.rules, table.method, table.rounds, table.seed)
    lines = header_lines(origin, "player dealer action value count")
    values, counts = table.values.ravel().tolist(), table.counts.ravel().tolist()
    for index, (value, count) in enumerate(zip(values, counts, strict=True)):
        state, action = divmod(index, 2)
        total, column = divmod(state, 22)
        lines.append(f"{total} {column} {action} {value!r} {count}")
    write_atomically(path, "\n".join(lines) + "\n")


def load(path: Path) -> QTable:
    """Read a table from its file. It must be complete; `twentyone.policies.foreign` reads others.

    Raises:
        OSError: if the file cannot be read, or is a pipe or a device.
        QTableError: if it is not a complete table of finite values in this format.
    """
    try:
        return from_text(path, read_whole(path))
    except UnicodeDecodeError:
        raise not_text(path) from None


def from_text(path: Path, text: str) -> QTable:
    """The table in the text of its file.

    Raises:
        QTableError: as `load`.
    """
    lines = text.splitlines()
    header = header_of(path, lines)
    if missing := missing_in(header):
        raise QTableError(f"{path} is not a Q table: its header does not give the {', '.join(missing)}")
    values, counts = _rows(path, rows_of(lines))
    check_end(path, text)
    return with_header(path, header, values, counts)


def with_header(
    path: Path, header: Mapping[str, str], values: NDArray[np.float64], counts: NDArray[np.int64]
) -> QTable:
    """The table of a header and its cells.

    Args:
        path: the file, for the sentences.
        header: a text for each key.
        values: float64 of shape `SHAPE`.
        counts: int64 of the same shape.

    Raises:
        QTableError: if a text of the header is not valid.
    """
    origin = origin_of(path, header)
    return QTable(values, counts, origin.rules, origin.method, origin.rounds, origin.seed)


def origin_of(path: Path, header: Mapping[str, str]) -> Origin:
    """The origin of a table, from the texts of its header, all of which are there.

    Raises:
        QTableError: if one of them is not valid.
    """
    try:
        rules = rules_in(header["rules"])
    except RulesError as error:
        raise QTableError(f"{path} names invalid rules: {error}") from None
    return Origin(
        rules=rules,
        method=header["method"],
        rounds=_whole(path, "rounds", header["rounds"]),
        seed=None if header["seed"] == "none" else _whole(path, "seed", header["seed"]),
    )


def header_lines(origin: Origin, columns: str) -> list[str]:
    """The lines at the beginning of a table's file."""
    header = {
        "format": FORMAT,
        "rules": str(origin.rules),
        "method": origin.method,
        "rounds": str(origin.rounds),
        "seed": "none" if origin.seed is None else str(origin.seed),
        "columns": columns,
    }
    return [f"# {key}: {text}" for key, text in header.items()]


def check_end(path: Path, text: str) -> None:
    """Check that a file ends in a line feed: a count of 12 may else be the beginning of 1234.

    Raises:
        QTableError: if it does not.
    """
    if not text.endswith("\n"):
        raise QTableError(f"{path} may be cut: expected its last row to end in a line feed")


def rows_of(lines: Iterable[str]) -> list[str]:
    """The lines that are neither empty nor of the header."""
    return [line for line in lines if line.strip() and not line.startswith("#")]


def header_of(path: Path, lines: Iterable[str]) -> dict[str, str]:
    """The header by its keys; some may be missing.

    Raises:
        QTableError: if a text cannot be shown, or the format is another one.
    """
    pairs = [line[1:].partition(":") for line in lines if line.startswith("#")]
    header = {key.strip(): text.strip() for key, colon, text in pairs if colon}
    raw = [key for key in _KEYS if not header.get(key, "").isprintable()]
    if raw:
        raise QTableError(f"{path} gives {header[raw[0]][:40]!r} as its {raw[0]}: expected printable text")
    if header.get("format", FORMAT) != FORMAT:
        raise QTableError(f"{path} is of format {header['format']!r}: expected {FORMAT}")
    return header


def missing_in(header: Mapping[str, str]) -> list[str]:
    """The keys that a header does not give."""
    return [key for key in _KEYS if key not in header]


def not_text(path: Path) -> QTableError:
    """The error for a file that is not text."""
    return QTableError(f"{path} is not a Q table: it is not text")


def _rows(path: Path, rows: list[str]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    if len(rows) != CELLS:
        raise QTableError(f"{path} has {counted(len(rows), 'row')}: expected {CELLS}, for 22 x 22 x 2 cells")
    values, counts = np.zeros(CELLS), np.zeros(CELLS, dtype=np.int64)
    for index, row in enumerate(rows):
        values[index], counts[index] = _row(path, index, row)
    return values.reshape(SHAPE), counts.reshape(SHAPE)


def _row(path: Path, index: int, row: str) -> tuple[float, int]:
    state, action = divmod(index, 2)
    expected = f"{state // 22} {state % 22} {action}"
    words = row.split()
    try:
        place, value, count = " ".join(words[:3]), float(words[3]), int(words[4])
    except (IndexError, ValueError):
        raise QTableError(f"{path} has a row {row[:60]!r}: expected '{expected} value count'") from None
    if place != expected or len(words) != 5:
        raise QTableError(f"{path} has a row {row[:60]!r}: expected '{expected} value count'")
    if not math.isfinite(value) or not 0 <= count < 2**63:
        raise QTableError(f"{path} has a row {row[:60]!r}: expected a finite value and a count of 0 or more")
    return value, count


def _whole(path: Path, key: str, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise QTableError(f"{path} gives {text[:40]!r} as its {key}: expected a whole number") from None
    if key == "rounds" and number < 0:
        raise QTableError(f"{path} gives {number} as its {key}: expected 0 or more")
    return number
