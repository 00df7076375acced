"""The database of SQLite with all that was played: every report is made from this one file.

Each block is one transaction, with its faults and with where the match stands after it. So whatever ends the
process, at any instant, the file holds whole blocks, and play goes on after the last one.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import zlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tournament.results.database import (
    BUSY,
    FORMAT,
    FORMATS,
    SCHEMA,
    StoreError,
    explained,
    keep_from_others,
    locked,
    transaction,
)
from tournament.results.entering import Entry, Phase, check_same, enter
from tournament.results.packing import block_of, cut, joined, packed, unpacked, with_faults
from tournament.results.settings_json import as_json, from_json
from tournament.results.timing import thinking_of
from tournament.results.viewed import Counted, counted_in, with_earlier
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

_BLOCK: Final = "match, first, rounds, day, before, after, scripts, payoffs, lost, seconds"


class Store:
    """The results of a tournament, in a file; a context manager that closes it.

    Args:
        path: the file, which exists. `open_for` makes it.
        writes: whether it is written here. Nobody else may write it then.
        today: tells the day that is noted with rounds.

    Raises:
        CommandError: if it cannot be read, or is no file of a tournament, or another run writes it.
    """

    def __init__(
        self, path: Path, writes: bool = False, today: Callable[[], date] = lambda: datetime.now(UTC).date()
    ) -> None:
        self.path = path
        self._today = today
        self._told: Settings | None = None
        self._lock = locked(path) if writes else None
        try:
            if writes:
                keep_from_others(path)
            with explained(path):
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
            self._db.executescript(f"BEGIN; {SCHEMA} {insert}; COMMIT")

    def _check_format(self) -> None:
        kept = self._about("format")
        if kept is not None and kept.startswith(FORMATS) and kept < FORMAT:
            raise StoreError(
                f"{self.path} was written by an earlier version, which knew entrants by their places in the"
                " file: expected another --folder"
            )
        if kept != FORMAT:
            raise StoreError(f"{self.path} is not the database of a tournament of this version")

    def _about(self, name: str) -> str | None:
        row = self._db.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def _note(self, entrants: Sequence[Mapping[str, Any]] = (), **values: str) -> None:
        """Keep values by their names, and versions of entrants, all or nothing."""
        rows = [(each["name"], each["edition"], json.dumps(each)) for each in entrants]
        with explained(self.path), uninterrupted(), transaction(self._db):
            self._db.executemany("INSERT OR REPLACE INTO entrants VALUES (?, ?, ?)", rows)
            for name, value in values.items():
                self._db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    @property
    def settings(self) -> Settings:
        """The settings of the tournament: as given here, with the tokens, or as kept, without them.

        Raises:
            CommandError: if it was told nothing yet.
        """
        if self._told is not None:
            return self._told
        with explained(self.path):
            kept, rounds = self._about("settings"), self._about("rounds")
            is_open = self.phase is Phase.OPEN
        if kept is None or rounds is None:
            raise StoreError(f"{self.path} holds no tournament yet: expected one that has been run")
        return from_json(json.loads(kept), int(rounds), is_open=is_open)

    @property
    def phase(self) -> Phase:
        """Whether entrants may come, change and go."""
        return Phase(self._about("phase") or Phase.FIXED.value)

    def tell(self, settings: Settings) -> Entry:
        """Keep what a tournament is told; it may be told again, and then to play more rounds.

        Where it is open, entrants may have come, changed or gone since.

        Raises:
            CommandError: if anything else is not as before, or rounds are fewer.
        """
        kept, now = self._about("settings"), json.loads(json.dumps(as_json(settings)))
        before = {"entrants": []} if kept is None else json.loads(kept)
        if kept is None:
            phase = Phase.OPEN if settings.is_open else Phase.FIXED
        else:
            phase = self.phase
            check_same(self.path, before, now, phase, settings)
            self._check_rounds(settings.rounds)
        entry = enter(before["entrants"], now["entrants"], self._latest, may_change=phase is Phase.OPEN)
        told = replace(settings, entrants=entry.numbered(settings.entrants), is_open=phase is Phase.OPEN)
        notes = {
            "settings": json.dumps({**now, "entrants": entry.entrants}),
            "rounds": str(settings.rounds),
            "bits": self._about("bits") or secrets.token_hex(BITS // 8),
            "phase": phase.value,
        }
        if entry.new:
            notes |= {"floor": str(self._floor(told, entry.new)), "sure_after": ""}
        self._note(entry.entrants, **notes)
        self._told = told
        return entry

    def _check_rounds(self, rounds: int) -> None:
        """Refuse fewer rounds than were asked for before."""
        asked = int(self._about("rounds") or 0)
        if rounds < asked:
            raise CommandError(
                f"rounds is {rounds:,}, but {asked:,} were asked for before: expected as many, or more", USAGE
            )

    def _latest(self, name: str) -> dict[str, Any] | None:
        """The last version of an entrant that ever took part, as JSON."""
        row = self._db.execute(
            "SELECT told FROM entrants WHERE name = ? ORDER BY edition DESC LIMIT 1", (name,)
        ).fetchone()
        return None if row is None else dict(json.loads(row[0]))

    def _floor(self, settings: Settings, new: Container[str]) -> int:
        """The rounds that those have who were there before others came."""
        if self.sure_after is not None:
            return self.sure_after
        played = [
            self.played(match, settings)
            for match in settings.matches
            if not any(settings.entrants[number].name in new for number in match.entrants)
        ]
        return max(min(played, default=0), self.floor)

    @property
    def floor(self) -> int:
        """The rounds that a new entrant plays before it is asked whether the order is certain."""
        with explained(self.path):
            return int(self._about("floor") or 0)

    def close_entries(self) -> None:
        """Let no entrant come, change or go any more: from now on rounds may be seen.

        Raises:
            CommandError: if it is not open.
        """
        settings, phase = self.settings, self.phase
        if phase is not Phase.OPEN:
            was = "is closed already" if phase is Phase.CLOSED else "was never open"
            raise StoreError(f"{self.path} {was}: expected the results of a tournament with open = true")
        self._note(phase=Phase.CLOSED.value)
        self._told = replace(settings, is_open=False)

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
        with explained(self.path):
            bits, confined = self._about("bits") or "", json.loads(self._about("confined") or "{}")
        return Trust(self.settings.seed, bits, confined, is_over)

    @property
    def sure_after(self) -> int | None:
        """The rounds after which the order was certain; None if that was not asked, or never was."""
        with explained(self.path):
            value = self._about("sure_after")
        return int(value) if value else None

    @sure_after.setter
    def sure_after(self, rounds: int | None) -> None:
        self._note(sure_after="" if rounds is None else str(rounds))

    def _number(self, match: Match, settings: Settings | None = None) -> int | None:
        """The number of a match in the database; None if none of its rounds is there yet."""
        row = self._db.execute(
            "SELECT number FROM matches WHERE entrants = ?", (_key(settings or self.settings, match),)
        ).fetchone()
        return None if row is None else int(row[0])

    def played(self, match: Match, settings: Settings | None = None) -> int:
        """The number of rounds of a match that have been played.

        Args:
            match: the match.
            settings: those of which it is a match; None for those of the store.
        """
        with explained(self.path):
            row = self._db.execute(
                "SELECT max(first + rounds) FROM blocks WHERE match = ?", (self._number(match, settings),)
            ).fetchone()
        return int(row[0] or 0)

    def state_of(self, match: Match) -> State:
        """The state of a match."""
        with explained(self.path):
            row = self._db.execute(
                "SELECT after FROM blocks WHERE match = ? ORDER BY first DESC LIMIT 1", (self._number(match),)
            ).fetchone()
        return first_state(self.settings, match) if row is None else state_from_json(json.loads(row[0]))

    def add(self, block: Block) -> None:
        """Keep a block, with its faults, whole or not at all.

        Raises:
            CommandError: if the file cannot be written.
        """
        settings = self.settings
        key = _key(settings, settings.matches[block.match])
        row = (
            block.before.round,
            len(block.scripts),
            self._today().isoformat(),
            json.dumps(state_as_json(block.before)),
            json.dumps(state_as_json(block.after)),
            zlib.compress(" ".join(block.scripts).encode(), 1),
            packed(block.payoffs, np.int32),
            None if block.lost is None else packed(block.lost, np.float64),
            None if block.seconds is None else packed(block.seconds, np.float32),
        )
        names = [each.name for each in settings.entrants]
        with explained(self.path), uninterrupted(), transaction(self._db):
            self._db.execute("INSERT OR IGNORE INTO matches (entrants) VALUES (?)", (key,))
            (number,) = self._db.execute("SELECT number FROM matches WHERE entrants = ?", (key,)).fetchone()
            self._db.execute(
                f"INSERT INTO blocks ({_BLOCK}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (number, *row)
            )
            self._db.executemany(
                "INSERT INTO faults (match, round, entrant, kind, text) VALUES (?, ?, ?, ?, ?)",
                [(number, each.round, names[each.entrant], each.kind, each.text) for each in block.faults],
            )

    def results(self, most: int | None = None) -> Results:
        """The results so far: of each match the rounds that all have; all it has where entrants came later.

        Args:
            most: the largest number of rounds; None for all that count.
        """
        with explained(self.path), transaction(self._db, "BEGIN"):  # one instant, though it may be written
            told, sure_after = self.settings, self.sure_after
            limits = [limit for limit in (told.rounds, sure_after, most) if limit is not None]
            found = self._counted(told, min(limits))
            settings = found.settings
            faults = self._faults(found)
            blocks = [list(self._blocks(match, found)) for match in settings.matches]
            least = min(self.played(match) for match in told.matches)
            is_over = not told.is_open and (least >= told.rounds or sure_after is not None)
            trust = self._trust(is_over=is_over)
        has_lost = all(each.lost is not None for of_match in blocks for each in of_match)
        return Results(
            settings=settings,
            rounds=found.most,
            payoffs=[
                joined([each.payoffs for each in of_match], np.int32, match)
                for of_match, match in zip(blocks, settings.matches, strict=True)
            ],
            lost=[
                joined([each.lost for each in of_match if each.lost is not None], np.float64, match)
                for of_match, match in zip(blocks, settings.matches, strict=True)
            ]
            if has_lost and found.most
            else None,
            thinking=thinking_of(settings, blocks),
            faults=faults,
            is_over=is_over,
            sure_after=sure_after,
            trust=trust,
            blocks=lambda match: with_faults(blocks[match], faults),
            days=found.days,
            waiting=found.waiting,
        )

    def _counted(self, told: Settings, limit: int) -> Counted:
        """The matches whose rounds count, and how many of each."""
        if self.phase is Phase.FIXED:
            least = min(min(self.played(match) for match in told.matches), limit)
            return Counted(told, [least] * len(told.matches))
        rows = self._db.execute("SELECT number, entrants FROM matches ORDER BY number").fetchall()
        keys = [tuple((name, edition) for name, edition in json.loads(key)) for _, key in rows]
        versions = [json.loads(each) for (each,) in self._db.execute("SELECT told FROM entrants").fetchall()]
        played = {key: self._days(number) for (number, _), key in zip(rows, keys, strict=True)}
        return counted_in(told, with_earlier(told, versions), played, limit)

    def _days(self, number: int) -> tuple[int, str, str]:
        """The rounds of a match by its number in the database, and the days of the first and the last."""
        rounds, first, last = self._db.execute(
            "SELECT max(first + rounds), min(day), max(day) FROM blocks WHERE match = ?", (number,)
        ).fetchone()
        return int(rounds), str(first), str(last)

    def payoffs_of(self, match: Match) -> Iterator[NDArray[np.int32]]:
        """The payoffs of a match block by block, each of shape (rounds, places)."""
        with explained(self.path):
            rows = self._db.execute("SELECT payoffs FROM blocks WHERE match = ?", (self._number(match),))
            for (payoffs,) in rows:
                yield unpacked(payoffs, np.int32).reshape(-1, len(match.entrants))

    def _faults(self, found: Counted) -> list[Fault]:
        """The faults of the rounds that count, by the numbers of what is shown."""
        faults = []
        for match, rounds in zip(found.settings.matches, found.rounds, strict=True):
            members = {found.settings.entrants[number].played_as: number for number in match.entrants}
            rows = self._db.execute(
                "SELECT round, entrant, kind, text FROM faults WHERE match = ? AND round < ?"
                " ORDER BY round, number",
                (self._number(match, found.settings), rounds),
            )
            for round_, name, kind, text in rows:
                if found.counts_for(match, members[name]):
                    # The last lines of a program's errors may name a card.
                    said = text.partition("\n")[0] if found.settings.is_open else text
                    faults.append(Fault(members[name], match.number, round_, kind, said))
        return faults

    def _blocks(self, match: Match, found: Counted) -> Iterator[Block]:
        """The blocks of a match without their faults, the last one cut."""
        rounds = found.rounds[match.number]
        rows = self._db.execute(
            f"SELECT {_BLOCK} FROM blocks WHERE match = ? AND first < ? ORDER BY first",
            (self._number(match, found.settings), rounds),
        )
        for row in rows:
            yield cut(block_of(row, match), rounds)


def _key(settings: Settings, match: Match) -> str:
    """A match as the database knows it: the names and versions of its entrants, by name."""
    return json.dumps([settings.entrants[number].key for number in match.entrants])


def open_for(path: Path, settings: Settings, noticed: Callable[[str], None] = lambda _: None) -> Store:
    """The database of a tournament, to go on with it; made if there is none.

    Args:
        path: the file.
        settings: those of this run.
        noticed: called with a sentence about each entrant that has come, changed or gone since.

    Raises:
        CommandError: if it is that of another tournament, is written by another run, or cannot be used.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{path.parent} cannot be made: {os_reason(error)}") from None
    store = Store(path, writes=True)
    try:
        for sentence in store.tell(settings).notices():
            noticed(sentence)
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
