"""A history as an array, one row for each seat of each round: for numpy, pandas, polars."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer.tables.history import VERSION
from protocol.names import MAX_NAME
from tournament.replay.lines import LineError, parsed
from tournament.replay.ranges import RANGE, lines_within, over_ranges

ROW: Final = np.dtype(
    [
        ("round", np.int64),
        ("table", np.int32),
        ("seat", np.int8),
        ("entrant", np.int32),
        ("name", f"U{MAX_NAME}"),
        ("bet", np.int64),
        ("payoff", np.float64),
        ("lost", np.float64),
        ("hands", np.int8),
        ("decisions", np.int16),
        ("late", np.int16),
        ("seconds", np.float64),
    ]
)
"""A row. `entrant` is its number, from 1, or 0 in a dealer's history; `bet` is 0 where no bets are asked.
`payoff` is in initial bets; `lost`, the EV lost by the decisions, too. `seconds` are those of all decisions.
What is not told of one of them is not a number for the round. `late` are the decisions that the clock made.
"""


def rounds(path: str | PathLike[str], processes: int = 1, size: int = RANGE) -> NDArray[Any]:
    """The rounds of a history, as an array of `ROW`, in the order of the file.

    It reads, and verifies nothing: see `tournament.replay.verify`.

    Args:
        path: the file.
        processes: how many processes read it. A script that asks for several begins by
            `if __name__ == "__main__":`, since they import it.
        size: the bytes that are read at a time.

    Raises:
        OSError: if it cannot be read.
        ValueError: if a line is no round of the version that a dealer writes now.
    """
    found = list(over_ranges(_of_range, Path(path), processes=processes, size=size))
    return np.concatenate(found) if found else np.empty(0, ROW)


def _of_range(path: Path, start: int, end: int) -> NDArray[Any]:
    with path.open("rb") as file:
        lines = filter(bytes.strip, lines_within(file, start, end))
        try:
            return np.array([row for line in lines for row in _rows(parsed(line.strip()))], ROW)
        except LineError as error:
            raise ValueError(f"{path} is no history: {error}") from None
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"{path} is no history of version {VERSION}: {error!r}") from None


def _rows(told: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """A row for each seat of a line."""
    number, table = told["round"], told["table"]
    for place, seat in enumerate(told["seats"]):
        hands = seat["hands"]
        questions = [question for hand in hands for question in hand["decisions"]]
        yield (
            number,
            table,
            place,
            seat.get("entrant", 0),
            seat["name"],
            int(seat["bet"] or 0),
            float(seat["payoff"]),
            _sum(questions, "cost"),
            len(hands),
            len(questions),
            sum("late" in question for question in questions),
            _sum(questions, "seconds"),
        )


def _sum(questions: list[dict[str, Any]], key: str) -> float:
    """The sum of what is told of decisions; not a number if nothing is, and 0 where nothing was asked."""
    return sum([question.get(key, nan) for question in questions], 0.0)
