"""The settings of a tournament: its entrants, rules and length; and the results of its matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from tournament.trust import Trust

UNITS: Final = 10
"""Payoffs are whole numbers of this part of an initial bet: halves and 6:5 are exact."""

MAX_MATCHES: Final = 1000
"""The most matches of a tournament: all pairs of 45 entrants."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """An entrant: a policy, a command that starts a program, or a program that connects by itself.

    Attributes:
        name: a name as JOIN takes it (`protocol.is_name`); no other entrant has it.
        policy: the name of a policy, or the path of a table's or a chart's file; None for a program.
        command: the words that start its program, with `{host}`, `{port}` and `{name}` (spelt as in a
            message); none for the others.
        folder: what is copied to where the program runs; None for nothing.
        see: what its program sees besides where it is confined: files and folders, absolute.
        listen: the address and the port at which its program connects by itself; None for the others.
        tls: the files of the certificate and of its key by which TLS is spoken there, absolute; None for no
            TLS.
        token: what such a program shows in its JOIN.
        version: what its author calls the version of such a program; None where it is not said.
        edition: the number of its version in the database, from 1: each change has another one.
        former_of: of an earlier version, whose rounds are kept, the name under which it played; None for
            an entrant that takes part.
    """

    name: str
    policy: str | None = None
    command: tuple[str, ...] = ()
    folder: Path | None = None
    see: tuple[Path, ...] = ()
    listen: tuple[str, int] | None = None
    tls: tuple[Path, Path] | None = None
    token: str | None = None
    version: str | None = None
    edition: int = 1
    former_of: str | None = None

    @property
    def played_as(self) -> str:
        """The name under which it plays, which earlier versions share: random numbers and seats go by it."""
        return self.name if self.former_of is None else self.former_of

    @property
    def key(self) -> tuple[str, int]:
        """The name and the version by which the database knows it."""
        return self.played_as, self.edition


@dataclass(frozen=True, slots=True)
class Clocks:
    """The time that an entrant may think, in seconds.

    Attributes:
        decision: for each decision.
        bank: more than that, in all; what a decision takes beyond its own time is taken from it.
        refill: what each round puts back into the bank, which never has more than `bank`.
    """

    decision: float = 1.0
    bank: float = 10.0
    refill: float = 0.1


@dataclass(frozen=True, slots=True)
class Limits:
    """The resources that a program may use, where the system can limit them.

    Attributes:
        memory: bytes of address space.
        files: files that are open at once.
        processes: processes at once, its threads among them.
        file_size: bytes of a file that it writes.
    """

    memory: int = 4 << 30
    files: int = 256
    processes: int = 64
    file_size: int = 100 << 20


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that a tournament is given.

    Attributes:
        rules: the rules; `seats` is 1 against a dealer, and the seats of a table without one.
        rounds: the rounds of every match.
        seed: from which all cards are made.
        entrants: who takes part, at least two.
        clocks: how long they may think.
        limits: what their programs may use.
        restarts: how often a program is restarted, in each match.
        start: seconds that a program has to join after it was started, or lost its connection.
        wait: seconds that an entrant from elsewhere has to come.
        kept_shoe: whether a shoe is kept for several rounds, as the rules say; if not, each round has a fresh
            one, and the same cards for everybody.
        is_confined: whether it is played only where all programs are confined.
        is_open: whether entrants may still come, change and go: then no card of a round is shown.
        groups: of results, further matches: those of earlier versions, by the numbers of their entrants.
    """

    rules: Rules
    rounds: int
    seed: int
    entrants: tuple[Entrant, ...]
    clocks: Clocks = Clocks()
    limits: Limits = Limits()
    restarts: int = 100
    start: float = 10.0
    wait: float = 600.0
    kept_shoe: bool = False
    is_confined: bool = False
    is_open: bool = False
    groups: tuple[tuple[int, ...], ...] = ()

    @property
    def current(self) -> list[int]:
        """The numbers of the entrants that take part: all but earlier versions."""
        return [number for number, each in enumerate(self.entrants) if each.former_of is None]

    @property
    def matches(self) -> tuple[Match, ...]:
        """Every match: each entrant against the dealer, or every group of as many as a table has seats.

        Those of earlier versions come last.

        Raises:
            ValueError: if there would be more than `MAX_MATCHES`, or fewer entrants than seats.
        """
        seats, current = self.rules.seats, self.current
        count = comb(len(current), seats)
        if not 1 <= count <= MAX_MATCHES:
            raise ValueError(f"{len(current)} entrants at tables of {seats} are {count:,} matches")
        groups = [*combinations(current, seats), *self.groups]
        return tuple(Match(number, self._by_name(group)) for number, group in enumerate(groups))

    def _by_name(self, group: tuple[int, ...]) -> tuple[int, ...]:
        """The entrants of a match in the order of their names, whatever their order in the file."""
        return tuple(sorted(group, key=lambda number: self.entrants[number].played_as))


def is_own(settings: Settings, match: Match, entrant: int) -> bool:
    """Whether a match counts for an entrant: none with an earlier version of somebody else does."""
    if settings.entrants[entrant].former_of is not None:
        return True
    return all(settings.entrants[number].former_of is None for number in match.entrants)


