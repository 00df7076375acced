"""The database of SQLite with all that was played: every report is made from this one file.

Each block is one transaction, with its faults and with where the match stands after it. So whatever ends the
process, at any instant, the file holds whole blocks, and play goes on after the last one.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from tournament.results.settings_json import as_json, difference, from_json
from tournament.results.timing import thinking_of
from tournament.rounds.scripts import timed
from tournament.settings import (
    Block,
    Fault,
    Match,
    Results,
    Settings,
    State,
    first_state,
    state_as_json,
    state_from_json,
)
from tournament.trust import BITS, Trust
from twentyone.support.command import USAGE, CommandError, os_reason
from twentyone.support.interrupts import uninterrupted

FORMAT: Final = "twentyone tournament 2"

_SCHEMA: Final = """
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE blocks (
        number INTEGER PRIMARY KEY, match INTEGER NOT NULL, first INTEGER NOT NULL, rounds INTEGER NOT NULL,
        before TEXT NOT NULL, after TEXT NOT NULL,
        scripts BLOB NOT NULL, payoffs BLOB NOT NULL, lost BLOB, seconds BLOB,
        UNIQUE (match, first)
    );
    CREATE TABLE faults (
        number INTEGER PRIMARY KEY, match INTEGER NOT NULL, round INTEGER NOT NULL, entrant INTEGER NOT NULL,
        kind TEXT NOT NULL, text TEXT NOT NULL
    );
