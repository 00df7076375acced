"""The configuration of a dealer, with one set of defaults, and that of each table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cards import Rules

if TYPE_CHECKING:  # it would load too much for `--help`
    from protocol.public_url import PublicUrl

Network = IPv4Network | IPv6Network

DECISION_CLOCK: Final = 300.0
"""Seconds for a decision at a one-seat table, where no other player waits: time for a telephone call."""

SHARED_DECISION_CLOCK: Final = 30.0
"""Seconds for a decision where others wait: time to think, and no more."""

JOIN_TIMEOUT: Final = 60.0
"""Seconds for a JOIN, or an HTTP head: a person types it in ten."""

MAX_CONNECTIONS: Final = 10_000
"""Connections at once: about 100 MiB of them."""

MAX_PER_ADDRESS: Final = 500
"""Connections at once from one address of another machine: a class behind one router, with ten each."""

MAX_TABLES_PER_ADDRESS: Final = 5
"""Tables that players from one address, this machine's too, have open at once: a group of friends."""

MAX_WATCHERS_PER_ADDRESS: Final = 50
"""Places to watch that they have: a class that looks on."""

HOST: Final = "127.0.0.1"
"""The address to listen on: this machine alone can reach it."""

PAUSE: Final = 3.0
"""Seconds after the results, at a table that people look at."""

BOT_DELAY: Final = 0.7
"""Seconds that a bot takes at such a table: enough to see what it does."""


BOT_POLICY: Final = "basic"
"""The policy of bots, if no other is given."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The configuration of a table.

    Attributes:
        rules: the rules, the number of seats among them.
        bots: how many of the seats are for bots.
        bot_policy: the name of the policy that they play by (see `dealer.lobby.bots`).
        practice: whether cards may be revealed and hints given.
        pause: seconds after the results.
        bot_delay: seconds that a bot takes for a decision.
        players: how many people have to sit here for the first round; None for all the seats that are not
            the bots'.
    """

    rules: Rules
    bots: int = 0
    bot_policy: str = BOT_POLICY
    practice: bool = False
    pause: float = 0.0
    bot_delay: float = 0.0
    players: int | None = None

    @property
    def people(self) -> int:
        """The number of people who have to sit here for the first round."""
        return self.rules.seats - self.bots if self.players is None else self.players

    @property
    def is_for_bots(self) -> bool:
        """Whether bots have all the seats, and play without people."""
        return self.bots == self.rules.seats


@dataclass(frozen=True)
class Config:
    """The configuration of a dealer; seconds and counts as in the constants above.

    Attributes:
        port: the port, 0 for a free one.
        rounds: how many rounds it deals in all, 0 for no end.
        host: the address to listen on.
        name: its name among several dealers behind one address; None if it is alone there.
        rules: the rules of its own tables; with more than one seat, players sit together.
        bots: how many seats of each table are for bots.
        bot_policy: how these play (see `dealer.lobby.bots`).
        players: how many people have to sit at one of its tables for the first round there; None for all the
            seats that are not the bots'.
        tables: the most tables that it opens; None for no limit.
        rounds_per_table: whether `rounds` is for each table.
        practice: whether cards may be revealed and hints given.
        pause: seconds after the results.
        bot_delay: seconds that a bot takes for a decision.
        lobby: whether players may open tables; None if they may where no other machine can reach it, which
            a dealer knows once it listens.
        seed: makes the cards repeat; None takes them from the operating system.
        decision_clock: None for the usual one, which is shorter where others wait.
        join_timeout: seconds for a JOIN.
        max_connections: the most connections at once.
        max_per_address: the most of them from one address of another machine.
        max_tables_per_address: the most tables that players from one address, this machine's too, have open.
        max_watchers_per_address: the most places to watch that they have.
        strict: whether the first refused line ends the dealer.
        history: a file that every round is added to.
        log: a file that is added to whenever somebody comes or goes.
        times_decisions: whether it notes how long decisions take, for somebody who looks at them.
        keeps_seats: whether a seat can be kept for a player whose connection is lost.
        tokens: the token of each name that is kept for its owner (see `dealer.lobby.tokens`).
        public_urls: where the world finds it, the first of them in what it says of itself.
        proxies: the networks of proxies whose X-Forwarded-For is believed.
        proxies_with_header: the networks of those that begin each connection with a PROXY header.
        tls: the files of the certificate and of its key, by which TLS is spoken; None for no TLS.
        state: a file by which another process goes on after this one; None for no such file.
        drain: seconds that players have to play on while another dealer takes its place; None for none.
        admin: the host and the port for whoever watches it; None for nobody.
    """

    port: int
    rounds: int
    host: str = HOST
    name: str | None = None
    rules: Rules = field(default_factory=Rules)
    bots: int = 0
    bot_policy: str = BOT_POLICY
    players: int | None = None
    tables: int | None = None
    rounds_per_table: bool = False
    practice: bool = False
    pause: float = 0.0
    bot_delay: float = 0.0
    lobby: bool | None = None
    seed: int | None = None
    decision_clock: float | None = None
    join_timeout: float = JOIN_TIMEOUT
    max_connections: int = MAX_CONNECTIONS
    max_per_address: int = MAX_PER_ADDRESS
    max_tables_per_address: int = MAX_TABLES_PER_ADDRESS
    max_watchers_per_address: int = MAX_WATCHERS_PER_ADDRESS
    strict: bool = False
    history: Path | None = None
    log: Path | None = None
    times_decisions: bool = False
    keeps_seats: bool = True
    tokens: Mapping[str, str] = field(default_factory=dict, repr=False)
    public_urls: Sequence[PublicUrl] = ()
    proxies: Sequence[Network] = ()
    proxies_with_header: Sequence[Network] = ()
    tls: tuple[Path, Path] | None = None
    state: Path | None = None
    drain: float | None = None
    admin: tuple[str, int] | None = None

    @property
    def is_replaced(self) -> bool:
        """Whether another process goes on after this one has been told to stop."""
        return self.state is not None or self.drain is not None

    @property
    def is_public(self) -> bool:
        """Whether others may reach it although it listens where they do not: by a proxy."""
        return bool(self.public_urls or self.proxies or self.proxies_with_header)

    @property
    def setup(self) -> Setup:
        """The configuration of each of its own tables."""
        return Setup(
            self.rules,
            self.bots,
            self.bot_policy,
            self.practice,
            self.pause,
            self.bot_delay,
            self.players,
        )

    @property
    def is_shared(self) -> bool:
        """Whether players sit together, and not each at a table of their own."""
        return self.rules.seats > 1 or self.bots > 0

    @property
    def rounds_in_all(self) -> int:
        """The number of rounds that all tables together may have; 0 for no limit."""
        return 0 if self.rounds_per_table else self.rounds

    @property
    def rounds_each(self) -> int | None:
        """The number of rounds that each table gets; None if they share the dealer's."""
        return self.rounds if self.rounds_per_table else None

    def clock_for(self, rules: Rules) -> float:
        """Seconds for a decision at a table of these rules."""
        if self.decision_clock is not None:
            return self.decision_clock
        return DECISION_CLOCK if rules.seats == 1 else SHARED_DECISION_CLOCK
