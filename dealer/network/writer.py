"""Writing to one transport: at the peer's pace, with a bound on what it has not read, to an orderly end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from dealer.network.pacer import Pacer

WRITE_LIMIT: Final = 32_768
"""Bytes that may wait for a peer to read them: over 200 rounds' worth, beyond what the system buffers."""


class Writer:
    """One side of a connection, as far as it writes.

    Args:
        transport: what is written to.
        loop: the loop that it belongs to.
        linger: called when this side is closed and the peer's is not.

    Attributes:
        is_unread: whether it has broken off because the peer does not read.
    """

    __slots__ = (
        "_has_closed",
        "_has_peer_closed",
        "_is_paused",
        "_linger",
        "_loop",
        "_pacer",
        "_then",
        "_transport",
        "_writes_page",
        "is_unread",
    )

    def __init__(
        self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, linger: Callable[[], object]
    ) -> None:
        self._transport = transport
        self._loop = loop
        self._linger = linger
        self._pacer: Pacer | None = None
        self._is_paused = False  # the peer has not read all that was written
        self._writes_page = False
        self._then: Callable[[], None] | None = None  # to be called once it has
        self._has_peer_closed = False
        self._has_closed = False
        self.is_unread = False
        transport.set_write_buffer_limits(high=WRITE_LIMIT)

    @property
    def has_peer_closed(self) -> bool:
        """Whether the peer has closed its side: nothing more can be read."""
        return self._has_peer_closed

    @property
    def is_open(self) -> bool:
        """Whether this side is not closed yet."""
        return not self._has_closed

    @property
    def is_behind(self) -> bool:
        """Whether something that was written still waits."""
        return self._is_paused or (self._pacer is not None and self._pacer.waiting > 0)

    @property
    def has_more(self) -> bool:
        """Whether bytes wait that the system has not taken yet."""
        return self._transport.get_write_buffer_size() > 0

    @property
    def bytes_waiting(self) -> int:
        """The number of bytes that the system has not taken yet."""
        paced = 0 if self._pacer is None else self._pacer.waiting
        return self._transport.get_write_buffer_size() + paced

    def write(self, segments: list[bytes], pace: float, *, is_page: bool = False) -> None:
        """Write segments, each at least `pace` seconds after the one before it.

        Args:
            segments: what is written.
            pace: seconds.
            is_page: whether it answers a request of HTTP: it may be larger than what else may wait.
        """
        if self._has_closed or not segments:
            return
        if pace:
            self._write_paced(segments, pace)
            return
        self._writes_page = is_page
        for segment in segments:
            self._transport.write(segment)
        if self._is_paused and not is_page:
            self._drop_if_too_far_behind()

    def notice_every_byte(self) -> None:
        """Report backpressure as soon as one byte is buffered, not only at the limit."""
        self._transport.set_write_buffer_limits(high=0)

    def when_caught_up(self, then: Callable[[], None]) -> None:
        """Call this once, when nothing waits any more; never if this side is closed before."""
        if self._has_closed:
            return
        if self._is_paused:
            self._then = then
        elif self._pacer is not None:
            self._pacer.when_empty(then)

    def pause(self) -> None:
        """The peer has not read what was written."""
        self._is_paused = True
        if not self._writes_page:
            self._drop_if_too_far_behind()

    def resume(self) -> None:
        """The peer has read it."""
        self._is_paused = False
        then, self._then = self._then, None
        if then is not None:
            then()

    def note_peer_closed(self) -> None:
        """The peer has closed its side."""
        self._has_peer_closed = True

    def close(self) -> None:
        """Half-close after flushing; may be called twice."""
        if self._pacer is not None:
            self._pacer.when_empty(self._close_now)
        else:
            self._close_now()

    def drop(self) -> None:
        """Break off, with whatever has not been written."""
        self._transport.abort()

    def drop_unread(self) -> None:
        """Break off, since the peer does not read."""
        self.is_unread = True
        self.drop()

    def stop(self) -> None:
        """The connection is gone."""
        self._has_closed = True
        self._linger, self._then = _nothing, None  # they lead back here, and would keep all of it in memory
        if self._pacer is not None:
            self._pacer.stop()

    def _write_paced(self, segments: list[bytes], pace: float) -> None:
        if self._pacer is None:
            self._pacer = Pacer(self._transport, pace, self._loop.call_later)
        self._pacer.write(segments)
        if self._pacer.waiting > WRITE_LIMIT:
            self.drop_unread()

    def _drop_if_too_far_behind(self) -> None:
        if self._transport.get_write_buffer_size() > WRITE_LIMIT:
            self.drop_unread()

    def _close_now(self) -> None:
        if self._has_closed:
            return
        self._has_closed = True
        if self._has_peer_closed:
            self._transport.close()
            if self.has_more:
                self._linger()  # it may never be read
            return
        # To close a socket with unread bytes in it would reset it, and our last words would be lost: so the
        # peer is heard out until it closes its side, or for as long as the dealer lingers.
        try:
            self._transport.write_eof()
        except OSError:  # the peer has vanished, and the loop does not know it yet
            self.drop()
        else:
            self._linger()


def _nothing() -> None:
    """Do nothing: the connection is gone."""
