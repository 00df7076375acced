"""Histories read into transitions, line by line, so that a file may be of any size."""

from __future__ import annotations

import stat
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final

from twentyone.learning.records import archive
from twentyone.learning.records.lines import DAMAGED, LineError, played_again
from twentyone.learning.records.transitions import Gathering, Transitions
from twentyone.learning.records.watching import as_environment, episodes
from twentyone.support.files import NOT_REGULAR

LONGEST: Final = 1 << 20
"""Bytes of a line. The longest round, nine seats of four hands each, has a twentieth of that."""

TOLD_EVERY: Final = 256
"""Lines between two looks at how far reading is."""


@dataclass(slots=True)
class Account:
    """Counts of the rounds that were read, and of those left out.

    Attributes:
        rounds: the rounds that were read, by the place of their rules.
        given_up: the seats that were given up before the end of such a round, which have no episode.
        left_out: the lines from which no round was read, by the reason.
        examples: where the first of each of these is.
        archived: the places of the rules of which transitions were read: these do not tell how many rounds.
    """

    rounds: Counter[int] = field(default_factory=Counter)
    given_up: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    archived: set[int] = field(default_factory=set)

    def rounds_of(self, place: int) -> int | None:
        """The number of rounds by the rules at a place; None if that is not known."""
        return None if place in self.archived else self.rounds[place]

    def leave_out(self, reason: str, where: str) -> None:
        """Count a line that was left out."""
        self.left_out[reason] += 1
        self.examples.setdefault(reason, where)

    def sentences(self) -> list[str]:
        """Sentences about the lines left out, one for each reason."""
        said = [
            f"{_counted(count, 'line is', 'lines are')} left out that {'is' if count == 1 else 'are'}"
            f" {reason}; the first is {self.examples[reason]}"
            for reason, count in self.left_out.items()
        ]
        if self.given_up:
            were = "was given up in its round" if self.given_up == 1 else "were given up in their rounds"
            said.append(f"{_counted(self.given_up, 'seat', 'seats')} that {were}: left out")
        return said

    def as_json(self) -> dict[str, Any]:
        """The keys `left_out` and `seats_given_up` of a document."""
        lines = [
            {"reason": reason, "lines": count, "first": self.examples[reason]}
            for reason, count in self.left_out.items()
        ]
        return {"left_out": lines, "seats_given_up": self.given_up}


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def read(
    paths: Sequence[Path], progress: Callable[[int], None] = lambda _: None
) -> tuple[Transitions, Account]:
    """The transitions of some files, histories of a dealer and `.npz` files of transitions.

    Lines that tell no round are left out, and counted. The rounds of a seat that was given up have no end by
    its own decisions, so these are left out too. What the dealer's clock decided counts as the seat's: a
    decision that was as good or bad as any other.

    Args:
        paths: the files.
        progress: called with the bytes that have been read.

    Raises:
        OSError: if a file cannot be read, or is a pipe or a device.
        ArchiveError: if an `.npz` file does not hold transitions.
    """
    gathering, account, before = Gathering(), Account(), 0
    for path in paths:
        check_regular(path)
        with path.open("rb") as file:
            is_archive = file.read(len(archive.ZIP)) == archive.ZIP
            file.seek(0)
            if is_archive:
                account.archived.update(gathering.add_all(archive.load(path)))
            else:
                for number in _read_lines(file, path, gathering, account):
                    if number % TOLD_EVERY == 0:
                        progress(before + file.tell())
        before += path.stat().st_size
    return gathering.all(), account


def check_regular(path: Path) -> None:
    """Check that a file can be read to its end.

    Raises:
        OSError: if it does not exist, or is a pipe or a device.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(NOT_REGULAR)


def _read_lines(file: BinaryIO, path: Path, gathering: Gathering, account: Account) -> Iterator[int]:
    """Read the lines of a history; yield the number of each."""
    for number, line in enumerate(_lines(file), 1):
        yield number
        if not line.strip():
            continue
        try:
            if len(line) > LONGEST:
                raise LineError(DAMAGED)
            round_ = played_again(line)
        except LineError as error:
            account.leave_out(str(error), f"line {number:,} of {path}")
            continue
        environment = as_environment(round_.rules)
        told = episodes(round_)
        place = gathering.add(environment, told)
        account.rounds[place] += 1
        account.given_up += round_.rules.seats - len(told)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines after a byte order mark; of one that is too long, a part that is too long as well."""
    if file.read(len(BOM_UTF8)) != BOM_UTF8:
        file.seek(0)
    while line := file.readline(LONGEST + 1):
        yield line
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = file.readline(LONGEST + 1)
