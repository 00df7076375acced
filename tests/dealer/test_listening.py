"""Where a dealer listens, by the addresses that were bound, and what it says of who can reach it."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, cast

import pytest

from dealer.network import interfaces, listening
from dealer.network.listening import Listening, bind
from tests.dealer.conftest import Open
from tests.helpers.peer import LOCALHOST

LAN: Final = "192.168.7.5"
OTHER: Final = "10.1.2.3"
NOT_HERE: Final = "203.0.113.7"  # for documentation (RFC 5737): no machine has it


class Lookup(NamedTuple):
    """As much of a loop as is asked where a name leads."""

    addresses: tuple[str, ...]

    async def getaddrinfo(self, host: str, port: int, **options: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in self.addresses]


async def bound(*addresses: str, port: int = 0) -> Listening:
    """Where it listens for a name that leads to these addresses; what was bound is closed again."""
    found, sockets = await bind(cast(asyncio.AbstractEventLoop, Lookup(addresses)), "a.name", port)
    assert [each.getsockname() for each in sockets] == [(each, found.port) for each in found.addresses]
    for each in sockets:
        each.close()
    return found


async def test_all_addresses_of_a_name_have_one_port_and_those_of_other_machines_are_passed_over() -> None:
    found = await bound(LOCALHOST, NOT_HERE, "127.0.1.1", LOCALHOST)
    assert found.addresses == (LOCALHOST, "127.0.1.1")
    with pytest.raises(OSError) as caught:
        await bound(NOT_HERE)
    assert caught.value.errno == errno.EADDRNOTAVAIL


async def test_a_free_port_is_one_that_is_free_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    real, refused = listening._bind, list[int]()

    def taken_twice(family: int, address: Any) -> socket.socket:
        if address[0] == "127.0.1.1" and len(refused) < 2:
            refused.append(address[1])
            raise OSError(errno.EADDRINUSE, "in use")
        return real(family, address)

    monkeypatch.setattr(listening, "_bind", taken_twice)
    assert (await bound(LOCALHOST, "127.0.1.1")).addresses == (LOCALHOST, "127.0.1.1")
    assert len(refused) == 2
    refused.clear()
    with pytest.raises(OSError, match="in use"):
        await bound(LOCALHOST, "127.0.1.1", port=(await bound(LOCALHOST)).port)


async def test_an_address_where_somebody_listens_cannot_be_had() -> None:
    with socket.create_server((LOCALHOST, 0)) as taken, pytest.raises(OSError) as caught:
        await bound("127.0.1.1", LOCALHOST, port=taken.getsockname()[1])
    assert caught.value.errno == errno.EADDRINUSE


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The network addresses of a machine with the name `Desk.school`."""
    addresses = [LAN, OTHER]

    def of(family: int) -> list[str]:
        return ["fd00::2"] if family == socket.AF_INET6 else addresses

    monkeypatch.setattr(listening, "network_addresses", of)
    monkeypatch.setattr(socket, "gethostname", lambda: "Desk.school")
    yield addresses


@pytest.mark.parametrize(
    ("host", "addresses", "here", "others", "names"),
    [
        ("127.0.0.1", ["127.0.0.1"], "127.0.0.1", [], set()),
        ("localhost", ["::1", "127.0.0.1"], "localhost", [], {"localhost"}),
        ("desk", ["127.0.1.1"], "desk", [], {"desk"}),
        ("Desk", ["127.0.1.1", LAN], "Desk", [LAN, "Desk"], {"desk"}),
        (
            "Bücher.example",
            [LAN],
            "Bücher.example",
            [LAN, "Bücher.example"],
            {"bücher.example", "xn--bcher-kva.example"},
        ),
        (LAN, [LAN], LAN, [LAN], set()),
        ("0.0.0.0", ["0.0.0.0"], "127.0.0.1", [LAN, OTHER], {"desk.school", "desk.local"}),
        ("::", ["::"], "::1", ["fd00::2"], {"desk.school", "desk.local"}),
    ],
)
def test_who_reaches_it_follows_from_what_was_bound(
    machine: list[str], host: str, addresses: list[str], here: str, others: list[str], names: set[str]
) -> None:
    found = Listening(host, tuple(addresses), 8088)
    assert (found.here, found.others, set(found.names)) == (here, others, names)
    assert found.is_local == (not others)


def test_a_host_that_others_cannot_reach_is_told_with_what_was_expected(machine: list[str]) -> None:
    """Debian has `127.0.1.1 HOSTNAME` in /etc/hosts."""
    at_home = Listening("desk", ("127.0.1.1",), 8088)
    assert at_home.warning("--host {}") == (
        "desk leads to 127.0.1.1, which only this machine can reach:"
        f" expected --host 0.0.0.0 or --host {LAN} for other machines"
    )
    everywhere = Listening("0.0.0.0", ("0.0.0.0",), 8088)
    fine = [everywhere, Listening("localhost", ("::1",), 1), Listening(LOCALHOST, (LOCALHOST,), 1)]
    assert [each.warning("{}") for each in fine] == [None] * 3
    told = [each.notice("{}") for each in (at_home, *fine)]
    assert told == [at_home.warning("{}"), f"port 8088 is open to others at {LAN} and {OTHER}", None, None]
    machine.clear()
    assert everywhere.warning("{}") == (
        "this machine has no network address, so no other machine can reach it yet"
    )
    assert not everywhere.is_local


def test_the_address_that_leads_out_comes_first_and_one_that_nobody_gave_comes_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for source, found in (
        ("_of_the_way_out", [LAN]),
        ("_of_interfaces", ["127.0.0.1", "169.254.3.4", OTHER, LAN]),
        ("_of_name", ["127.0.1.1", "0.0.0.0"]),
    ):
        monkeypatch.setattr(interfaces, source, lambda family, found=found: iter(found))
    assert interfaces.network_addresses(socket.AF_INET) == [LAN, OTHER, "169.254.3.4"]
    monkeypatch.setattr(interfaces, "_of_interfaces", lambda family: iter(["fe80::1", "fd00::2", "::1"]))
    assert interfaces.network_addresses(socket.AF_INET6)[1:] == ["fd00::2"]


def test_the_addresses_of_this_machine_are_its_own() -> None:
    for family in (socket.AF_INET, socket.AF_INET6):
        for address in interfaces.network_addresses(family):
            with socket.socket(family) as own:
                own.bind((address, 0))


def test_a_name_answers_at_all_its_addresses_under_one_port(opened: Open) -> None:
    house = opened(host="localhost")
    for address in house.server.listening.addresses:
        socket.create_connection((address, house.port)).close()
    assert house.server.config.lobby is True
