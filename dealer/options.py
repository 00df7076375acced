"""The options of the `dealer` command, in groups."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from dealer.tables.config import (
    BOT_DELAY,
    BOT_POLICY,
    JOIN_TIMEOUT,
    MAX_CONNECTIONS,
    MAX_PER_ADDRESS,
    MAX_TABLES_PER_ADDRESS,
    MAX_WATCHERS_PER_ADDRESS,
    PAUSE,
)
from twentyone.support.command import USAGE, CommandError
from twentyone.support.options import optional_seconds, pause_seconds, seconds

TABLES: Final = "Tables"
LIMITS: Final = "Clocks and limits"
WORLD: Final = "The world outside"
FILES: Final = "Files"


def _verified_name(name: str | None) -> str | None:
    """Check the name of a dealer, which stands in addresses."""
    if name is not None and re.fullmatch("[0-9A-Za-z]{1,16}", name) is None:
        raise CommandError(f"--name is {name!r}: expected 1 to 16 ASCII letters or digits", USAGE)
    return name


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The games at the dealer's tables, and their players."""

    seats: Annotated[
        int | None,
        typer.Option(
            min=1, max=9, rich_help_panel=TABLES, help="Seats at a table; without it, each player has one."
        ),
    ] = None
    bots: Annotated[
        int, typer.Option(min=0, max=9, rich_help_panel=TABLES, help="How many of the seats bots take.")
    ] = 0
    bot_policy: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            rich_help_panel=TABLES,
            help="How the bots play: basic, threshold:N, random or qtable.",
        ),
    ] = BOT_POLICY
    players: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=9,
            rich_help_panel=TABLES,
            help="How many people the first round of a table waits for; without it, for every seat.",
        ),
    ] = None
    tables: Annotated[
        int | None, typer.Option(min=1, rich_help_panel=TABLES, help="Open at most this many tables.")
    ] = None
    rounds_per_table: Annotated[
        bool, typer.Option("--rounds-per-table", rich_help_panel=TABLES, help="Deal ROUNDS at each table.")
    ] = False
    practice: Annotated[
        bool, typer.Option("--practice", rich_help_panel=TABLES, help="Allow HINT and REVEAL.")
    ] = False
    pause: Annotated[
        float | None,
        typer.Option(
            callback=pause_seconds,
            rich_help_panel=TABLES,
            help="Seconds after the results, shown card by card on a page first; 0, or with --open 3.",
            show_default=False,
        ),
    ] = None
    bot_delay: Annotated[
        float | None,
        typer.Option(
            callback=pause_seconds,
            rich_help_panel=TABLES,
            help="Seconds that a bot takes for a decision; 0, or with --open 0.7.",
            show_default=False,
        ),
    ] = None
    open_browser: Annotated[
        bool, typer.Option("--open", rich_help_panel=TABLES, help="Open the table in the browser.")
    ] = False
    lobby: Annotated[
        bool,
        typer.Option(
            "--lobby", rich_help_panel=TABLES, help="Let players open tables, also where other machines can."
        ),
    ] = False

    @property
    def seconds_of_pause(self) -> float:
        """Seconds after the results."""
        return self.pause if self.pause is not None else PAUSE if self.open_browser else 0

    @property
    def seconds_of_bots(self) -> float:
        """Seconds that a bot takes for a decision."""
        return self.bot_delay if self.bot_delay is not None else BOT_DELAY if self.open_browser else 0


