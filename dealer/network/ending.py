"""The end of a dealer: no further rounds, time for the open ones, and what everybody is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from enum import Enum
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from dealer.lobby.log import Reason
from dealer.lobby.reception import Reception
from dealer.tables.budget import Budget
from protocol.site import Closed

if TYPE_CHECKING:
    from dealer.network.connection import Connection

GRACE: Final = 5.0
"""Seconds that open rounds have to be finished once the dealer is stopping."""

REPLACED: Final = Closed(HTTPStatus.SERVICE_UNAVAILABLE, "this dealer is being replaced: connect again")
"""The reason that everybody is told by a dealer after which another process goes on."""


class _Phase(Enum):
    """The progress of the end of a dealer that is replaced."""

    NOT_BEGUN = "not begun"
    DRAINING = "draining"  # who sits plays on, and nobody else is let in
    FINISHING = "finishing"  # open rounds are played to their ends


class Ending:
    """The way of a dealer to its end; `over` is done when it is time to part.

    Args:
        loop: the loop that it runs on.
        budget: by which no further round begins at any table.
        reception: its tables, and who sits at them.
        drain: seconds for which those who sit play on while it is replaced; None for none.

    Attributes:
        over: done when nothing more is waited for.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, budget: Budget, reception: Reception, drain: float | None
    ) -> None:
        self.over: asyncio.Future[None] = loop.create_future()
        self._loop = loop
        self._budget = budget
        self._reception = reception
        self._drain = drain
        self._grace = GRACE
        self._phase = _Phase.NOT_BEGUN

    @property
    def open_rounds(self) -> int:
        """At how many tables a round is being played."""
        return sum(room.table.is_open_round for room in self._reception.rooms.by_number.values())

    def end(self) -> None:
        """Wait for nothing more."""
        if not self.over.done():
            self.over.set_result(None)

    # For good.

    def wind_up_within(self, grace: float) -> None:
        """Deal no more: every player is sent away at the end of the open round, or after the grace period."""
        self._budget.close()
        self._loop.call_soon(self._wind_up)  # not now: it may be called as a round ends
        self._loop.call_later(grace, self.end)

    def finish(self) -> None:
        """The dealer's own tables are closed for good; open rounds at the players' get the grace period."""
        if not self._reception.rooms.by_number:
            self.end()
        elif not self._budget.is_closed:
            self.wind_up_within(GRACE)

    def _wind_up(self) -> None:
        rooms = self._reception.rooms
        rooms.wind_up()
        if not rooms.by_number:
            self.end()

    # For another process that goes on.

    def make_way(self, grace: float) -> None:
        """Drain, if that was asked for; then let open rounds be finished within the grace period."""
        self._grace = grace
        if self._drain is None:
            self._finish_rounds()
            return
        self._phase = _Phase.DRAINING
        self._reception.closed = REPLACED.sentence
        self._loop.call_later(self._drain, self._finish_rounds)
        self.look()

    def look(self) -> None:
        """Go on at the end of this turn if nobody has to be waited for: a round is over, or somebody gone."""
        if self._phase is not _Phase.NOT_BEGUN:
            self._loop.call_soon(self._look)

    def _look(self) -> None:
        if self._phase is _Phase.DRAINING and not self._reception.seating.players:
            self._finish_rounds()
        elif self._phase is _Phase.FINISHING and not self.open_rounds:
            self.end()

    def _finish_rounds(self) -> None:
        if self._phase is _Phase.FINISHING:
            return
        self._phase = _Phase.FINISHING
        self._budget.halt()
        self._loop.call_later(self._grace, self.end)
        self.look()


def say_goodbye(connections: Iterable[Connection]) -> None:
    """Tell everybody that it is over."""
    for connection in list(connections):
        connection.dismiss(Reason.ENDED)


def send_away(connections: Iterable[Connection], before_kept: Callable[[], None]) -> None:
    """Tell everybody that another process goes on; kept seats stay taken, and all others are freed.

    Args:
        connections: those of everybody.
        before_kept: called when only players of kept seats are left.
    """
    everybody = list(connections)
    for connection in everybody:
        if not connection.is_kept:
            connection.send_away(REPLACED.sentence)
    before_kept()
    for connection in everybody:
        if connection.is_kept:
            connection.part(REPLACED.sentence)
