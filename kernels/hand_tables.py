"""The hands of HIT and STAND as lookup tables in which a natural is a number of its own.

For what compares hands by a single number: the fast kernel of learning, and hands without a dealer. The
tables of any rules are `kernels.tables`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Hand, Rules
from cards.settling import strength
from kernels.tables import RANKS, WIDTH


class HandTables(NamedTuple):
    """The hands under some rules, numbered from 0 (no cards), and the properties of each.

    Attributes:
        after: uint8 (hands, 16): the hand that a card of each rank makes of it.
        strength: uint8 (hands,): 0 for a bust hand; of two hands the one of greater strength wins.
        draws: bool (hands,): whether the dealer takes another card; all False without a dealer.
    """

    after: NDArray[np.uint8]
    strength: NDArray[np.uint8]
    draws: NDArray[np.bool_]


def all_hands(rules: Rules) -> list[Hand]:
    """A hand for each combination of total, softness, natural, bust and number of cards (0, 1, 2 or more)."""
    found = {_key(Hand(rules.ace)): Hand(rules.ace)}
    pending = list(found.values())
    while pending:
        hand = pending.pop()
        for card in RANKS:
            longer = Hand(rules.ace, [*hand.cards, card])
            key = _key(longer)
            if key not in found:
                found[key] = longer
                if not longer.is_bust:
                    pending.append(longer)
    return list(found.values())


def hand_tables(rules: Rules) -> HandTables:
    """The tables of some rules, with the hands in the order of `all_hands`."""
    hands = all_hands(rules)
    number = {_key(hand): index for index, hand in enumerate(hands)}
    after = np.zeros((len(hands), WIDTH), np.uint8)
    for index, hand in enumerate(hands):
        for rank, card in enumerate(RANKS):
            longer = hand if hand.is_bust else Hand(rules.ace, [*hand.cards, card])
            after[index, rank] = number[_key(longer)]
    return HandTables(
        after=after,
        strength=np.array(
            [0 if hand.is_bust else strength(hand, rules.naturals) for hand in hands], np.uint8
        ),
        draws=np.array(
            [rules.has_dealer and not hand.is_bust and rules.dealer_draws(hand) for hand in hands]
        ),
    )


def _key(hand: Hand) -> tuple[int, bool, bool, int]:
    """The properties in which hands differ, now or after any further card."""
    if hand.is_bust:
        return (22, False, False, 2)
    return (hand.total, hand.is_soft, hand.is_natural, min(len(hand.cards), 2))
