"""The file of `dealer --state`: an SQLite database that one dealer at a time writes.

It is written by one transaction for each turn of the loop, into a write-ahead log. That does not wait for the
disk: what is committed outlives the process, however it ends. A thread forces the log to the disk once a
second, so a power cut takes no more than that.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from twentyone.support.command import CommandError, os_reason
from twentyone.support.files import NOT_REGULAR

VERSION: Final = 1
"""The version of the file. It grows with any change after which an older dealer would misread it."""

APPLICATION: Final = 0x32314249
"""The mark in the head of the database by which it is known: `21BI`."""

SYNC_EVERY: Final = 1.0
"""Seconds between two times that what was written is forced to the disk."""

LOG_PAGES: Final = 8000
"""Pages of the write-ahead log, of 4 KiB each, after which they are moved into the database.

Only that waits for the disk: it happens once in some thousand rounds, and takes some milliseconds.
"""

_HEAD: Final = 100
"""Bytes of the head of a database (SQLite's file format, 1.3)."""

_MAGIC: Final = b"SQLite format 3\0"

_PLAYED: Final = "rounds, is_started, changing, shoe, recent, number"
_UPDATE: Final = (
    "UPDATE play SET rounds = ?, is_started = ?, changing = ?, shoe = ?, recent = ? WHERE number = ?"
)
"""Most of what is written. To replace whole rows would take three times as long."""

_OR_UPDATE: Final = "ON CONFLICT (key) DO UPDATE SET value = excluded.value"

_DAMAGES: Final = (sqlite3.Error, UnicodeError)  # the second where a text is none

_TABLES: Final = """
CREATE TABLE dealer (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tables (number INTEGER PRIMARY KEY, lasting TEXT NOT NULL);
CREATE TABLE play (
    number INTEGER PRIMARY KEY, rounds INTEGER NOT NULL, is_started INTEGER NOT NULL, changing TEXT NOT NULL,
    shoe TEXT, recent TEXT NOT NULL
);
CREATE TABLE records (
    number INTEGER PRIMARY KEY, label TEXT NOT NULL, name TEXT NOT NULL, tally TEXT NOT NULL, bankroll TEXT
);
CREATE TABLE ended (token TEXT PRIMARY KEY, number INTEGER NOT NULL, last_round TEXT) WITHOUT ROWID;
"""


class Played(NamedTuple):
    """The play at an open table, which each of its rounds changes (see `dealer.state.saved`).

    Attributes:
        rounds: how many of its rounds are over.
        is_started: whether it waits for no more people for its first round.
        changing: what a round changes of its seats, with a line for each.
        shoe: the cards that have been dealt of a shoe that is kept; None for other shoes.
        recent: its last rounds, with a line for each.
        number: the number of the table.
    """

    rounds: int
    is_started: bool
    changing: str
    shoe: str | None
    recent: str
    number: int


class Record(NamedTuple):
    """The record of a seat (see `dealer.tables.ledger`); of one that is taken its table knows the newest.

    Attributes:
        number: its number, 0 for the one of all further seats.
        label: what the player is called there.
        name: the player's name.
        tally: its rounds.
        bankroll: the chips; None where no bets are asked.
    """

    number: int
    label: str
    name: str
    tally: str
    bankroll: str | None


class Ended(NamedTuple):
    """The last round of a player who was sent away.

    Attributes:
        token: SHA-256 of the token of the seat, in hex.
        number: counts them.
        last_round: as HISTORY tells it; None if no round is kept.
    """

    token: str
    number: int
    last_round: str | None


class Saved(NamedTuple):
    """All that is in a file.

    Attributes:
        dealer: facts about the dealer by their names, as JSON.
        tables: what a round does not change of the open tables and their seats, by their numbers, the oldest
            first.
        play: the play at each of them.
        records: the records of seats, the oldest first.
        ended: the players who were sent away, the oldest first.
    """

    dealer: Mapping[str, str]
    tables: Mapping[int, str]
    play: Mapping[int, Played]
    records: Sequence[Record]
    ended: Sequence[Ended]


class StateFile:
    """The file, locked for this dealer until it is closed.

    Args:
        path: the file; it is made if it is not there. Nobody else may read it.

    Raises:
        CommandError: if it cannot be read or written, is in use, or is no such file. It is then unchanged.
    """

    def __init__(self, path: Path) -> None:
        self.name = f"the state file {path}"
        real = path.resolve()  # where SQLite puts its log beside; and it takes some names for other things
        is_new = _is_new(real, self.name)
        try:
            self._database = sqlite3.connect(
                real,
                timeout=0,
                isolation_level=None,
                check_same_thread=False,  # one thread at a time
            )
            self._open(is_new=is_new)
        except _DAMAGES as error:
            raise CommandError(f"{self.name} {_why_not(error)}") from None
        self._log = _Disk(real.with_name(f"{real.name}-wal"))

    def _open(self, *, is_new: bool) -> None:
        execute = self._database.execute
        execute("PRAGMA locking_mode = EXCLUSIVE")  # for other processes; and no memory is shared with them
        if is_new:
            execute("BEGIN IMMEDIATE")
            for statement in filter(str.strip, _TABLES.split(";")):
                execute(statement)
            execute(f"PRAGMA application_id = {APPLICATION}")
            execute(f"PRAGMA user_version = {VERSION}")  # now: it stands in the head before there is a log
            execute("COMMIT")
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = NORMAL")
        execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
        execute("BEGIN IMMEDIATE")  # the lock is taken now
        execute("COMMIT")

    def begin(self, facts: Mapping[str, str]) -> None:
        """Write the facts about the dealer that stay the same.

        Raises:
            CommandError: if it cannot be written.
        """
        try:
            self.write(facts.items())
        except sqlite3.Error as error:
            raise CommandError(f"{self.name} {_why_not(error)}") from None

    def read(self) -> Saved:
        """All that is in it.

        Raises:
            CommandError: if it is damaged.
        """
        execute = self._database.execute
        try:
            return Saved(
                dict(execute("SELECT key, value FROM dealer")),
                dict(execute("SELECT number, lasting FROM tables ORDER BY number")),
                {row[-1]: Played(*row) for row in execute(f"SELECT {_PLAYED} FROM play")},
                [Record(*row) for row in execute("SELECT * FROM records ORDER BY number")],
                [Ended(*row) for row in execute("SELECT * FROM ended ORDER BY number")],
            )
        except _DAMAGES as error:
            raise CommandError(f"{self.name} {_why_not(error)}") from None

    def write(
        self,
        dealer: Collection[tuple[str, str]],
        tables: Collection[tuple[int, str]] = (),
        play: Collection[Played] = (),
        closed: Collection[int] = (),
        records: Collection[Record] = (),
        ended: Collection[Ended] = (),
        forgotten: Collection[str] = (),
    ) -> None:
        """Write what has changed, all of it or nothing.

        Args:
            dealer: facts about the dealer.
            tables: what a round does not change of those where somebody has sat down, left or come back.
            play: at those where that or a round has changed it.
            closed: the numbers of those that are closed.
            records: the records of seats.
            ended: players who were sent away.
            forgotten: tokens of those that are not remembered any more.

        Raises:
            sqlite3.Error: if it cannot be written, as on a full disk.
        """
        database = self._database
        database.execute("BEGIN IMMEDIATE")
        try:
            for statement, rows in (
                (f"INSERT INTO dealer VALUES (?, ?) {_OR_UPDATE}", dealer),
                ("INSERT OR REPLACE INTO tables VALUES (?, ?)", tables),
                (
                    "INSERT OR IGNORE INTO play VALUES (?, 0, 0, '', NULL, '')",
                    [table[:1] for table in tables],
                ),
                (_UPDATE, play),
                ("DELETE FROM tables WHERE number = ?", [(number,) for number in closed]),
                ("DELETE FROM play WHERE number = ?", [(number,) for number in closed]),
                ("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)", records),
                ("INSERT OR REPLACE INTO ended VALUES (?, ?, ?)", ended),
                ("DELETE FROM ended WHERE token = ?", [(token,) for token in forgotten]),
            ):
                if rows:
                    database.executemany(statement, rows)
            database.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # the first error says it, and SQLite may have rolled back itself
                database.execute("ROLLBACK")
            raise
        self._log.note_written()

    def close(self) -> None:
        """Move everything into one file on the disk, and unlock it.

        Raises:
            sqlite3.Error: if that cannot be done; what was written is then in the log beside it.
        """
        self._log.close()
        try:
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self._database.close()


class _Disk:
    """Forces a file to the disk, in a thread of its own, while it is written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_written = threading.Event()
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="state", daemon=True)
        self._thread.start()

    def note_written(self) -> None:
        """There is something new in it."""
        self._is_written.set()

    def close(self) -> None:
        """Do no more."""
        self._is_over.set()
        self._is_written.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over.wait(SYNC_EVERY):
            self._is_written.wait()
            self._is_written.clear()
            # What cannot be forced now is tried again, and a disk that is broken fails the next write.
            with suppress(OSError):
                _force(self._path)


def _force(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _is_new(path: Path, name: str) -> bool:
    """Make the file if it is not there; whether it is new. Only its owner may read it.

    Raises:
        CommandError: if it cannot be opened, or is no file of this version.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o600)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(NOT_REGULAR)
            head = os.read(handle, _HEAD)
            if head:
                _verify_head(head, name)
            if stat.S_IMODE(status.st_mode) != 0o600:
                os.fchmod(handle, 0o600)
        finally:
            os.close(handle)
    except OSError as error:
        raise CommandError(f"{name} cannot be opened: {os_reason(error)}") from None
    return not head


def _verify_head(head: bytes, name: str) -> None:
    """Refuse what is no state of this version, before anything is changed.

    Raises:
        CommandError: if it is another file.
    """
    if head[:16] != _MAGIC or len(head) < _HEAD or int.from_bytes(head[68:72], "big") != APPLICATION:
        raise CommandError(f"{name} is another kind of file: expected one that a dealer has written, or none")
    version = int.from_bytes(head[60:64], "big")
    if version != VERSION:
        raise CommandError(
            f"{name} has version {version}: expected version {VERSION}, or another file for this dealer"
        )


def _why_not(error: sqlite3.Error | UnicodeError) -> str:
    """The second half of a sentence about the file."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
        return "is in use by another dealer: expected a file of its own for each"
    return f"cannot be used: {reason(error)}"


def reason(error: sqlite3.Error | UnicodeError) -> str:
    """The reason in a few words."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return os.strerror(errno.ENOSPC)
    return str(error)
