"""The `player` and `training` commands: options in, one configuration out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from cards import Rules
from twentyone.learning.options import (
    SHOWING,
    FreshOption,
    MethodOption,
    ShowOption,
    ShowPlotOption,
    TableOption,
    UntilChangeOption,
    UntilGapOption,
    takes_knobs,
)
from twentyone.policies.files import DEFAULT_TABLE, QLEARNING
from twentyone.policies.names import descriptions
from twentyone.support.command import describe, run
from twentyone.support.numbers import port_number, whole_number
from twentyone.support.options import JsonOption, SeedOption, TlsCaOption, TlsOption
from twentyone.support.rules import takes_rules

player_app = typer.Typer(add_completion=False)
training_app = typer.Typer(add_completion=False)

MOST_ROUNDS: Final = 10**12
"""The greatest number that a JOIN may have; the protocol's own constant would load too much for `--help`."""


_HOST = (
    "The dealer's address; 0.0.0.0 means this machine."
    " With ws://host:port/ws, which speaks WebSocket, or wss://host/ws, which does so over TLS, leave PORT"
    " out."
)


@describe(player_app, example="player 0.0.0.0 8088")
@takes_rules
def player(
    host: Annotated[str | None, typer.Argument(metavar="HOST", help=_HOST)] = None,
    port: Annotated[
        int | None, typer.Argument(metavar="PORT", parser=port_number(1), help="The dealer's port.")
    ] = None,
    *,
    rules: Rules | None,
    name: Annotated[str, typer.Option(help="The name to join with.")] = "player1",
    token: Annotated[
        str | None,
        typer.Option(
            envvar="TWENTYONE_TOKEN",
            help="The secret that reserves your name, at a dealer that keeps names for their owners.",
            show_default=False,
        ),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help=f"human (asks you), {descriptions()}; or counted:FILE, a table of `analysis learn --count`,"
            " by the count of the cards that were seen. It is made for the dealer's rules."
            " Default: qtable, the table of --table; with --local, human unless --table is given.",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            help="The file of the table that the policy qtable plays by, of any kind. Default:"
            " qtables/qtable.txt if there is one, otherwise the table that comes with the package.",
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, max=MOST_ROUNDS, help="Leave after this many rounds.")
    ] = None,
    bet: Annotated[
        str | None,
        typer.Option(
            metavar="BET",
            help="Where bets are asked: a number of chips each round, or count:LOW-HIGH, a spread by the"
            " count of the cards seen (Hi-Lo), in units of the least bet. Default: the least bet; a person is"
            " asked.",
            show_default=False,
        ),
    ] = None,
    local: Annotated[
        bool,
        typer.Option(
            "--local",
            help="Start a dealer for this game and play against it, without HOST and PORT. In showdown one"
            " of its bots takes the other seat.",
        ),
    ] = False,
    tls: TlsOption = False,
    tls_ca: TlsCaOption = None,
    seed: SeedOption = None,
    show: Annotated[bool, typer.Option("--show", help="Print every hand as it goes.")] = False,
    json: JsonOption = False,
) -> int:
    """Play blackjack at a dealer, by a policy or by hand.

    `player 0.0.0.0 8088` plays the trained table at the dealer on port 8088 of this machine until the dealer
    says QUIT; `player --local` is a game for you in this terminal.

    The rules are the dealer's, if it states them; otherwise those of the options below, by default `course`.
    After a broken connection it comes back to its seat, if the dealer keeps it; otherwise it joins again for
    the rounds that are left: ten tries in half a minute. It asks for the results of rounds
    that ended in the meantime. A round whose result is lost is counted without one, and is in no other
    figure. When all tries have failed the results so far are printed, and the status is 1.

    Ctrl-C leaves, and the summary is still printed. It says what the policy is worth exactly, from a fresh
    shoe, beside the best chart (which sees the total, the pair and the upcard) and the best play (which sees
    every card of its hand); and the EV lost: what the decisions have cost, insurance too, against those of
    the best chart, given the cards at that moment. Its expectation is the gap to the best chart, with little
    of the luck that is in a payoff. A hand that you leave open when you quit is a loss in the rounds and the
    mean payoff, and is in no figure of EV lost: it was not played to its end.

    The keys of --json: `name`, `policy`, `rules`, `rounds`, `wins`, `pushes`, `losses` (busts and surrenders
    included), `busts`, `mean_payoff`, `standard_error`, `without_result` (those of the rounds that have none,
    if there are any), where bets are asked `chips` (won in all), `seconds`, `rounds_per_second`; `exact`
    (`value` and `gap`, to the best chart, null for a person; `best_chart` and `best_play`, their values;
    whether the chart is `proved` best, and the `bound` of all charts); `ev_lost` (`rounds`, `decisions`,
    `per_round`, `standard_error`, `per_decision`, `per_decision_standard_error`); and `no_exact_value`, which
    says why these two are null. All values but `chips` are in initial bets.
    """
    from player.play import Config, play

    return play(
        Config(
            host=host,
            port=port,
            name=name,
            token=token,
            policy=_default_policy(local, table) if policy is None else policy,
            table=table,
            rounds=rounds,
            bet=bet,
            local=local,
            tls=tls,
            tls_ca=tls_ca,
            rules=rules,
            seed=seed,
            show=show,
            as_json=json,
        )
    )


