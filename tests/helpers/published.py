"""Published charts for any rules, the closest that there is: basic strategy that takes no time to find.

M. Shackleford, Wizard of Odds: 4 to 8 decks, and 1 deck, for both rules of soft 17, with late and early
surrender.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from cards import DealerStands, HoleCard, Rules, Surrender
from twentyone.exact.published import HARD17, NO_HOLE_CARD, ONE_DECK, SIX_DECKS, Changes, changed
from twentyone.policies.chart import Chart, from_text

_ONE_DECK_ALL17: Final[Changes] = {"H15": {11: "H"}, "H17": {11: "S"}, "S18": {11: "S"}}

_EARLY: Final[Changes] = {
    "H4": {},
    **{f"H{total}": {11: "Rh"} for total in (5, 6, 7, 12, 13)},
    **{f"H{total}": {10: "Rh", 11: "Rh"} for total in (14, 15, 16)},
    "H17": {11: "Rs"},
    "P3": {11: "Rh"},
    "P6": {11: "Rh"},
    "P7": {10: "Rh", 11: "Rh"},
    "P8": {10: "Rp", 11: "Rp"},
}
"""For rules where half the stake may be given up before the dealer looks for a natural."""

_EARLY_NO_PEEK: Final[Changes] = {"P8": {10: "Rh", 11: "Rh"}}


class Known(NamedTuple):
    """A chart that is known.

    Attributes:
        decks: 1, or 6 for 4 to 8.
        hard17: whether the dealer draws on a soft 17.
        peeks: whether a dealer's natural takes no more than the first stake.
        is_early: whether the hand may be given up before the dealer looks for a natural.
    """

    decks: int
    hard17: bool
    peeks: bool
    is_early: bool

    def __str__(self) -> str:
        words = [
            "1 deck" if self.decks == 1 else "6 decks",
            f"dealer {'hits' if self.hard17 else 'stands on'} soft 17",
        ]
        words += [] if self.peeks else ["naturals looked for at the end"]
        words += ["early surrender"] if self.is_early else []
        return ", ".join(words)


def closest(rules: Rules) -> Known:
    """The chart that is closest to some rules: 1 deck, otherwise 6, and the dealer as he is."""
    return Known(
        decks=1 if rules.decks == 1 else 6,
        hard17=rules.dealer_stands is DealerStands.HARD17,
        peeks=rules.hole_card is not HoleCard.LAST,
        is_early=rules.surrender is Surrender.EARLY,
    )


@cache
def chart_of(known: Known) -> Chart:
    """The chart itself."""
    if known.decks == 1:
        text, changes = ONE_DECK, [] if known.hard17 else [_ONE_DECK_ALL17]
    else:
        text, changes = SIX_DECKS, [HARD17] if known.hard17 else []
    changes += [] if known.peeks else [NO_HOLE_CARD]
    changes += [_EARLY] if known.is_early else []
    changes += [_EARLY_NO_PEEK] if known.is_early and not known.peeks else []
    return changed(from_text(text, str(known)), *changes)


def published_basic(rules: Rules) -> Chart:
    """The closest chart in the place of basic strategy, which takes seconds to compute for many rules."""
    return chart_of(closest(rules))
