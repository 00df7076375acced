"""A connection whose first bytes tell where it comes from, and whether it is encrypted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Protocol, cast

from dealer.network.addresses import Proxies
from dealer.network.places import Admission, Places
from dealer.network.proxy_header import HeaderError, ProxyHeader
from dealer.tables.clock import Clock
from protocol.public_url import PublicUrl
from protocol.site import Closed

if TYPE_CHECKING:
    from dealer.network.certificate import Certificate

HEADER_TIMEOUT: Final = 5.0
"""Seconds that a proxy has for its PROXY header."""

HANDSHAKE_TIMEOUT: Final = 10.0
"""Seconds that a peer has until TLS is agreed."""

SPEAKS_TLS: Final = (
    "this dealer speaks TLS:"
    " expected https:// in a browser, wss:// or --tls in a program, or ncat --ssl by hand"
)


class Arrivals(Protocol):
    """The part of a dealer that arrivals need."""

    def arrived(self, arrival: Arrival) -> None:
        """Note that it is there."""

    def passed(self, arrival: Arrival) -> None:
        """Note that it is a connection now, or gone."""

    def has_time(self) -> bool:
        """Whether one more may be told why it is turned away."""

    def turned_away(self, address: str, reason: str) -> None:
        """Note that it is closed without a word."""


@dataclass(frozen=True, slots=True)
class Door:
    """A place where a dealer listens, as far as connections must say something first.

    Attributes:
        proxies: those that are believed.
        places: for connections.
        certificate: by which TLS is spoken here; None for no TLS.
        connect: makes the connection of a peer that has a place, or is turned away.
        header_clock: runs for an arrival until its PROXY header is whole.
        handshake_clock: runs for one until TLS is agreed.
        arrivals: told of each.
        moved_to: where pages are by TLS; None if that is not known.
    """

    proxies: Proxies
    places: Places
    certificate: Certificate | None
    connect: Callable[[Admission], asyncio.Protocol]
    header_clock: Clock[Arrival]
    handshake_clock: Clock[Arrival]
    arrivals: Arrivals
    moved_to: PublicUrl | None = None

    @property
    def not_encrypted(self) -> Closed:
        """The reason for a peer that speaks no TLS."""
        return Closed(HTTPStatus.BAD_REQUEST, SPEAKS_TLS, self.moved_to)


class Arrival(asyncio.Protocol):
    """A connection until it is known who speaks: then a `Connection` goes on with its transport.

    Args:
        door: by which it comes.
    """

    __slots__ = ("_door", "_header", "_is_encrypted", "_transport", "admission")

    _transport: asyncio.Transport
    admission: Admission

    def __init__(self, door: Door) -> None:
        self._door = door
        self._header: ProxyHeader | None = None  # as long as it is not whole
        self._is_encrypted = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a place, and wait for the first bytes."""
        door, peer = self._door, transport.get_extra_info("peername")
        self._transport = cast(asyncio.Transport, transport)
        source, announces = door.proxies.of_peer(peer), door.proxies.announces(peer)
        if peer is None:  # a proxy that asks whether the dealer is there is often gone at once
            self.admission = Admission(source, is_counted=False)
        else:  # one that announces another connects for it, and is free itself
            self.admission = door.places.admit(replace(source, is_free=True) if announces else source)
        door.arrivals.arrived(self)
        if peer is None:
            self.drop()
        elif announces:
            self._header = ProxyHeader()
            door.header_clock.start(self)
        else:
            self._go_on()

    def data_received(self, data: bytes) -> None:
        """Take the first bytes."""
        if self._header is not None:
            self._take_header(self._header, data)
        else:
            self._look_at_first(data)

    def eof_received(self) -> None:
        """Nothing more comes, and nothing has come: the loop closes the connection."""

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone before it was known who speaks."""
        self._stop_clocks()
        self._door.places.leave(self.admission)
        self._door.arrivals.passed(self)

    def drop(self) -> None:
        """Break off."""
        self._transport.abort()

    def miss_header(self) -> None:
        """Break off, since a proxy has said too little."""
        missing = "PROXY header" if self._header is not None else "line behind a PROXY header"
        self._break_off(f"no whole {missing} came in time")

    def miss_handshake(self) -> None:
        """TLS was not agreed in time: break off. One that has said nothing is told what to say."""
        if self._is_encrypted:
            self._break_off("TLS was not agreed in time")
        else:
            self._turn_away()

    # Its own.

    def _take_header(self, header: ProxyHeader, data: bytes) -> None:
        try:
            header.receive(data)
        except HeaderError as error:
            self._break_off(str(error))
            return
        if not header.is_whole:
            return
        door, self._header = self._door, None
        door.header_clock.stop(self)
        self._move(header.address)
        if header.address is None and not header.rest and door.certificate is None:
            door.header_clock.start(self)  # it may ask whether the dealer is there, and say no more
            return
        above = self._go_on() or self
        if header.rest and not self._transport.is_closing():
            above.data_received(header.rest)

    def _move(self, address: str | None) -> None:
        """Count it by the address that its header names; by the proxy's own if it names none."""
        door = self._door
        own = door.proxies.of_peer(self._transport.get_extra_info("peername"))
        source = own if address is None else door.proxies.announced(address)
        self.admission = door.places.move(self.admission, source)

    def _go_on(self) -> asyncio.Protocol | None:
        """It is known from where it comes: what goes on with it, if that is known too."""
        if self.admission.closed is not None and not self._door.arrivals.has_time():
            self.drop()
        elif self._door.certificate is None:
            return self._pass_on(self._door.connect(self.admission))
        else:
            self._door.handshake_clock.start(self)
        return None

    def _look_at_first(self, data: bytes) -> None:
        """Shake hands, or say that this has to be done."""
        from dealer.network.encrypted import HANDSHAKE_BYTE, Encryption

        certificate = self._door.certificate
        if certificate is None:
            self._pass_on(self._door.connect(self.admission)).data_received(data)
            return
        if data[0] != HANDSHAKE_BYTE:
            self._turn_away().data_received(data)
            return
        self._is_encrypted = True
        above = Encryption(certificate.context, self._open_encrypted, self._fail, self.connection_lost)
        self._transport.set_protocol(above)
        above.connection_made(self._transport)
        above.data_received(data)

    def _turn_away(self) -> asyncio.Protocol:
        """Say that this dealer speaks TLS, or why it lets nobody in."""
        closed = self.admission.closed or self._door.not_encrypted
        return self._pass_on(self._door.connect(replace(self.admission, closed=closed)))

    def _open_encrypted(self) -> asyncio.Protocol:
        """TLS is agreed: what is above it."""
        self._stop_clocks()
        self._door.arrivals.passed(self)
        return self._door.connect(self.admission)

    def _pass_on(self, above: asyncio.Protocol) -> asyncio.Protocol:
        """Hand the transport on to a protocol."""
        self._stop_clocks()
        self._door.arrivals.passed(self)
        self._transport.set_protocol(above)
        above.connection_made(self._transport)
        return above

    def _stop_clocks(self) -> None:
        self._door.header_clock.stop(self)
        self._door.handshake_clock.stop(self)

    def _break_off(self, reason: str) -> None:
        self._fail(reason)
        self.drop()

    def _fail(self, reason: str) -> None:
        self._door.arrivals.turned_away(self.admission.source.address, reason)
