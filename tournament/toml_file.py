"""Reading a TOML file table by table: what is unknown, missing or of another type is one sentence."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from twentyone.support.command import USAGE, CommandError, os_reason
from twentyone.support.counts import one_of
from twentyone.support.files import read_whole

_SIZE: Final = re.compile(r"([0-9]{1,15}) ?(B|KiB|MiB|GiB)?", re.IGNORECASE)
_UNITS: Final = {"b": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}
_MANY: Final = 10**15


class Table:
    """A table of the file, from which members are taken by name.

    Args:
        members: what it holds.
        where: the file, and the table if it is not the whole file, for sentences.
    """

    def __init__(self, members: Mapping[str, Any], where: str) -> None:
        self.members = members
        self.where = where

    def __contains__(self, name: str) -> bool:
        return name in self.members

    def fault(self, sentence: str) -> CommandError:
        """The error of a sentence about this table."""
        return CommandError(f"{self.where}: {sentence}", USAGE)

    def only(self, names: Iterable[str]) -> None:
        """See that there is nothing but these.

        Raises:
            CommandError: if there is.
        """
        for name in self.members:
            if name not in (known := list(names)):
                raise self.fault(f"there is no key {name!r}: expected {one_of(known)}")

    def text(self, name: str) -> str | None:
        """A text that is not empty; None if it is not there."""
        value = self.members.get(name)
        if value is None or (isinstance(value, str) and value):
            return value
        raise self.fault(f"{name} is {value!r}: expected a text")

    def whole(self, name: str, usual: int, least: int, most: int = _MANY) -> int:
        """A whole number."""
        value = self.members.get(name, usual)
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        limits = f"{least:,} or more" if most == _MANY else f"{least:,} to {most:,}"
        raise self.fault(f"{name} is {value!r}: expected a whole number, {limits}")

    def seconds(self, name: str, usual: float, least: float, most: float) -> float:
        """A time in seconds; `least` itself is taken only if it is 0."""
        value = self.members.get(name, usual)
        if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
            return float(value)
        raise self.fault(f"{name} is {value!r}: expected seconds, {least:g} to {most:,.0f}")

    def flag(self, name: str) -> bool:
        """Whether something is so; no if it is not said."""
        value = self.members.get(name, False)
        if isinstance(value, bool):
            return value
        raise self.fault(f"{name} is {value!r}: expected true or false")

    def size(self, name: str, usual: int) -> int:
        """Bytes: a whole number, or a text such as "4GiB"."""
        value = self.members.get(name, usual)
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1 << 62:
            return value
        found = _SIZE.fullmatch(value) if isinstance(value, str) else None
        size = int(found[1]) * _UNITS[(found[2] or "B").lower()] if found else 0
        if 0 < size < 1 << 62:
            return size
        raise self.fault(f'{name} is {value!r}: expected bytes, such as 1000000, "512MiB" or "4GiB"')

    def table(self, name: str) -> Table:
        """A table in this one; an empty one if it is not there."""
        value = self.members.get(name, {})
        if isinstance(value, dict):
            return Table(value, f"{self.where}: [{name}]")
        raise self.fault(f"{name} is {value!r}: expected a table, [{name}]")


def read(path: Path) -> Table:
    """The table of a whole file.

    Raises:
        CommandError: if it cannot be read, or is not TOML.
    """
    try:
        return Table(tomllib.loads(read_whole(path)), str(path))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {os_reason(error)}") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, not TOML, or nested too deeply
        raise CommandError(f"{path} is not a TOML file: {' '.join(str(error).split())}", USAGE) from None
