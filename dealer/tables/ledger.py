"""What a dealer remembers of the rounds it dealt: a tally for each seat, and the history file."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from cards import (
    CardDealt,
    DealerDrew,
    DecisionAsked,
    DecisionTaken,
    HoleCardDealt,
    HoleCardRevealed,
    Record,
    Round,
    SeatForfeited,
    SeatSettled,
    Tally,
    UpcardDealt,
)
from dealer.tables.seat import Seat

MAX_ROWS: Final = 10_000
"""How many seats have a row of their own, about 4 MiB; all further ones are counted together."""

OTHERS: Final = "other players"
"""The name of the row for all further ones; the blank in it keeps it apart from any player's."""

SHOWN_ROWS: Final = 20


class Ledger:
    """A row for each seat that was taken and played, and the tally of all rounds together.

    A row belongs to the seat and not to its name: whoever takes the same name has another. It is the
    player's until the seat is free, also from another connection.
    """

    def __init__(self) -> None:
        self._rows: list[tuple[str, Tally]] = []
        self._others = Tally()

    @property
    def everybody(self) -> Tally:
        """The tally of all hands."""
        together = Tally()
        for _, tally in self._rows:
            together.merge(tally)
        together.merge(self._others)
        return together

    def add(self, round_: Round, seats: Sequence[Seat]) -> None:
        """Count a round that is over: one hand for each of the seats that were dealt in."""
        for seat, outcome in zip(seats, round_.outcomes, strict=False):
            tally = seat.tally
            if tally is None:
                tally = self._new_row(seat.name)
                seat.count_in(tally)
            if outcome is not None:
                tally.add(outcome)

    def rows(self) -> list[tuple[str, Tally]]:
        """The name and the tally of each seat, those with the most rounds first."""
        others = [(OTHERS, self._others)] if self._others.rounds else []
        return sorted([*self._rows, *others], key=lambda row: (-row[1].rounds, row[0]))

    def _new_row(self, name: str) -> Tally:
        """A row of its own for a seat, if there is room for one."""
        if len(self._rows) >= MAX_ROWS:
            return self._others
        tally = Tally()
        self._rows.append((name, tally))
        return tally


class History:
    """A file to which each round is added as one line of JSON, as soon as it is over.

    Args:
        path: the file; what is in it stays, new rounds come after it. If its last line was cut, as by a full
            disk, they begin on a line of their own.

    Raises:
        OSError: if it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        self._before = b"\n" if _is_cut(path, os.fstat(self._file)) else b""
        self._rounds = 0

    def add(self, round_: Round, names: Sequence[str]) -> None:
        """Write a round that is over, in one piece: after a crash all lines but the last are whole.

        Raises:
            OSError: if it cannot be written, or not as a whole.
        """
        self._rounds += 1
        line = json.dumps(round_as_json(self._rounds, round_, names)).encode() + b"\n"
        rest, self._before = self._before + line, b""
        while rest:  # where not all of it fits, the next write says why
            rest = rest[os.write(self._file, rest) :]

    def close(self) -> None:
        """Close the file.

        Raises:
            OSError: if what was written is lost, as some network drives say at last.
        """
        os.close(self._file)


def _is_cut(path: Path, status: os.stat_result) -> bool:
    """Whether the last line of a file lacks its end; never for a pipe or a device."""
    if not stat.S_ISREG(status.st_mode) or status.st_size == 0:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


def round_as_json(number: int, round_: Round, names: Sequence[str]) -> dict[str, Any]:
    """A round with all that happened in it, enough to deal it again.

    The keys: `round` (its number), `rules` (every field), `names` (in seat order), `records` (a list
    of lists: what happened, then the seat if it concerns one, then the card, decision or outcome),
    `outcomes` and `payoffs` (in seat order).
    """
    outcomes = [outcome for outcome in round_.outcomes if outcome is not None]
    return {
        "round": number,
        "rules": round_.rules.fields(),
        "names": list(names),
        "records": [record_as_json(record) for record in round_.records],
        "outcomes": [outcome.value for outcome in outcomes],
        "payoffs": [outcome.payoff for outcome in outcomes],
    }


def record_as_json(record: Record) -> list[str | int]:
    """A record as a list: what happened, and to whom or with what."""
    match record:
        case CardDealt(seat, card):
            return ["card", seat, str(card)]
        case UpcardDealt(card):
            return ["upcard", str(card)]
        case HoleCardDealt(card):
            return ["hole card", str(card)]
        case DecisionAsked(seat):
            return ["asked", seat]
        case DecisionTaken(seat, decision):
            return ["decided", seat, decision.value]
        case SeatForfeited(seat):
            return ["forfeited", seat]
        case HoleCardRevealed(card):
            return ["revealed", str(card)]
        case DealerDrew(card):
            return ["drew", str(card)]
        case SeatSettled(seat, outcome):
            return ["settled", seat, outcome.value]
        case _:
            raise NotImplementedError
