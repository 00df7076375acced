"""Who is believed when it says for whom it comes, and what goes by the address of the player."""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from contextlib import closing
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer.network.addresses import Proxies, Source
from dealer.network.server import MOST_TOLD
from tests.dealer.conftest import Open
from tests.dealer.ways import SIGNATURE, announced, binary_header, line_header
from tests.helpers.house import House
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST
from tests.protocol.frames import HANDSHAKE

HERE: Final = [ip_network("127.0.0.1")]
ELSEWHERE: Final = [ip_network("203.0.113.0/24")]
LOCAL: Final = SIGNATURE + bytes.fromhex("20000000")
"""A PROXY header without an address: the proxy connects for itself."""
ADA, BOB = "192.0.2.7", "192.0.2.8"

FORWARDED: Final = {
    ("192.0.2.7",): "192.0.2.7",
    ("198.51.100.1, 192.0.2.7",): "192.0.2.7",  # a client may have written the first
    ("198.51.100.1", " 192.0.2.7 "): "192.0.2.7",  # two headers are one (RFC 9110, 5.2)
    ("192.0.2.7, 203.0.113.9, 203.0.113.10",): "192.0.2.7",
    ("198.51.100.1, 192.0.2.7, 203.0.113.9",): "192.0.2.7",
    ("203.0.113.9",): "203.0.113.9",  # it asks for itself
    ("192.0.2.7:40000",): "192.0.2.7",
    ("[2001:db8:1:2::7]:40000",): "2001:db8:1:2::/64",
    ("2001:db8:1:2::7",): "2001:db8:1:2::/64",
    ("::ffff:192.0.2.7",): "192.0.2.7",
    ("127.0.0.1",): "127.0.0.1",
    (): "203.0.113.1",
    ("",): "203.0.113.1",
    ("192.0.2.7, unknown",): "203.0.113.1",
    ("192.0.2.7, unknown, 203.0.113.9",): "203.0.113.9",
    ("192.0.2.7,",): "203.0.113.1",
}
"""X-Forwarded-For from 203.0.113.1, where 203.0.113.0/24 is believed, and where the request comes from."""


@pytest.mark.parametrize(("fields", "address"), FORWARDED.items(), ids=map(str, FORWARDED))
def test_the_last_address_counts_that_is_no_proxy(fields: Sequence[str], address: str) -> None:
    proxies = Proxies(ELSEWHERE)
    proxy = proxies.of_peer(("203.0.113.1", 1))
    source = proxies.forwarded(proxy, fields)
    assert source.address == address
    assert not source.is_free
    assert source.is_proxy == (not any(fields))


@given(st.lists(st.text(max_size=60), max_size=4))
def test_whatever_a_header_says_it_comes_from_somewhere(fields: list[str]) -> None:
    proxies = Proxies(ELSEWHERE)
    assert proxies.forwarded(proxies.of_peer(("203.0.113.1", 1)), fields).address


def test_this_machine_is_free_of_limits_unless_a_proxy_says_so() -> None:
    proxies = Proxies(HERE)
    own = proxies.of_peer((LOCALHOST, 1))
    assert own == Source(LOCALHOST, is_free=True, is_proxy=True)
    assert proxies.of_peer(("::ffff:127.0.0.1", 1)) == own
    assert proxies.forwarded(own, [LOCALHOST]) == proxies.forwarded(own, ["unknown"]) == Source(LOCALHOST)
    assert proxies.forwarded(own, []) == own
    assert proxies.announced(LOCALHOST) == Source(LOCALHOST, is_proxy=True)


def request(*fields: str, path: str = "/favicon.ico") -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode()


def answer(house: House, data: bytes, **addresses: Any) -> str:
    """The first line of what a request gets."""
    with closing(house.connect(**addresses)) as asking:
        asking.send(data)
        return asking.hear()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def addresses(path: Path) -> list[str]:
    """The addresses in a log, without repetitions."""
    return list(dict.fromkeys(line["address"] for line in lines(path) if line["address"]))


def handshake(address: str) -> bytes:
    return HANDSHAKE.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: %s\r\n\r\n" % address.encode())


