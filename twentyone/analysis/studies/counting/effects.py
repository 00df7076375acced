"""Effects of removal: what the loss of one card changes, by exact difference.

The effect of a card on a value is the value without it less the value of the whole shoe (Griffin, P. A., "The
Theory of Blackjack", 5th edition, 1999, chapters 3 and 4). The value of other shoes is nearly linear in the
cards that are gone, so that ten effects say most of what counting can know.

Cards are in the order of `twentyone.exact.values.compositions`: 2 to 10, and last the ace.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final, NamedTuple

import numpy as np

from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.shoe import Shoe

PLACES: Final = range(10)
"""The places of the cards, for the values 2 to 11 (an ace)."""


class Effects(NamedTuple):
    """A value, and the change by the loss of each card.

    Attributes:
        shares: (10,) which part of the shoe each card is.
        size: how many cards the shoe has.
        full: (...) the value of the whole shoe; it may be many values at once.
        removed: (10, ...) the value without one card less that of the whole shoe.
    """

    shares: Floats
    size: int
    full: Floats
    removed: Floats

    @property
    def centred(self) -> Floats:
        """(10, ...) the effects less their mean over the cards of the shoe."""
        means = np.tensordot(self.shares, self.removed, axes=1)
        centred: Floats = self.removed - means
        return centred

    @property
    def variance(self) -> Floats:
        """(...) the variance of the effect of a card drawn from the shoe."""
        variance: Floats = np.tensordot(self.shares, self.centred**2, axes=1)
        return variance

    def deviation(self, left: int) -> Floats:
        """(...) the standard deviation of the value over all that the last `left` cards may be.

        In the linear model each card adds its own amount to the sum of which the value is the mean over the
        cards left: `size - 1` times its effect, with the other sign. The mean of cards drawn without
        replacement varies by this (Griffin, appendix to chapter 3).
        """
        scale = (self.size - 1) * (self.size - left) / left
        deviation: Floats = np.sqrt(self.variance * scale)
        return deviation


def effects_of(value: Callable[[Shoe], Floats | float], shoe: Shoe) -> Effects:
    """The effects of removal on a value, from ten shoes that lack one card, and the whole one.

    Args:
        value: the value, or array of values, of a shoe.
        shoe: the whole shoe, with a card of each kind.
    """
    return effects_from(shoe, [value(each) for each in shoes_of(shoe)])


def shoes_of(shoe: Shoe) -> list[Shoe]:
    """The whole shoe, and the ten that lack one card."""
    return [shoe, *(shoe.without([card + 2]) for card in PLACES)]


def effects_from(shoe: Shoe, values: list[Floats] | list[float] | list[Floats | float]) -> Effects:
    """The effects from the values of `shoes_of`."""
    full, *others = (np.asarray(value, dtype=np.float64) for value in values)
    counts = np.array(shoe.counts, dtype=np.float64)
    return Effects(counts / counts.sum(), shoe.size, full, np.stack(others) - full)


def correlation(tags: Floats, effects: Floats, shares: Floats) -> float:
    """The correlation of two figures of a card, over the cards of a shoe; 0 if one is always the same.

    Args:
        tags: (10,) one figure.
        effects: (10,) the other.
        shares: (10,) which part of the shoe each card is.
    """
    first, second = tags - shares @ tags, effects - shares @ effects
    spread = sqrt(float(shares @ first**2) * float(shares @ second**2))
    return float(shares @ (first * second)) / spread if spread else 0.0
