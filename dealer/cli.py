"""The `dealer` command: options in, one configuration out."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from cards import Rules
from dealer.options import FileOptions, LimitOptions, TableOptions, WorldOptions
from dealer.tables.config import HOST, Config
from twentyone.support.command import describe, run
from twentyone.support.numbers import port_number
from twentyone.support.options import JsonOption, SeedOption, takes_group
from twentyone.support.rules import seated, takes_rules

app = typer.Typer(add_completion=False)


@describe(app, example="dealer 8088 5")
@takes_rules
@takes_group("tables", TableOptions)
@takes_group("limits", LimitOptions)
@takes_group("world", WorldOptions)
@takes_group("files", FileOptions)
def dealer(
    port: Annotated[
        int,
        typer.Argument(
            metavar="PORT", parser=port_number(0), help="The port to listen on; 0 picks a free one."
        ),
    ],
    rounds: Annotated[
        int,
        typer.Argument(metavar="ROUNDS", min=0, help="How many rounds to deal in all; 0 means no limit."),
    ],
    rules: Rules | None,
    tables: TableOptions,
    limits: LimitOptions,
    world: WorldOptions,
    files: FileOptions,
    host: Annotated[
        str, typer.Option(help="The address or the name to listen on; 0.0.0.0 lets other machines play.")
    ] = HOST,
    seed: SeedOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with status 1 at the first line that is refused.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing while it runs.")] = False,
    json: JsonOption = False,
) -> int:
    """Deal blackjack to any program, browser or person that connects.

    `dealer 8088 5` deals five rounds on port 8088 and ends. To play by hand, type `nc 127.0.0.1 8088` in
    another terminal, then `JOIN yourname`, and answer each DECISION with HIT or STAND, or with what the
    dealer says when it begins to listen.

    `dealer 8088 0 --rules casino --seats 5 --bots 4 --open` opens a table with four bots in the browser.

    After Ctrl-C no new round is dealt, open ones have five seconds to finish, and the summary is printed. A
    dealer with --state or --drain then tells its players to connect again.

    `dealer 8088 0 --public-url https://example.org/ --proxy 127.0.0.1` stands behind a proxy on this machine;
    with any of these options it counts as open to others. `dealer 8088 0 --host 0.0.0.0 --tls-cert chain.pem
    --tls-key key.pem` speaks TLS itself; files that are renewed are read for the next connection.

    As a service of systemd it listens at the sockets of LISTEN_FDS in place of PORT and --host, and tells
    NOTIFY_SOCKET when it is ready and when it stops.

    `dealer 8088 0 --admin 9121` serves figures for Prometheus on 127.0.0.1 port 9121, and whether it lives
    (/healthz) and takes players (/readyz).

    After SIGUSR1 the files of --history and --log are opened again, as for logrotate, and the tokens are read
    again.
    """
    from dealer.console import deal
    from dealer.lobby.tokens import read_tokens

    config = Config(
        port=port,
        rounds=rounds,
        host=host,
        rules=seated(rules or Rules(), tables.seats),
        bots=tables.bots,
        bot_policy=tables.bot_policy,
        players=tables.players,
        tables=tables.tables,
        rounds_per_table=tables.rounds_per_table,
        practice=tables.practice,
        pause=tables.seconds_of_pause,
        bot_delay=tables.seconds_of_bots,
        lobby=True if tables.lobby else None,
        seed=seed,
        strict=strict,
        history=files.history,
        log=files.log,
        state=files.state,
        tokens=read_tokens(files.tokens) if files.tokens else {},
        **asdict(limits),
        **world.as_config(),
    )
    return deal(config, files, quiet=quiet, as_json=json, open_browser=tables.open_browser)


def main() -> None:
    """Run the command."""
    run(app, "dealer")
