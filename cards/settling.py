"""The settlement of finished hands: against the dealer's hand, or against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cards.hand import TWENTY_ONE, Hand
from cards.rules import Naturals, Outcome

# In Python 3.11 each look at a member of an Enum through its class costs as much as a call.
_WIN: Final = Outcome.WIN
_PUSH: Final = Outcome.PUSH
_LOSE: Final = Outcome.LOSE
_BUST: Final = Outcome.BUST
_EQUAL: Final = Naturals.EQUAL


def settle(player: Hand, dealer: Hand, naturals: Naturals) -> Outcome:
    """The outcome of a player's finished hand against the dealer's.

    A player who busts has lost, whatever the dealer holds. Under `Naturals.BEAT` a natural beats every other
    21, and only a natural pushes against a dealer's natural.
    """
    if player.total > TWENTY_ONE:
        return _BUST
    if dealer.total > TWENTY_ONE:
        return _WIN
    mine, theirs = strength(player, naturals), strength(dealer, naturals)
    if mine == theirs:
        return _PUSH
    return _WIN if mine > theirs else _LOSE


def settle_showdown(hands: Sequence[Hand], naturals: Naturals) -> list[Outcome]:
    """The outcome of each hand in a round without a dealer: the highest hand not over 21 wins.

    Equal highest hands PUSH. If all hands are bust, all have BUST.
    """
    strengths = [0 if hand.is_bust else strength(hand, naturals) for hand in hands]
    best = max(strengths, default=0)
    top = Outcome.WIN if strengths.count(best) == 1 else Outcome.PUSH
    return [
        Outcome.BUST if hand.is_bust else top if mine == best else Outcome.LOSE
        for hand, mine in zip(hands, strengths, strict=True)
    ]


def strength(hand: Hand, naturals: Naturals) -> int:
    """The rank of a hand that is not bust: its total, or 22 for a natural that beats other 21s."""
    if naturals is not _EQUAL and hand.is_natural:
        return hand.total + 1
    return hand.total
