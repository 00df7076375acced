"""Observations as tuples of whole numbers: those of the environments, and of transitions from records."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from cards import Card, Decision, Hand
from twentyone.policies.policy import Observation, upcard_value

ObservationTuple = tuple[int, ...]
"""An observation: the total of the hand, the value of the upcard, and 1 for a soft hand, 0 for a hard one.

Where more than HIT and STAND is asked, three more: the points of a pair that may be split, 1 to 10 (an ace is
1), otherwise 0; how many hands the player has; and what is asked: `PLAY`, `INSURANCE` or `SURRENDER`.
"""

PLAY: Final = 0
INSURANCE: Final = 1
SURRENDER: Final = 2
"""The questions. SURRENDER is the question before the dealer peeks; later it is one of the decisions."""

QUESTIONS: Final = (PLAY, INSURANCE, SURRENDER)


def as_tuple(hand: Hand, upcard: Card) -> ObservationTuple:
    """The observation of a hand against an upcard, where only HIT and STAND are asked."""
    return hand.total, upcard_value(upcard), int(hand.is_soft)


def as_full_tuple(observed: Observation, hands: int) -> ObservationTuple:
    """The observation where more is asked.

    Args:
        observed: what is seen of the hand that is asked about, or was last, with what is allowed.
        hands: how many the player has.
    """
    total, is_soft, upcard, pair, options = observed
    assert upcard is not None
    return total, upcard, int(is_soft), pair, hands, question_of(options)


def question_of(options: Collection[Decision]) -> int:
    """The question, by the options."""
    if Decision.DECLINE not in options:
        return PLAY
    return INSURANCE if Decision.INSURE in options else SURRENDER


def is_allowed(decision: Decision, options: Collection[Decision]) -> bool:
    """Whether an action may be taken. STAND always may: it also declines."""
    return decision is Decision.STAND or decision in options