"""
_BLOCK: Final = "match, first, rounds, before, after, scripts, payoffs, lost, seconds"

BUSY: Final = 10.0
"""Seconds that a reader waits for the instant in which the file is changed."""


class StoreError(CommandError):
    """The database cannot be read or written, in one sentence."""


class Store:
    """The results of a tournament, in a file; a context manager that closes it.

    Args:
        path: the file, which exists. `open_for` makes it.
        writes: whether it is written here. Nobody else may write it then.

    Raises:
        CommandError: if it cannot be read, or is no file of a tournament, or another run writes it.
    """

    def __init__(self, path: Path, writes: bool = False) -> None:
        self.path = path
        self._told: Settings | None = None
        self._lock = _lock(path) if writes else None
        try:
            if writes:
                _keep_from_others(path)
            with _explained(path):
                mode = "rwc" if writes else "ro"
                uri = f"{path.absolute().as_uri()}?mode={mode}"
                self._db = sqlite3.connect(uri, uri=True, timeout=BUSY, isolation_level=None)
                if writes:
                    self._prepare()
                self._check_format()
        except BaseException:
            if self._lock is not None:
                self._lock.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; it may be called twice."""
        try:
            self._db.close()
        finally:
            if self._lock is not None:
                self._lock.close()

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if not self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
            insert = f"INSERT INTO about VALUES ('format', '{FORMAT}')"
            self._db.executescript(f"BEGIN; {_SCHEMA} {insert}; COMMIT")

    def _check_format(self) -> None:
        if self._about("format") != FORMAT:
            raise StoreError(f"{self.path} is not the database of a tournament of this version")

    def _about(self, name: str) -> str | None:
        row = self._db.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def _note(self, **values: str) -> None:
        with _explained(self.path), uninterrupted(), _transaction(self._db):
            for name, value in values.items():
                self._db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    @property
    def settings(self) -> Settings:
        """The settings of the tournament: as given here, with the tokens, or else as kept, without them.

        Raises:
            CommandError: if it was told nothing yet.
        """
        if self._told is not None:
            return self._told
        with _explained(self.path):
            kept, rounds = self._about("settings"), self._about("rounds")
        if kept is None or rounds is None:
            raise StoreError(f"{self.path} holds no tournament yet: expected one that has been run")
        return from_json(json.loads(kept), int(rounds))

    def tell(self, settings: Settings) -> None:
        """Keep what a tournament is told; it may be told again, and then to play more rounds.

        Raises:
            CommandError: if anything else is not as before, or rounds are fewer.
        """
        kept, now = self._about("settings"), as_json(settings)
        if kept is not None:
            before = json.loads(kept)
            differs = difference(before, json.loads(json.dumps(now)))
            if differs is not None:
                raise CommandError(
                    f"{self.path} has the results of another tournament: {differs}; give another --folder, or"
                    " what it was before",
                    USAGE,
                )
            asked = int(self._about("rounds") or 0)
            if settings.rounds < asked:
                raise CommandError(
                    f"rounds is {settings.rounds:,}, but {asked:,} were asked for before: expected as many,"
                    " or more",
                    USAGE,
                )
        bits = self._about("bits") or secrets.token_hex(BITS // 8)
        self._note(settings=json.dumps(now), rounds=str(settings.rounds), bits=bits)
        self._told = settings

    def note_confined(self, confined: Mapping[str, bool]) -> None:
        """Keep whether the programs of entrants run confined; who ever did not, by name, has not."""
        before = json.loads(self._about("confined") or "{}")
        now = {name: before.get(name, True) and is_so for name, is_so in confined.items()}
        self._note(confined=json.dumps(before | now))

    @property
    def seed_hash(self) -> str:
        """The hash of the seed and the random bits, which are kept before the first round."""
        return self._trust(is_over=False).hash

    def _trust(self, *, is_over: bool) -> Trust:
        with _explained(self.path):
            bits, confined = self._about("bits") or "", json.loads(self._about("confined") or "{}")
        return Trust(self.settings.seed, bits, confined, is_over)

    @property
    def sure_after(self) -> int | None:
        """The rounds after which the order was certain; None if that was not asked, or never was."""
        with _explained(self.path):
            value = self._about("sure_after")
        return int(value) if value else None

    @sure_after.setter
    def sure_after(self, rounds: int | None) -> None:
        self._note(sure_after="" if rounds is None else str(rounds))

    def played(self, match: Match) -> int:
        """The number of rounds of a match that have been played."""
        with _explained(self.path):
            row = self._db.execute(
                "SELECT max(first + rounds) FROM blocks WHERE match = ?", (match.number,)
            ).fetchone()
        return int(row[0] or 0)

    def state_of(self, match: Match) -> State:
        """The state of a match."""
        with _explained(self.path):
            row = self._db.execute(
                "SELECT after FROM blocks WHERE match = ? ORDER BY first DESC LIMIT 1", (match.number,)
            ).fetchone()
        return first_state(self.settings, match) if row is None else state_from_json(json.loads(row[0]))

    def add(self, block: Block) -> None:
        """Keep a block, with its faults, whole or not at all.

        Raises:
            CommandError: if the file cannot be written.
        """
        row = (
            block.match,
            block.before.round,
            len(block.scripts),
            json.dumps(state_as_json(block.before)),
            json.dumps(state_as_json(block.after)),
            zlib.compress(" ".join(block.scripts).encode(), 1),
            _packed(block.payoffs, np.int32),
            None if block.lost is None else _packed(block.lost, np.float64),
            None if block.seconds is None else _packed(block.seconds, np.float32),
        )
        faults = [(each.match, each.round, each.entrant, each.kind, each.text) for each in block.faults]
        with _explained(self.path), uninterrupted(), _transaction(self._db):
            self._db.execute(f"INSERT INTO blocks ({_BLOCK}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            self._db.executemany(
                "INSERT INTO faults (match, round, entrant, kind, text) VALUES (?, ?, ?, ?, ?)", faults
            )

    def results(self, most: int | None = None) -> Results:
        """The results so far: of each match the rounds that all have.

        Args:
            most: the largest number of rounds; None for all that count.
        """
        with _explained(self.path), _transaction(self._db, "BEGIN"):  # one instant, though it may be written
            settings, sure_after = self.settings, self.sure_after
            matches = settings.matches
            played = min(self.played(match) for match in matches)
            limits = [settings.rounds, sure_after, most]
            rounds = min(played, *(limit for limit in limits if limit is not None))
            faults = self._faults(rounds)
            blocks = [list(self._blocks(match, rounds)) for match in matches]
            is_over = played >= settings.rounds or sure_after is not None
            trust = self._trust(is_over=is_over)
        has_lost = all(each.lost is not None for of_match in blocks for each in of_match)
        return Results(
            settings=settings,
            rounds=rounds,
            payoffs=[
                _joined([each.payoffs for each in of_match], np.int32, match)
                for of_match, match in zip(blocks, matches, strict=True)
            ],
            lost=[
                _joined([each.lost for each in of_match if each.lost is not None], np.float64, match)
                for of_match, match in zip(blocks, matches, strict=True)
            ]
            if has_lost and rounds
            else None,
            thinking=thinking_of(settings, blocks),
            faults=faults,
            is_over=is_over,
            sure_after=sure_after,
            trust=trust,
            blocks=lambda match: _with_faults(blocks[match], faults),
        )

    def payoffs_of(self, match: Match) -> Iterator[NDArray[np.int32]]:
        """The payoffs of a match block by block, each of shape (rounds, places)."""
        with _explained(self.path):
            rows = self._db.execute("SELECT payoffs FROM blocks WHERE match = ?", (match.number,))
            for (packed,) in rows:
                yield _unpacked(packed, np.int32).reshape(-1, len(match.entrants))

    def _faults(self, rounds: int) -> list[Fault]:
        rows = self._db.execute(
            "SELECT entrant, match, round, kind, text FROM faults WHERE round < ?"
            " ORDER BY match, round, number",
            (rounds,),
        )
        return [Fault(*row) for row in rows]

    def _blocks(self, match: Match, rounds: int) -> Iterator[Block]:
        """The blocks of a match without their faults, the last one cut."""
        rows = self._db.execute(
            f"SELECT {_BLOCK} FROM blocks WHERE match = ? AND first < ? ORDER BY first",
            (match.number, rounds),
        )
        for row in rows:
            yield _cut(_block(row, len(match.entrants)), rounds)


def open_for(path: Path, settings: Settings) -> Store:
    """The database of a tournament, to go on with it; made if there is none.

    Raises:
        CommandError: if it is that of another tournament, is written by another run, or cannot be used.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{path.parent} cannot be made: {os_reason(error)}") from None
    store = Store(path, writes=True)
    try:
        store.tell(settings)
    except BaseException:
        store.close()
        raise
    return store


def seed_kept_in(path: Path) -> int | None:
    """The seed of the tournament in a file; None if there is no such file, or no tournament in it."""
    if not path.exists():
        return None
    with closing(Store(path)) as store:
        kept = store._about("settings")
        return None if kept is None else int(json.loads(kept)["seed"])


def _lock(path: Path) -> IO[str]:
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


def _keep_from_others(path: Path) -> None:
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
def _explained(path: Path) -> Iterator[None]:
    """Tell a failure of the database in a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        text = str(error) or type(error).__name__
        raise StoreError(f"{path} cannot be used: {text}") from None


@contextmanager
def _transaction(db: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Iterator[None]:
    """A transaction: everything in it is kept, or nothing."""
    db.execute(begin)
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # a full disk ends a transaction by itself
            db.execute("ROLLBACK")
        raise


def _packed(values: NDArray[Any], kind: type[np.generic]) -> bytes:
    """The bytes of an array, the same on every machine."""
    return zlib.compress(np.ascontiguousarray(values, np.dtype(kind).newbyteorder("<")).tobytes(), 1)


def _unpacked(packed: bytes, kind: type[np.generic]) -> NDArray[Any]:
    return np.frombuffer(zlib.decompress(packed), np.dtype(kind).newbyteorder("<")).astype(kind)


def _block(row: Sequence[Any], places: int) -> Block:
    match, _, rounds, before, after, scripts, payoffs, lost, seconds = row
    return Block(
        match=match,
        before=state_from_json(json.loads(before)),
        after=state_from_json(json.loads(after)),
        scripts=zlib.decompress(scripts).decode().split(),
        payoffs=_unpacked(payoffs, np.int32).reshape(rounds, places),
        lost=None if lost is None else _unpacked(lost, np.float64).reshape(rounds, places),
        seconds=None if seconds is None else _unpacked(seconds, np.float32),
    )


def _cut(block: Block, rounds: int) -> Block:
    """A block without the rounds after a number of rounds of the match."""
    count = rounds - block.before.round
    if count >= len(block.scripts):
        return block
    scripts = block.scripts[:count]
    return replace(
        block,
        after=replace(block.after, round=rounds),
        scripts=scripts,
        payoffs=block.payoffs[:count],
        lost=None if block.lost is None else block.lost[:count],
        seconds=None if block.seconds is None else block.seconds[: sum(map(timed, scripts))],
    )


def _joined(arrays: Sequence[NDArray[Any]], kind: type[np.generic], match: Match) -> NDArray[Any]:
    empty = np.empty((0, len(match.entrants)), kind)
    return np.concatenate([empty, *arrays]) if arrays else empty


def _with_faults(blocks: Sequence[Block], faults: Sequence[Fault]) -> list[Block]:
    """Each block with what went wrong in its rounds."""
    return [
        replace(
            block,
            faults=[
                each
                for each in faults
                if each.match == block.match and block.before.round <= each.round < block.after.round
            ],
        )
        for block in blocks
    ]
