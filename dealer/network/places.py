"""The places for connections: so many in all, and so many from each address."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final

from dealer.network.addresses import Addresses, Source
from protocol.site import Closed

FULL: Final = Closed(HTTPStatus.SERVICE_UNAVAILABLE, "dealer is full")
TOO_MANY: Final = Closed(HTTPStatus.TOO_MANY_REQUESTS, "too many connections from your address")


@dataclass(frozen=True, slots=True)
class Admission:
    """The place of a connection, or why it has none.

    Attributes:
        source: where it comes from.
        closed: why it is turned away; None if it is let in.
        is_counted: whether it takes a place; one that is turned away may take one as long as it is there.
    """

    source: Source
    closed: Closed | None = None
    is_counted: bool = True


class Places:
    """Counts the connections.

    Args:
        most: how many there may be in all.
        most_from_address: how many from one address.
        make_room: ends a connection that waits for nothing, of all or of those from an address, and gives its
            place back; False if there is none.

    Attributes:
        closed: why nobody is let in any more; None as long as they are.
    """

    def __init__(self, most: int, most_from_address: int, make_room: Callable[[str | None], bool]) -> None:
        self._most = most
        self._taken = 0
        self.closed: Closed | None = None
        self._addresses = Addresses(most_from_address)
        self._make_room = make_room

    @property
    def is_full(self) -> bool:
        """Whether all places are taken, if only by connections that wait for nothing."""
        return self._taken >= self._most

    def close(self, closed: Closed) -> None:
        """Let nobody in any more; connections that are there keep their places."""
        self.closed = closed

    def why_closed(self, _: Sequence[str]) -> Closed | None:
        """The answer to a request of HTTP on a connection that is there; None for an ordinary one."""
        return self.closed

    def admit(self, source: Source) -> Admission:
        """Take a place for a connection from there, if there is one."""
        if self.closed is not None:
            return Admission(source, self.closed, is_counted=False)
        if not self._admit_address(source):
            return Admission(source, TOO_MANY, is_counted=False)
        if self._taken >= self._most and not self._make_room(None):
            self._addresses.leave(source)
            return Admission(source, FULL, is_counted=False)
        self._taken += 1
        return Admission(source)

    def move(self, admission: Admission, source: Source) -> Admission:
        """Count a connection by another address, of which it is known only now that it comes from there."""
        if not admission.is_counted:
            return replace(admission, source=source)
        self._addresses.leave(admission.source)
        if not self._admit_address(source):
            self._taken -= 1
            return Admission(source, TOO_MANY, is_counted=False)
        return replace(admission, source=source)

    def leave(self, admission: Admission) -> None:
        """A connection is gone, or waits for nothing any more."""
        if admission.is_counted:
            self._taken -= 1
            self._addresses.leave(admission.source)

    def _admit_address(self, source: Source) -> bool:
        return self._addresses.admit(source) or (
            self._make_room(source.address) and self._addresses.admit(source)
        )
