"""The rules as lookup tables, made by asking `cards` about each hand: kernels contain no rule of their own.

A hand is a number: its total, and `SOFT_FROM` more if it is soft; `BUST_HAND` is any hand that is bust. What
further cards make of it depends on nothing else. Whether it is a pair, a natural or made by a split is known
to the function that plays it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import CARDS, Card, Hand, HoleCard, Naturals, Rules, SplitAces, Surrender, asking
from twentyone.policies.hands import HARD, PAIRS, SOFT

RANKS: Final[Sequence[Card]] = CARDS[:13]
"""A card of each rank, ace first. A rank is its index here."""

WIDTH: Final = 16
"""Columns of a table that has one for each rank, rounded up to a power of two."""

TENTHS: Final = 10
"""Payoffs are counted in tenths of an initial bet: all are whole numbers then, 6:5 naturals too."""

EMPTY: Final = 0
BUST_HAND: Final = 31
SOFT_FROM: Final = 32
HANDS: Final = 64

NATURAL: Final = 22
"""The strength of a natural where it is told from another 21."""

FIRST_PAIR: Final = len(HARD) + len(SOFT)
ROWS: Final = FIRST_PAIR + len(PAIRS)
"""The rows of a policy: hard 2 to 21, soft 12 to 21, and pairs that may be split, from aces to tens."""


class RuleTables(NamedTuple):
    """The rules.

    Attributes:
        after: uint8 (hands, 16): the hand that a card of each rank makes of one.
        strength: uint8 (hands,): the total; 0 for a bust hand.
        row: uint8 (hands,): the row of a policy.
        draws: bool (hands,): whether the dealer draws to it.
        points: uint8 (16,): the points of each rank; 1 for an ace.
        doubles: bool (4, hands): whether it may be doubled: with two cards, with more, and both again for a
            hand that a split has made.
        most_hands: how many hands a player may make of one.
        split_aces: the place in `cards.SplitAces`.
        is_early: whether surrender is early.
        is_late: whether it is late.
        insures: whether insurance is offered.
        peeks: whether the dealer peeks.
        takes_one: whether a dealer's natural takes the initial bet only.
        is_ratio: whether a natural is paid at a ratio.
        beats: whether a player's natural beats every other 21.
        dealers_beats: whether a dealer's natural does.
        natural: what a natural that wins is paid, in tenths.
        has_dealer: whether there is one.
        offers_more: whether anything but HIT and STAND is ever offered in play.
    """

    after: NDArray[np.uint8]
    strength: NDArray[np.uint8]
    row: NDArray[np.uint8]
    draws: NDArray[np.bool_]
    points: NDArray[np.uint8]
    doubles: NDArray[np.bool_]
    most_hands: int
    split_aces: int
    is_early: bool
    is_late: bool
    insures: bool
    peeks: bool
    takes_one: bool
    is_ratio: bool
    beats: bool
    dealers_beats: bool
    natural: int
    has_dealer: bool
    offers_more: bool


ONCE: Final = list(SplitAces).index(SplitAces.ONCE)
PLAY: Final = list(SplitAces).index(SplitAces.PLAY)


def rule_tables(rules: Rules) -> RuleTables:
    """The tables of some rules."""
    hands = hands_of(rules)
    after = np.full((HANDS, WIDTH), BUST_HAND, np.uint8)
    strength, row = np.zeros(HANDS, np.uint8), np.zeros(HANDS, np.uint8)
    draws, doubles = np.zeros(HANDS, np.bool_), np.zeros((4, HANDS), np.bool_)
    for number, hand in hands.items():
        for rank, card in enumerate(RANKS):
            after[number, rank] = number_of(Hand(rules.ace, [*hand.cards, card]))
        strength[number] = hand.total
        row[number] = row_of(hand.total, hand.is_soft)
        draws[number] = rules.has_dealer and rules.dealer_draws(hand)
        doubles[:, number] = [
            asking.may_double(rules, hand.total, 2 + more, is_split=is_split)
            for is_split in (False, True)
            for more in (False, True)
        ]
    return RuleTables(
        after,
        strength,
        row,
        draws,
        points=np.array([card.points for card in RANKS] + [0] * (WIDTH - len(RANKS)), np.uint8),
        doubles=doubles,
        most_hands=rules.split,
        split_aces=list(SplitAces).index(rules.split_aces),
        is_early=rules.surrender is Surrender.EARLY,
        is_late=rules.surrender is Surrender.LATE,
        insures=rules.insurance,
        peeks=rules.hole_card is HoleCard.PEEK,
        takes_one=rules.hole_card is HoleCard.OBO,
        is_ratio=rules.naturals.is_ratio,
        beats=rules.naturals is not Naturals.EQUAL,
        dealers_beats=rules.naturals.dealers_beats,
        natural=int(TENTHS * rules.naturals.payoff),
        has_dealer=rules.has_dealer,
        offers_more=asking.most_in_play(rules) > 0,
    )


def full_shoe(rules: Rules) -> NDArray[np.uint8]:
    """The ranks of a full shoe in the order of `cards.shoe_for`; none for an infinite deck."""
    return np.array([card.index % len(RANKS) for card in CARDS] * (rules.decks or 0), np.uint8)


def hands_of(rules: Rules) -> dict[int, Hand]:
    """A hand for each number that is not bust, with as few cards as it may have."""
    found = {EMPTY: Hand(rules.ace)}
    pending = [Hand(rules.ace)]
    while pending:
        hand = pending.pop(0)
        for card in RANKS:
            longer = Hand(rules.ace, [*hand.cards, card])
            if not longer.is_bust and number_of(longer) not in found:
                found[number_of(longer)] = longer
                pending.append(longer)
    return found


def number_of(hand: Hand) -> int:
    """The number of a hand."""
    return BUST_HAND if hand.is_bust else hand.total + SOFT_FROM * hand.is_soft


def row_of(total: int, is_soft: bool) -> int:
    """The row of a policy for a total; 0 for one that is never decided on."""
    first = len(HARD) - 12 if is_soft else -2
    return max(0, first + total)


def pair_row(points: int) -> int:
    """The row of a policy for a pair that may be split."""
    return FIRST_PAIR + points - 1


def pair_of(rules: Rules, points: int) -> Hand:
    """The pair of some points."""
    card: Card = RANKS[points - 1]
    return Hand(rules.ace, [card, card])
