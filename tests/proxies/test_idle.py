"""An idle hour, made short: a proxy cuts what is silent, and the dealer's pings keep a WebSocket open."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from protocol.public_url import parse_public_url
from tests.helpers.house import open_house
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST, READ
from tests.proxies.guide import NAME
from tests.proxies.programs import Certificate, Ports, haproxy, kept_ports, needed, nginx

PINGS: Final = 10
"""Pings in which each proxy would have cut a silent connection more than once."""

QUICK: Final = 0.25
"""Seconds between two of them."""

SHORT: Final = {
    "nginx": {"proxy_http_version 1.1;": "proxy_http_version 1.1; proxy_read_timeout 1s;"},
    "haproxy": {"timeout client 1h": "timeout client 1s", "timeout server 1h": "timeout server 1s"},
}
"""What stands in the files of the guide, and what is put in, so that an hour is a second.

Caddy cuts nothing that is silent.
"""


class Socket:
    """A WebSocket that says nothing by itself, and counts pings.

    Args:
        port: of the proxy.
        trusting: the authority of the tests.
    """

    def __init__(self, port: int, trusting: ssl.SSLContext) -> None:
        self.protocol = ClientProtocol(parse_uri(f"wss://localhost:{port}/ws"))
        self.pings = 0
        self.heard: list[bytes] = []
        plain = socket.create_connection((LOCALHOST, port), PATIENCE)
        self._socket = trusting.wrap_socket(plain, server_hostname="localhost")
        self.protocol.send_request(self.protocol.connect())

    def listen(self) -> bool:
        """Hear what comes next, and answer pings; whether the connection is still there."""
        for data in self.protocol.data_to_send():
            self._socket.sendall(data)
        data = self._socket.recv(READ)
        self.protocol.receive_data(data) if data else self.protocol.receive_eof()
        for event in self.protocol.events_received():
            if isinstance(event, Frame):
                self.pings += event.opcode is Opcode.PING
                self.heard += [bytes(event.data)] if event.opcode is Opcode.TEXT else []
        return bool(data)

    def close(self) -> None:
        self._socket.close()


@contextmanager
def silent(
    program: str, folder: Path, certificate: Certificate, trusting: ssl.SSLContext
) -> Iterator[Socket]:
    """A WebSocket to a dealer behind a program that cuts what is silent for a second."""
    needed(program)
    with kept_ports(2) as (https, http):
        proxies = "proxies_with_header" if program == "haproxy" else "proxies"
        options: dict[str, Any] = {
            "public_urls": (parse_public_url(f"https://{NAME}:{https}/"),),
            proxies: (ip_network(LOCALHOST),),
        }
        with open_house(**options) as house:
            ports, more = Ports(https, http), SHORT[program]
            with (
                haproxy(folder, ports, {8091: house.port, 8092: house.port}, certificate, more)
                if program == "haproxy"
                else nginx(folder, ports, house.port, certificate, more)
            ):
                found = Socket(https, trusting)
                yield found
                found.close()


@pytest.mark.parametrize("program", SHORT)
def test_a_silent_websocket_is_cut_without_pings_and_stays_open_with_them(
    program: str,
    tmp_path: Path,
    certificate: Certificate,
    trusting: ssl.SSLContext,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with silent(program, tmp_path, certificate, trusting) as cut:
        while cut.listen():
            pass
        assert cut.pings == 0
    monkeypatch.setattr("dealer.network.server.PING_EVERY", QUICK)
    with silent(program, tmp_path, certificate, trusting) as kept:
        while kept.pings < PINGS:
            assert kept.listen()
        kept.protocol.send_text(b"JOIN ada")
        while not kept.heard:
            assert kept.listen()
        assert kept.heard[0].startswith(b"BEGIN")
