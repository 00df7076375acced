"""Q tables of other programs: without a header or with a part of it, as CSV, JSON, or arrays of numpy.

What such a file does not say is assumed, and said in one sentence. A table in this project's own format is
complete, and `table_files.load` reads it as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from twentyone.policies import gymnasium_tables, table_files
from twentyone.policies.action_values import ActionValues, Origin
from twentyone.policies.qtable import CELLS, SHAPE
from twentyone.policies.table_files import QTableError
from twentyone.support.counts import counted, one_of
from twentyone.support.files import NOT_REGULAR, decoded

MAX_BYTES: Final = 1 << 20
"""No table of 968 cells is as large as this, so a file that is was not meant: it is not read."""

UNKNOWN: Final = "unknown"
"""The method of a table that does not give it."""

COLUMNS: Final = ("player", "dealer", "action", "value", "count")
"""The columns of a row that names its cell. The last one may be missing."""

SEPARATORS: Final = (";", "\t", ",")
"""The separators of columns: the first of these that is in the first row, or blanks."""

MOST_COUNT: Final = 2**53
"""Counts are read as other numbers are, and are exact up to here."""

FLAT: Final = ((CELLS, 1), (22 * 22, 2), (22, 22 * 2))
"""The shapes, beside 22 x 22 x 2, in which the cells may stand one after another without their indices."""

EXPECTED: Final = (
    f"expected {CELLS} rows of {' '.join(COLUMNS[:4])} [{COLUMNS[4]}],"
    f" or an array of 22 x 22 x 2, {', '.join(f'{rows} x {columns}' for rows, columns in FLAT)},"
    " or, of Gymnasium's Blackjack-v1, 32 x 11 x 2 or 32 x 11 x 2 x 2"
)

_NUMPY: Final = b"\x93NUMPY"
_ZIP: Final = b"PK\x03\x04"
_PICKLES: Final = tuple(bytes((0x80, protocol)) for protocol in range(2, 6))
"""The first bytes of a pickle, as Python 3 writes it. No text begins so."""


class Cells(NamedTuple):
    """The cells of a table, as a file has them.

    Attributes:
        values: float64 of shape `SHAPE`.
        counts: int64 of the same shape; None if the file does not give them.
        are_named: whether each value came with the indices of its cell.
    """

    values: NDArray[np.float64]
    counts: NDArray[np.int64] | None
    are_named: bool


def read(path: Path) -> tuple[ActionValues, str]:
    """Read a table of this project or of another origin; the kind of the file is seen in its content.

    Returns:
        The table, and a sentence that says what was assumed; "" if the file says everything.

    Raises:
        OSError: if the file cannot be read, or is a pipe or a device.
        QTableError: if it is not a table of 22 x 22 x 2 finite values.
    """
    content = _content(path)
    if content.startswith(_NUMPY):
        return _of_arrays(path, {"": _array(path, content)})
    if content.startswith(_ZIP):
        return _of_arrays(path, _arrays(path, content))
    try:
        text = decoded(content)
    except UnicodeDecodeError:
        raise _pickled(path) if content.startswith(_PICKLES) else table_files.not_text(path) from None
    if not gymnasium_tables.is_json(text):
        return _from_text(path, text)
    found = gymnasium_tables.parsed(path, text)
    if isinstance(found, dict):
        return _of_gymnasium(path, gymnasium_tables.from_mapping(path, found))
    return _of_arrays(path, {"": found})


def _pickled(path: Path) -> QTableError:
    return QTableError(
        f"{path} is a pickle, which is not loaded, since it could run any code: save the table as JSON, as in"
        " `json.dump({str(key): [float(value) for value in Q[key]] for key in Q}, file)`"
    )


def of_mapping(name: str, found: Mapping[Any, Any]) -> tuple[ActionValues, str]:
    """A table of a mapping that is in memory, from what Gymnasium's Blackjack-v1 tells to actions or values.

    Args:
        name: what it is called in a sentence.
        found: the mapping.

    Raises:
        QTableError: if it is not one.
    """
    path = Path(name)
    return _of_gymnasium(path, gymnasium_tables.from_mapping(path, found))


def _of_gymnasium(path: Path, found: gymnasium_tables.Converted) -> tuple[ActionValues, str]:
    origin = Origin(gymnasium_tables.RULES, UNKNOWN, 0)
    table = ActionValues(found.values, np.zeros(SHAPE, np.int64), origin)
    return table, gymnasium_tables.assumed(path, found.missing)


def of_array(name: str, array: NDArray[Any]) -> tuple[ActionValues, str]:
    """A table of an array that is in memory; as `read` for the rest.

    Args:
        name: what it is called in a sentence.
        array: 22 x 22 x 2 action values, or another shape that a file may have.

    Raises:
        QTableError: if it is not a table of 22 x 22 x 2 finite values.
    """
    return _of_arrays(Path(name), {"": array})


def _of_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> tuple[ActionValues, str]:
    first = next(iter(arrays.values()), None)
    if len(arrays) == 1 and first is not None and gymnasium_tables.is_array(first):
        return _of_gymnasium(path, gymnasium_tables.from_array(path, first))
    return _completed(path, {}, _from_arrays(path, arrays))


def _from_text(path: Path, text: str) -> tuple[ActionValues, str]:
    lines = text.splitlines()
    header, rows = table_files.header_of(path, lines), table_files.rows_of(lines)
    if not table_files.missing_in(header) and not any(set(row) & {*SEPARATORS} for row in rows):
        return table_files.from_text(path, text), ""
    cells = _from_rows(path, rows)
    table_files.check_end(path, text)
    return _completed(path, header, cells)


def _content(path: Path) -> bytes:
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(NOT_REGULAR)  # a pipe or a device may never end
    if path.is_file() and path.stat().st_size > MAX_BYTES:
        raise QTableError(f"{path} is not a Q table: it has more than {MAX_BYTES:,} bytes")
    return path.read_bytes()  # of a folder it says what it is


def _completed(path: Path, header: dict[str, str], cells: Cells) -> tuple[ActionValues, str]:
    """A table with what its file does not say, and the sentence about that."""
    missing = [key for key in table_files.missing_in(header) if key != "format"]
    texts = {"rules": str(Rules()), "method": UNKNOWN, "rounds": "0", "seed": "none"} | header
    counts = np.zeros(SHAPE, dtype=np.int64) if cells.counts is None else cells.counts
    table = ActionValues(cells.values, counts, table_files.origin_of(path, texts))
    if cells.counts is None:
        missing.append("visit counts")
    if not missing:
        return table, ""
    assumed = f"{path} does not give its {one_of(missing)}: it is read as a table for {table.rules}"
    if not cells.are_named:
        assumed += ", its cells in the order [player's total][dealer column][HIT, STAND]"
    return table, assumed


# Arrays of numpy.


def _arrays(path: Path, content: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of an archive by their names."""
    try:
        with ZipFile(BytesIO(content)) as archive:
            sizes = {member.filename: member.file_size for member in archive.infolist()}
            if sum(sizes.values()) > MAX_BYTES:
                raise QTableError(f"{path} is not a Q table: unpacked it has more than {MAX_BYTES:,} bytes")
            packed = {name.removesuffix(".npy"): archive.read(name) for name in sizes}
    except QTableError:
        raise
    except Exception:  # zipfile and its decompressors raise many kinds of errors for a damaged file
        raise QTableError(f"{path} is not a Q table: it begins as an .npz file, but is damaged") from None
    return {name: _array(path, array) for name, array in packed.items()}


