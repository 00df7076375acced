"""TLS on the dealer's one port: who speaks it, who does not, and files that are renewed."""

from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from ipaddress import ip_network
from pathlib import Path
from shutil import copy, which
from typing import Final
from warnings import catch_warnings

import pytest

from cards import Rules
from dealer.network.arrival import SPEAKS_TLS
from dealer.network.encrypted import PIECE
from dealer.web import site_for
from protocol.public_url import parse_public_url
from tests.dealer.conftest import Open
from tests.dealer.test_arrivals import lines
from tests.dealer.ways import announced, binary_header, encrypted
from tests.helpers.authority import Authority
from tests.helpers.house import House, kinds
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import LOCALHOST, BlockingPeer

GET: Final = b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
GONE: Final = ("connected", "turned away", "disconnected")
A_ROUND: Final = ["BEGIN", "CARD", "CARD", "DEALER", "DECISION", "RESULT", "QUIT"]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def certificate(authority: Authority) -> tuple[Path, Path]:
    return authority.certificate("localhost")


@pytest.fixture
def house(opened: Open, authority: Authority, certificate: tuple[Path, Path]) -> House:
    """A dealer that speaks TLS, to which peers come by it."""
    return opened(tls=certificate, way=encrypted(authority.ca))


@pytest.fixture
def plain(house: House) -> Iterator[BlockingPeer]:
    """A peer that speaks no TLS there."""
    with BlockingPeer(house.port) as peer:
        yield peer


class ByHand:
    """A player whose TLS the test moves itself, as it has to say close_notify and to hear on."""

    def __init__(self, port: int, authority: Authority) -> None:
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._raw = socket.create_connection((LOCALHOST, port), PATIENCE)
        context = ssl.create_default_context(cafile=authority.ca)
        self.tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname="localhost")

    def __enter__(self) -> ByHand:
        while True:
            try:
                self.tls.do_handshake()
                self.send()
                return self
            except ssl.SSLWantReadError:
                self.exchange()

    def __exit__(self, *_: object) -> None:
        self._raw.close()

    def say_all(self, data: bytes) -> None:
        """Say this, and close_notify."""
        self.tls.write(data)
        with suppress(ssl.SSLWantReadError):
            self.tls.unwrap()

    def send(self) -> None:
        self._raw.sendall(self._outgoing.read())

    def exchange(self) -> bool:
        """Send what is to be sent, and receive; whether the dealer has not closed its side."""
        self.send()
        self._incoming.write(data := self._raw.recv(65_536))
        return bool(data)


@pytest.mark.parametrize("wire_format", ["lines", "classic", "websocket"])
def test_everybody_plays_by_it(house: House, wire_format: str) -> None:
    peer = house.connect(wire_format)
    peer.say("JOIN a 1")
    assert kinds(peer.play())[-2:] == ["RESULT", "QUIT"]


def test_a_player_that_closes_its_side_hears_its_result(house: House) -> None:
    """As `printf` into `ncat --ssl`: it has said all, and waits."""
    peer = house.join("JOIN a 1", "STAND")
    peer.close_side()
    assert kinds(peer.rest()) == A_ROUND


def test_a_player_that_says_so_in_tls_hears_its_result_too(house: House, authority: Authority) -> None:
    """A close_notify closes one side (RFC 8446, 6.1), and the other one closes it in the same way."""
    heard = b""
    with ByHand(house.port, authority) as player:
        player.say_all(b"JOIN a 1\nSTAND\n")
        with pytest.raises(ssl.SSLZeroReturnError):  # it is closed in TLS, and not only below
            while player.exchange():
                with suppress(ssl.SSLWantReadError):
                    while piece := player.tls.read(65_536):
                        heard += piece
    assert kinds(heard.decode().splitlines()) == A_ROUND


def test_a_page_is_read_whole(house: House) -> None:
    """It is larger than a record of TLS, and its connection stays open for the next."""
    path, page = max(site_for(frozenset()).pages.items(), key=lambda each: len(each[1].body))
    assert len(page.body) > PIECE
    with closing(house.connect().socket) as asking:
        for _ in range(2):
            asking.sendall(GET % path.encode())
            heard = b""
            while not heard.endswith(page.body):
                heard += asking.recv(65_536)


