"""What the lobby says to a guest, on its way to the conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from cards import Rules
from dealer.network.writer import Writer
from protocol import Conversation, DealerMessage, DealerQuit, Life, TableUpdate, Word, expected_of_player

# In Python 3.11 each look at a member of an Enum through its class costs as much as a call.
_OPEN: Final = Life.OPEN
_OVER: Final = Life.OVER
_HALF_CLOSED: Final = Life.HALF_CLOSED


class ConnectionOutbox:
    """The outbox of a guest who is connected (see `dealer.lobby.guest.Outbox`).

    Args:
        conversation: what is said.
        writer: who writes it.
        loop: the loop that it belongs to.
        dismiss: frees the player's seat and says QUIT.
    """

    __slots__ = ("_conversation", "_dismiss", "_is_scheduled", "_loop", "_update", "_watches", "_writer")

    def __init__(
        self,
        conversation: Conversation,
        writer: Writer,
        loop: asyncio.AbstractEventLoop,
        dismiss: Callable[[], None],
    ) -> None:
        self._conversation = conversation
        self._writer = writer
        self._loop = loop
        self._dismiss = dismiss
        self._is_scheduled = False  # a flush will come
        self._watches = False
        self._update: TableUpdate | None = None  # the newest, while the peer is behind

    def send(self, *messages: DealerMessage) -> None:
        """Say messages: the state moves now, the bytes go at the end of this turn of the loop."""
        if self._update is not None and messages and isinstance(messages[-1], DealerQuit):
            update, self._update = self._update, None
            messages = (*messages[:-1], update, messages[-1])  # how it ended is seen by all
        self._conversation.send(*messages)
        if not self._is_scheduled:
            self._is_scheduled = True
            self._loop.call_soon(self.flush)

    def collect(self) -> None:
        """Write nothing before the `flush` that the caller will call, in this turn of the loop."""
        self._is_scheduled = True

    def flush(self) -> None:
        """Write what has been said; close after the last of it."""
        self._is_scheduled = False
        conversation = self._conversation
        self._writer.write(conversation.data_to_send(), conversation.pace)
        if conversation.life is not _OPEN:
            self._follow_to_the_end()

    def _follow_to_the_end(self) -> None:
        conversation = self._conversation
        if conversation.life is _OVER:
            self._writer.close()
        elif conversation.life is _HALF_CLOSED and conversation.is_abandoned:
            self._dismiss()

    def stop(self) -> None:
        """The connection is gone, and its guest is no more to be dismissed."""
        self._dismiss = _nothing  # the other would lead back here, and keep all of it in memory

    def show(self, update: TableUpdate) -> None:
        """Say how a watched table stands; a peer that is behind gets the newest when it has read."""
        if not self._watches:
            self._watches = True
            self._writer.notice_every_byte()
        if self._writer.is_behind:
            self._update = update
            self._writer.when_caught_up(self._show_newest)
        else:
            self.send(update)

    def grant_seat(self, rules: Rules) -> None:
        """Note that the JOIN or the RESUME is granted, at a table of these rules."""
        self._conversation.grant(rules)

    def take_decision(self) -> bool:
        """No answer came in time; False if that was once too often, and the player is sent away."""
        if self._conversation.clock_ran_out():
            return True
        self._conversation.complain(Word.ENDED, "no answer to DECISION in time, too often in a row")
        self._dismiss()
        return False

    def close(self) -> None:
        """Close the connection without a word."""
        self._conversation.close()
        self._loop.call_soon(self.flush)

    def turn_away(self, word: Word, sentence: str) -> None:
        """Say why, and close the connection without QUIT."""
        self._conversation.complain(word, sentence)
        self.close()

    def complain_of_line_end(self, seconds: float) -> bool:
        """Say that a line lacks its end for so long; False if nobody waits for that line as yet."""
        if not self._conversation.complain_of_line_end(seconds):
            return False
        self.flush()
        return True

    def time_out(self, seconds: float) -> None:
        """Turn away a peer that has not joined in time."""
        held = self._conversation.bytes_held
        if held:
            self.turn_away(Word.ENDED, f"no line end (LF) came within {seconds:g} s, after {held} bytes")
        else:
            expected = expected_of_player(self._conversation.state)
            self.turn_away(Word.ENDED, f"no JOIN for {seconds:g} s: expected {expected}")

    def _show_newest(self) -> None:
        update, self._update = self._update, None
        if update is not None:
            self.show(update)


def _nothing() -> None:
    """What is done about a guest who is gone."""
