"""TLS over a transport of the loop: what is above it reads and writes as without.

The loops have TLS of their own. But it closes both sides when a peer closes its own, so that `printf` into
`ncat --ssl` hears no answer, and it keeps up to 256 KiB for each connection.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, cast

PIECE: Final = 16_384
"""Bytes that one record of TLS has at most (RFC 8446, 5.1)."""

HANDSHAKE_BYTE: Final = 0x16
"""The first byte of everybody who speaks TLS: a record of a handshake."""


class EncryptedTransport(asyncio.Transport):
    """The way out: bytes are encrypted and written at once.

    Args:
        raw: what the encrypted bytes are written to.
        tls: encrypts them.
        outgoing: has what it has encrypted.

    Attributes:
        resumed: called once, when bytes are read again.
    """

    __slots__ = ("_has_said_closed", "_outgoing", "_raw", "_tls", "resumed")

    def __init__(self, raw: asyncio.Transport, tls: ssl.SSLObject, outgoing: ssl.MemoryBIO) -> None:
        self._raw = raw
        self._tls = tls
        self._outgoing = outgoing
        self._has_said_closed = False
        self.resumed: Callable[[], object] | None = None

    def send(self) -> None:
        """Write what has been encrypted: answers, or what TLS itself has to say."""
        if self._outgoing.pending:
            self._raw.write(self._outgoing.read())

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Write bytes; an error of TLS breaks the connection off."""
        if self._has_said_closed or self._raw.is_closing():
            return
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._tls.write(rest) :]
        except ssl.SSLError:
            self.abort()
        else:
            self.send()

    def write_eof(self) -> None:
        """Close this side; the peer may still say something, which is not read."""
        self._say_closed()
        self._raw.write_eof()

    def can_write_eof(self) -> bool:
        """One side can be closed alone."""
        return True

    def close(self) -> None:
        """Close both sides once all is written."""
        self._say_closed()
        self._raw.close()

    def abort(self) -> None:
        """Break off."""
        self._raw.abort()

    @property
    def reads(self) -> bool:
        """Whether what comes is still to be decrypted."""
        return not self._has_said_closed

    def _say_closed(self) -> None:
        if self._has_said_closed:
            return
        self._has_said_closed = True
        with suppress(ssl.SSLError):  # the peer has not answered it yet
            self._tls.unwrap()
        self.send()

    # The rest is the transport's below.

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """A fact about the connection, such as its `peername`; there is an `ssl_object`, as in loops."""
        if name == "ssl_object":
            return self._tls
        return self._raw.get_extra_info(name, default)

    def is_closing(self) -> bool:
        """Whether it is closed, or about to be."""
        return self._raw.is_closing()

    def is_reading(self) -> bool:
        """Whether bytes are read."""
        return self._raw.is_reading()

    def pause_reading(self) -> None:
        """Read no more for now."""
        self._raw.pause_reading()

    def resume_reading(self) -> None:
        """Read on."""
        self._raw.resume_reading()
        resumed, self.resumed = self.resumed, None
        if resumed is not None:
            resumed()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Set when the peer counts as behind, in encrypted bytes."""
        self._raw.set_write_buffer_limits(high, low)

    def get_write_buffer_size(self) -> int:
        """The number of encrypted bytes that wait."""
        return self._raw.get_write_buffer_size()


class Encryption(asyncio.Protocol):
    """The way in: it shakes hands, and then decrypts what comes for the protocol above.

    Args:
        context: with the dealer's certificate.
        opened: makes the protocol above, once hands are shaken.
        failed: told why they are not; the connection is closed then.
        lost: called when the connection is gone before.
    """

    __slots__ = (
        "_context",
        "_failed",
        "_has_ended",
        "_incoming",
        "_lost",
        "_opened",
        "_protocol",
        "_raw",
        "_tls",
        "_transport",
    )

    _raw: asyncio.Transport
    _tls: ssl.SSLObject
    _transport: EncryptedTransport

    def __init__(
        self,
        context: ssl.SSLContext,
        opened: Callable[[], asyncio.Protocol],
        failed: Callable[[str], object],
        lost: Callable[[Exception | None], object],
    ) -> None:
        self._context = context
        self._opened = opened
        self._failed = failed
        self._lost = lost
        self._incoming = ssl.MemoryBIO()
        self._protocol: asyncio.Protocol | None = None
        self._has_ended = False  # the peer has closed its side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Be ready for the first bytes."""
        outgoing = ssl.MemoryBIO()
        self._raw = cast(asyncio.Transport, transport)
        self._tls = self._context.wrap_bio(self._incoming, outgoing, server_side=True)
        self._transport = EncryptedTransport(self._raw, self._tls, outgoing)

    def data_received(self, data: bytes) -> None:
        """Take encrypted bytes."""
        if not self._transport.reads or self._has_ended:
            return
        self._incoming.write(data)
        if self._protocol is None and not self._shake_hands():
            return
        if self._transport.reads:  # and nobody was turned away
            self._read()

    def eof_received(self) -> bool:
        """The peer has closed its side, perhaps without saying so in TLS."""
        if self._protocol is None:
            self._failed("it closed the connection before TLS was agreed")
            return False
        if self._has_ended:
            return True  # it has said so before
        self._has_ended = True
        return bool(self._protocol.eof_received())

    def pause_writing(self) -> None:
        """The peer has not read what was written."""
        if self._protocol is not None:
            self._protocol.pause_writing()

    def resume_writing(self) -> None:
        """The peer has read it."""
        if self._protocol is not None:
            self._protocol.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        if self._protocol is not None:
            self._protocol.connection_lost(exc)
        else:
            self._lost(exc)

    def _shake_hands(self) -> bool:
        """Go on with the handshake; whether it is over."""
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            self._transport.send()
            return False
        except ssl.SSLError as error:
            self._transport.send()  # the alert
            self._failed(f"TLS could not be agreed: {(error.reason or str(error)).replace('_', ' ').lower()}")
            self._raw.close()
            return False
        self._transport.send()
        self._protocol = self._opened()
        self._protocol.connection_made(self._transport)
        return True

    def _read(self) -> None:
        """Decrypt all that has come, and hand it on."""
        assert self._protocol is not None
        tls, incoming, pieces, is_broken = self._tls, self._incoming, list[bytes](), False
        try:
            while incoming.pending or tls.pending():  # to ask for more than there is costs an exception
                piece = tls.read(PIECE)
                if not piece:
                    self._has_ended = True
                    break
                pieces.append(piece)
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError:
            is_broken = True
        self._transport.send()  # what TLS itself has to say, such as that it is broken
        if pieces:
            self._protocol.data_received(b"".join(pieces))
        if is_broken:
            self._break_off()
        elif self._has_ended:
            self._tell_end()

    def _tell_end(self) -> None:
        """Tell that the peer has closed its side; as loops do, not while reading is paused."""
        if self._raw.is_closing():
            return
        if not self._raw.is_reading():
            loop = asyncio.get_running_loop()
            self._transport.resumed = lambda: loop.call_soon(self._tell_end)
            return
        assert self._protocol is not None
        if not self._protocol.eof_received():
            self._transport.close()

    def _break_off(self) -> None:
        """Close the connection; without waiting for a peer that does not read."""
        if self._raw.get_write_buffer_size() > 0:
            self._raw.abort()
        else:
            self._raw.close()
