"""The `dealer` command: options in, one configuration out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cards import Rules
from support.command import describe, run
from support.options import JsonOption, SeedOption, seconds
from support.rules import takes_rules

app = typer.Typer(add_completion=False)


@describe(app)
@takes_rules
def dealer(
    port: Annotated[
        int,
        typer.Argument(metavar="PORT", min=0, max=65535, help="The port to listen on; 0 picks a free one."),
    ],
    rounds: Annotated[
        int,
        typer.Argument(metavar="ROUNDS", min=0, help="How many rounds to deal in all; 0 deals without end."),
    ],
    rules: Rules | None,
    host: Annotated[
        str, typer.Option(help="The address to listen on. 0.0.0.0 lets other machines play.")
    ] = "127.0.0.1",
    seed: SeedOption = None,
    decision_clock: Annotated[
        float, typer.Option(callback=seconds, help="Seconds for a decision; then the hand stands as it is.")
    ] = 300.0,
    join_timeout: Annotated[
        float, typer.Option(callback=seconds, help="Seconds that a connection has to send its JOIN.")
    ] = 60.0,
    max_connections: Annotated[
        int, typer.Option(min=1, help="How many connections may be open at once.")
    ] = 10_000,
    strict: Annotated[
        bool, typer.Option("--strict", help="End with status 1 at the first line that is refused.")
    ] = False,
    history: Annotated[
        Path | None,
        typer.Option(help="Add every round, with all that was dealt, to this file as JSON lines."),
    ] = None,
    port_file: Annotated[
        Path | None, typer.Option(help="Write the number of the port to this file once it is open.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing while it runs.")] = False,
    json: JsonOption = False,
) -> int:
    """Deal blackjack to any program, browser or person that connects.

    `dealer 8088 5` deals five rounds on port 8088 and ends. To play by hand, type `nc 127.0.0.1 8088` in
    another terminal, then `JOIN yourname`, and answer each DECISION with HIT or STAND.

    Ctrl-C deals no new rounds, lets open ones be finished for five seconds, and prints the summary.
    """
    from dealer.console import deal
    from dealer.server import Config

    config = Config(
        port=port,
        rounds=rounds,
        host=host,
        rules=rules or Rules(),
        seed=seed,
        decision_clock=decision_clock,
        join_timeout=join_timeout,
        max_connections=max_connections,
        strict=strict,
        history=history,
    )
    return deal(config, port_file=port_file, quiet=quiet, as_json=json)


def main() -> None:
    """Run the command."""
    run(app, "dealer")