def _array(path: Path, content: bytes) -> NDArray[Any]:
    try:
        return np.asarray(np.lib.format.read_array(BytesIO(content), allow_pickle=False))
    except Exception:  # numpy raises many kinds of errors for a damaged or foreign file
        raise QTableError(
            f"{path} is not a Q table: expected an array of numbers as numpy saves it, without Python objects"
        ) from None


def _from_arrays(path: Path, arrays: dict[str, NDArray[Any]]) -> Cells:
    """The cells in the array `values` and, if it is there, `counts`; or in the only array."""
    if "values" not in arrays and len(arrays) != 1:
        found = ", ".join(arrays) or "none"
        raise QTableError(f"{path} holds the arrays {found}: expected 'values' and, if you have it, 'counts'")
    values = arrays["values"] if "values" in arrays else next(iter(arrays.values()))
    if values.ndim == 2 and values.shape in ((CELLS, 4), (CELLS, 5)):
        return _named_cells(path, _numbers(path, values))
    counts = arrays.get("counts")
    return Cells(
        _numbers(path, _shaped(path, values)),
        None if counts is None else _whole_counts(path, _numbers(path, _shaped(path, counts))),
        are_named=False,
    )


def _shaped(path: Path, array: NDArray[Any]) -> NDArray[Any]:
    if array.shape not in (SHAPE, (CELLS,), *FLAT):
        shape = " x ".join(map(str, array.shape)) or "one number"
        raise QTableError(f"{path} has the shape {shape}: {EXPECTED}")
    return array.reshape(SHAPE)


