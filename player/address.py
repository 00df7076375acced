"""The address of a dealer, as the commands take it: HOST PORT, or a ws:// or wss:// address alone."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Final, NamedTuple

from protocol.websocket import locate
from twentyone.support.command import USAGE, CommandError, os_reason
from twentyone.support.options import is_host
from twentyone.support.tls import TlsError, trusting

MAX_PORT: Final = 65535

_THIS_MACHINE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}


class Address(NamedTuple):
    """The host and the port; the WebSocket address if that is what to speak; how to speak TLS, if so."""

    host: str
    port: int
    websocket: str | None = None
    tls: ssl.SSLContext | None = None

    def __str__(self) -> str:
        return self.websocket or f"{self.host} port {self.port}"


def parse_address(host: str, port: int | None, *, tls: bool = False, tls_ca: Path | None = None) -> Address:
    """The address of HOST and PORT as typed; 0.0.0.0, which dealers listen on, means this machine.

    Args:
        host: the host, or a ws:// or wss:// address.
        port: the port of a host.
        tls: whether to speak TLS; wss:// says it too.
        tls_ca: the file of the authorities to trust then; None for those of the system.

    Raises:
        CommandError: if they name no dealer, or contradict each other.
    """
    address, is_secure = _websocket(host, port) if "://" in host else (_lines(host, port), tls)
    if tls and not is_secure:
        raise CommandError(f"{host} is without TLS, and --tls asks for it: expected wss://", USAGE)
    if tls_ca is not None and not is_secure:
        raise CommandError(f"--tls-ca {tls_ca} is for TLS: expected --tls or a wss:// address too", USAGE)
    return address._replace(tls=_trusting(tls_ca)) if is_secure else address


def unreachable(address: Address, error: OSError) -> CommandError:
    """The error of a command that cannot connect, for this reason."""
    if isinstance(error, TlsError):
        return CommandError(f"cannot connect to {address}: {error}")
    doubt = "is a dealer running there?" if address.tls is None else "is a dealer there that speaks TLS?"
    return CommandError(f"cannot connect to {address}: {os_reason(error)}; {doubt}")


def _lines(host: str, port: int | None) -> Address:
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


def _websocket(address: str, port: int | None) -> tuple[Address, bool]:
    """The address, and whether it is over TLS."""
    if port is not None:
        raise CommandError(
            f"{address} has its port in it, and {port} comes after it: expected one port", USAGE
        )
    try:
        name, number, is_secure = locate(address)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    return Address(_reachable(name), number, address), is_secure


def _reachable(host: str) -> str:
    """The host to connect to, once it can be looked up at all."""
    if not is_host(host):
        raise CommandError(f"{host!r} is not a host: expected a name or an address", USAGE)
    return _THIS_MACHINE.get(host, host)


def _trusting(tls_ca: Path | None) -> ssl.SSLContext:
    try:
        return trusting(tls_ca)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
