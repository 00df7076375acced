"""`tournament check` and `tournament check-dealer`: whether a program, or a dealer, follows the protocol."""

from __future__ import annotations

import json as text_of
import sys
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from cards import Rules
from tournament.commands.app import app
from twentyone.support.command import FAILED, OK, USAGE, CommandError, describe, os_reason
from twentyone.support.options import JsonOption, TlsCaOption, TlsOption, seconds
from twentyone.support.rules import takes_rules
from twentyone.support.terminal import notice, tell

if TYPE_CHECKING:
    from ssl import SSLContext

    from tournament.check.dealer_situations import DealerSituation
    from tournament.check.running import Found, Order
    from tournament.check.situations import Situation

Named = TypeVar("Named", "Situation", "DealerSituation")

PATIENCE: Final = 5.0
AT_ONCE: Final = 8
MAX_AT_ONCE: Final = 64

OnlyOption = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="NAME", show_default=False, help="Only this situation; may be repeated."),
]
ListOption = Annotated[bool, typer.Option("--list", help="List the situations, and check nothing.")]
TimeOption = Annotated[
    float, typer.Option("--time", callback=seconds, help="Seconds that are waited for each answer.")
]


@describe(app, example="tournament check -- ./mybot {host} {port} {name}")
@takes_rules
def check(
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND",
            show_default=False,
            help="The command that starts the program, after --; {host}, {port} and {name} are replaced.",
        ),
    ] = None,
    *,
    rules: Rules | None,
    listen: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            show_default=False,
            help="Wait at this port for a program that connects by itself.",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Speak TLS at that port, with the certificate in this PEM file.",
            show_default=False,
        ),
    ] = None,
    tls_key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The key of --tls-cert, as PEM.", show_default=False),
    ] = None,
    only: OnlyOption = None,
    show_list: ListOption = False,
    time: TimeOption = PATIENCE,
    at_once: Annotated[
        int, typer.Option(min=1, max=MAX_AT_ONCE, help="How many situations run at the same time.")
    ] = AT_ONCE,
    json: JsonOption = False,
) -> int:
    """Find out whether a program follows the protocol as a player.

    The program is started for each situation and plays real rounds, with cards that bring the situation
    about; what it decides is its own affair. One line for each says that it passed, or what was wrong, what
    was said (`>` by the program, `<` by the dealer, with seconds), and what it wrote to standard error. A
    fault that comes again is not printed again: `--only` prints it for the situation that it names.
    With `--rules vegas` there are bets, insurance, splits and surrender too.

    With `--listen` a program that connects by itself is waited for, once for each situation. One that speaks
    TLS finds it there with `--tls-cert` and `--tls-key`.

    A program that is started here is not confined: it sees all that you see, in this folder. In a tournament
    it may see less (see `tournament run --help`).

    The status is 0 only if all situations passed. Keys of `--json`: `passed`, `rules`, `voice` (lines,
    classic or http, which is WebSocket), `confined` (false) and `situations`, a list with `name`, `title`,
    `passed`, `tried`, `fault`, `note`, `transcript` and `standard_error`.
    """
    from tournament.check.running import Order
    from tournament.check.situations import SITUATIONS

    table = rules or Rules()
    if show_list:
        return _list([(each.name, each.title) for each in SITUATIONS])
    situations = _chosen(SITUATIONS, only)
    if (listen is None) == (not command):
        raise CommandError(
            "expected a program to check: -- ./mybot {host} {port} {name}, or --listen PORT for one that"
            " connects by itself",
            USAGE,
        )
    if command and not any("{port}" in word for word in command):
        raise CommandError(
            "the command does not say where the program is to connect: expected {port} in it, as in"
            " ./mybot {host} {port} {name}, or --listen PORT",
            USAGE,
        )
    order = Order(
        command=tuple(command or ()),
        rules=table,
        patience=time,
        at_once=at_once,
        port=listen or 0,
        tls=_tls(listen, tls_cert, tls_key),
        notice=partial(notice, "tournament check"),
    )
    return _run_check(order, situations, as_json=json)


