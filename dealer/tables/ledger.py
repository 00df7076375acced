"""What a dealer remembers of the rounds it dealt: a tally for each name, and the history file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, TextIO

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

MAX_NAMES: Final = 10_000
"""How many names are kept apart, about 4 MiB; the rounds of all further ones are counted together."""

OTHERS: Final = "other names"
"""What all further names are counted under; the blank in it keeps it apart from any player's."""

SHOWN_NAMES: Final = 20


class Ledger:
    """The tally of each name and of all rounds together."""

    def __init__(self) -> None:
        self._by_name: dict[str, Tally] = {}

    @property
    def everybody(self) -> Tally:
        """The tally of all hands."""
        together = Tally()
        for tally in self._by_name.values():
            together.merge(tally)
        return together

    def add(self, round_: Round, names: Sequence[str]) -> None:
        """Count a round that is over: one hand for each of its seats."""
        for name, outcome in zip(names, round_.outcomes, strict=True):
            assert outcome is not None
            tally = self._by_name.get(name)
            if tally is None:
                key = name if len(self._by_name) < MAX_NAMES else OTHERS
                tally = self._by_name.setdefault(key, Tally())
            tally.add(outcome)

    def by_name(self) -> list[tuple[str, Tally]]:
        """The names and their tallies, those with the most rounds first."""
        return sorted(self._by_name.items(), key=lambda item: (-item[1].rounds, item[0]))


class History:
    """A file to which each round is added as one line of JSON, as soon as it is over.

    Args:
        path: the file; what is in it stays, new rounds come after it.

    Raises:
        OSError: if it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._file: TextIO = path.open("a", encoding="utf-8", buffering=1)
        self._rounds = 0

    def add(self, round_: Round, names: Sequence[str]) -> None:
        """Write a round that is over.

        Raises:
            OSError: if it cannot be written.
        """
        self._rounds += 1
        self._file.write(json.dumps(round_as_json(self._rounds, round_, names)) + "\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


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
