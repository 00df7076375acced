"""The output of the `dealer` command: its address, its progress, and the summary at the end."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import webbrowser
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cards import Rules, Tally
from cards.asking import asks_more
from dealer.lobby.bots import verify_bot
from dealer.lobby.opening import verify_bots, verify_players
from dealer.network.addresses import Proxies
from dealer.network.ending import GRACE
from dealer.network.inherited import inherited
from dealer.network.listening import Listening, in_brackets
from dealer.network.server import DealerServer
from dealer.options import FileOptions
from dealer.rotation import reopen
from dealer.status import Status
from dealer.tables.config import Config
from dealer.tables.ledger import SHOWN_ROWS, Row
from dealer.web.invitation import code_text
from protocol import chips_text
from twentyone.support.command import FAILED, OK, USAGE, CommandError, os_reason
from twentyone.support.counts import counted
from twentyone.support.files import write_atomically
from twentyone.support.garbage import GarbageCollector
from twentyone.support.interrupts import ending_signals, reopening_signals
from twentyone.support.limits import raise_open_files
from twentyone.support.live import is_live
from twentyone.support.loop import run
from twentyone.support.options import is_host
from twentyone.support.paint import has_colours
from twentyone.support.service import Service
from twentyone.support.summary import columns, tally_table
from twentyone.support.terminal import notice, say, tell

if TYPE_CHECKING:
    from dealer.watch.admin import Admin

_WARNING: Final = "note:   other machines can reach this dealer, and anybody who reaches it can play"

SPARE_FILES: Final = 64
"""Open files that are no connections with a place: the listener's, the loop's own, standard streams, history
and log; those of connections that are turned away; and those at the port of --admin."""


def deal(config: Config, files: FileOptions, *, quiet: bool, as_json: bool, open_browser: bool) -> int:
    """Run a dealer to its end; return the status of the command. Tokens are read again on a signal.

    Raises:
        CommandError: if it cannot listen, cannot write its files, or has no seats for its bots.
    """
    _verify_host(config.host)
    if config.admin is not None:
        _check_metrics()
    try:
        verify_bots(config.bots, config.rules)
        if config.players is not None:
            verify_players(config.players, config.bots, config.rules)
        verify_bot(config.bot_policy, config.rules)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    _verify_files(config, files)
    if config.state is not None and config.drain is not None:
        raise CommandError(
            "--state and --drain are both given: expected --state where the next dealer goes on, or --drain"
            " where others take the players",
            USAGE,
        )
    server = DealerServer(replace(_within_open_files(config), times_decisions=not quiet and is_live()))
    server.notice = partial(notice, "dealer")
    run(_deal(server, files, quiet, open_browser))
    tell(json.dumps(summary(server)) if as_json else summary_text(server))
    if server.fault is not None:
        raise CommandError(server.fault)
    return FAILED if server.has_lost_file else OK


def _verify_files(config: Config, files: FileOptions) -> None:
    """Refuse one file for two things."""
    named: dict[Path, str] = {}
    for option, path in (
        ("--history", config.history),
        ("--log", config.log),
        ("--state", config.state),
        ("--tokens", files.tokens),
        ("--port-file", files.port_file),
    ):
        if path is not None:
            other = named.setdefault(path.resolve(), option)
            if other != option:
                raise CommandError(
                    f"{other} and {option} are both {path}: expected a file for each of them", USAGE
                )


def _verify_host(host: str) -> None:
    """Refuse what can be no address: the system would take an empty one for all of this machine's."""
    if not is_host(host):
        raise CommandError(f"--host is {host!r}: expected an address of this machine or its name", USAGE)


def _within_open_files(config: Config) -> Config:
    """The configuration with no more connections than the system allows; says so where those are fewer."""
    open_files = raise_open_files(config.max_connections + SPARE_FILES)
    if open_files >= config.max_connections + SPARE_FILES:
        return config
    most = max(1, open_files - SPARE_FILES)
    say(f"dealer: the system allows {open_files:,} open files, so {most:,} connections")
    return replace(config, max_connections=most)