def test_a_believed_proxy_tells_who_asks_and_nobody_else_does(opened: Open, tmp_path: Path) -> None:
    """It is told once for each request, and each is counted there as long as its connection is open."""
    log = tmp_path / "log"
    for proxies, told in ((HERE, [ADA, BOB]), (ELSEWHERE, [LOCALHOST])):
        house = opened(proxies=proxies, max_per_address=2, log=log)
        open_ones = [house.connect() for _ in range(3)]
        for peer in open_ones[:2]:
            peer.send(handshake(ADA))
            assert peer.hear().startswith("HTTP/1.1 101 ")
        open_ones[2].send(handshake(ADA))
        assert open_ones[2].hear().startswith("HTTP/1.1 429 " if proxies is HERE else "HTTP/1.1 101 ")
        page = request(f"X-Forwarded-For: {ADA}, {BOB}", path="/")
        assert answer(house, page).startswith("HTTP/1.1 200 ")
        house.close()
        assert addresses(log) == told
        log.unlink()


def test_behind_a_proxy_a_full_dealer_knows_whom_it_turns_away(opened: Open, tmp_path: Path) -> None:
    log = tmp_path / "log"
    house = opened(proxies=HERE, max_connections=1, log=log)
    house.seat()
    assert answer(house, request(f"X-Forwarded-For: {ADA}")).startswith("HTTP/1.1 503 ")
    told = [(line["event"], line["address"]) for line in lines(log) if line["connection"] == 2]
    assert told == [("turned away", ADA)]


def test_others_who_only_arrive_make_no_refusal_silent(opened: Open) -> None:
    house = opened(proxies_with_header=HERE, max_per_address=1)
    silent = [house.connect() for _ in range(MOST_TOLD + 1)]
    assert eventually(lambda: len(house.server._arrivals) == len(silent))
    house.connect(way=announced(line_header(ADA))).say("JOIN a")
    assert eventually(lambda: house.server.players == 1)
    other = house.connect(way=announced(line_header(ADA)))
    other.say("JOIN b")
    assert other.rest() == ["ERROR too many connections from your address"]


def test_a_kept_connection_of_a_proxy_is_counted_by_whoever_asks_last(opened: Open) -> None:
    house = opened(proxies=HERE, max_per_address=1)
    page = request(f"X-Forwarded-For: {ADA}", path="/")
    with socket.create_connection((LOCALHOST, house.port), PATIENCE) as kept:
        for _ in range(3):  # by the limit of one, its own place is none that has to be made
            kept.sendall(page)
            heard = b""
            while not heard.endswith(b"</html>\n"):
                heard += kept.recv(65_536)
        kept.sendall(handshake(BOB))
        assert kept.recv(65_536).startswith(b"HTTP/1.1 101 ")
        assert answer(house, handshake(ADA)).startswith("HTTP/1.1 101 ")
        assert answer(house, handshake(BOB)).startswith("HTTP/1.1 429 ")
    assert eventually(lambda: not house.server._connections)
    assert (house.server._places._taken, dict(house.server._places._addresses._open)) == (0, {})


def test_one_that_waits_for_nothing_makes_room_for_another_of_its_address(opened: Open) -> None:
    house = opened(proxies=HERE, max_per_address=1)
    with house.connect() as waits:
        waits.send(request(f"X-Forwarded-For: {ADA}", path="/"))
        assert eventually(lambda: house.server._request_clock.running)
        assert answer(house, handshake(ADA)).startswith("HTTP/1.1 101 ")
        while waits.socket.recv(65_536):
            pass


@pytest.mark.parametrize("header", [line_header, binary_header])
def test_a_player_whom_a_proxy_announces_is_counted_by_its_own_address(
    opened: Open, header: Any, tmp_path: Path
) -> None:
    """Also where that is one of this machine's."""
    log = tmp_path / "log"
    house = opened(proxies_with_header=HERE, max_per_address=1, log=log)
    for address in (ADA, LOCALHOST):
        one = house.connect(way=announced(header(address)))
        one.say("JOIN a")
        assert one.hear() == "BEGIN"
        two = house.connect(way=announced(header(address)))
        two.say("JOIN b")
        assert two.rest() == ["ERROR too many connections from your address"]
    assert addresses(log) == [ADA, LOCALHOST]


def test_a_proxy_that_asks_for_itself_is_free_and_noted_once_it_says_something(
    opened: Open, tmp_path: Path
) -> None:
    """Every two seconds a proxy asks whether its dealer is there, and breaks off."""
    log = tmp_path / "log"
    house = opened(proxies_with_header=HERE, max_per_address=1, log=log)
    peers = [house.connect(way=announced(b"PROXY UNKNOWN\r\n")) for _ in range(3)]
    for peer in peers:
        peer.say("RULES")
        assert peer.hear().startswith("RULES ")
    house.connect(way=announced(LOCAL)).reset()
    house.connect().reset()
    server = house.server
    assert eventually(
        lambda: server.accepted == 5 and not server._arrivals
    )  # it has noticed that they are gone
    silent = house.connect(way=announced(LOCAL))
    assert eventually(lambda: house.server._header_clock.running)
    house.run_out(house.server._header_clock)
    assert silent.socket.recv(100) == b""
    assert eventually(lambda: house.server._places._taken == 3)
    events = [line["event"] for line in lines(log)]
    assert events == ["began", *["connected"] * 3, "turned away"]


