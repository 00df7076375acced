"""Comma-separated values whose texts stay texts in spreadsheets and in pandas, polars and R."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final

MARKED: Final = "texts that readers take for a number, a formula or a missing value begin with ' in the CSV"
"""The notice where a text was marked."""

FORMULA: Final = ("=", "+", "-", "@", "'")
"""A spreadsheet takes a text with one of these first for a formula, and the last one for a mark."""

MISSING: Final = frozenset(
    (
        *("#n/a", "#n/a n/a", "#na", "-1.#ind", "-1.#qnan", "-nan", "1.#ind", "1.#qnan", "<na>", "n/a", "na"),
        *("null", "nan", "none"),
    )
)
"""The default list of pandas, in lower case; an empty text is missing by intention."""

TRUTH: Final = frozenset(("true", "false", "t", "f"))
"""Truth values of pandas, polars, R and spreadsheets, in lower case."""

_HEXADECIMAL: Final = re.compile(r"0[xX][0-9A-Fa-f.]+([pP][+-]?[0-9]+)?")


def csv_lines(
    rows: Iterable[Iterable[object]], notify: Callable[[str], None] = lambda _: None
) -> Iterator[str]:
    """The lines of rows, each with its line feed. Only a `str` is a text; numbers are written as they are.

    Args:
        rows: the rows, the headings first.
        notify: called once, after the last line, with a sentence if a text was marked.
    """
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    is_marked = False
    for row in rows:
        cells = list(row)
        safe = [marked(cell) if isinstance(cell, str) else cell for cell in cells]
        is_marked = is_marked or safe != cells
        writer.writerow(safe)
        yield line.getvalue()
        line.seek(0)
        line.truncate()
    if is_marked:
        notify(MARKED)


@lru_cache(4096)  # a tournament writes the same few names and scripts in every row
def marked(text: str) -> str:
    """A text, with `'` before it if a reader would take it for something else."""
    word = text.strip().lower()
    is_other = word in MISSING or word in TRUTH or text.startswith(FORMULA) or _is_number(word)
    return f"'{text}" if is_other else text


def _is_number(text: str) -> bool:
    """Whether a reader takes a text for a number, also 1,000 and 12% as spreadsheets do."""
    try:
        float(text.replace(",", "").removesuffix("%"))
    except ValueError:
        return _HEXADECIMAL.fullmatch(text) is not None
    return True