class Match(NamedTuple):
    """A table and who plays at it from the first round to the last.

    Attributes:
        number: its number, from 0.
        entrants: the numbers of its entrants, in the order of their names. A place is an index of this.
    """

    number: int
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """The state of a match between two rounds: all that it takes to go on. Tuples are by place.

    Attributes:
        round: the number of the next round, from 0.
        starts: how often each program was started.
        banks: what each has left in its bank of time, in seconds.
        out: which of them may not be started any more.
        bankrolls: the chips of each, as text; none where no bets are asked.
        bets: the chips that each staked last; none where no bets are asked, 0 before the first.
        shoe: the number of the shoe that is kept.
        dealt: the cards of it that have been dealt.
    """

    round: int
    starts: tuple[int, ...]
    banks: tuple[float, ...]
    out: tuple[bool, ...]
    bankrolls: tuple[str, ...] = ()
    bets: tuple[int, ...] = ()
    shoe: int = 0
    dealt: int = 0


class Fault(NamedTuple):
    """Something that went wrong with an entrant.

    Attributes:
        entrant: its number.
        match: the number of the match.
        round: the number of the round, from 0: that in play, or the next one.
        kind: one of `FAULTS`.
        text: a sentence about it; of `ENDS`, on lines of their own, the last lines of its errors after it.
    """

    entrant: int
    match: int
    round: int
    kind: str
    text: str


DID_NOT_COME: Final = "did not come"

FAULTS: Final[Mapping[str, str]] = {
    "late": "decisions that its clock made",
    "refused": "lines that the dealer refused",
    "forfeited": "rounds that were forfeited",
    "crashed": "ends of the program, or of its connection, that were not asked for",
    "absent": "starts by which no program took the seat in time",
    "started": "times that the program was restarted",
    "out": "rounds that were not played, since it could not be started any more",
    DID_NOT_COME: "rounds that were not played, since it never connected",
    "left": "rounds that were not played, since it did not come back",
    "does not start": "rounds that were not played, since its program took no seat",
    "bought in": "times that its chips did not reach for a bet, and it got new ones",
}
"""The kinds of faults, and what is counted by each."""

ENDS: Final = (DID_NOT_COME, "left", "does not start")
"""The faults after which an entrant is not ranked: it took no part, or not to the end."""

NOT_PLAYED: Final = ("out", *ENDS)
"""The faults that are noted once in a match, and of which the rounds after them are counted."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some rounds of a match that follow each other.

    Attributes:
        match: the number of the match.
        before: where it stood before them; `before.round` is the number of the first.
        after: where it stood after them.
        scripts: what was decided in each (see `tournament.rounds.scripts`).
        payoffs: int32, shape (rounds, places): in tenths of an initial bet, or of a chip where
            bets are asked.
        lost: float64, shape (rounds, places): the EV lost, in initial bets; None without exact values.
        seconds: float32, shape (decisions,): how long each decision of the scripts took, by an entrant's
            clock; NaN for a policy's, and for bets. None where only policies play.
        faults: what went wrong meanwhile.
    """

    match: int
    before: State
    after: State
    scripts: Sequence[str]
    payoffs: NDArray[np.int32]
    lost: NDArray[np.float64] | None = None
    seconds: NDArray[np.float32] | None = None
    faults: Sequence[Fault] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """The results of a tournament so far.

    Attributes:
        settings: what it was told.
        rounds: how many rounds of each match count: those that every match has, and no more than it took to
            be sure. Where entrants may come later, each match counts what it has, and this is the most.
        payoffs: for each match int32, shape (rounds, places), as in `Block`.
        lost: the EV lost, of the same shapes, float64; None without exact values.
        thinking: for each entrant the seconds of its decisions, float32; empty where they are not known.
        faults: everything that went wrong in the rounds that count.
        is_over: whether nothing is left to be played.
        sure_after: the rounds after which the order was certain; None if that was not asked, or never was.
        trust: what was noted before the first round; None where nothing was.
        blocks: the blocks of a match, in order, cut to the rounds that count.
        days: of each entrant the first and the last day (UTC) on which its rounds were played; empty where
            all entrants were there from the beginning.
        waiting: the names of entrants that have not played yet: they are not among those of `settings`.
    """

    settings: Settings
    rounds: int
    payoffs: Sequence[NDArray[np.int32]]
    lost: Sequence[NDArray[np.float64]] | None
    thinking: Sequence[NDArray[np.float32]]
    faults: Sequence[Fault]
    is_over: bool
    sure_after: int | None
    blocks: Callable[[int], Sequence[Block]]
    trust: Trust | None = None
    days: Sequence[tuple[str, str]] = ()
    waiting: Sequence[str] = ()


def first_state(settings: Settings, match: Match) -> State:
    """The state of a match before its first round."""
    places, bets = len(match.entrants), settings.rules.bets is not None
    return State(
        round=0,
        starts=(0,) * places,
        banks=(settings.clocks.bank,) * places,
        out=(False,) * places,
        bankrolls=(str(settings.rules.first_bankroll),) * places if bets else (),
        bets=(0,) * places if bets else (),
    )


def state_as_json(state: State) -> dict[str, Any]:
    """A state as an object of JSON, from which `State(**...)` with tuples makes it again."""
    return {name: getattr(state, name) for name in State.__slots__}


def state_from_json(told: Mapping[str, Any]) -> State:
    """The state of such an object."""
    members: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in told.items()
    }
    return State(**members)
