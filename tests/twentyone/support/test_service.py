"""Messages to a service manager, which is a socket of the test."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.helpers.hand_turned import HandTurned
from twentyone.support.service import Service


@pytest.fixture
def loop() -> Iterator[HandTurned]:
    loop = HandTurned()
    yield loop
    loop.close()


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[socket.socket]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as found:
        found.bind(str(tmp_path / "notify") if request.param == "path" else f"\0twentyone-{os.getpid()}")
        found.setblocking(False)
        yield found


def address_of(manager: socket.socket) -> str:
    """Its address as it stands in the environment."""
    name = manager.getsockname()
    return f"@{name[1:].decode()}" if isinstance(name, bytes) else str(name)


def heard(manager: socket.socket) -> list[str]:
    """All that has come."""
    messages = []
    try:
        while True:
            messages.append(manager.recv(1000).decode())
    except BlockingIOError:
        return messages


def test_it_hears_of_the_beginning_of_signs_of_life_and_of_the_end(
    manager: socket.socket, loop: HandTurned
) -> None:
    environ = {
        "NOTIFY_SOCKET": address_of(manager),
        "WATCHDOG_USEC": "20000000",
        "WATCHDOG_PID": str(os.getpid()),
    }
    service = Service(environ)
    assert environ == {}
    service.begin(loop, "listening")
    assert heard(manager) == ["READY=1\nSTATUS=listening", "WATCHDOG=1"]
    loop.pass_time(25)
    service.stop()
    service.stop()
    assert heard(manager) == ["WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]
    service.close()
    loop.pass_time(25)
    assert heard(manager) == []


@pytest.mark.parametrize(
    "watchdog", [{}, {"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"}, {"WATCHDOG_USEC": "x"}]
)
def test_without_a_watchdog_of_its_own_it_gives_no_signs_of_life(
    manager: socket.socket, loop: HandTurned, watchdog: dict[str, str]
) -> None:
    Service({"NOTIFY_SOCKET": address_of(manager), **watchdog}).begin(loop, "")
    assert (heard(manager), loop.timers) == (["READY=1\nSTATUS="], [])


@pytest.mark.parametrize("address", ["", "nowhere", "/nowhere/notify", "vsock:2:1"])
def test_where_nobody_listens_nothing_happens(loop: HandTurned, address: str) -> None:
    service = Service({"NOTIFY_SOCKET": address})
    service.begin(loop, "listening")
    service.stop()
    service.close()
