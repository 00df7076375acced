"""A player's hands in a round, as the messages of a dealer tell of them."""

from __future__ import annotations

from cards import Ace, Hand
from protocol.errors import RemoteProtocolError
from protocol.messages import HandTurn


class ToldHands:
    """The hands of one round.

    Args:
        ace: what an ace counts.

    Attributes:
        hands: one hand, and more after a split.
        turn: the number of the hand that the next card and question are for.
    """

    __slots__ = ("_ace", "hands", "turn")

    def __init__(self, ace: Ace) -> None:
        self.hands = [Hand(ace)]
        self.turn = 0
        self._ace = ace

    @property
    def hand(self) -> Hand:
        """The hand that the next card and question are for."""
        return self.hands[self.turn]

    def go_on(self, message: HandTurn) -> bool:
        """Go on with another hand; whether the last one has been split for it.

        Raises:
            RemoteProtocolError: if there are not as many hands as the message tells of.
        """
        count, cards = len(self.hands), self.hand.cards
        is_split = message.hands == count + 1 and len(cards) == 2
        if message.hands != count + is_split:
            told = f"{message.hands} hand{'' if message.hands == 1 else 's'}"
            raise RemoteProtocolError(f"HAND has {told}: expected {count}")
        if is_split:
            self.hands[self.turn : self.turn + 1] = [Hand(self._ace, [card]) for card in cards]
        self.turn = message.hand
        return is_split
