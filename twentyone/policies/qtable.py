"""The cells of a Q table, 22 x 22 x 2 action values of HIT and STAND, and what they mean."""

from __future__ import annotations

from typing import Final

from cards import HoleCard, Rules, asking
from twentyone.policies.policy import Observation

SHAPE: Final = (22, 22, 2)
"""Player's total 0..21, dealer column 0..21, action 0 (HIT) or 1 (STAND)."""

CELLS: Final = 22 * 22 * 2
HIT: Final = 0
STAND: Final = 1


def is_by_hand(rules: Rules) -> bool:
    """Whether tables have a row for each hand.

    Those of 22 x 22 cells say all that is answered only if that is HIT or STAND about every hand, one unit
    staked, whatever the dealer has.
    """
    is_asked = rules.hole_card is HoleCard.LAST and not rules.naturals.is_ratio
    return asking.asks_more(rules) or rules.bets is not None or not is_asked


def dealer_column(upcard: int | None, is_soft: bool) -> int:
    """The column of the table for the dealer's upcard and the softness of the hand.

    It is the upcard's value (2 to 11) for a hard hand and 10 more (12 to 21) for a soft one; without an
    upcard it is 0 for a hard hand and 1 for a soft one. So the 22 columns hold the full decision state.
    """
    if upcard is None:
        return 1 if is_soft else 0
    return upcard + 10 if is_soft else upcard


_COLUMNS: Final = {
    (upcard, is_soft): dealer_column(upcard, is_soft)
    for upcard in (None, *range(2, 12))
    for is_soft in (False, True)
}


def state_of(observation: Observation) -> int:
    """The number of an observation's state, 0..483: its total times 22, plus its dealer column."""
    return observation.total * 22 + _COLUMNS[observation.upcard, observation.is_soft]
