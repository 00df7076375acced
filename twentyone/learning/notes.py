"""The notes of the method `model`: what it has seen follow each action, and nothing else.

They are float64, flat: `SLOTS` numbers for each action value of a table (`twentyone.learning.cells`), which
stand after one number for each, the mean of what insurance or a surrender before the peek was paid. After a
hit that is how often each card came, and how often the hand was bust; after standing, doubling or surrender,
how often it won, pushed and lost, and what it was paid in all; after a split, how often a hand that it made
could be hit.

The card that came is told by the totals before and after it, so a history without cards will do. The same
code works on lists here and on arrays in compiled loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from twentyone.learning.episodes import DOUBLE, HIT, SPLIT, STAND, SURRENDER, Counts, Steps, Values

if TYPE_CHECKING:
    from twentyone.policies.action_values import ActionValues

SLOTS: Final = 12
"""The numbers for each action value."""

CARDS: Final = 10
"""The cards: the ace, and then the values 2 to 10."""

BUST: Final = 10
"""After a hit: how often the hand was bust."""

WON: Final = 0
PUSHED: Final = 1
LOST: Final = 2
"""After standing, doubling or surrender: how often the hand won, pushed and lost."""

PLAYED: Final = 0
"""After a split: how often a hand that it made could be hit."""

PAID: Final = 11
"""The sum of what the hand was paid, in initial bets."""

ACE: Final = 11

_BY_TOTAL: Final = 2
_BY_HAND: Final = 6
"""The actions of each cell in both kinds of table."""

_COLUMNS: Final = 22
_FIRST_SOFT_COLUMN: Final = 12
_UPCARDS: Final = 10
_FIRST_SOFT: Final = 20
_FIRST_PAIR: Final = 30
"""The rows of `twentyone.policies.hands.HANDS`: hard 2 to 21, soft 12 to 21, and the pairs, aces first."""


def notes_of(table: ActionValues | None, size: int) -> NDArray[np.float64]:
    """The notes from which learning goes on, a copy; empty ones without any.

    Args:
        table: the table, which has them; None to begin.
        size: how many action values it has.
    """
    if table is None or table.notes is None:
        return np.zeros(size * (1 + SLOTS))
    return table.notes.copy()


def are_of(notes: NDArray[np.float64], counts: NDArray[np.int64]) -> bool:
    """Whether notes can be those of a table: each hit, and each stand, has one thing that followed it.

    Args:
        notes: the notes, flat, of as many action values as the table has.
        counts: the visits of the table, of any shape whose last axis is the actions.
    """
    by_action = notes[counts.size :].reshape(*counts.shape, SLOTS)
    hits, stands = by_action[..., HIT, :PAID].sum(axis=-1), by_action[..., STAND, : LOST + 1].sum(axis=-1)
    return np.array_equal(hits, counts[..., HIT]) and np.array_equal(stands, counts[..., STAND])


def note_round(
    notes: Values,
    counts: Counts,
    is_by_hand: bool,
    steps: Steps,
    taken: int,
    payoffs: Sequence[float],
) -> None:
    """Note what followed each decision of a round.

    Args:
        notes: the notes. Are added to.
        counts: the visits. Are added to.
        is_by_hand: whether it is a table by hand.
        steps: the decisions.
        taken: how many.
        payoffs: what each hand was paid, in initial bets.
    """
    size = len(counts)
    for step in range(taken):
        first, action, place = steps.firsts[step], steps.actions[step], steps.places[step]
        goes_on = step + 1 < taken and steps.places[step + 1] == place
        counts[first + action] += 1
        at = size + (first + action) * SLOTS
        if action == HIT:
            slot = BUST
            if goes_on:
                slot = card_between(first, steps.firsts[step + 1], is_by_hand) - 1
            notes[at + slot] += 1.0
        elif action in (STAND, DOUBLE, SURRENDER):
            paid = payoffs[place]
            notes[at + PAID] += paid
            slot = WON if paid > 0 else LOST if paid < 0 else PUSHED
            notes[at + slot] += 1.0
        elif action == SPLIT and step + 1 < taken and steps.allowed[step + 1] & 1 != 0:
            notes[at + PLAYED] += 1.0


def card_between(first: int, later: int, is_by_hand: bool) -> int:
    """The card, 1 (an ace) to 10, that made one hand of another.

    Args:
        first: the index of the first action value of the hand before.
        later: that of the hand after it.
        is_by_hand: whether they are of a table by hand.
    """
    before, after = total_at(first, is_by_hand), total_at(later, is_by_hand)
    card = after - before
    was_soft, is_soft = is_soft_at(first, is_by_hand), is_soft_at(later, is_by_hand)
    if was_soft and not is_soft:
        card += 10
    if card == ACE:
        card = 1
    return card


def total_at(first: int, is_by_hand: bool) -> int:
    """The total of a hand, by the index of its first action value."""
    if not is_by_hand:
        return first // _BY_TOTAL // _COLUMNS
    row = first // _BY_HAND // _UPCARDS
    if row < _FIRST_SOFT:
        return row + 2
    if row < _FIRST_PAIR:
        return row - _FIRST_SOFT + 12
    return 12 if row == _FIRST_PAIR else 2 * (row - _FIRST_PAIR + 1)


def is_soft_at(first: int, is_by_hand: bool) -> bool:
    """Whether a hand is soft, by the index of its first action value; two aces are taken as soft."""
    if not is_by_hand:
        return first // _BY_TOTAL % _COLUMNS >= _FIRST_SOFT_COLUMN
    row = first // _BY_HAND // _UPCARDS
    return _FIRST_SOFT <= row <= _FIRST_PAIR
