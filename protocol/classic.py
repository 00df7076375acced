"""The dealer's messages in the classic wire format: the original ones only; players compare whole lines."""

from __future__ import annotations

from collections.abc import Sequence

from cards import Outcome
from protocol.codec import RESULTS
from protocol.errors import LocalProtocolError
from protocol.messages import (
    ASK,
    Begin,
    BetRequest,
    DealerCard,
    DecisionRequest,
    HandResult,
    HandTurn,
    Message,
    Result,
    Shuffle,
    SideRequest,
)


class ClassicMessages:
    """The messages to one classic player, round after round.

    Attributes:
        shows: whether the player has asked for the dealer's later cards, and so knows what they are.
    """

    __slots__ = ("_has_upcard", "shows")

    def __init__(self) -> None:
        self.shows = False
        self._has_upcard = False

    def translated(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """Return the messages as a classic player knows them; those without an old word are left out.

        Raises:
            LocalProtocolError: for a question that such a player cannot be asked.
        """
        return tuple(said for message in messages if (said := self._said(message)) is not None)

    def _said(self, message: Message) -> Message | None:
        match message:
            case DecisionRequest():
                return ASK
            case SideRequest() | BetRequest():
                raise LocalProtocolError("a classic player is asked for HIT or STAND only")
            case HandTurn() | HandResult() | Shuffle():
                return None
            case Result(outcome):
                return RESULTS[Outcome.LOSE if outcome is Outcome.SURRENDER else outcome]
            case Begin():
                self._has_upcard = False
            case DealerCard():
                if self._has_upcard and not self.shows:
                    return None
                self._has_upcard = True
        return message
