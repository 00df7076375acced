"""The address of a dealer, as the commands take it: HOST PORT, or a ws:// address alone."""

from __future__ import annotations

from typing import Final, NamedTuple

from protocol.websocket import locate
from twentyone.support.command import USAGE, CommandError
from twentyone.support.options import is_host

MAX_PORT: Final = 65535

_THIS_MACHINE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}


class Address(NamedTuple):
    """The host and the port, and the WebSocket address if that is what to speak."""

    host: str
    port: int
    websocket: str | None = None

    def __str__(self) -> str:
        return self.websocket or f"{self.host} port {self.port}"


def parse_address(host: str, port: int | None) -> Address:
    """The address of HOST and PORT as typed; 0.0.0.0, which dealers listen on, means this machine.

    Raises:
        CommandError: if they name no dealer.
    """
    if "://" not in host:
        if port is None and host.isdecimal():
            raise CommandError(
                f"there is no host before {host}: expected HOST PORT, such as 0.0.0.0 {host}", USAGE
            )
        if port is None:
            raise CommandError(
                f"there is no port after {host!r}: expected HOST PORT, such as 0.0.0.0 8088", USAGE
            )
        if port > MAX_PORT:
            raise CommandError(f"{port} is not a port: expected 1 to {MAX_PORT}", USAGE)
        return Address(_reachable(host), port)
    if port is not None:
        raise CommandError(f"{host} has its port in it, and {port} comes after it: expected one port", USAGE)
    try:
        name, number = locate(host)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    return Address(_reachable(name), number, host)


def _reachable(host: str) -> str:
    """The host to connect to, once it can be looked up at all."""
    if not is_host(host):
        raise CommandError(f"{host!r} is not a host: expected a name or an address", USAGE)
    return _THIS_MACHINE.get(host, host)
