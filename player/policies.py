"""Policies: from what a seat sees to a decision, pure but for the random source that one may be given."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cards import Below, Card, Decision


class Observation(NamedTuple):
    """What a player sees when it is asked.

    Attributes:
        total: the best total of the hand, 2 to 21.
        is_soft: whether an ace counts 11 in it and could still count 1.
        upcard: the value of the dealer's upcard, 2 to 11 (an ace is 11); None without a dealer.
    """

    total: int
    is_soft: bool
    upcard: int | None


Policy = Callable[[Observation], Decision]


def upcard_value(card: Card) -> int:
    """The value of an upcard as policies see it: 2 to 10, and 11 for an ace."""
    return 11 if card.is_ace else card.points


def threshold(total: int) -> Policy:
    """Draw below a total, stand at it and above, whatever the dealer shows and however soft the hand."""

    def policy(observation: Observation) -> Decision:
        return Decision.HIT if observation.total < total else Decision.STAND

    return policy


def at_random(below: Below) -> Policy:
    """Hit or stand with equal chance."""

    def policy(_: Observation) -> Decision:
        return Decision.STAND if below(2) else Decision.HIT

    return policy