def _numbers(path: Path, array: NDArray[Any]) -> NDArray[np.float64]:
    if array.dtype.kind not in "fiu":
        raise QTableError(f"{path} holds {array.dtype}: expected real numbers")
    numbers = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise QTableError(f"{path} has a value that is not finite: expected a number in every cell")
    return numbers


# Rows of text.


def _from_rows(path: Path, lines: list[str]) -> Cells:
    """The cells in rows of numbers, with a line of names before them or without."""
    if not lines:
        raise QTableError(f"{path} is not a Q table: it has no rows; {EXPECTED}")
    separator = next((each for each in SEPARATORS if each in lines[0]), None)
    rows = [_words(line, separator) for line in lines]
    names = [] if _is_number(rows[0][0]) else rows.pop(0)
    width = len(rows[0]) if rows else 0
    if names:
        _check_names(path, names, width)
    for row in rows:
        if len(row) != width or not all(map(_is_number, row)):
            raise QTableError(f"{path} has a row {' '.join(row)[:60]!r}: expected {counted(width, 'number')}")
    numbers = _numbers(path, np.array(rows, dtype=np.float64).reshape(len(rows), width))
    if numbers.shape in ((CELLS, 4), (CELLS, 5)):
        return _named_cells(path, numbers)
    return Cells(_shaped(path, numbers), None, are_named=False)


def _words(line: str, separator: str | None) -> list[str]:
    """The words of a row without quotes; between semicolons or tabs, a comma is the mark of a decimal."""
    words = [word.strip().strip("\"'") for word in line.strip().split(separator)]
    return words if separator in (None, ",") else [word.replace(",", ".") for word in words]


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _check_names(path: Path, names: list[str], width: int) -> None:
    """The names of the columns, if there are any, must be those of the order in which they are read."""
    given = tuple(name.lower() for name in names)
    if given not in (COLUMNS, COLUMNS[:4], ("hit", "stand"), ("value",)) or len(names) != width:
        raise QTableError(f"{path} is not a Q table: it begins with {' '.join(names)[:60]!r}; {EXPECTED}")


def _named_cells(path: Path, rows: NDArray[np.float64]) -> Cells:
    """The cells of rows that say which cell they are of, in any order."""
    places = rows[:, :3].astype(np.int64)
    is_cell = (places == rows[:, :3]).all() and (places >= 0).all() and (places < SHAPE).all()
    if not is_cell or len(np.unique(places, axis=0)) != CELLS:
        raise QTableError(
            f"{path} does not have a row for each cell: expected each player 0 to 21, dealer 0 to 21 and"
            " action 0 (HIT) or 1 (STAND) once"
        )
    cells = tuple(places.T)
    values = np.zeros(SHAPE)
    values[cells] = rows[:, 3]
    if rows.shape[1] == 4:
        return Cells(values, None, are_named=True)
    counts = np.zeros(SHAPE)
    counts[cells] = rows[:, 4]
    return Cells(values, _whole_counts(path, counts), are_named=True)


def _whole_counts(path: Path, numbers: NDArray[np.float64]) -> NDArray[np.int64]:
    if (numbers < 0).any() or (numbers > MOST_COUNT).any() or (numbers != np.floor(numbers)).any():
        raise QTableError(f"{path} has a count that is not a whole number from 0 to {MOST_COUNT:,}")
    return numbers.astype(np.int64)
