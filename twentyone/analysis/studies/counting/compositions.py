"""The shoes that are expected at a true count.

Of all shoes with a given true count, the mean number of cards of each kind is known: cards drawn at random
without replacement, given the sum of their tags, are on the average a straight line in the tags. With n cards
left, of which each kind is the share w, and tags x less their mean, a true count of t leaves on the average
n w (1 - t x / (52 v)), where v is the variance of the tags. With Hi-Lo each unit of the true count takes one
low card in 40 away.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from cards import EveryRound, Rules
from cards.rules import DECK
from twentyone.analysis.studies.counting.effects import Effects
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.shoe import Shoe
from twentyone.policies.counting import System

LARGEST_CHANGE: Final = 0.5
"""No kind of cards may be more or less frequent by more than this part: beyond it the shoe is not one that
comes."""


class Expected(NamedTuple):
    """The shoe that is expected at a true count, as a whole shoe and what is missing to it.

    Attributes:
        shoe: the nearest shoe of whole cards.
        missing: (10,) how many more cards of each kind are expected; their sum is 0.
    """

    shoe: Shoe
    missing: Floats

    def corrected(self, values: Floats, effects: Effects) -> Floats:
        """Values of the whole shoe as those of the expected one, by the effects of removal of another.

        A card in another's place changes a mean over the cards by the difference of their effects, and more
        so in a smaller shoe.
        """
        scale = (effects.size - 1) / self.shoe.size
        corrected: Floats = values - scale * np.tensordot(self.missing, effects.removed, axes=1)
        return corrected


def expected_shoe(system: System, shoe: Shoe, left: int, true_count: int) -> Expected:
    """The shoe that is expected at a true count.

    Args:
        system: how it is counted.
        shoe: the full shoe.
        left: how many cards of it are left.
        true_count: the true count, not rounded.
    """
    cards = _cards(system, shoe, left, true_count)
    counts = np.floor(cards).astype(np.int64)
    for card in np.argsort(counts - cards, kind="stable")[: left - int(counts.sum())]:
        counts[card] += 1
    return Expected(Shoe(tuple(counts.tolist())), cards - counts)


def true_counts_for(system: System, shoe: Shoe, most: int) -> range:
    """The true counts from -most to most, as far as the expected shoes are not beyond `LARGEST_CHANGE`."""
    steepest = float(np.abs(_cards(system, shoe, shoe.size, 1) / np.array(shoe.counts) - 1).max())
    reach = min(most, int(LARGEST_CHANGE / steepest + 1e-9))
    return range(-reach, reach + 1)


def middle(rules: Rules) -> int:
    """The number of cards left in the middle of what is dealt of a shoe, which has no infinite deck.

    If the shoe is made fresh for every round, it is the whole shoe.
    """
    full = DECK * (rules.decks or 1)
    dealt_to = full if isinstance(rules.reshuffle, EveryRound) else rules.fewest_cards
    return (full + dealt_to) // 2


def centred_tags(system: System, shoe: Shoe) -> Floats:
    """(10,) the tags less their mean over a shoe."""
    tags, counts = np.array(system.tags, float), np.array(shoe.counts, float)
    centred: Floats = tags - tags @ counts / counts.sum()
    return centred


def _cards(system: System, shoe: Shoe, left: int, true_count: float) -> Floats:
    """(10,) the mean number of cards of each kind."""
    shares = np.array(shoe.counts) / shoe.size
    tags = centred_tags(system, shoe)
    cards: Floats = left * shares * (1 - true_count * tags / (DECK * float(shares @ tags**2)))
    return cards