def _default_policy(local: bool, table: Path | None) -> str:
    return "human" if local and table is None else "qtable"


@describe(training_app, example="training 0.0.0.0 8088 50000", finds_missing=True)
@takes_rules
@takes_knobs
def training(
    host: Annotated[str | None, typer.Argument(metavar="HOST", help=_HOST)] = None,
    # After a ws:// or wss:// address, ROUNDS stands in its place.
    port: Annotated[
        int | None,
        typer.Argument(
            metavar="PORT", parser=partial(whole_number, 1, MOST_ROUNDS), help="The dealer's port."
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Argument(
            metavar="ROUNDS", min=1, max=MOST_ROUNDS, help="How many rounds to play.", show_default=False
        ),
    ] = None,
    *,
    rules: Rules | None,
    method: MethodOption = QLEARNING,
    changes: Mapping[str, float],
    table: TableOption = DEFAULT_TABLE,
    fresh: FreshOption = False,
    connections: Annotated[int, typer.Option(min=1, max=1000, help="Connections to play over at once.")] = 16,
    tls: TlsOption = False,
    tls_ca: TlsCaOption = None,
    seed: SeedOption = None,
    until_change: UntilChangeOption = None,
    until_gap: UntilGapOption = None,
    show: ShowOption = False,
    plot: ShowPlotOption = None,
    show_in_browser: Annotated[
        bool,
        typer.Option(
            "--show-in-browser",
            rich_help_panel=SHOWING,
            help="Show the decisions, the learning curve and the progress on a page, as they grow; at the"
            " end the picture of --plot too.",
        ),
    ] = False,
    json: JsonOption = False,
) -> int:
    """Learn to play by playing: fill a table of action values over a dealer's line protocol.

    `training 0.0.0.0 8088 50000` plays 50,000 rounds at the dealer on port 8088 of this machine and writes
    qtables/qtable.txt. Run it again and it goes on from there; `player 0.0.0.0 8088` plays what was learned.

    What is learned is the dealer's game: a table of 22 x 22 x 2 values where it deals HIT and STAND, and one
    of action values by hand where more is offered, as under `vegas`. A split is credited with what
    both of its hands bring.

    The table is saved every few seconds, at the end and on Ctrl-C; so is its learning curve, in
    TABLE.curve.csv (rounds, gap, expected_value, seconds), each point at about 1.5 times the rounds of
    the one before. The status is 0 if all rounds were played, learning has converged or the gap is small
    enough, 1 if the dealer ended first, 130 after Ctrl-C.

    `training 0.0.0.0 8088 1M --show-in-browser` opens a page that shows how it goes, and says its address;
    the page is for this machine only. When training has ended the page keeps the last picture, and the
    command ends as always, some seconds later where a page is open.

    After a broken connection it comes back to its seat, or joins again, as `player` does. It learns nothing
    from a round that it has not seen to its end; the number of these rounds is said at the end.

    At a classic dealer, which ends its messages with NUL and may serve one player, all rounds are played on
    one connection. Rounds in which a dealer did not wait for an answer are not learned, and their number is
    said at the end; the status is 1 if no round is left. Where bets are asked it bets the least, and joins
    again with a fresh bankroll when that is spent.

    At the end it says what greedy play by the table is worth exactly, and what it loses to the best chart.

    The keys of --json: `end` (done, converged, gap, dealer or interrupted), `rounds` (of this run), `wins`,
    `pushes`, `losses` (busts and surrenders included), `busts`, `mean_payoff`, `standard_error`, `seconds`,
    `rounds_per_second`, `table` (its file), `curve` (the file of its learning curve), `table_rounds` (those
    of all runs), `method`, `rules`, `seed`, `connections`; `grade` (`value`, `gap`, `insurance`,
    `value_by_upcard`, `differing_cells`, `costliest_cells`, `best_chart`, `proved`, `bound` and `best_play`,
    as in `analysis value --json`); `random_play_limit` (the `value` and the `gap` that the method random-play
    converges to, at HIT and STAND); and `no_exact_value`, which says why these two are null.
    """
    from player.train import Config, train

    return train(
        Config(
            host=host,
            port=port,
            rounds=rounds,
            method=method,
            changes=changes,
            table=table,
            fresh=fresh,
            connections=connections,
            tls=tls,
            tls_ca=tls_ca,
            rules=rules,
            seed=seed,
            until_change=until_change,
            until_gap=until_gap,
            show=show,
            plot=plot,
            in_browser=show_in_browser,
            as_json=json,
        )
    )


def player_main() -> None:
    """Run the `player` command."""
    run(player_app, "player")


def training_main() -> None:
    """Run the `training` command."""
    run(training_app, "training")
