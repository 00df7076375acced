"""Whether a round may want a card that a small shoe does not have."""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Final

from cards import DealerStands, Rules
from cards.hand import best_total
from twentyone.exact.values.compositions import ACE, LIMIT, POINTS
from twentyone.exact.values.shoe import Shoe

MOST_STATES: Final = 1000
"""Compositions of a shoe that are searched, a few seconds; a larger one is judged by its points alone."""

Left = tuple[int, ...]


def can_run_out(rules: Rules, shoe: Shoe) -> bool:
    """Whether a round of one seat may want one card more than there are, however it is played.

    A shoe that suffices by its points (`Shoe.most_needed`) has enough. Any other is searched, if it is small:
    every hand may draw at any total, up to as many hands as the rules allow.

    Args:
        rules: the rules, with a dealer.
        shoe: the cards before the deal.

    Returns:
        False if there are enough; True if not, and also if that would take too long to find out.
    """
    if shoe.endless or shoe.size >= shoe.most_needed(rules.split):
        return False
    if prod(count + 1 for count in shoe.counts) > MOST_STATES:
        return True
    upcards = (index for index, count in enumerate(shoe.counts) if count)
    return any(_wants_more(rules, _without(shoe.counts, upcard), upcard) for upcard in upcards)


def _wants_more(rules: Rules, cards: Left, upcard: int) -> bool:
    """The same given the upcard, which is out."""

    @cache
    def dealer(left: Left, ones: int, aces: int) -> bool:
        total, soft = best_total(ones, aces, rules.ace)
        draws_to = 17 if soft and rules.dealer_stands is DealerStands.HARD17 else 16
        if total > draws_to:
            return False
        return not any(left) or any(
            dealer(_without(left, card), ones + _ones(card), aces + (card == ACE)) for card in _kinds(left)
        )

    @cache
    def hand(left: Left, ones: int, aces: int, size: int, waiting: Left, has_stood: bool) -> bool:
        if best_total(ones, aces, rules.ace)[0] > LIMIT:
            return after(left, waiting, has_stood)
        if size >= 2 and after(left, waiting, True):
            return True
        return not any(left) or any(
            hand(
                _without(left, card),
                ones + _ones(card),
                aces + (card == ACE),
                min(size + 1, 2),
                waiting,
                has_stood,
            )
            for card in _kinds(left)
        )

    def after(left: Left, waiting: Left, has_stood: bool) -> bool:
        if waiting:
            first, *others = waiting
            return hand(left, _ones(first), int(first == ACE), 1, tuple(others), has_stood)
        if has_stood:
            return dealer(left, _ones(upcard), int(upcard == ACE))
        return not any(left)  # the hole card

    if hand(cards, 0, 0, 0, (), False):
        return True
    for card in _kinds(cards):
        left = cards
        for number in range(1, min(rules.split, cards[card]) + 1):
            left = _without(left, card)
            if number > 1 and after(left, (card,) * number, False):
                return True
    return False


def _ones(card: int) -> int:
    """The points of a card by its index, an ace as 1."""
    return int(POINTS[card])


def _kinds(left: Left) -> list[int]:
    """The indices of which there are cards."""
    return [index for index, count in enumerate(left) if count]


def _without(left: Left, card: int) -> Left:
    return (*left[:card], left[card] - 1, *left[card + 1 :])
