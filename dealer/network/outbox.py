"""Outgoing messages from the lobby to one connection."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from mypy_extensions import mypyc_attr

from cards import Rules
from dealer.lobby.log import Reason
from dealer.network.turns import Turns
from dealer.network.writer import WRITE_LIMIT, Writer
from dealer.tables.clock import Clock
from dealer.tables.meter import Meter
from protocol import (
    DealerConversation,
    DealerMessage,
    DealerQuit,
    Life,
    State,
    TableUpdate,
    Word,
    expected_of_player,
)
from twentyone.support.counts import counted

SHOWN_PER_TURN: Final = 16
"""Onlookers who are shown a snapshot in a turn of the loop, which takes about half a millisecond."""

MAX_WAITING: Final = 16
"""Most snapshots queued for an onlooker, as many as a few quick answers bring; older ones are dropped."""

MAX_WAITING_BYTES: Final = WRITE_LIMIT // 2
"""Bytes of them, which are said at once: an onlooker that reads must not come near the limit."""

_OPEN: Final = Life.OPEN

UNREAD: Final = 30.0
"""Seconds after which somebody without a seat is broken off who has not read while a snapshot waits."""


@mypyc_attr(allow_interpreted_subclasses=True)
class ConnectionOutbox:
    """The outbox of a guest who is connected (see `dealer.lobby.guest.Outbox`).

    Args:
        conversation: the conversation with the peer.
        writer: writes its bytes.
        loop: the loop that it belongs to.
        dismiss: frees the player's seat for a reason, and says QUIT.
        go_on: carries out more of what the guest has said.
        turns: the onlookers' turns.
        unread_clock: runs while a snapshot waits for a peer to read.
        meter: notes how long an answer takes; None if nobody watches the dealer.

    Attributes:
        will_flush: whether what is said is written by a `flush` that will come in this turn of the loop.
        is_waiting: whether what is said waits for a file to be written.
        asked_at: when bytes were read that are still to be answered, by `time.perf_counter`; 0 for none.
    """

    __slots__ = (
        "_conversation",
        "_dismiss",
        "_go_on",
        "_has_to_read",
        "_is_in_line",
        "_loop",
        "_meter",
        "_turns",
        "_unread_clock",
        "_updates",
        "_watches",
        "_writer",
        "asked_at",
        "is_waiting",
        "will_flush",
    )

    def __init__(
        self,
        conversation: DealerConversation,
        writer: Writer,
        loop: asyncio.AbstractEventLoop,
        dismiss: Callable[[Reason], None],
        go_on: Callable[[], None],
        turns: Turns,
        unread_clock: Clock[ConnectionOutbox],
        meter: Meter | None = None,
    ) -> None:
        self._conversation = conversation
        self._writer = writer
        self._loop = loop
        self._dismiss = dismiss
        self._go_on = go_on
        self.will_flush = False
        self._turns = turns
        self._unread_clock = unread_clock
        self._meter = meter
        self.asked_at = 0.0
        self._watches = False
        self._is_in_line = False  # an onlooker's turn will come
        self._has_to_read = False  # before it is shown more
        self.is_waiting = False
        self._updates: tuple[TableUpdate, ...] = ()  # what waits; while the peer is behind only the newest

    @property
    def is_classic(self) -> bool:
        """Whether the player is classic, and gets only the messages that it knows."""
        return self._conversation.is_classic

    def send(self, *messages: DealerMessage) -> None:
        """Say messages: the state moves now, the bytes go at the end of this turn of the loop."""
        if self._updates and messages and isinstance(messages[-1], DealerQuit):
            updates, self._updates = self._updates, ()
            messages = (*messages[:-1], *updates, messages[-1])  # how it ended is seen by all
        self._conversation.send(*messages)
        if not self.will_flush:
            self._flush_later()

    def complain(self, word: Word, sentence: str) -> None:
        """Say that something asked for before is not granted."""
        self._conversation.complain(word, sentence)
        if not self.will_flush:
            self._flush_later()

    def _flush_later(self) -> None:
        """Flush at the end of this turn of the loop."""
        self.will_flush = True
        self._loop.call_soon(self.flush)

    @property
    def bytes_held(self) -> int:
        """The number of bytes that wait: said and not taken by the system, or not said yet."""
        held = self._conversation.bytes_to_send + self._writer.bytes_waiting
        return held + _size(self._updates) if self._updates else held

    def flush(self) -> None:
        """Write what has been said; close after the last of it."""
        self.will_flush = False
        if self.is_waiting:
            if self._conversation.bytes_to_send > WRITE_LIMIT:
                self._writer.drop_unread()
            return
        conversation = self._conversation
        if segments := conversation.data_to_send():
            self._writer.write(segments, conversation.pace, is_page=conversation.answers_requests)
            if self.asked_at and self._meter is not None:
                self._meter.note_answer(time.perf_counter() - self.asked_at)
                self.asked_at = 0.0
        if conversation.life is not _OPEN:
            self._follow_to_the_end()

    def wait(self) -> bool:
        """Write nothing of what is said until `go_on`; False if it waits already."""
        waited, self.is_waiting = self.is_waiting, True
        return not waited

    def go_on(self) -> None:
        """Write what has been said meanwhile."""
        self.is_waiting = False
        self.flush()

    def _follow_to_the_end(self) -> None:
        conversation = self._conversation
        if conversation.life is Life.OVER:
            self._writer.close()
        elif conversation.life is Life.HALF_CLOSED and conversation.is_abandoned:
            self._dismiss(Reason.SAYS_NO_MORE)

    def stop(self) -> None:
        """The connection is gone, and its guest is no more to be dismissed."""
        # These lead back here, and would keep all of it in memory.
        self._dismiss = _nothing
        self._go_on = _do_nothing
        self._updates = ()
        self._unread_clock.stop(self)

    def show(self, update: TableUpdate, *, at_once: bool) -> None:
        """Say how a watched table stands; a peer that is behind gets the newest when it has read."""
        if not self._watches:
            self._watches = True
            self._writer.notice_every_byte()
        if at_once or self._conversation.pace:  # a slow peer, or one that comes from another table
            self._updates = (update,)
        else:
            self._updates = _newest((*self._updates, update))
        if at_once:
            self._show_waiting()
        elif not self._is_in_line:
            self._is_in_line = True
            self._turns.wait_for(self._take_turn)

    def break_off(self) -> None:
        """The peer has not read for too long. A player is left to the clocks of its seat."""
        if self._conversation.state is State.CONNECTED:
            self._writer.drop_unread()

    def grant_seat(self, rules: Rules) -> None:
        """Note that the JOIN or the RESUME is granted, at a table of these rules."""
        self._conversation.grant(rules)

    def take_decision(self) -> bool:
        """No answer came in time; False if that was once too often, and the player is sent away."""
        if self._conversation.clock_ran_out():
            return True
        self._conversation.complain(Word.ENDED, "no answer to DECISION in time, too often in a row")
        self._dismiss(Reason.NO_ANSWER)
        return False

    def hold(self) -> None:
        """Carry out nothing more of what the guest says for now; only RULES is still answered."""
        self._conversation.is_held = True

    def release(self) -> None:
        """Go on after `hold`."""
        self._conversation.is_held = False
        self._go_on()

    def close(self) -> None:
        """Close the connection without a message."""
        self._conversation.close()
        self._loop.call_soon(self.flush)

    def turn_away(self, word: Word, sentence: str) -> None:
        """Say why, and close the connection without QUIT."""
        self._conversation.complain(word, sentence)
        self.close()

    def complain_of_line_end(self, seconds: float) -> bool:
        """Report an unfinished line after `seconds`; False while no answer is due."""
        if not self._conversation.complain_of_line_end(seconds):
            return False
        self.flush()
        return True

    def late_join(self, seconds: float) -> str:
        """The error for a peer that did not JOIN within `seconds`."""
        held = self._conversation.bytes_held
        if held:
            return f"no line end (LF) came within {seconds:g} s, after {counted(held, 'byte')}"
        return f"no JOIN for {seconds:g} s: expected {expected_of_player(self._conversation.state)}"

    def _take_turn(self) -> None:
        self._is_in_line = False
        if self._updates:
            self.will_flush = True
            self._show_waiting()
            self.flush()

    def _show_waiting(self) -> None:
        """Say what waits, or wait until the peer has read what it was told before."""
        if self._writer.is_behind:
            self._updates = self._updates[-1:]
            self._writer.when_caught_up(self._catch_up)
            if not self._has_to_read:
                self._has_to_read = True
                self._unread_clock.start(self)
        elif self._updates:
            updates, self._updates = self._updates, ()
            self.send(*updates)

    def _catch_up(self) -> None:
        self._has_to_read = False
        self._unread_clock.stop(self)
        self._show_waiting()


def _newest(updates: tuple[TableUpdate, ...]) -> tuple[TableUpdate, ...]:
    """As many of the newest as may wait."""
    while len(updates) > MAX_WAITING or (len(updates) > 1 and _size(updates) > MAX_WAITING_BYTES):
        updates = updates[1:]
    return updates


def _size(updates: tuple[TableUpdate, ...]) -> int:
    return sum(len(update.json) for update in updates)


def _nothing(_: Reason) -> None:
    """Do nothing: the guest is gone."""


def _do_nothing() -> None:
    """Do nothing: the guest whose messages would be carried out is gone."""