async def _deal(server: DealerServer, files: FileOptions, quiet: bool, open_browser: bool) -> None:
    config, port_file, service = server.config, files.port_file, Service(os.environ)
    admin = await _bound_admin(config.admin)
    try:
        await server.start(sockets=inherited(os.environ))
    except OSError as error:
        raise CommandError(
            f"cannot listen on {config.host} port {config.port}: {os_reason(error)};"
            " expected an address of this machine and a port that is not in use (0 picks one)"
        ) from None
    loop = asyncio.get_running_loop()
    status = None if quiet else Status(server)
    reopening = reopening_signals()
    for number in ending_signals():
        if number not in reopening:
            loop.add_signal_handler(number, _interrupt, server, status, service)
    for number in reopening:
        loop.add_signal_handler(number, reopen, server, files.tokens, number.name)
    if port_file is not None:
        try:
            write_atomically(port_file, f"{server.port}\n")
        except OSError as error:
            raise CommandError(f"the port file {port_file} cannot be written: {os_reason(error)}") from None
    if admin is not None:
        await admin.serve(server)
    if status is not None:
        server.notice = status.warn
        of_admin = admin.greeting if admin is not None else ()
        say("\n".join([greeting(config, server.listening), *_of_state(server), *of_admin]))
    service.begin(loop, f"listening on port {server.port}")
    if open_browser:
        _open_browser(_own_page(config, server.listening))
    showing = asyncio.create_task(status.keep_up_to_date()) if status is not None else None
    garbage = GarbageCollector(loop)
    await server.run()
    service.stop()
    service.close()
    garbage.close()
    if admin is not None:  # last, so that it has said all the time that the dealer is stopping
        admin.close()
    if status is not None and showing is not None:
        showing.cancel()
        status.clear()


async def _bound_admin(address: tuple[str, int] | None) -> Admin | None:
    """The port for whoever watches, which does not answer yet; None if there is to be none."""
    if address is None:
        return None
    host, port = address
    from dealer.watch.admin import Admin

    try:
        return await Admin.bound(host, port)
    except OSError as error:
        raise CommandError(
            f"--admin cannot listen on {host} port {port}: {os_reason(error)};"
            " expected an address of this machine and a port that is not in use (0 picks one)"
        ) from None


def _check_metrics() -> None:
    """Check that what --admin needs is there."""
    try:
        import prometheus_client  # noqa: F401
    except ImportError:
        raise CommandError(
            "--admin needs prometheus_client, which is not installed: pip install 'twentyone[metrics]'"
        ) from None


def _interrupt(server: DealerServer, status: Status | None, service: Service) -> None:
    """The first signal lets open rounds be finished, the second does not."""
    again = server.is_stopped
    service.stop()
    server.stop(grace=0) if again else server.stop()
    if not again and status is not None and (sentence := _what_is_left(server)) is not None:
        status.clear()
        say(f"{sentence} (Ctrl-C again ends at once)")


def _what_is_left(server: DealerServer) -> str | None:
    """The sentence about the rest of a dealer's time, once it was told to stop; None if it ends at once."""
    if server.config.drain is not None and server.players:
        return f"nobody else is let in, and those who sit may play on for {server.config.drain:g} s"
    if server.open_rounds:
        return f"no new rounds; open ones have {GRACE:g} s to be finished"
    return None


def greeting(config: Config, listening: Listening) -> str:
    """The dealer's address, its rules in one line, and the command to play, here and elsewhere."""
    lines = [
        f"dealer: listening on {in_brackets(listening.host)}:{listening.port}, {_rounds(config)}",
        f"rules:  {config.rules}",
        *_how_to_play(config, listening),
        *_of_port(config, listening),
    ]
    return "\n".join([*lines, *_how_others_come(config, listening), *_of_tokens(config, listening)])


def _of_state(server: DealerServer) -> list[str]:
    """A line about what another dealer has left."""
    if server.config.state is None or not server.rounds:
        return []
    kept = counted(server.seats_before, "kept seat")
    return [f"state:  going on after {counted(server.rounds, 'round')}, with {kept}"]


def _of_port(config: Config, listening: Listening) -> list[str]:
    """A line about a socket that the dealer was started with, if its port is not the one that was told."""
    if config.port in (0, listening.port):
        return []
    return [
        f"note:   the socket that this dealer was started with has port {listening.port}, not {config.port}"
    ]


def _how_to_play(config: Config, listening: Listening) -> list[str]:
    """Lines for this machine, where it may come without a proxy."""
    if _comes_by_proxy(config, listening):
        return [f"play:   by the proxy: a connection from {listening.here} has to begin with a PROXY header"]
    return [
        f"play:   {_by_hand(config, listening.here, listening.port)}",
        f"        then type JOIN yourname, and answer {_how_to_answer(config.rules)}",
        f"        or open {_own_page(config, listening)} in a browser",
    ]


def _comes_by_proxy(config: Config, listening: Listening) -> bool:
    """Whether this machine reaches the dealer only as a proxy does, from the address to which it connects."""
    return Proxies((), config.proxies_with_header).announces((listening.here, 0))


def _of_tokens(config: Config, listening: Listening) -> list[str]:
    """A line about tokens, where others come and nothing says that what they send is encrypted."""
    is_encrypted = config.tls is not None or any(url.is_encrypted for url in config.public_urls)
    if not config.tokens or is_encrypted or (listening.is_local and not config.is_public):
        return []
    return ["note:   tokens are not encrypted: expected --tls-cert, or a proxy with a --public-url by https"]


