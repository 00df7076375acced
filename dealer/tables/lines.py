"""A file that grows line by line while a dealer plays, and may become unwritable without ending the play."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from twentyone.support.command import CommandError, os_reason


class LinesFile:
    """A file to which objects are added as lines of JSON, each as soon as it is known.

    Where it cannot be written any more, that is said once, and later lines are left out.

    Args:
        what: what is in it, in a word.
        path: the file; what is in it stays, new lines come after it. If its last line was cut, as by a full
            disk, they begin on a line of their own.
        notice: told in one sentence that it cannot be written any more.

    Attributes:
        what: what is in it, in a word.
        name: what it is called in a sentence: `the log file visits.jsonl`.
        is_lost: whether a line could not be written.
        errors: how often it could not be written, or opened again.

    Raises:
        CommandError: if it cannot be opened.
    """

    def __init__(self, what: str, path: Path, notice: Callable[[str], object]) -> None:
        self.name = f"the {what} file {path}"
        self.what = what
        self.is_lost = False
        self.errors = 0
        self._path = path
        self._notice = notice
        self._file: int | None
        self._file, self._before = self._opened()

    def reopen(self) -> None:
        """Close the file and open the one that has its path now, such as after it was renamed.

        Raises:
            CommandError: if it cannot be opened. The old file stays open then.
        """
        # A pipe without a reader is an error here. It would hold up the loop, and with it every table.
        try:
            opened = self._opened(os.O_NONBLOCK)
        except CommandError:
            self.errors += 1
            raise
        self.close()
        self._file, self._before = opened
        os.set_blocking(opened[0], True)

    def _opened(self, flags: int = 0) -> tuple[int, bytes]:
        """The file, opened, and what has to be written before its next line."""
        try:
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | flags, 0o666)
            try:
                return file, b"\n" if _is_cut(self._path, os.fstat(file)) else b""
            except OSError:
                os.close(file)
                raise
        except OSError as error:
            raise CommandError(f"{self.name} cannot be opened: {os_reason(error)}") from None

    def add(self, document: Mapping[str, object]) -> None:
        """Write an object, in one piece: after a crash all lines but the last are whole."""
        self.add_line(json.dumps(document))

    def add_line(self, text: str) -> None:
        """Write a line, in one piece too."""
        if self._file is None:
            return
        rest, self._before = self._before + text.encode() + b"\n", b""
        try:
            while rest:  # where not all of it fits, the next write says why
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            self._give_up(error)

    def close(self) -> None:
        """Close the file; some network drives say only then that what was written is lost."""
        file, self._file = self._file, None
        if file is None:
            return
        try:
            os.close(file)
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self._file = None
        self.is_lost = True
        self.errors += 1
        self._notice(
            f"{self.name} cannot be written any more: {os_reason(error)}; the dealer plays on without it"
        )


def now() -> str:
    """The time as such files have it: UTC by ISO 8601, with milliseconds."""
    return time_told(time.time())


def time_told(seconds: float) -> str:
    """The same of a time in seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _is_cut(path: Path, status: os.stat_result) -> bool:
    """Whether the last line of a file lacks its end; never for a pipe or a device."""
    if not stat.S_ISREG(status.st_mode) or status.st_size == 0:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"
