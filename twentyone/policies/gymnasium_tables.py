"""Tables in the convention of Gymnasium's Blackjack-v1, as people save them.

There 0 sticks and 1 hits, an ace as upcard is 1, and what is seen is (total, upcard, usable ace): the spaces
are (32, 11, 2). The deck is infinite, and by default a natural is just a natural: the preset `textbook`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import PRESETS
from twentyone.policies.qtable import HIT, SHAPE, STAND, dealer_column
from twentyone.policies.table_files import QTableError

RULES: Final = PRESETS["textbook"]
"""The rules of Blackjack-v1 by its defaults."""

SPACES: Final = (32, 11, 2)
"""The sizes of what is seen: the total, the upcard, and whether there is a usable ace."""

ACTIONS: Final = 2

_INTEGER: Final = r"(?:np\.u?int\d+\()?(\d{1,4})\)?"
_BOOL: Final = r"(?:np\.(?:(?:bool_?|u?int\d+)\()?)?([Tt]rue|[Ff]alse|0|1)_?\)?"
_KEY: Final = re.compile(rf"\s*[(\[]?\s*{_INTEGER}\s*,\s*{_INTEGER}\s*,\s*{_BOOL}\s*[)\]]?\s*")
"""A key as Python prints it: `(13, 2, False)`, `(np.int64(13), np.int64(2), np.False_)`."""

EXPECTED: Final = "expected (total, upcard, usable ace) such as (13, 2, False)"


class Converted(NamedTuple):
    """A table in this project's convention.

    Attributes:
        values: float64 of shape `twentyone.policies.qtable.SHAPE`.
        missing: how many of the cells that can come it did not have; these stand.
    """

    values: NDArray[np.float64]
    missing: int


def is_json(text: str) -> bool:
    """Whether a text looks like an object or an array of JSON."""
    return text.lstrip("\ufeff \t\r\n").startswith(("{", "["))


def is_array(array: NDArray[Any]) -> bool:
    """Whether an array has the shape of such a table: of actions, or of the values of both."""
    return array.shape in (SPACES, (*SPACES, ACTIONS))


def parsed(path: Path, text: str) -> dict[str, Any] | NDArray[Any]:
    """The object or the array in a text of JSON.

    Raises:
        QTableError: if it is not JSON, or an array with rows of different lengths.
    """
    try:
        found = json.loads(text.lstrip("\ufeff"))
    except ValueError:
        raise QTableError(f"{path} is not a Q table: it begins as JSON, but is none") from None
    except RecursionError:
        raise QTableError(f"{path} is not a Q table: its JSON is nested too deeply") from None
    if isinstance(found, dict):
        return found
    try:
        return np.asarray(found)
    except ValueError:
        raise QTableError(f"{path} is not a Q table: its rows have different lengths") from None


def from_mapping(path: Path, found: Mapping[Any, Any]) -> Converted:
    """A table of a mapping from what is seen to an action, or to the values of stick and hit.

    A key is a tuple, or a text as Python prints one.

    Raises:
        QTableError: if it is not one.
    """
    cells = {_cell(path, key): _values(path, key, value) for key, value in found.items()}
    if not cells:
        raise QTableError(f"{path} is not a Q table: it has no cell; {EXPECTED} and its action")
    values = np.zeros(SHAPE)
    missing = 0
    for seen in _possible():
        if seen in cells:
            values[_place(*seen)] = cells[seen]
        else:
            missing += 1
    return Converted(values, missing)


def from_array(path: Path, array: NDArray[Any]) -> Converted:
    """A table of an array of shape (32, 11, 2), of actions, or (32, 11, 2, 2), of the values of both.

    Raises:
        QTableError: if it does not hold such numbers.
    """
    if array.dtype.kind not in "biuf":
        raise QTableError(f"{path} holds {array.dtype}: expected real numbers")
    numbers = array.astype(np.float64)
    if not np.isfinite(numbers).all():
        raise QTableError(f"{path} has a value that is not finite: expected a number in every cell")
    if array.ndim == len(SPACES):
        if not np.isin(numbers, (0.0, 1.0)).all():
            raise QTableError(f"{path} has an action that is neither 0 (stick) nor 1 (hit)")
        numbers = np.stack([1 - numbers, numbers], axis=-1)
    values = np.zeros(SHAPE)
    for seen in _possible():
        stick, hit = numbers[seen].tolist()
        values[_place(*seen)] = _both(stick, hit)
    return Converted(values, 0)


def assumed(path: Path, missing: int) -> str:
    """The sentence about what was assumed of a table, which does not give its rules."""
    gaps = f"; cells that it does not have, which stand: {missing} of {len(_possible())}" if missing else ""
    return (
        f"{path} is read as a table of Gymnasium's Blackjack-v1 (0 sticks, 1 hits, an ace is 1) for"
        f" {RULES}{gaps}"
    )


def _possible() -> list[tuple[int, int, int]]:
    """All that can be seen when a decision is asked: hard totals 4 to 21, and soft ones 12 to 21."""
    return [
        (total, upcard, ace)
        for ace, lowest in ((0, 4), (1, 12))
        for total in range(lowest, 22)
        for upcard in range(1, 11)
    ]


def _place(total: int, upcard: int, ace: int) -> tuple[int, int]:
    return total, dealer_column(11 if upcard == 1 else upcard, bool(ace))


def _cell(path: Path, key: Any) -> tuple[int, int, int]:
    text = ", ".join(map(str, key)) if isinstance(key, tuple | list) else str(key)
    match = _KEY.fullmatch(text)
    if match is None:
        raise QTableError(f"{path} has the key {_short(text)}: {EXPECTED}")
    total, upcard = int(match[1]), int(match[2])
    if total >= SPACES[0] or not 1 <= upcard < SPACES[1]:
        raise QTableError(
            f"{path} has the key {_short(text)}: expected a total below 32 and an upcard from 1 to 10"
        )
    return total, upcard, int(match[3].lower() in ("true", "1"))


def _values(path: Path, key: Any, value: Any) -> tuple[float, float]:
    """The values of HIT and STAND, of an action or of two numbers."""
    match _finite(value):
        case [0.0 | 1.0 as hit]:
            return _both(1 - hit, hit)
        case [stick, hit]:
            return _both(stick, hit)
    raise QTableError(
        f"{path} has {_short(value)} at {_short(key)}: expected 0 (stick), 1 (hit) or the values of both"
    )


def _finite(value: Any) -> list[float]:
    """The numbers that a value is; none if some are not finite, or it is something else."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return []
    if array.dtype.kind not in "biuf":
        return []
    numbers = array.astype(np.float64).ravel()
    return numbers.tolist() if np.isfinite(numbers).all() else []


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 40 else f"{text[:40]}..."


def _both(stick: float, hit: float) -> tuple[float, float]:
    """The values in the order of this project."""
    pair = [0.0, 0.0]
    pair[HIT], pair[STAND] = hit, stick
    return pair[0], pair[1]
