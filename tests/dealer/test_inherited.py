"""A dealer as a service: with a socket that it is started with, and a service manager that hears of it."""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dealer.console import greeting
from dealer.network.listening import Listening
from dealer.tables.config import Config
from tests.dealer.conftest import Start
from tests.dealer.running import Dealer
from tests.dealer.ways import announced, line_header
from tests.helpers.house import kinds
from tests.helpers.inherited import inheriting
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST, BlockingPeer


@pytest.fixture
def waiting() -> Iterator[socket.socket]:
    """A socket that listens although no dealer runs."""
    with closing(socket.create_server((LOCALHOST, 0))) as found:
        yield found


def port_of(found: socket.socket) -> int:
    number: int = found.getsockname()[1]
    return number


@pytest.mark.parametrize("options", [[], ["--proxy-protocol", LOCALHOST]], ids=["straight", "by a proxy"])
def test_those_who_come_while_no_dealer_runs_wait_for_the_next(
    started: Start, waiting: socket.socket, tmp_path: Path, options: list[str]
) -> None:
    way = announced(line_header("192.0.2.7")) if options else None

    def joined() -> BlockingPeer:
        peer = BlockingPeer(port_of(waiting), way=way)
        peer.say("JOIN a 1")
        return peer

    def start() -> Dealer:
        return started(0, "--state", tmp_path / "state", *options, **inheriting([waiting]))

    with joined() as early:
        first = start()
        early.hear_until("DECISION")
        first.signal(signal.SIGTERM)
        first.wait_until_it_says("no new rounds")
        with joined() as late:  # while a round is open
            early.say("STAND")
            assert kinds(early.rest()) == ["RESULT", "QUIT"]
            assert first.wait().status == 0
            second = start()
            late.hear_until("DECISION")
            assert second.port == port_of(waiting)


def ended(folder: Path, sockets: Sequence[Any]) -> tuple[int, str]:
    """The status of a dealer with these sockets that does not begin, and what it says."""
    way = inheriting(sockets)
    command, numbers = [*way["command"], "0", "1"], way["pass_fds"]
    done = subprocess.run(command, pass_fds=numbers, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_what_is_no_listening_socket_is_refused(waiting: socket.socket, tmp_path: Path) -> None:
    with (
        socket.socket() as bound,
        socket.socket(type=socket.SOCK_DGRAM) as udp,
        (tmp_path / "x").open("w") as file,
    ):
        bound.bind((LOCALHOST, 0))
        for each in (bound, udp, file):
            assert ended(tmp_path, [waiting, each]) == (
                1,
                "dealer: file descriptor 4, inherited by LISTEN_FDS, is no socket that listens for TCP:"
                " expected ListenStream=PORT in the file of the systemd socket\n",
            )


def test_sockets_of_two_ports_are_refused(waiting: socket.socket, tmp_path: Path) -> None:
    with socket.create_server((LOCALHOST, 0)) as other:
        status, said = ended(tmp_path, [waiting, other])
    assert (status, said.endswith(": expected one\n")) == (1, True)


def test_sockets_for_another_process_are_left_alone(started: Start, waiting: socket.socket) -> None:
    dealer = started(1, **inheriting([waiting], pid="1"))
    assert dealer.port != port_of(waiting)


def test_the_banner_says_that_the_port_is_the_sockets() -> None:
    at = Listening(LOCALHOST, (LOCALHOST,), 9000)
    note = "note:   the socket that this dealer was started with has port 9000, not 8088"
    assert note in greeting(Config(port=8088, rounds=0), at).splitlines()
    assert note not in greeting(Config(port=9000, rounds=0), at)


def test_the_service_manager_hears_that_it_listens_and_that_it_stops(started: Start, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(PATIENCE)
        dealer = started(0, NOTIFY_SOCKET=str(tmp_path / "notify"))
        assert manager.recv(1000).decode() == f"READY=1\nSTATUS=listening on port {dealer.port}"
        dealer.signal(signal.SIGTERM)
        assert manager.recv(1000) == b"STOPPING=1"
        assert dealer.wait().status == 0
