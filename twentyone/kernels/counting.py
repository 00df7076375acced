"""Ways to count the cards of a shoe, for kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from twentyone.kernels.tables import RANKS, WIDTH
from twentyone.policies.counting import System
from twentyone.policies.policy import upcard_value
from twentyone.support.compiling import inlined, part

DECK: Final = 52
HI_LO: Final = (1, 1, 1, 1, 1, 0, 0, 0, -1, -1)

# What is counted, as places in an array of int64.
RUNNING: Final = 0  # the running count when the round began
HOLE_CARD: Final = 1  # the place of the hole card among the cards of a round
CARDS: Final = 2  # the cards of a full shoe
FIRST: Final = 3  # the running count of a fresh shoe
LOWEST: Final = 4  # the lowest true count that is told apart
HIGHEST: Final = 5  # and the highest
POLICIES: Final = 6  # how many tables a policy has
HIDES: Final = 7  # whether the dealer does not turn the hole card over when every hand is bust
PLACES: Final = 8


@dataclass(frozen=True, slots=True)
class Count:
    """A way to count.

    The true count is the running count by the decks that are left, rounded down. The running count is that of
    the cards that are out of the shoe and were seen: all but a hole card that stays hidden, as when every
    hand is bust at a table of HIT and STAND.

    Attributes:
        tags: what each card adds to the running count, by its value from 2 to 11 (an ace).
        first: the running count of a fresh shoe.
        unit: by how many cards the player knows how many are left: 1, exactly; 26 or 52, to the nearest
            half or full deck, but at least one of these. 0: the running count is not divided at all.
        lowest: a true count below this counts as this.
        highest: a true count above this counts as this.
    """

    tags: tuple[int, ...] = HI_LO
    first: int = 0
    unit: int = 1
    lowest: int = -10
    highest: int = 10

    @property
    def counts(self) -> range:
        """The true counts that are told apart."""
        return range(self.lowest, self.highest + 1)


class Counting(NamedTuple):
    """A way to count, as tables for kernels.

    Attributes:
        tags: int64 (16,): what a card of each rank adds.
        divisors: int64 (cards + 2,): by how many cards the running count is divided, by those not seen.
        at: int64 (PLACES,): see above.
    """

    tags: NDArray[np.int64]
    divisors: NDArray[np.int64]
    at: NDArray[np.int64]


def count_of(system: System, rules: Rules, furthest: int) -> Count:
    """A system as the kernels count by it, with true counts from `-furthest` to `furthest`.

    `System.true_count` takes away what the cards seen add on the average: as much as to begin with less, by
    what all decks add, and to end with more, by what one deck adds. So the places of the kernels are those
    of the true counts in the range, but `Count.counts` is lower by what a deck adds.
    """
    added = system.of_a_deck
    return Count(
        tags=system.tags,
        first=-added * (rules.decks or 0),
        lowest=-furthest - added,
        highest=furthest - added,
    )


def counting_of(rules: Rules, count: Count, policies: int) -> Counting:
    """The tables of a way to count, under some rules."""
    cards = DECK * (rules.decks or 0)
    tags = [count.tags[upcard_value(card) - 2] for card in RANKS]
    unseen = np.arange(cards + 2)
    if count.unit:
        divisors = np.maximum((2 * unseen + count.unit) // (2 * count.unit), 1) * count.unit
    else:
        divisors = np.full(cards + 2, DECK)
    at = np.zeros(PLACES, np.int64)
    at[HOLE_CARD] = 2 * rules.seats + 1
    at[CARDS] = cards
    at[FIRST] = count.first
    at[LOWEST], at[HIGHEST], at[POLICIES] = count.lowest, count.highest, policies
    at[HIDES] = rules.hides_hole_card
    return Counting(np.array(tags + [0] * (WIDTH - len(tags)), np.int64), divisors.astype(np.int64), at)


def nothing_counted(rules: Rules) -> tuple[Counting, NDArray[np.int64]]:
    """A way to count, and sums without a place, for rounds in which nothing is counted."""
    return counting_of(rules, Count(), 1), np.zeros((3, 0), np.int64)


@inlined
def tags_of(counting: Counting, cards: NDArray[np.uint8], start: int, end: int) -> int:
    """The sum of the tags of the cards at some places."""
    added = 0
    for place in range(start, end):
        added += counting.tags[cards[place]]
    return int(added)


@part
def true_count(counting: Counting, running: int, unseen: int) -> int:
    """The place of the true count."""
    count = running * DECK // counting.divisors[unseen]
    return int(min(max(count, counting.at[LOWEST]), counting.at[HIGHEST]) - counting.at[LOWEST])
