"""The questions to a seat, as pure functions of the rules and of its hand. Nothing else states these rules.

The engine of a round asks by them, and the compiled rounds, the exact values, the charts and the learners
take from here what may be asked where.
"""

from __future__ import annotations

from typing import Final

from cards.hand import TWENTY_ONE
from cards.played import PlayedHand, SeatState
from cards.records import HIT_OR_STAND
from cards.rules import Decision, Double, HoleCard, Rules, SplitAces, Surrender

INSURE_OR_NOT: Final = (Decision.INSURE, Decision.DECLINE)
SURRENDER_OR_NOT: Final = (Decision.SURRENDER, Decision.DECLINE)
STAND_OR_SPLIT: Final = (Decision.STAND, Decision.SPLIT)
"""The decisions about a split ace that may only be split again."""

MAY_DOUBLE: Final = 1
MAY_SPLIT: Final = 2
MAY_SURRENDER: Final = 4

IN_PLAY: Final = tuple(
    HIT_OR_STAND
    + ((Decision.DOUBLE,) if number & MAY_DOUBLE else ())
    + ((Decision.SPLIT,) if number & MAY_SPLIT else ())
    + ((Decision.SURRENDER,) if number & MAY_SURRENDER else ())
    for number in range(8)
)
"""The decisions about a hand in play: 1 for doubling, plus 2 for splitting, plus 4 for surrender."""

ACE: Final = 1
TEN: Final = 10
"""Points of the upcards with which the dealer may have a natural."""

# In Python 3.11 a look at a member of an Enum through its class is slow: without these names a round takes
# 1 % longer under `course`, and 3 % under `vegas` (of 13 and 18 us).
_NO_DOUBLE: Final = Double.NONE
_ALWAYS: Final = Double.ALWAYS
_NO_SURRENDER: Final = Surrender.NONE
_EARLY: Final = Surrender.EARLY
_PEEK: Final = HoleCard.PEEK
_ONCE: Final = SplitAces.ONCE
_PLAY: Final = SplitAces.PLAY


def most_in_play(rules: Rules) -> int:
    """The decisions besides HIT and STAND that are ever offered in play, as a sum of `MAY_...`."""
    doubles, surrenders = rules.double is not _NO_DOUBLE, rules.surrender is not _NO_SURRENDER
    return MAY_DOUBLE * doubles + MAY_SPLIT * (rules.split > 1) + MAY_SURRENDER * surrenders


def asks_more(rules: Rules) -> bool:
    """Whether anything but HIT or STAND is ever asked about a hand."""
    return rules.insurance or most_in_play(rules) > 0


def state_as_dealt(rules: Rules, total: int) -> SeatState:
    """The state of a hand as dealt: a natural that is paid at a ratio is asked nothing in play."""
    if total > TWENTY_ONE:  # two aces that count 11 each
        return SeatState.BUST
    return SeatState.STANDING if total == TWENTY_ONE and rules.naturals.is_ratio else SeatState.PLAYING


def peeks(rules: Rules, upcard: int) -> bool:
    """Whether the dealer looks for a natural before anybody plays.

    Args:
        rules: the rules.
        upcard: the points of the upcard, 1 for an ace.
    """
    return rules.hole_card is _PEEK and upcard in (ACE, TEN)


def offers_insurance(rules: Rules, upcard: int) -> bool:
    """Whether insurance is offered against an upcard, by its points."""
    return rules.insurance and upcard == ACE


def offers_early_surrender(rules: Rules, upcard: int) -> bool:
    """Whether surrender is asked before the dealer looks for a natural, and so not in play."""
    return rules.surrender is _EARLY and peeks(rules, upcard)


def is_surrender_early(rules: Rules) -> bool:
    """Whether surrender is asked first where the dealer then looks for a natural."""
    return rules.surrender is _EARLY


def may_surrender(rules: Rules, upcard: int) -> bool:
    """Whether a hand of two cards that no split has made may surrender in play, against an upcard."""
    if rules.surrender is _EARLY:
        return not peeks(rules, upcard)
    return rules.surrender is not _NO_SURRENDER


def may_double(rules: Rules, total: int, cards: int, *, is_split: bool) -> bool:
    """Whether a hand may be doubled.

    Args:
        rules: the rules.
        total: its best total. A soft one is 12 or more, and so in none of the ranges of totals.
        cards: how many cards it has.
        is_split: whether a split has made it.
    """
    if cards > 2 and rules.double is not _ALWAYS:
        return False
    if is_split and not rules.double_after_split:
        return False
    totals = rules.double.totals
    return rules.double is not _NO_DOUBLE and (totals is None or total in totals)


def may_split(rules: Rules, points: int, hands: int, *, is_split: bool) -> bool:
    """Whether a pair of these points may be split.

    Args:
        rules: the rules.
        points: those of each of its cards, 1 for an ace.
        hands: how many hands the seat has.
        is_split: whether a split has made it.
    """
    if hands >= rules.split:
        return False
    return not (is_split and points == ACE and rules.split_aces is _ONCE)


def is_played(rules: Rules, points: int) -> bool:
    """Whether a hand that a split has made of a card of these points is played: split aces mostly are not."""
    return points != ACE or rules.split_aces is _PLAY


def options_in_play(
    rules: Rules, played: PlayedHand, hands: int, upcard: int, *, covers: bool
) -> tuple[Decision, ...]:
    """The decisions about a hand of two cards or more in play, if it is no split ace that gets one card only.

    Args:
        rules: the rules.
        played: the hand.
        hands: how many hands its seat has.
        upcard: the points of the upcard.
        covers: whether the seat can stake another bet.
    """
    hand, is_split = played.hand, played.is_split
    cards = len(hand.cards)
    number = 0
    if covers and may_double(rules, hand.total, cards, is_split=is_split):
        number = MAY_DOUBLE
    if cards == 2:
        first, second = hand.cards
        points = first.points
        if covers and points == second.points and may_split(rules, points, hands, is_split=is_split):
            number += MAY_SPLIT
        if hands == 1 and may_surrender(rules, upcard):
            number += MAY_SURRENDER
    return IN_PLAY[number]