def _by_hand(config: Config, host: str, port: int) -> str:
    """The command by which a person connects."""
    return f"{'nc' if config.tls is None else 'ncat --ssl'} {host} {port}"


def _own_page(config: Config, listening: Listening) -> str:
    """The address of the first page for whoever sits at this machine; by TLS only a name is trusted."""
    if config.public_urls and (config.tls is not None or _comes_by_proxy(config, listening)):
        return str(config.public_urls[0])
    return _page(config, listening, listening.here)


def _page(config: Config, listening: Listening, host: str) -> str:
    scheme = "http" if config.tls is None else "https"
    return f"{scheme}://{in_brackets(host)}:{listening.port}/"


def _how_others_come(config: Config, listening: Listening) -> list[str]:
    """Lines for other machines: the addresses, the first as a QR code too; or why there are none."""
    if config.public_urls:
        first, *more = map(str, config.public_urls)
        return [f"others: open {first}", *_and_more(more), *_code_lines(first), _WARNING]
    if (warning := listening.warning("--host {}")) is not None:
        return [f"note:   {warning}"]
    if listening.is_local:
        return [_WARNING] if config.is_public else []
    first, *more = listening.others
    page = _page(config, listening, first)
    return [
        f"others: open {page} or type {_by_hand(config, first, listening.port)}",
        *_and_more(_page(config, listening, each) for each in more),
        *_code_lines(page),
        _WARNING,
    ]


def _and_more(pages: Iterable[str]) -> list[str]:
    return [f"        or {page}" for page in pages]


def _code_lines(link: str) -> list[str]:
    """The QR code of a link, in white on black where there are colours; none without a sign for blocks."""
    lines = code_text(link).splitlines()
    try:
        "".join(lines).encode(sys.stderr.encoding or "ascii")
    except UnicodeEncodeError:
        return []
    return [f"\x1b[97;40m{line}\x1b[0m" for line in lines] if has_colours(sys.stderr) else lines


def _how_to_answer(rules: Rules) -> str:
    """The answers to type at these tables: HIT and STAND, or also bets and other decisions."""
    words = "DECISION with a word that it names" if asks_more(rules) else "DECISION with HIT or STAND"
    return words if rules.bets is None else f"DECISION BET with BET {rules.bets.minimum}, any other {words}"


def summary(server: DealerServer) -> dict[str, Any]:
    """The result as JSON.

    The keys: `port`, `rules` (every field), `rounds` (dealt, also at tables that players opened), `seconds`,
    `rounds_per_second`, `refusals` (lines that were refused), `players` (for each seat that was taken and
    played: the `name` of its player, numbered where others have it too, and its tally) and `all` (the tally
    of all). A tally has `rounds`, `wins`, `pushes`, `losses` (busts and surrenders included), `busts`,
    `mean_payoff` and `standard_error`, the last two in initial bets and null where there are too few rounds.
    Where bets are asked a seat of `players` has its `bankroll` too, in chips, as text.
    """
    seconds = server.seconds
    return {
        "port": server.port,
        "rules": server.config.rules.fields(),
        "rounds": server.rounds,
        "seconds": seconds,
        "rounds_per_second": server.rounds_here / seconds,
        "refusals": server.refusals,
        "players": [_row_as_json(row) for row in server.ledger.rows()],
        "all": server.ledger.everybody.as_json(),
    }


def _row_as_json(row: Row) -> dict[str, Any]:
    chips = {} if row.bankroll is None else {"bankroll": chips_text(row.bankroll)}
    return {"name": row.name, **row.tally.as_json(), **chips}


def summary_text(server: DealerServer) -> str:
    """The result as a table: the seats with the most rounds, then everybody; then their chips, if any."""
    rows = server.ledger.rows()
    shown, others = rows[:SHOWN_ROWS], rows[SHOWN_ROWS:]
    tallies = [(row.name, row.tally) for row in shown]
    if others:
        rest = Tally()
        for row in others:
            rest.merge(row.tally)
        tallies.append((f"{len(others):,} more", rest))
    table = tally_table([*tallies, ("all", server.ledger.everybody)])
    chips = [(row.name, chips_text(row.bankroll)) for row in shown if row.bankroll is not None]
    return f"{table}\n\n{columns([('name', 'bankroll'), *chips])}" if chips else table


def _rounds(config: Config) -> str:
    if config.rounds == 0:
        return "dealing until Ctrl-C"
    each = " at each table" if config.rounds_per_table else ""
    return f"dealing {config.rounds:,} round{'s' if config.rounds > 1 else ''}{each}"


def _open_browser(address: str) -> None:
    """Open the page, beside the loop: starting a browser takes its time."""

    def open_it() -> None:
        if not webbrowser.open(address):
            say(f"dealer: no browser could be opened: open {address} yourself")

    threading.Thread(target=open_it, daemon=True).start()
