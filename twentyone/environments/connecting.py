"""The address of a dealer, and the socket that is connected to it, over TLS or not."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from protocol.websocket import locate
from twentyone.support.tls import explained, trusting

PORT: Final = 8088
"""The port of a dealer that is started without one."""


class DealerGoneError(ConnectionError):
    """No dealer is listening, or it has gone; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a dealer, and the way to speak with it.

    Attributes:
        host: its host.
        port: its port.
        websocket: the `ws://` or `wss://` address, to speak WebSocket; None for lines.
        is_secure: whether over TLS.
        ca: the file of the authorities to trust then; None for those of the system.
    """

    host: str
    port: int
    websocket: str | None
    is_secure: bool
    ca: Path | None

    def __str__(self) -> str:
        return self.websocket or f"{self.host} port {self.port}"

    def connect(self, timeout: float) -> socket.socket:
        """A socket that is connected to it.

        Raises:
            DealerGoneError: if no dealer listens there, or it cannot be spoken with over TLS.
        """
        try:
            wire = socket.create_connection((self.host, self.port), timeout)
        except UnicodeError:
            raise DealerGoneError(f"there is no dealer at {self}: no host has such a name") from None
        except (OSError, OverflowError) as error:
            raise DealerGoneError(f"there is no dealer at {self}: {reason_of(error)}") from None
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self._over_tls(wire) if self.is_secure else wire

    def _over_tls(self, wire: socket.socket) -> socket.socket:
        try:
            return trusting(self.ca).wrap_socket(wire, server_hostname=self.host)
        except TimeoutError:
            reason = f"it does not answer within {wire.gettimeout():g} s"
        except OSError as error:
            reason = reason_of(explained(error, self.host, "tls_ca"))
        wire.close()
        raise DealerGoneError(f"the dealer at {self} cannot be reached over TLS: {reason}")


def address_of(host: str, port: int | None, *, tls: bool, tls_ca: str | Path | None) -> Address:
    """The address that keywords of an environment say.

    Raises:
        ValueError: if they contradict each other, or the file of `tls_ca` cannot be used.
    """
    websocket = None
    is_secure = tls
    if "://" in host:
        if port is not None:
            raise ValueError(f"{host} has its port in it, and port is {port}: expected one port")
        websocket = host
        host, port, is_secure = locate(websocket)
        if tls and not is_secure:
            raise ValueError(f"{websocket} is without TLS, and tls is True: expected wss://")
    if tls_ca is not None and not is_secure:
        raise ValueError(f"tls_ca {tls_ca} is for TLS: expected tls=True or a wss:// address too")
    ca = None if tls_ca is None else Path(tls_ca)
    if is_secure:
        trusting(ca)  # raises the error of a wrong file at once
    return Address(host, PORT if port is None else port, websocket, is_secure, ca)


def reason_of(error: Exception) -> str:
    """The system's reason in lower case, without its number: `connection refused`.

    As in `twentyone.support`, which belongs to the commands.
    """
    reason = getattr(error, "strerror", None) or str(error)
    return reason[:1].lower() + reason[1:]
