"""A connection is told to be a program's or somebody else's by what its processes have open."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.helpers.peer import LOCALHOST
from tournament.playing.owners import TABLES, may_be_of

pytestmark = pytest.mark.skipif(
    not TABLES[0].exists(), reason="the system does not tell whose a connection is"
)


@pytest.fixture
def port() -> Iterator[int]:
    """A port at which connections wait."""
    with socket.create_server((LOCALHOST, 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def other() -> Iterator[int]:
    """The number of a process that has nothing to do with this one's connections, and has a child."""
    child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    with subprocess.Popen([sys.executable, "-c", child], stdin=subprocess.PIPE) as process:
        yield process.pid
        process.communicate(b"\n")


def test_a_connection_is_its_own_program_s_only(port: int, other: int) -> None:
    with socket.create_connection((LOCALHOST, port)) as client:
        peer = client.getsockname()
        assert may_be_of(os.getppid(), peer, port)
        assert not may_be_of(other, peer, port)
    assert not may_be_of(os.getppid(), peer, port)  # nobody has it open any more


@pytest.mark.skipif(not socket.has_ipv6, reason="there is no IPv6")
def test_a_socket_for_both_kinds_of_addresses_is_found_too(port: int) -> None:
    with socket.socket(socket.AF_INET6) as client:
        client.connect((f"::ffff:{LOCALHOST}", port))
        assert may_be_of(os.getppid(), (LOCALHOST, client.getsockname()[1]), port)
