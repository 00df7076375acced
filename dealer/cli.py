"""The `dealer` command: options in, one configuration out."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from cards import Rules
from dealer.tables.config import BOT_DELAY, PAUSE, Config
from support.command import describe, run
from support.numbers import port_number
from support.options import JsonOption, SeedOption, optional_seconds, pause_seconds, seconds
from support.rules import seated, takes_rules

TABLES: Final = "Tables"

app = typer.Typer(add_completion=False)


@describe(app, example="dealer 8088 5")
@partial(takes_rules, whole=True)
def dealer(
    port: Annotated[
        int,
        typer.Argument(
            metavar="PORT", parser=port_number(0), help="The port to listen on; 0 picks a free one."
        ),
    ],
    rounds: Annotated[
        int,
        typer.Argument(metavar="ROUNDS", min=0, help="How many rounds to deal in all; 0 deals without end."),
    ],
    rules: Rules | None,
    host: Annotated[
        str, typer.Option(help="The address or the name to listen on; 0.0.0.0 lets other machines play.")
    ] = Config.host,
    seats: Annotated[
        int | None,
        typer.Option(
            min=1, max=9, rich_help_panel=TABLES, help="Seats at a table; without it, each player has one."
        ),
    ] = None,
    bots: Annotated[
        int, typer.Option(min=0, max=9, rich_help_panel=TABLES, help="How many of the seats bots take.")
    ] = Config.bots,
    bot_policy: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            rich_help_panel=TABLES,
            help="How the bots play: basic, threshold:N, random or qtable.",
        ),
    ] = Config.bot_policy,
    players: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=9,
            rich_help_panel=TABLES,
            help="How many people the first round of a table waits for; else for every seat.",
        ),
    ] = None,
    tables: Annotated[
        int | None, typer.Option(min=1, rich_help_panel=TABLES, help="Open at most this many tables.")
    ] = None,
    rounds_per_table: Annotated[
        bool, typer.Option("--rounds-per-table", rich_help_panel=TABLES, help="Deal ROUNDS at each table.")
    ] = False,
    practice: Annotated[
        bool, typer.Option("--practice", rich_help_panel=TABLES, help="Allow HINT and REVEAL.")
    ] = False,
    pause: Annotated[
        float | None,
        typer.Option(
            callback=pause_seconds,
            rich_help_panel=TABLES,
            help="Seconds after the results, shown card by card on a page first; 0, or with --open 3.",
            show_default=False,
        ),
    ] = None,
    bot_delay: Annotated[
        float | None,
        typer.Option(
            callback=pause_seconds,
            rich_help_panel=TABLES,
            help="Seconds that a bot takes for a decision; 0, or with --open 0.7.",
            show_default=False,
        ),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open", rich_help_panel=TABLES, help="Open the table in the browser.")
    ] = False,
    lobby: Annotated[
        bool,
        typer.Option(
            "--lobby", rich_help_panel=TABLES, help="Let players open tables, also where other machines can."
        ),
    ] = False,
    seed: SeedOption = None,
    decision_clock: Annotated[
        float | None,
        typer.Option(
            callback=optional_seconds,
            help="Seconds for a decision, then the hand stands as it is; 300, or 30 where others wait.",
            show_default=False,
        ),
    ] = None,
    join_timeout: Annotated[
        float, typer.Option(callback=seconds, help="Seconds that a connection has to send its JOIN.")
    ] = Config.join_timeout,
    max_connections: Annotated[
        int, typer.Option(min=1, help="How many connections may be open at once.")
    ] = Config.max_connections,
    max_per_address: Annotated[
        int, typer.Option(min=1, help="How many of them may come from one address of another machine.")
    ] = Config.max_per_address,
    max_tables_per_address: Annotated[
        int, typer.Option(min=1, help="How many tables players from one address, 127.0.0.1 too, may open.")
    ] = Config.max_tables_per_address,
    max_watchers_per_address: Annotated[
        int, typer.Option(min=1, help="How many of them may watch who do not sit at the table.")
    ] = Config.max_watchers_per_address,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with status 1 at the first line that is refused.")
    ] = False,
    history: Annotated[
        Path | None,
        typer.Option(help="Add every round, with all that was dealt, to this file as JSON lines."),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(help="Add who comes, who goes, and why to this file as JSON lines."),
    ] = None,
    tokens: Annotated[
        Path | None,
        typer.Option(help="Keep names for their owners: a file with a name and its token on each line."),
    ] = None,
    port_file: Annotated[
        Path | None, typer.Option(help="Write the number of the port to this file once it is open.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing while it runs.")] = False,
    json: JsonOption = False,
) -> int:
    """Deal blackjack to any program, browser or person that connects.

    `dealer 8088 5` deals five rounds on port 8088 and ends. To play by hand, type `nc 127.0.0.1 8088` in
    another terminal, then `JOIN yourname`, and answer each DECISION with HIT or STAND, or with what the
    dealer says when it begins to listen.

    `dealer 8088 0 --rules casino --seats 5 --bots 4 --open` opens a table with four bots in the browser.

    After Ctrl-C no new round is dealt, open ones have five seconds to finish, and the summary is printed.

    After SIGUSR1 the files of --history and --log are opened again, as for logrotate, and the tokens are read
    again.
    """
    from dealer.console import deal
    from dealer.lobby.tokens import read_tokens

    config = Config(
        port=port,
        rounds=rounds,
        host=host,
        rules=seated(rules or Rules(), seats),
        bots=bots,
        bot_policy=bot_policy,
        players=players,
        tables=tables,
        rounds_per_table=rounds_per_table,
        practice=practice,
        pause=pause if pause is not None else PAUSE if open_browser else 0,
        bot_delay=bot_delay if bot_delay is not None else BOT_DELAY if open_browser else 0,
        lobby=True if lobby else None,
        seed=seed,
        decision_clock=decision_clock,
        join_timeout=join_timeout,
        max_connections=max_connections,
        max_per_address=max_per_address,
        max_tables_per_address=max_tables_per_address,
        max_watchers_per_address=max_watchers_per_address,
        strict=strict,
        history=history,
        log=log,
        tokens=read_tokens(tokens) if tokens else {},
    )
    return deal(
        config,
        port_file=port_file,
        tokens_file=tokens,
        quiet=quiet,
        as_json=json,
        open_browser=open_browser,
    )


def main() -> None:
    """Run the command."""
    run(app, "dealer")
