"""The `player` command around a connection: where it plays, until when, and how that ends."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cards import Rules
from player.address import Address, parse_address, unreachable
from player.bets import BetPlan, better_for, check_bet, parse_bet
from player.by_policy import PolicyPlayer
from player.chosen import ChosenPolicy, chosen_policy
from player.client import Client, connect
from player.human import Human
from player.local import local_dealer
from player.returning import ReturningClient
from player.summary import graded, report, report_text
from player.tries import Notices, ReturnTries
from protocol.messages import MAX_NAME_TOKEN, NAME_TOKEN
from protocol.names import NAME_FORM, is_name, normal
from twentyone.support.command import FAILED, OK, USAGE, CommandError
from twentyone.support.interrupts import ending_signals
from twentyone.support.loop import run
from twentyone.support.paint import printer_for
from twentyone.support.progress import Progress
from twentyone.support.terminal import notice, tell

SHOW_EVERY: Final = 0.1

_TOKEN_IS_SEEN: Final = (
    "the token is sent without TLS, so everybody on the way to the dealer can read it: use --tls or a wss://"
    " address"
)

_notice: Final = partial(notice, "player")


@dataclass(frozen=True, slots=True)
class Config:
    """The options of the command, as typed."""

    host: str | None
    port: int | None
    name: str
    token: str | None
    policy: str
    table: Path | None
    rounds: int | None
    bet: str | None
    local: bool
    tls: bool
    tls_ca: Path | None
    rules: Rules | None
    seed: int | None
    show: bool
    as_json: bool


def play(config: Config) -> int:
    """Play, and report; return the status of the command.

    Raises:
        CommandError: if there is no dealer, no such policy, or no table to play by.
    """
    config = replace(config, name=normal(config.name))
    if not is_name(config.name):
        raise CommandError(f"{config.name!r} is not a name: expected {NAME_FORM}", USAGE)
    if config.token is not None and not NAME_TOKEN.fullmatch(config.token):
        raise CommandError(
            f"this is not the token of a name: expected 1 to {MAX_NAME_TOKEN} printable ASCII characters,"
            " no blanks",
            USAGE,
        )
    address = _address(config)
    policy = chosen_policy(config.policy, config.table, config.rules, config.seed)
    plan = None if config.bet is None else parse_bet(config.bet)
    if plan is not None and config.local:
        check_bet(plan, config.rules or Rules())
    if address is not None:
        return _play_at(address, config, policy, plan)
    with local_dealer(config.rules or Rules(), config.seed) as port:
        return _play_at(Address("127.0.0.1", port), config, policy, plan)


def _address(config: Config) -> Address | None:
    """The address of the dealer; None for one that is started for this game."""
    if config.local:
        if config.host is not None:
            raise CommandError("--local starts its own dealer: expected no HOST and PORT with it", USAGE)
        if config.tls or config.tls_ca is not None:
            raise CommandError("--local needs no TLS: expected no --tls and no --tls-ca with it", USAGE)
        return None
    if config.host is None:
        raise CommandError(
            "the dealer's address is missing: expected HOST PORT, such as 0.0.0.0 8088, or --local", USAGE
        )
    return parse_address(config.host, config.port, tls=config.tls, tls_ca=config.tls_ca)


def _play_at(address: Address, config: Config, policy: ChosenPolicy | None, plan: BetPlan | None) -> int:
    show = printer_for(sys.stderr if config.as_json else sys.stdout)

    def say(text: str, end: str = "\n") -> None:
        show(text, end)

    player: Human | PolicyPlayer
    if policy is None:
        player = Human(say, config.rules, None if plan is None else partial(better_for, plan, _notice))
    else:
        player = PolicyPlayer(policy, config.rules, say if config.show else None, plan)
    started = time.monotonic()
    fault = run(_play(address, config, player))
    seconds = time.monotonic() - started
    score = graded(player, config.policy, policy)
    if config.as_json:
        print(json.dumps(report(config.name, config.policy, player, seconds, score)))
    else:
        tell(report_text(config.name, player, seconds, score))
    if fault is not None:
        _notice(fault)
        return FAILED
    return OK


async def _play(address: Address, config: Config, player: Human | PolicyPlayer) -> str | None:
    """Play to the end; return the sentence that says what went wrong, if it did."""
    client = ReturningClient(
        player,
        config.name,
        config.rounds,
        address.websocket,
        token=config.token,
        shows=isinstance(player, Human),
        tries=ReturnTries(address, Notices(_notice)),
    )
    player.sit_down(client)
    loop = asyncio.get_running_loop()
    for number in ending_signals():
        loop.add_signal_handler(number, player.interrupt if isinstance(player, Human) else client.leave)
    try:
        await connect(client, address.host, address.port, tls=address.tls)
    except OSError as error:
        raise unreachable(address, error) from None
    if config.token is not None and address.tls is None and not _is_loopback(client.peer):
        _notice(_TOKEN_IS_SEEN)
    if isinstance(player, Human):
        player.listen()
        fault = await _until_over(client, player)
    else:
        fault = await _play_by_policy(client, player, config)
    if client.ruin is not None:
        _notice(client.ruin)
    return fault


def _is_loopback(peer: str | None) -> bool:
    """Whether nothing has left this machine, by the address that was reached; None for none."""
    return peer is None or ip_address(peer.partition("%")[0]).is_loopback


async def _play_by_policy(client: Client, player: PolicyPlayer, config: Config) -> str | None:
    with Progress("playing", config.rounds, "rounds") as progress:
        return await _until_over(
            client, player, lambda: None if config.show else progress.show(client.played)
        )


async def _until_over(
    client: Client, player: Human | PolicyPlayer, show: Callable[[], None] = lambda: None
) -> str | None:
    """Wait for the end; `show` is called again and again meanwhile."""
    try:
        while not client.over.done():
            await asyncio.wait((client.over,), timeout=SHOW_EVERY)
            if player.refusal is not None:
                client.leave()
                raise player.refusal
            show()
        return client.over.result()
    finally:
        await client.wait_closed()
