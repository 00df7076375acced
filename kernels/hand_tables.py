"""The rules as lookup tables: every possible hand is a small number, and a card leads to another number.

The tables are made by asking `cards` about each hand, so the compiled kernels contain no rule of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import CARDS, Card, Hand, Rules
from cards.settling import strength
from policies.decisions import DecisionTable
from policies.policy import upcard_value
from policies.qtable import dealer_column

RANKS: Final[Sequence[Card]] = CARDS[:13]
"""A card of each rank, ace first. A rank is its index here; index 13 stands for no upcard."""

NO_UPCARD: Final = 13
WIDTH: Final = 16
"""Columns of a table that has one for each rank, rounded up to a power of two."""

ALWAYS: Final = 1 << 32
"""A chance of 1, in the units of `hit_chances`."""


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


def all_hands(rules: Rules, *, by_bust_total: bool = False) -> list[Hand]:
    """A hand for each combination of total, softness, natural, bust and number of cards (0, 1, 2 or more).

    Args:
        rules: the rules.
        by_bust_total: whether there is a bust hand for each total, or a single one.
    """
    found = {_key(Hand(rules.ace), by_bust_total): Hand(rules.ace)}
    pending = list(found.values())
    while pending:
        hand = pending.pop()
        for card in RANKS:
            longer = Hand(rules.ace, [*hand.cards, card])
            key = _key(longer, by_bust_total)
            if key not in found:
                found[key] = longer
                if not longer.is_bust:
                    pending.append(longer)
    return list(found.values())


def full_shoe(rules: Rules) -> NDArray[np.uint8]:
    """The ranks of a full shoe in the order of `cards.shoe_for`; none for an infinite deck."""
    return np.array([card.index % len(RANKS) for card in CARDS] * (rules.decks or 0), np.uint8)


def hand_tables(rules: Rules, *, by_bust_total: bool = False) -> HandTables:
    """The tables of some rules, with the hands in the order of `all_hands`."""
    hands = all_hands(rules, by_bust_total=by_bust_total)
    number = {_key(hand, by_bust_total): index for index, hand in enumerate(hands)}
    after = np.zeros((len(hands), WIDTH), np.uint8)
    for index, hand in enumerate(hands):
        for rank, card in enumerate(RANKS):
            longer = hand if hand.is_bust else Hand(rules.ace, [*hand.cards, card])
            after[index, rank] = number[_key(longer, by_bust_total)]
    return HandTables(
        after=after,
        strength=np.array(
            [0 if hand.is_bust else strength(hand, rules.naturals) for hand in hands], np.uint8
        ),
        draws=np.array(
            [rules.has_dealer and not hand.is_bust and rules.dealer_draws(hand) for hand in hands]
        ),
    )


def hit_chances(rules: Rules, policy: DecisionTable) -> NDArray[np.uint64]:
    """The chance that a policy hits each hand against each upcard, in units of 2^-32: uint64 (hands, 16).

    The columns are the ranks of the upcard, and `NO_UPCARD`. A hand that is never decided on has chance 0.
    """
    hands = all_hands(rules)
    chances = np.zeros((len(hands), WIDTH), np.uint64)
    for index, hand in enumerate(hands):
        if len(hand.cards) >= 2 and not hand.is_bust:
            for rank in range(NO_UPCARD + 1):
                upcard = None if rank == NO_UPCARD else upcard_value(RANKS[rank])
                chance = policy.hit[hand.total, dealer_column(upcard, hand.is_soft)]
                chances[index, rank] = round(chance * ALWAYS)
    return chances


def _key(hand: Hand, by_bust_total: bool) -> tuple[int, bool, bool, int]:
    """The properties in which hands differ, now or after any further card."""
    if hand.is_bust:
        return (hand.total if by_bust_total else 22, False, False, 2)
    return (hand.total, hand.is_soft, hand.is_natural, min(len(hand.cards), 2))
