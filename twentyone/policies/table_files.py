"""The files of tables of action values: text, a header of `# key: value` lines, then a row for each value.

    # columns: player dealer action value count
    16 10 1 -0.5404 18234

    # columns: hand upcard action value count
    H16 10 STAND -0.5404 18234
    P8 10 SPLIT -0.4756 9120

    # count: hi-lo
    # columns: true_count hand upcard action value count
    -1 H16 10 STAND -0.5504 18234

The first, by total, has all its 968 cells in the order of their indices, so that
`numpy.loadtxt(file)[:, 3].reshape(22, 22, 2)` reads the values, to the same float64. The others have no row
where there is no value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import RulesError
from twentyone.policies import qtable
from twentyone.policies.action_values import (
    ACTIONS,
    FURTHEST,
    LAYER,
    ROWS,
    SHAPE,
    TRUE_COUNTS,
    ActionValues,
    Origin,
    Row,
)
from twentyone.policies.counting import System, system_named
from twentyone.policies.files import ACTION_COLUMNS, COUNTED_COLUMNS, kind_of_file, rules_in
from twentyone.policies.hands import EXPECTED, HANDS, UPCARDS
from twentyone.policies.qtable import CELLS
from twentyone.support.command import CommandError
from twentyone.support.counts import counted, one_of
from twentyone.support.files import read_whole, write_atomically

FORMAT: Final = "1"

_KEYS: Final = ("format", "rules", "method", "rounds", "seed")
_NAMES: Final = {decision.value: decision for decision in ACTIONS}
_UPCARDS: Final = {str(upcard): upcard for upcard in UPCARDS}
_PLACES: Final = {str(count): place for place, count in enumerate(TRUE_COUNTS)}

HOW_COUNTED: Final = f"by decks not seen, rounded down, from {-FURTHEST} to {FURTHEST} with all beyond"
"""The true count in the words of the header."""


class QTableError(Exception):
    """A file that is not a Q table, in one sentence that says where it is wrong."""


def save(table: ActionValues, path: Path) -> None:
    """Write a table as text, atomically.

    Raises:
        OSError: if it cannot be written; the old file is as it was.
    """
    lines, rows = _header_of(table), _cells_of(table) if table.is_by_total else _hands_of(table)
    write_atomically(path, "\n".join([*lines, *rows]) + "\n")


def _header_of(table: ActionValues) -> list[str]:
    """The lines at the beginning of a table's file."""
    origin = table.origin
    header = {
        "format": FORMAT,
        "rules": str(origin.rules),
        "method": origin.method,
        "rounds": str(origin.rounds),
        "seed": "none" if origin.seed is None else str(origin.seed),
    }
    if table.is_by_total:
        columns = "player dealer action value count"
    elif table.counted is None:
        columns = ACTION_COLUMNS
    else:
        columns = COUNTED_COLUMNS
        header |= {"count": table.counted.name, "true-count": HOW_COUNTED}
    return [f"# {key}: {text}" for key, text in (header | {"columns": columns}).items()]


def _cells_of(table: ActionValues) -> Iterator[str]:
    """The rows of a table by total."""
    values, counts = table.values.ravel().tolist(), table.counts.ravel().tolist()
    for index, (value, count) in enumerate(zip(values, counts, strict=True)):
        yield f"{_place(index)} {value!r} {count}"


def _hands_of(table: ActionValues) -> Iterator[str]:
    """The rows of a table by hand."""
    places = np.argwhere(table.known())
    found = tuple(places.T)
    values, counts = table.values[found].tolist(), table.counts[found].tolist()
    for (at, hand, column, action), value, count in zip(places.tolist(), values, counts, strict=True):
        layer = "" if table.counted is None else f"{TRUE_COUNTS[at]} "
        yield f"{layer}{HANDS[hand]} {UPCARDS[column]} {ACTIONS[action].value} {value!r} {count}"


def load(path: Path) -> ActionValues:
    """Read a table by total or by hand from its file; `other_formats` reads the others by total.

    Raises:
        OSError: if the file cannot be read, or is a pipe or a device.
        QTableError: if it is not such a table.
    """
    if kind_of_file(str(path)) == "actions":
        return load_by_hand(path)
    try:
        return from_text(path, read_whole(path))
    except UnicodeDecodeError:
        raise not_text(path) from None


def load_by_hand(path: Path) -> ActionValues:
    """Read a table by hand from its file, as `load`."""
    return _loaded(path, is_counted=False)


def load_counted(path: Path) -> ActionValues:
    """Read a table by true count from its file, as `load`."""
    return _loaded(path, is_counted=True)


def from_text(path: Path, text: str) -> ActionValues:
    """The table by total in the text of its file.

    Raises:
        QTableError: as `load`.
    """
    lines = text.splitlines()
    header = header_of(path, lines)
    if missing := missing_in(header):
        raise QTableError(f"{path} is not a Q table: its header does not give the {', '.join(missing)}")
    values, counts = _rows(path, rows_of(lines))
    check_end(path, text)
    return ActionValues(values, counts, origin_of(path, header))


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


def check_end(path: Path, text: str) -> None:
    """Check that a file ends in a line feed: a count of 12 may be the beginning of 1234.

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
    return values.reshape(qtable.SHAPE), counts.reshape(qtable.SHAPE)


def _place(index: int) -> str:
    """The first columns of a cell by its index."""
    state, action = divmod(index, 2)
    return f"{state // 22} {state % 22} {action}"


def _row(path: Path, index: int, row: str) -> tuple[float, int]:
    expected, words = _place(index), row.split()
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
    if hand not in ROWS:
        raise QTableError(f"{where}: {hand[:20]!r} is not a hand: expected {EXPECTED}")
    if upcard not in _UPCARDS:
        raise QTableError(f"{where}: {upcard[:20]!r} is not an upcard: expected 2 to 11")
    if action not in _NAMES:
        raise QTableError(f"{where}: {action[:20]!r} is not an action: expected {one_of(_NAMES)}")
    row = Row(_value(value, where), _count(count, where))
    if is_counted and row.visits == 0:
        raise QTableError(f"{where}: {' '.join(words)[:60]!r} has no visit: expected a count of 1 or more")
    layer = _PLACES[words[0]] if is_counted else 0
    return (layer, ROWS[hand], _UPCARDS[upcard] - UPCARDS[0], ACTIONS.index(_NAMES[action])), row


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
