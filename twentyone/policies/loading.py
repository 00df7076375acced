"""The tables and charts to play by: one way to read their files, for every command."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from twentyone.policies import chart, other_formats, table_files
from twentyone.policies.action_values import ActionValues
from twentyone.policies.chart import Chart, ChartError
from twentyone.policies.files import DEFAULT_TABLE, PACKAGED_TABLE, kind_of_file
from twentyone.policies.functions import Function, function_of
from twentyone.policies.table_files import QTableError
from twentyone.policies.user_modules import object_named
from twentyone.support.command import CommandError, os_reason
from twentyone.support.terminal import printable, say

PACKAGED: Final = Path(__file__).parents[2] / "qtables" / PACKAGED_TABLE
"""Found beside this package and not by an import: `training` makes a folder `qtables` of the user's."""

_OTHER_KINDS: Final = {
    "chart": "a chart of basic strategy",
    "actions": "a table of action values by hand",
    "counted": "a table by true count",
}
"""The kinds of file, besides a Q table, that a header tells."""


def load_table(path: Path) -> ActionValues:
    """Read a Q table from its file, and say on standard error what had to be assumed about it.

    Raises:
        CommandError: if the file cannot be read or is not a Q table.
    """
    try:
        table, assumed = other_formats.read(path)
    except OSError as error:
        raise CommandError(
            f"the table {path} cannot be read: {os_reason(error)}; `training HOST PORT ROUNDS` makes one"
        ) from None
    except QTableError as error:
        kind = _OTHER_KINDS.get(kind_of_file(str(path)))
        said = str(error) if kind is None else f"{path} is {kind}: expected a Q table, of 22 x 22 x 2 cells"
        raise CommandError(said) from None
    if assumed:
        _say_once(assumed)
    return table


def load_chart(path: Path) -> Chart:
    """Read a chart from its file.

    Raises:
        CommandError: if the file cannot be read or is not a chart.
    """
    try:
        return chart.load(path)
    except OSError as error:
        raise CommandError(f"the chart {path} cannot be read: {os_reason(error)}") from None
    except ChartError as error:
        raise CommandError(str(error)) from None


def load_action_values(path: Path) -> ActionValues:
    """Read a table of action values by hand from its file.

    Raises:
        CommandError: if the file cannot be read or is not such a table.
    """
    try:
        return table_files.load_by_hand(path)
    except OSError as error:
        raise CommandError(f"the table {path} cannot be read: {os_reason(error)}") from None
    except QTableError as error:
        raise CommandError(str(error)) from None


def load_counted(path: Path) -> ActionValues:
    """Read a table of action values by true count from its file.

    Raises:
        CommandError: if the file cannot be read or is not such a table.
    """
    try:
        return table_files.load_counted(path)
    except OSError as error:
        raise CommandError(
            f"the table {path} cannot be read: {os_reason(error)}; `analysis learn ROUNDS --rules vegas"
            " --count hi-lo` makes one"
        ) from None
    except QTableError as error:
        raise CommandError(str(error)) from None


def load_object(name: str) -> Function | ActionValues:
    """The policy that a Python object of the user's own is: an array of numpy or a mapping is a table.

    Args:
        name: `module:name` or `file.py:name`, as typed on a command line.

    Raises:
        CommandError: if there is no such object, it cannot be made, or it is no policy.
    """
    found = object_named(name)
    if not isinstance(found, np.ndarray | Mapping):
        return function_of(found, name)
    try:
        if isinstance(found, Mapping):
            table, assumed = other_formats.of_mapping(name, found)
        else:
            table, assumed = other_formats.of_array(name, found)
    except QTableError as error:
        raise CommandError(str(error)) from None
    _say_once(assumed)
    return table


@cache
def _say_once(sentence: str) -> None:
    """Say it the first time only: a command may read a table more than once."""
    say(printable(sentence))


def packaged_table() -> ActionValues:
    """Read the trained table that comes with the package."""
    return load_table(PACKAGED)


def load_learned(path: Path) -> ActionValues:
    """Read a table of either kind from its file, as `load_table` and `load_action_values` do."""
    return load_action_values(path) if kind_of_file(str(path)) == "actions" else load_table(path)


def own_table() -> tuple[ActionValues, str]:
    """Read the table to play by if none is named: the user's own if there is one, otherwise the packaged one.

    Returns:
        The table, and what to call it in a sentence.

    Raises:
        CommandError: if the table cannot be read.
    """
    if DEFAULT_TABLE.exists():
        return load_learned(DEFAULT_TABLE), str(DEFAULT_TABLE)
    return packaged_table(), f"that comes with the package ({PACKAGED_TABLE})"
