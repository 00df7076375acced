"""The states of the tables that are learned, as indices of flat action values."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from twentyone.policies.action_values import ACTIONS, ROWS
from twentyone.policies.hands import HANDS, UPCARDS, hand_of
from twentyone.policies.policy import Observation
from twentyone.policies.qtable import CELLS, dealer_column, is_by_hand, state_of

CELLS_BY_HAND: Final = len(HANDS) * len(UPCARDS) * len(ACTIONS)
"""The action values of a table by hand."""


_FIRSTS: Final = {
    (total, is_soft, upcard): 2 * state_of(Observation(total, is_soft, upcard))
    for total in range(22)
    for is_soft in (False, True)
    for upcard in (None, *range(2, 12))
}
"""The same by what is seen, without the options, in a table by total."""


def size_of(rules: Rules) -> int:
    """The number of action values in a table for some rules."""
    return CELLS_BY_HAND if is_by_hand(rules) else CELLS


def first_of(seen: Observation, *, by_hand: bool) -> int:
    """The index of the value of the first action, HIT, of what is seen."""
    if not by_hand:
        return _FIRSTS[seen[:3]]
    assert seen.upcard is not None
    return index_of_hand(hand_of(seen), seen.upcard)


def index_of_hand(hand: str, upcard: int) -> int:
    """The index of the value of HIT of a hand, by its word, against an upcard, in a table by hand."""
    return (ROWS[hand] * len(UPCARDS) + UPCARDS.index(upcard)) * len(ACTIONS)


def cells_for(rules: Rules) -> NDArray[np.int64]:
    """int64 (rows, 10): the same index by the row of the hand and the place of the upcard, an ace first.

    The rows are those of `twentyone.policies.hands.HANDS`.
    """
    if is_by_hand(rules):
        return cells_by_hand()
    cells = np.zeros((len(HANDS), len(UPCARDS)), np.int64)
    for row, hand in enumerate(HANDS):
        if hand[0] != "P":
            for place, upcard in enumerate(_BY_PLACE):
                cells[row, place] = 2 * (int(hand[1:]) * 22 + dealer_column(upcard, hand[0] == "S"))
    return cells


def cells_by_hand() -> NDArray[np.int64]:
    """int64 (rows, 10): as `cells_for`, of a table by hand, whatever the rules."""
    return np.array([[index_of_hand(hand, upcard) for upcard in _BY_PLACE] for hand in HANDS], np.int64)


_BY_PLACE: Final = (11, *range(2, 11))
"""The values of upcards by their places."""
