"""Every round of a tournament as rows, one for each round and entrant: CSV, JSON or Parquet.

Rows come match by match, round by round and place by place. Times are in the last column, since they differ
from run to run; everything else is the same for equal results, to the byte.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from itertools import islice
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from tournament.results.timing import places_of
from tournament.rounds.schedule import seating
from tournament.rounds.scripts import timed
from tournament.settings import UNITS, Block, Results, Settings
from twentyone.support.command import CommandError
from twentyone.support.csv_lines import csv_lines

COLUMNS: Final[Mapping[str, str]] = {
    "match": "the number of the match, from 1",
    "round": "the number of the round, from 1",
    "entrant": "the name of the entrant",
    "seat": "its seat, from 1",
    "script": "what was decided in the round, by all",
    "payoff": "its payoff, in initial bets (in chips where bets are asked)",
    "lost": "the EV that it lost, in initial bets; empty without exact values",
    "faults": "the kinds of its faults in the round, with a blank between",
    "seconds": "how long its decisions took together; empty where no clock ran",
}

Row = tuple[int, int, str, int, str, Decimal, float | None, str, float | None]
"""The values of `COLUMNS`, in their order."""

CHUNK: Final = 100_000
"""Rows of a group of Parquet."""


def rows(results: Results) -> Iterator[Row]:
    """A row for each round and entrant, in the order of matches, rounds and places."""
    for match in results.settings.matches:
        names = [results.settings.entrants[number].name for number in match.entrants]
        for block in results.blocks(match.number):
            yield from _of_block(results.settings, block, match.entrants, names)


def _of_block(settings: Settings, block: Block, entrants: tuple[int, ...], names: list[str]) -> Iterator[Row]:
    seats, first = settings.rules.seats, block.before.round
    faults: dict[tuple[int, int], list[str]] = defaultdict(list)
    for fault in block.faults:
        faults[fault.round, fault.entrant].append(fault.kind)
    payoffs = block.payoffs.tolist()
    lost = None if block.lost is None else block.lost.tolist()
    seconds = _seconds(settings, block)
    for at, script in enumerate(block.scripts):
        order = seating(seats, first + at) if seats > 1 else (0,)
        for place, name in enumerate(names):
            time = math.nan if seconds is None else float(seconds[at, place])
            yield (
                block.match + 1,
                first + at + 1,
                name,
                order.index(place) + 1,
                script,
                Decimal(payoffs[at][place]) / UNITS,
                None if lost is None else lost[at][place],
                " ".join(faults.get((first + at, entrants[place]), ())),
                None if math.isnan(time) else time,
            )


def _seconds(settings: Settings, block: Block) -> NDArray[np.float64] | None:
    """The seconds of each round's decisions by place, shape (rounds, places); NaN where not known."""
    if block.seconds is None:
        return None
    found = np.full(block.payoffs.shape, np.nan)
    begin = 0
    for at, script in enumerate(block.scripts):
        end = begin + timed(script)
        owners = places_of(settings, block.before.round + at, script)
        for place, time in zip(owners, block.seconds[begin:end].tolist(), strict=True):
            if not math.isnan(time):
                found[at, place] = time + (0.0 if math.isnan(found[at, place]) else found[at, place])
        begin = end
    return found


def columns(times: bool) -> list[str]:
    """The names of the columns, with or without that of times."""
    return list(COLUMNS)[: None if times else -1]


def as_csv(
    found: Iterable[Row], times: bool = True, notify: Callable[[str], None] = lambda _: None
) -> Iterator[str]:
    """The lines of a CSV file, each with its end; `notify` as in `csv_lines`."""
    return csv_lines(_headed(found, columns(times)), notify)


def _headed(found: Iterable[Row], names: list[str]) -> Iterator[Iterable[object]]:
    yield names
    for row in found:
        yield row[: len(names)]


def as_json(found: Iterable[Row], times: bool = True) -> Iterator[str]:
    """The lines of a JSON file, each with its end: an array of objects, one a line."""
    names = columns(times)
    before = "[\n"
    for row in found:
        told = [float(value) if isinstance(value, Decimal) else value for value in row]
        yield before + json.dumps(dict(zip(names, told, strict=False)))
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def write_parquet(found: Iterable[Row], file: IO[bytes], times: bool = True) -> None:
    """Write a Parquet file.

    Raises:
        CommandError: if pyarrow is not installed.
    """
    try:
        import pyarrow as arrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
        from pyarrow import parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise CommandError(
            "Parquet needs pyarrow, which is not installed: pip install 'twentyone[parquet]'"
        ) from None
    names = columns(times)
    texts, whole = ("entrant", "script", "faults"), ("match", "round", "seat")
    kinds = {name: arrow.string() if name in texts else arrow.float64() for name in names}
    kinds |= {name: arrow.int64() for name in whole}
    schema = arrow.schema(list(kinds.items()))
    rest = iter(found)
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while chunk := list(islice(rest, CHUNK)):
            told: list[list[Any]] = [list(column) for column in zip(*chunk, strict=True)]
            payoff = names.index("payoff")
            told[payoff] = [float(value) for value in told[payoff]]
            writer.write_table(
                arrow.table(
                    {name: arrow.array(told[at], kinds[name]) for at, name in enumerate(names)}, schema=schema
                )
            )