@dataclass(frozen=True, slots=True)
class LimitOptions:
    """Times to wait, and the most of what may be there at once."""

    decision_clock: Annotated[
        float | None,
        typer.Option(
            callback=optional_seconds,
            rich_help_panel=LIMITS,
            help="Seconds for a decision, then the hand stands as it is; 300, or 30 where others wait.",
            show_default=False,
        ),
    ] = None
    join_timeout: Annotated[
        float,
        typer.Option(
            callback=seconds, rich_help_panel=LIMITS, help="Seconds that a connection has to send its JOIN."
        ),
    ] = JOIN_TIMEOUT
    max_connections: Annotated[
        int, typer.Option(min=1, rich_help_panel=LIMITS, help="How many connections may be open at once.")
    ] = MAX_CONNECTIONS
    max_per_address: Annotated[
        int,
        typer.Option(
            min=1,
            rich_help_panel=LIMITS,
            help="How many of them may come from one address of another machine.",
        ),
    ] = MAX_PER_ADDRESS
    max_tables_per_address: Annotated[
        int,
        typer.Option(
            min=1,
            rich_help_panel=LIMITS,
            help="How many tables players from one address, 127.0.0.1 too, may open.",
        ),
    ] = MAX_TABLES_PER_ADDRESS
    max_watchers_per_address: Annotated[
        int,
        typer.Option(
            min=1,
            rich_help_panel=LIMITS,
            help="How many connections from one address may watch a table without a seat there.",
        ),
    ] = MAX_WATCHERS_PER_ADDRESS
    drain: Annotated[
        float | None,
        typer.Option(
            callback=pause_seconds,
            rich_help_panel=LIMITS,
            help="When told to stop, seconds for which those who sit play on; others are sent away.",
            show_default=False,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class WorldOptions:
    """The ways to the dealer from outside, and the proxies that it believes."""

    public_url: Annotated[
        list[str] | None,
        typer.Option(
            metavar="URL",
            rich_help_panel=WORLD,
            help="Where the world finds it, such as https://example.org/blackjack/; may be repeated, and the"
            " first is shown.",
            show_default=False,
        ),
    ] = None
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS[/BITS]",
            rich_help_panel=WORLD,
            help="Believe X-Forwarded-For from this proxy; may be repeated.",
            show_default=False,
        ),
    ] = None
    proxy_protocol: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS[/BITS]",
            rich_help_panel=WORLD,
            help="Expect a PROXY header (version 1 or 2) first on each connection from this proxy; may be"
            " repeated.",
            show_default=False,
        ),
    ] = None
    tls_cert: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            rich_help_panel=WORLD,
            help="Speak TLS to everybody, with the certificate and its chain in this PEM file.",
            show_default=False,
        ),
    ] = None
    tls_key: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", rich_help_panel=WORLD, help="The key of --tls-cert, as PEM.", show_default=False
        ),
    ] = None
    admin: Annotated[
        str | None,
        typer.Option(
            metavar="[HOST:]PORT",
            rich_help_panel=WORLD,
            help="Serve /metrics, /healthz and /readyz at another port, on 127.0.0.1 unless a host is named;"
            " 0 picks a free one.",
            show_default=False,
        ),
    ] = None
    name: Annotated[
        str | None,
        typer.Option(
            callback=_verified_name,
            rich_help_panel=WORLD,
            help="Its name among several dealers behind one address: 1 to 16 letters or digits.",
        ),
    ] = None

    def as_config(self) -> dict[str, Any]:
        """The same as fields of `dealer.tables.config.Config`.

        Raises:
            CommandError: if one of them makes no sense.
        """
        from dealer.world import admin_address, files_of_tls, networks, public_urls

        return {
            "public_urls": public_urls(self.public_url or ()),
            "proxies": networks("--proxy", self.proxy or ()),
            "proxies_with_header": networks("--proxy-protocol", self.proxy_protocol or ()),
            "tls": files_of_tls(self.tls_cert, self.tls_key),
            "admin": None if self.admin is None else admin_address(self.admin),
            "name": self.name,
        }


@dataclass(frozen=True, slots=True)
class FileOptions:
    """The files that the dealer reads and writes."""

    history: Annotated[
        Path | None,
        typer.Option(
            rich_help_panel=FILES,
            help="Add every round, with all that was dealt, to this file as JSON lines.",
        ),
    ] = None
    log: Annotated[
        Path | None,
        typer.Option(
            rich_help_panel=FILES, help="Add who comes, who goes, and why to this file as JSON lines."
        ),
    ] = None
    state: Annotated[
        Path | None,
        typer.Option(
            rich_help_panel=FILES,
            help="Keep tables, seats and chips in this file, by which the next dealer goes on.",
        ),
    ] = None
    tokens: Annotated[
        Path | None,
        typer.Option(
            rich_help_panel=FILES,
            help="Keep names for their owners: a file with a name and its token on each line.",
        ),
    ] = None
    port_file: Annotated[
        Path | None,
        typer.Option(
            rich_help_panel=FILES, help="Write the number of the port to this file once it is open."
        ),
    ] = None
