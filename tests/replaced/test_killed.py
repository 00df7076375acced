"""A dealer is ended and started again while players play: what they were told stays true."""

from __future__ import annotations

import asyncio
import os
import signal
import ssl
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.helpers.authority import Authority
from tests.helpers.browser import NoBrowserError, open_browser
from tests.helpers.peer import LOCALHOST
from tests.proxies.programs import kept_ports
from tests.replaced.killing import Game, Lives
from tests.replaced.page import PlayingPage
from tests.replaced.player import Player
from tests.replaced.seat import Seat

ENDS, ROUNDS = (50, 2000) if "EVERY_KILL" in os.environ else (5, 200)
"""How often the dealer is ended, and how many rounds are told; `make long` has all of them."""

SEED: Final = int(os.environ.get("EVERY_KILL", 40))

CHIPS: Final = 5000
VEGAS: Final = ("--rules", "vegas", "--bets", "10-500", "--bankroll", CHIPS)
"""The game with most questions; a player whose connection is lost has the smallest bet."""

FORMATS: Final = ("lines", "websocket", "lines", "websocket", "classic")

KILL, STOP = signal.SIGKILL, signal.SIGTERM


@pytest.fixture
def port() -> Iterator[int]:
    """A port that is the dealer's as long as the test runs."""
    with kept_ports(1) as (number,):
        yield number


def players(count: int, chips: int | None = CHIPS, formats: Sequence[str] = FORMATS) -> list[Player]:
    return [
        Player(f"p{number}", formats[number % len(formats)], Random(f"{SEED} {number}"), chips)
        for number in range(count)
    ]


def played(
    game: Game, those: Sequence[Player], pages: Sequence[PlayingPage] = (), *, is_kill: bool = True
) -> None:
    """Play, and compare what players were told with the last summary of the dealer."""

    async def play() -> list[dict[str, Any]]:
        return await Lives(game, those, pages).play()

    rows = asyncio.run(play())
    for player in those:
        account = player.account
        assert_agreed(rows, player.name, account.seats, may_miss=account.may_miss)
    for page in pages:
        assert_agreed(rows, page.name, [page.seat], may_miss=False)
    accounts = [player.account for player in those]
    told, recovered, void, returns = (
        sum(getattr(account, what) for account in accounts)
        for what in ("told", "recovered", "void", "returns")
    )
    recovered += sum(page.recovered for page in pages)
    told += sum(len(page.seat.rounds) - page.recovered for page in pages)
    print(f"{told:,} rounds told, {recovered:,} more by HISTORY, {void:,} void, {returns:,} returns")
    assert returns
    assert is_kill or (recovered, void) == (0, 0)


def assert_agreed(
    rows: Sequence[dict[str, Any]], name: str, seats: Sequence[Seat], *, may_miss: bool
) -> None:
    """The summary has the rounds of a player that this one knows, and no others.

    A player who may miss a round (see `Account`) does not know how it ended, nor of the last ones at all.
    """
    own = [row for row in rows if row["name"].partition(" ")[0] == name and row["rounds"]]
    untold = sum(row["rounds"] for row in own) - sum(len(seat.rounds) for seat in seats)
    assert untold == 0 or (untold > 0 and may_miss), name
    if untold == 0 and all(seat.is_known for seat in seats):
        known = [seat.tally() for seat in seats if seat.rounds]
        assert [{key: row[key] for key in seats[-1].tally()} for row in own] == known, name


def test_a_dealer_that_is_killed_once(tmp_path: Path, port: int) -> None:
    game = Game(tmp_path, port, VEGAS, KILL, SEED, rounds=30, ends=1)
    played(game, players(4, formats=("lines", "websocket")))


@pytest.mark.check
@pytest.mark.parametrize("end", [KILL, STOP])
@pytest.mark.parametrize("options", [(), ("--seats", 5)], ids=["alone", "together"])
def test_a_dealer_that_is_ended_again_and_again(
    tmp_path: Path, port: int, end: signal.Signals, options: tuple[object, ...]
) -> None:
    game = Game(tmp_path, port, (*VEGAS, *options), end, SEED, ROUNDS, ENDS)
    played(game, players(20), is_kill=end == KILL)


@pytest.mark.check
def test_players_who_are_told_that_they_are_bust_before_their_round_is_over(
    tmp_path: Path, port: int
) -> None:
    game = Game(tmp_path, port, ("--rules", "casino", "--seats", 5), KILL, SEED, ROUNDS, ENDS)
    played(game, players(20, chips=None))


@pytest.mark.check
def test_through_tls(tmp_path: Path, port: int, authority: Authority) -> None:
    cert, key = authority.certificate("localhost", LOCALHOST)
    trusting = ssl.create_default_context(cafile=authority.ca)
    options = (*VEGAS, "--tls-cert", cert, "--tls-key", key)
    played(Game(tmp_path, port, options, KILL, SEED, ROUNDS, ENDS, trusting), players(20))


@pytest.mark.check
@pytest.mark.parametrize("end", [KILL, STOP])
def test_pages_among_them(tmp_path: Path, port: int, end: signal.Signals) -> None:
    game = Game(tmp_path, port, VEGAS, end, SEED, ROUNDS, ENDS)
    try:
        with open_browser(tmp_path / "chromium") as browser:
            pages = [PlayingPage(browser, name, CHIPS) for name in ("ada", "bob")]
            played(game, players(18), pages, is_kill=end == KILL)
            for page in pages:
                page.leave()
    except NoBrowserError as problem:
        pytest.skip(str(problem))