def test_behind_an_announcement_the_address_that_it_names_is_believed_or_not(
    opened: Open, tmp_path: Path
) -> None:
    """X-Forwarded-For is passed over unless that address is a proxy too, whatever the connection's own is."""
    log = tmp_path / "log"
    house = opened(proxies_with_header=HERE, proxies=[*HERE, *ELSEWHERE], log=log)
    for address, told in ((ADA, ADA), ("203.0.113.5", BOB)):
        with house.connect(way=announced(line_header(address))) as asking:
            asking.send(request(f"X-Forwarded-For: {BOB}", path="/"))
            assert asking.hear().startswith("HTTP/1.1 200 ")
        assert eventually(lambda: not house.server._connections)
        assert addresses(log)[-1] == told


@pytest.mark.parametrize("said", [b"JOIN a\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\0", b"\r\n"])
def test_without_its_header_a_proxy_is_not_heard(opened: Open, said: bytes, tmp_path: Path) -> None:
    log = tmp_path / "log"
    house = opened(proxies_with_header=HERE, log=log)
    peer = house.connect()
    peer.send(said)
    if said == b"\r\n":  # the beginning of a binary header
        assert eventually(lambda: house.server._header_clock.running)
        house.run_out(house.server._header_clock)
    assert peer.socket.recv(100) == b""
    assert eventually(lambda: not house.server._arrivals)
    assert house.server._places._taken == 0
    assert [line["event"] for line in lines(log)] == ["began", "turned away"]


def test_a_proxy_that_says_nothing_is_left_after_a_while_and_takes_a_place_until_then(opened: Open) -> None:
    house = opened(proxies_with_header=HERE, max_connections=1)
    silent = house.connect()
    assert eventually(lambda: house.server._header_clock.running)
    other = house.connect(way=announced(line_header(ADA)))
    other.say("JOIN a")
    assert other.rest() == ["ERROR dealer is full"]
    house.run_out(house.server._header_clock)
    assert silent.socket.recv(100) == b""
    assert eventually(lambda: house.server._places._taken == 0)


def test_from_anybody_else_a_header_is_a_refused_line(opened: Open, tmp_path: Path) -> None:
    log = tmp_path / "log"
    house = opened(proxies_with_header=ELSEWHERE, proxies=ELSEWHERE, log=log)
    with house.connect(way=announced(line_header(ADA))) as lied:
        assert lied.hear().startswith("ERROR unknown message 'PROXY TCP4 ")
        lied.say("JOIN a")
        assert lied.hear() == "BEGIN"
    with house.connect(way=announced(binary_header(ADA))) as lied:
        assert lied.rest()[0] == "ERROR a PROXY header is not expected here: expected JOIN <name>"
    with house.connect(way=announced(line_header(ADA))) as asking:
        asking.send(request())
        assert asking.hear().startswith("ERROR unknown message 'PROXY TCP4 ")
    assert addresses(log) == [LOCALHOST]


def test_kept_seats_and_opened_tables_go_by_the_address_that_is_told(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = opened(proxies_with_header=HERE, lobby=True, max_tables_per_address=1)
    ada, bob = (house.connect(way=announced(line_header(address))) for address in (ADA, BOB))
    for peer in (ada, bob):
        peer.say("OPEN seats=2")
        assert peer.hear().startswith("OPENED ")
    again = house.connect(way=announced(line_header(ADA)))
    again.say("OPEN seats=2")
    assert again.hear().startswith("REFUSED cannot-open your address has 1 table open")
    bob.say("JOIN bob", "KEEP " + "b" * 32)
    assert eventually(lambda: house.server.players == 1)
    bob.close()
    assert eventually(lambda: house.server._reception.seating._away_from.keys() == {BOB})


def test_a_dealer_behind_a_proxy_counts_as_open_to_others(opened: Open) -> None:
    for told in ({"proxies": HERE}, {"proxies_with_header": ELSEWHERE}):
        house = opened(**told)
        assert house.server.config.lobby is False
    assert opened().server.config.lobby is True
