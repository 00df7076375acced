"""Which Q table to play by, and its file: one way to read one for every command."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from policies import qtable
from policies.qtable import QTable, QTableError
from support.command import CommandError, os_reason

DEFAULT_TABLE: Final = Path("qtables/qtable.txt")
"""Where `training` leaves its table, and where `player` looks for one."""

PACKAGED_TABLE: Final = "course.txt"
"""The trained table that comes with the package, in `qtables`."""


def load_table(path: Path) -> QTable:
    """A Q table from its file.

    Raises:
        CommandError: if it is not there, or is no Q table.
    """
    try:
        return qtable.load(path)
    except OSError as error:
        raise CommandError(
            f"the table {path} cannot be read: {os_reason(error)}; `training HOST PORT ROUNDS` makes one"
        ) from None
    except QTableError as error:
        raise CommandError(str(error)) from None


def packaged_table() -> QTable:
    """The trained table that comes with the package."""
    with as_file(files("qtables") / PACKAGED_TABLE) as path:
        return load_table(path)


def own_table() -> tuple[QTable, str]:
    """The table to play by if none is named, and what it is called: the user's own, else the packaged one.

    Raises:
        CommandError: if it cannot be read.
    """
    if DEFAULT_TABLE.exists():
        return load_table(DEFAULT_TABLE), str(DEFAULT_TABLE)
    return packaged_table(), f"that comes with the package ({PACKAGED_TABLE})"