def test_a_request_may_name_its_https_address(house: House) -> None:
    """In the absolute form (RFC 9112, 3.2.2), of the server that has the certificate (RFC 9110, 7.4)."""
    for scheme in ("https", "http"):
        with house.connect() as asking:
            asking.send(b"GET %s://localhost/favicon.ico HTTP/1.1\r\nHost: a\r\n\r\n" % scheme.encode())
            assert asking.hear().startswith("HTTP/1.1 404 ")


def test_nothing_older_than_tls_1_2_is_spoken(house: House, authority: Authority) -> None:
    for version, is_spoken in (
        (ssl.TLSVersion.TLSv1_1, False),
        (ssl.TLSVersion.TLSv1_2, True),
        (ssl.TLSVersion.TLSv1_3, True),
    ):
        context = ssl.create_default_context(cafile=authority.ca)
        with catch_warnings(action="ignore", category=DeprecationWarning):
            context.minimum_version = context.maximum_version = version
        context.set_ciphers("ALL:@SECLEVEL=0")  # otherwise the client itself would not speak it
        with socket.create_connection((LOCALHOST, house.port), PATIENCE) as raw:
            if is_spoken:
                context.wrap_socket(raw, server_hostname="localhost").close()
            else:
                with pytest.raises((ssl.SSLError, ConnectionError)):
                    context.wrap_socket(raw, server_hostname="localhost")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"JOIN a\n", b"ERROR %s\n"),
        (b"JOIN a\0", b"ERROR %s\0"),
        (GET % b"/", b"HTTP/1.1 400 Bad Request"),
        (b"\r\n", b"ERROR %s\n"),
    ],
)
def test_who_does_not_speak_it_is_told_so(plain: BlockingPeer, said: bytes, answer: bytes) -> None:
    plain.send(said)
    heard = b""
    while data := plain.socket.recv(65_536):
        heard += data
    sentence = SPEAKS_TLS.encode()
    assert heard.startswith(answer % sentence if b"%s" in answer else answer)
    assert sentence in heard


def test_who_asks_for_a_page_without_it_is_sent_to_the_public_address(
    opened: Open, certificate: tuple[Path, Path]
) -> None:
    urls = [parse_public_url("http://example.org/"), parse_public_url("https://example.org:8443/cards")]
    house = opened(tls=certificate, public_urls=urls)
    for path, where in (
        (b"/", ""),
        (b"/hands.html?a=b", "hands.html?a=b"),
        (b"/cards/hands.html", "hands.html"),
        (b"/cards?dealer=a&table=7", "?dealer=a&table=7"),
        (b"//evil.example/", "evil.example/"),
    ):
        with house.connect() as plain:
            plain.send(GET % path)
            heard = plain.rest()
            assert heard[0].startswith("HTTP/1.1 308 ")
            assert f"Location: https://example.org:8443/cards/{where}\r" in heard


def test_who_says_nothing_is_told_so_and_who_does_not_go_on_is_left(
    house: House, plain: BlockingPeer, tmp_path: Path
) -> None:
    """Both take a place as long as they are there."""
    begins = socket.create_connection((LOCALHOST, house.port), PATIENCE)
    begins.sendall(b"\x16\x03\x01\x02\x00")
    server = house.server
    assert eventually(lambda: sum(each._is_encrypted for each in server._arrivals) == 1)
    assert eventually(lambda: server._places._taken == 2)
    house.run_out(server._handshake_clock)
    assert begins.recv(100) == b""
    assert eventually(lambda: server._refusal_clock.running)
    house.run_out(server._refusal_clock)
    assert plain.rest() == [f"ERROR {SPEAKS_TLS}"]
    begins.close()
    assert eventually(lambda: server._places._taken == 0)