@describe(app, example="tournament check-dealer 127.0.0.1 8088")
@takes_rules
def check_dealer(
    host: Annotated[
        str,
        typer.Argument(
            help="The name or the address of the dealer's machine. With ws://host:port/ws or wss://host/ws,"
            " by which all is said through a WebSocket, leave PORT out."
        ),
    ],
    port: Annotated[
        int | None, typer.Argument(min=1, max=65535, help="Its port.", show_default=False)
    ] = None,
    *,
    rules: Rules | None,
    all_voices: Annotated[
        bool,
        typer.Option(
            "--all-voices", help="Expect the classic wire format and WebSocket too, not only lines."
        ),
    ] = False,
    tls: TlsOption = False,
    tls_ca: TlsCaOption = None,
    only: OnlyOption = None,
    show_list: ListOption = False,
    time: TimeOption = PATIENCE,
    json: JsonOption = False,
) -> int:
    """Find out whether a dealer follows the protocol.

    The check connects as players do, and sends right and wrong lines. It looks at the order of the dealer's
    messages, that no card comes twice, that its results follow from the cards as far as they are seen (with
    SHOW all are), and at its answers to lines that make no sense. The rules are those that it states, unless
    others are given; if it states none, only what holds under every rule is checked. At a table of several
    seats the other seats are taken too, by players that stand. Through a WebSocket, what is about the bytes
    of lines is left out; over TLS the check cannot close one side alone.

    The status is 0 only if all situations passed. Keys of `--json`: `passed`, `rules` (null if they are not
    known) and `situations`, as those of `tournament check`.
    """
    import asyncio

    from player.address import parse_address, unreachable
    from tournament.check.dealer_check import SpeaksTlsError
    from tournament.check.dealer_running import DealerOrder, check_all, known_rules
    from tournament.check.dealer_situations import SITUATIONS
    from tournament.check.trial_player import Place

    if show_list:
        return _list([(each.name, each.title) for each in SITUATIONS])
    situations = _chosen(SITUATIONS, only)
    address = parse_address(host, port, tls=tls, tls_ca=tls_ca)
    order = DealerOrder(Place(*address), rules, time, all_voices)

    async def run() -> tuple[Rules | None, list[Found]]:
        try:
            known = await known_rules(order)
        except TimeoutError:
            raise CommandError(f"no dealer answers at {address} within {time:g} s") from None
        except OSError as error:
            raise unreachable(address, error) from None
        except SpeaksTlsError as error:
            raise CommandError(f"the dealer at {address} says: {error}") from None
        return known, await _tell(check_all(order, known, situations), situations, as_json=json)

    known, found = asyncio.run(run())
    return _sum_up(found, {"rules": known.fields() if known else None}, as_json=json)


def _tls(listen: int | None, cert: Path | None, key: Path | None) -> SSLContext | None:
    """The context of TLS with a program that connects by itself; None for no TLS."""
    from dealer.network.certificate import Certificate
    from dealer.world import files_of_tls

    files = files_of_tls(cert, key)
    if files is None:
        return None
    if listen is None:
        raise CommandError(
            "--tls-cert is for a program that connects by itself: expected --listen PORT with it", USAGE
        )
    return Certificate(*files).context


def _run_check(order: Order, situations: Sequence[Situation], *, as_json: bool) -> int:
    import asyncio

    from tournament.check.running import check as check_all

    try:
        found = asyncio.run(_tell(check_all(order, situations), situations, as_json=as_json))
    except OSError as error:
        raise CommandError(
            f"port {order.port} cannot be opened: {os_reason(error)}: expected a port that is free"
        ) from None
    if not found:
        raise CommandError("none of these situations can be had under these rules: expected another", USAGE)
    voice = found[0].voice
    members = {"rules": order.rules.fields(), "voice": voice.value if voice else None, "confined": False}
    return _sum_up(found, members, as_json=as_json)


async def _tell(results: AsyncIterator[Found], situations: Sequence[Named], *, as_json: bool) -> list[Found]:
    """The findings of the situations, with a line for it as soon as it is known, unless it is a document."""
    from tournament.check.report import line

    width = max(len(each.name) for each in situations)
    so_far: list[Found] = []
    async for found in results:
        if not as_json:
            tell(line(found, width, so_far))
            sys.stdout.flush()
        so_far.append(found)
    return so_far


def _sum_up(all_found: Sequence[Found], members: dict[str, Any], *, as_json: bool) -> int:
    from tournament.check.report import document, summary

    tell(text_of.dumps(document(all_found, members), indent=2) if as_json else summary(all_found))
    return OK if all(found.passed for found in all_found) else FAILED


def _list(situations: Sequence[tuple[str, str]]) -> int:
    width = max(len(name) for name, _ in situations)
    for name, title in situations:
        tell(f"{name.ljust(width)}  {title}")
    return OK


def _chosen(situations: Sequence[Named], only: list[str] | None) -> list[Named]:
    """The situations of these names, in the order in which they are listed."""
    names = [each.name for each in situations]
    for name in only or ():
        if name not in names:
            raise CommandError(f"there is no situation {name!r}: expected one of {', '.join(names)}", USAGE)
    return [each for each in situations if not only or each.name in only]
