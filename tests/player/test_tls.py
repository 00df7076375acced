"""`player` and `training` over TLS: at dealers that speak it, and where no connection comes about."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer.network.interfaces import network_addresses
from tests.helpers.authority import Authority
from tests.helpers.house import House, open_house
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST
from tests.player.typed import TABLE, play, player, sentence, training
from twentyone.policies.table_files import load

WAYS = ("lines", "websocket")

POLICY = "--policy=threshold:15"

SEEN = "player: the token is sent without TLS, so everybody on the way to the dealer can read it: "


@pytest.fixture(scope="module")
def house_over_tls(authority: Authority) -> Iterator[House]:
    with open_house(tls=authority.certificate("localhost", LOCALHOST)) as house:
        yield house


def address_of(way: str, port: int, host: str = "localhost") -> list[str]:
    """The words for an address by TLS."""
    return [host, str(port), "--tls"] if way == "lines" else [f"wss://{host}:{port}/ws"]


@pytest.mark.parametrize("way", WAYS)
def test_a_player_plays_over_tls(
    tmp_path: Path, house_over_tls: House, authority: Authority, way: str
) -> None:
    options = (f"--tls-ca={authority.ca}", POLICY, "--rounds=20", f"--name={way}", "--token=secret")
    done = player(tmp_path, *address_of(way, house_over_tls.port), *options)
    assert (done.status, done.err) == (0, "")
    assert house_over_tls.tally(way).rounds == 20


@pytest.mark.parametrize("way", WAYS)
def test_training_plays_on_many_connections_over_tls(
    tmp_path: Path, house_over_tls: House, authority: Authority, way: str
) -> None:
    where = address_of(way, house_over_tls.port, LOCALHOST)
    rounds = [where.pop(0), *(where[:1] if way == "lines" else []), "400"]
    done = training(tmp_path, *rounds, *where[1:], f"--tls-ca={authority.ca}", "--connections=5")
    assert (done.status, done.err) == (0, "")
    assert load(tmp_path / TABLE).rounds == 400


REFUSED = [
    ((LOCALHOST,), 1, True, "its certificate is not for localhost: expected a name or an address"),
    (("localhost",), 0, True, "its certificate has expired: expected one that is valid today"),
    (
        ("localhost",),
        1,
        False,
        "its certificate is of an authority that is not trusted here: expected --tls-c",
    ),
]
"""Names in a certificate, the days for which it is valid, whether its authority is named, and a sentence."""


@pytest.mark.parametrize(("names", "days", "is_trusted", "said"), REFUSED)
def test_a_certificate_that_does_not_fit_is_one_sentence_and_no_try_more(
    tmp_path: Path, authority: Authority, names: tuple[str, ...], days: int, is_trusted: bool, said: str
) -> None:
    options = [f"--tls-ca={authority.ca}"] if is_trusted else []
    with open_house(tls=authority.certificate(*names, days=days)) as house:
        for way in WAYS:
            words = address_of(way, house.port)
            told = sentence(player(tmp_path, *words, POLICY, *options), 1)
            assert told.startswith("player: cannot connect to ") and said in told
        told = sentence(training(tmp_path, f"wss://localhost:{house.port}/ws", 10, *options), 1)
        assert told.startswith("training: cannot connect to wss://") and said in told


def test_who_speaks_no_tls_is_one_sentence(tmp_path: Path, port: int) -> None:
    for way in WAYS:
        told = sentence(player(tmp_path, *address_of(way, port), POLICY), 1)
        assert "it does not speak TLS: expected a dealer that does, or a connection without TLS" in told


def test_who_does_not_answer_the_handshake_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("player.client.connect.__defaults__", (0.1,))
    with socket.create_server((LOCALHOST, 0)) as silent:
        told = sentence(play(tmp_path, silent.getsockname()[1], POLICY, "--tls"), 1)
    assert told.endswith("no answer within 0.1 s; is a dealer there that speaks TLS?")


def test_a_dealer_that_does_not_close_its_side_is_left(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loop of uvloop that ends before TLS is closed takes that for an error."""
    monkeypatch.setattr("player.client.Client.wait_closed.__defaults__", (0.05,))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*authority.certificate(LOCALHOST))
    is_left = threading.Event()

    def deal(listener: socket.socket) -> None:
        with context.wrap_socket(listener.accept()[0], server_side=True) as peer:
            peer.sendall(b"QUIT\n")
            is_left.wait(PATIENCE)

    with socket.create_server((LOCALHOST, 0)) as listener:
        dealing = threading.Thread(target=deal, args=(listener,))
        dealing.start()
        where = (LOCALHOST, listener.getsockname()[1], "--tls", f"--tls-ca={authority.ca}")
        try:
            done = player(tmp_path, *where, POLICY)
        finally:
            is_left.set()
            dealing.join()
    assert (done.status, done.err) == (0, "")


def test_a_token_without_tls_is_sent_with_a_warning_unless_it_stays_on_this_machine(
    tmp_path: Path, authority: Authority
) -> None:
    here = next(iter(network_addresses(socket.AF_INET)), None)
    if here is None:
        pytest.skip("this machine is in no network")
    options = (POLICY, "--rounds=1", "--token=secret")
    with open_house(host="0.0.0.0") as house:
        assert player(tmp_path, LOCALHOST, house.port, *options).err == ""
        assert player(tmp_path, here, house.port, *options[:2]).err == ""
        warned = player(tmp_path, here, house.port, *options)
    assert (warned.status, warned.err.count("\n"), warned.err.startswith(SEEN)) == (0, 1, True)
    with open_house(host="0.0.0.0", tls=authority.certificate(here)) as house:
        done = player(tmp_path, here, house.port, "--tls", f"--tls-ca={authority.ca}", *options)
    assert (done.status, done.err) == (0, "")