def test_a_handshake_that_fails_leaves_nothing_and_is_noted(
    opened: Open, certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    house = opened(tls=certificate, log=log)
    with socket.create_connection((LOCALHOST, house.port), PATIENCE) as raw:
        raw.sendall(b"\x16\x03\x01\x00\x05noise")
        while raw.recv(100):
            pass
    assert eventually(lambda: (house.server._places._taken, house.server._arrivals) == (0, set()))
    (told,) = (line["reason"] for line in lines(log) if line["event"] == "turned away")
    assert told.startswith("TLS could not be agreed: ")


def test_records_that_are_broken_end_it(house: House, authority: Authority) -> None:
    peer = house.seat()
    raw = socket.socket(fileno=peer.socket.detach())
    with closing(raw):
        raw.settimeout(PATIENCE)
        raw.sendall(b"\x17\x03\x03\x00\x20" + bytes(32))
        while raw.recv(65_536):
            pass
    assert eventually(lambda: house.server.players == 0)


def test_a_peer_that_breaks_its_records_and_does_not_read_is_left_at_once(
    opened: Open, authority: Authority, certificate: tuple[Path, Path]
) -> None:
    """It would never take the alert that tells it so."""
    house = opened(tls=certificate, way=encrypted(authority.ca), rules=Rules(seats=2))
    peer = house.connect()
    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    peer.say("JOIN a")
    assert eventually(lambda: house.server._connections)
    (connection,) = house.server._connections

    def has_to_wait() -> bool:
        peer.send(b"RULES\n" * 5)
        return connection._writer.has_more

    assert eventually(has_to_wait)
    with closing(socket.socket(fileno=peer.socket.detach())) as raw:
        raw.sendall(b"\x17\x03\x03\x00\x20" + bytes(32))
        assert eventually(lambda: not house.server._connections)
    assert house.server.players == 0


def test_what_was_said_before_close_notify_is_heard_however_much_it_is(
    house: House, authority: Authority
) -> None:
    """It comes with the end in one piece, of which the dealer looks at a part in each turn."""
    rounds = 100
    said = f"JOIN a {rounds}\n".encode() + b"STAND\n" * rounds
    with ByHand(house.port, authority) as player:
        with house.held():
            player.say_all(said)
            player.send()
        while player.exchange():
            pass
    assert house.tally("a").rounds == rounds
    assert house.server.refusals == 0


@pytest.mark.parametrize("told", [0, 1])
def test_nothing_is_heard_from_whom_nobody_has_time_to_turn_away(
    opened: Open,
    authority: Authority,
    certificate: tuple[Path, Path],
    told: int,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Neither without TLS nor by TLS at a full dealer."""
    monkeypatch.setattr("dealer.network.server.MOST_TOLD", told)
    log = tmp_path / "log"
    house = opened(tls=certificate, log=log)
    with socket.create_connection((LOCALHOST, house.port), PATIENCE) as first:
        first.sendall(b"J")  # it is told why after a while, if anybody is
        assert eventually(lambda: len(lines(log)) >= 2)
        with socket.create_connection((LOCALHOST, house.port), PATIENCE) as plain:
            plain.sendall(b"JOIN a 5\nKEEP " + b"a" * 32 + b"\n")
            with suppress(ConnectionError):
                assert plain.recv(100) == b""
    house.close()
    assert {line["event"] for line in lines(log)} <= {*("began", "ended"), *GONE}


def test_a_full_dealer_says_so_in_tls(
    opened: Open, authority: Authority, certificate: tuple[Path, Path]
) -> None:
    house = opened(tls=certificate, max_connections=1, way=encrypted(authority.ca))
    house.seat()
    assert house.join().rest() == ["ERROR dealer is full"]
    with house.connect() as asking:
        asking.send(GET % b"/ws")
        heard = asking.rest()
    assert (heard[0], heard[-1]) == ("HTTP/1.1 503 Service Unavailable\r", "dealer is full")


def test_an_announcement_comes_before_the_handshake(
    opened: Open, authority: Authority, certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    log, announce, encrypt = tmp_path / "log", announced(binary_header("192.0.2.7")), encrypted(authority.ca)
    house = opened(tls=certificate, proxies_with_header=[ip_network(LOCALHOST)], log=log)
    peer = house.connect(way=lambda connected: encrypt(announce(connected)))
    peer.say("JOIN a 1", "STAND")
    assert kinds(peer.rest()) == A_ROUND
    with pytest.raises((ssl.SSLError, ConnectionError)):
        house.connect(way=lambda connected: announce(encrypt(connected)))
    with house.connect(way=announce) as plain:
        plain.say("JOIN b")
        assert plain.rest() == [f"ERROR {SPEAKS_TLS}"]
    assert {line["address"] for line in lines(log) if line["event"] == "connected"} == {"192.0.2.7"}


def test_files_that_are_renewed_are_used_for_the_next_connection(
    opened: Open, authority: Authority, tmp_path: Path
) -> None:
    """Broken ones leave the old ones in use, which is said once; whoever plays plays on."""
    cert, key, log = tmp_path / "cert.pem", tmp_path / "key.pem", tmp_path / "log"
    said: list[str] = []

    def renew(*names: str) -> None:
        for new, old in zip(authority.certificate(*names), (cert, key), strict=True):
            copy(new, tmp_path / "new")
            (tmp_path / "new").replace(old)

    renew("localhost")
    house = opened(tls=(cert, key), log=log)
    house.server.notice = said.append
    player = house.connect(way=encrypted(authority.ca))
    player.say("JOIN a 1")
    player.hear_until("DECISION")
    renew("other.example")
    house.connect(way=encrypted(authority.ca, "other.example"))
    key.write_text("no key")
    for _ in range(2):
        house.connect(way=encrypted(authority.ca, "other.example"))
    assert said == [f"{key} has no key in the form of PEM; the certificate that was read before stays in use"]
    cert.unlink()
    house.connect(way=encrypted(authority.ca, "other.example"))
    assert said[1].startswith(f"the certificate {cert} cannot be read: no such file")
    renew("localhost")
    house.connect(way=encrypted(authority.ca))
    player.say("STAND")
    assert kinds(player.rest()) == ["RESULT", "QUIT"]
    events = [line["event"] for line in lines(log) if line["connection"] is None]
    assert events == ["began", "reopened", "not reopened", "not reopened", "reopened"]


@pytest.mark.parametrize("shell", ["openssl s_client -quiet -connect {}", "ncat --ssl {}"])
def test_people_type_into_what_the_guide_names(house: House, shell: str) -> None:
    program = shell.split()[0]
    if which(program) is None:
        pytest.skip(f"there is no {program}")
    where = f"{LOCALHOST}:{house.port}" if program == "openssl" else f"{LOCALHOST} {house.port}"
    typed = subprocess.run(
        shell.format(where).split(),
        input="JOIN a 1\nSTAND\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert kinds(typed.stdout.splitlines()) == A_ROUND


class Unusable:
    """Files that make no certificate, and the sentence about them."""

    def __init__(self, authority: Authority, folder: Path) -> None:
        cert, key = authority.certificate("localhost")
        _, other = authority.certificate("localhost")
        empty, locked = folder / "empty", folder / "locked"
        empty.touch()
        half = folder / "half"
        half.write_bytes(cert.read_bytes()[:200])
        lock = ["openssl", "ec", "-in", str(key), "-out", str(locked), "-aes128", "-passout", "pass:secret"]
        subprocess.run(lock, check=True, capture_output=True)
        none, missing = folder / "none", "cannot be read: no such file"
        self.all: dict[str, tuple[Path, Path, str]] = {
            "missing": (none, key, f"the certificate {none} {missing}"),
            "no key": (cert, none, f"the key {none} {missing}"),
            "empty": (empty, key, f"{empty} has no certificate in the form of PEM: expected"),
            "interchanged": (key, cert, f"{key} has no certificate in the form of PEM: expected"),
            "cut": (half, key, f"the certificate {half} or the key {key} is damaged: expected"),
            "another's": (cert, other, f"the key {other} is not that of the certificate {cert}: expected"),
            "encrypted": (cert, locked, f"the key {locked} is encrypted: expected"),
        }


def test_files_that_make_no_certificate_are_refused_in_a_sentence(
    authority: Authority, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from dealer.network.certificate import Certificate
    from twentyone.support.command import USAGE, CommandError

    for cert, key, sentence in Unusable(authority, tmp_path).all.values():
        with pytest.raises(CommandError) as refused:
            Certificate(cert, key)
        assert str(refused.value).startswith(sentence)
        assert refused.value.status == USAGE
    assert capfd.readouterr() == ("", "")  # nobody was asked for a password
