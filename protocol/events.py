"""The events of a conversation besides its messages, and its stages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from cards import Rules
from cards.value import Value


class Life(Enum):
    """The stages of a conversation, in order."""

    OPEN = "open"
    HALF_CLOSED = "half closed"  # the peer says no more; what it has said is still answered
    OVER = "over"  # this side's last words are said: nothing more is said or listened to
    GONE = "gone"  # the connection is gone


class Event(Value):
    """A thing that comes of a peer's bytes: a message, or one of those below."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LineRefused(Event):
    """For a dealer: a line was refused, and the player has been told.

    Attributes:
        reason: the sentence that it was told.
        is_last: whether the conversation ends with it: the seat is to be freed, and then QUIT to be sent.
        is_final: whether the connection is closed after it, without QUIT.
    """

    reason: str
    is_last: bool
    is_final: bool = False


@dataclass(frozen=True, slots=True)
class PeerFinished(Event):
    """The peer will say no more, and all that it has said has been looked at."""


@dataclass(frozen=True, slots=True)
class RequestRefused(Event):
    """For a dealer: an HTTP request was refused because of the name or the page that it came by.

    Attributes:
        reason: the status, and the Host and the Origin of the request.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class RulesKnown(Event):
    """For a player: the rules that the dealer plays by; None if it does not say."""

    rules: Rules | None


@dataclass(frozen=True, slots=True)
class ProtocolBroken(Event):
    """For a player: the dealer broke the protocol, and the conversation is over.

    Attributes:
        reason: what was wrong, as a sentence.
        has_begun: whether there was a conversation at all; none begins where no WebSocket opens.
    """

    reason: str
    has_begun: bool = True

    def told_of(self, dealer: str) -> str:
        """The sentence for a person: a dealer that opens no WebSocket breaks nothing by that."""
        return f"{dealer} broke the protocol: {self.reason}" if self.has_begun else self.reason
