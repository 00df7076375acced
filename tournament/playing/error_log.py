"""The file of what an entrant's program prints: when it was started and why it ended, and its last lines."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from tournament.playing import confine
from tournament.playing.programs import LOG_SIZE

LAST: Final = 3
"""The last lines that are told: of a traceback the place and the error."""

LOOKED_AT: Final = 4096
"""Bytes at the end of the file in which they are looked for."""

LONGEST: Final = 200
"""Characters of a line that are told."""


def note(log: Path, sentence: str) -> None:
    """Add a sentence with the time of day; nothing happens if the disk is full."""
    with suppress(OSError):
        file = confine.Log(str(log), LOG_SIZE)
        file.note(sentence)
        file.close()


def size_of(log: Path) -> int:
    """The bytes that the file has now; 0 if it is not there."""
    try:
        return log.stat().st_size
    except OSError:
        return 0


def last_lines(log: Path, begin: int) -> tuple[str, ...]:
    """The last lines that a program has printed, without what was noted about it.

    Args:
        log: the file.
        begin: the bytes that were there before the program was started.
    """
    try:
        with log.open("rb") as file:
            file.seek(max(begin, size_of(log) - LOOKED_AT))
            text = file.read(LOOKED_AT).decode(errors="replace")
    except OSError:
        return ()
    lines = [line.rstrip()[:LONGEST] for line in text.splitlines()]
    return tuple([line for line in lines if line and not line.startswith(confine.NOTE)][-LAST:])
