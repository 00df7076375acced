"""The file of a database: its tables, who may write and read it, and what its failures mean."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from twentyone.support.command import CommandError, os_reason

FORMAT: Final = "twentyone tournament 3"
"""From 3 on entrants are known by their names: before, by their places in the file."""

FORMATS: Final = "twentyone tournament "

SCHEMA: Final = """
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE entrants (
        name TEXT NOT NULL, edition INTEGER NOT NULL, told TEXT NOT NULL, PRIMARY KEY (name, edition)
    );
    CREATE TABLE matches (number INTEGER PRIMARY KEY, entrants TEXT NOT NULL UNIQUE);
    CREATE TABLE blocks (
        number INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES matches,
        first INTEGER NOT NULL, rounds INTEGER NOT NULL, day TEXT NOT NULL,
        before TEXT NOT NULL, after TEXT NOT NULL,
        scripts BLOB NOT NULL, payoffs BLOB NOT NULL, lost BLOB, seconds BLOB,
        UNIQUE (match, first)
    );
    CREATE TABLE faults (
        number INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES matches, round INTEGER NOT NULL,
        entrant TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL
    );
"""
BUSY: Final = 10.0
"""Seconds that a reader waits for the instant in which the file is changed."""


class StoreError(CommandError):
    """The database cannot be read or written, in one sentence."""


def locked(path: Path) -> IO[str]:
    """A file that one run holds at a time, until it ends in whatever way."""
    lock = path.with_suffix(".lock")
    try:
        file = lock.open("a")
    except OSError as error:
        raise StoreError(f"{lock} cannot be written: {os_reason(error)}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreError(f"{path} is in use: expected one run of this tournament at a time") from None
    return file


def keep_from_others(path: Path) -> None:
    """Make the database a file of its owner alone, before anything is in it; SQLite's files beside it follow.

    A file system that knows no owners leaves it as it is (`tournament run` says so).
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {os_reason(error)}") from None
    with suppress(OSError):
        path.chmod(0o600)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Tell a failure of the database in a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error) or type(error).__name__
        raise StoreError(f"{path} cannot be used: {text}") from None


@contextmanager
def transaction(db: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """A transaction: everything in it is kept, or nothing."""
    db.execute(begin)
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # a full disk ends a transaction by itself
            db.execute("ROLLBACK")
        raise
