"""A hand of a seat within a round, and what became of it."""

from __future__ import annotations

from enum import Enum

from mypy_extensions import mypyc_attr

from cards.hand import Hand
from cards.rules import Outcome, Payoff


class SeatState(Enum):
    """The state of a hand, or of a seat, within the round."""

    PLAYING = "playing"
    STANDING = "standing"
    BUST = "bust"
    SURRENDERED = "surrendered"
    FORFEITED = "forfeited"


@mypyc_attr(allow_interpreted_subclasses=True)
class PlayedHand:
    """A hand of a seat, and what became of it.

    Args:
        hand: the cards.
        state: its state.
        is_split: whether it was made by a split, so that 21 in two cards is no natural.

    Attributes:
        hand: the cards.
        state: its state.
        is_split: whether it was made by a split.
        stake: what is staked on it, in initial bets: 1, or 2 once it is doubled.
        outcome: its outcome; None until it is settled.
        payoff: its payoff in initial bets, without insurance; None until it is settled.
    """

    __slots__ = ("hand", "is_split", "outcome", "payoff", "stake", "state")

    def __init__(self, hand: Hand, state: SeatState, *, is_split: bool = False) -> None:
        self.hand = hand
        self.state = state
        self.is_split = is_split
        self.stake = 1
        self.outcome: Outcome | None = None
        self.payoff: Payoff | None = None

    @property
    def is_natural(self) -> bool:
        """Whether it is a natural: 21 in the first two cards, not after a split."""
        return self.hand.is_natural and not self.is_split
