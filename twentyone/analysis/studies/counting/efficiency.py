"""Three figures by which systems of counting are compared: for betting, for playing and for insurance.

They are defined in Griffin, P. A., "The Theory of Blackjack" (5th edition, 1999), chapter 4:

- the betting correlation, of the tags with the effects of removal on the value of a round;
- the insurance correlation, of the tags with the effects of removal on the value of insurance;
- the playing efficiency, which part of all that perfect knowledge of the cards left could gain by other play
  than basic strategy is gained by the count.

The last depends on what is played and how deep the cards are dealt. Here it is, for the rules with one deck:
the first decision on each hand of two cards against each upcard, and insurance; basic strategy against the
alternative with which most can be gained, others being ignored; and the mean over all decisions with 49
to 26 cards unseen. Griffin had about 70 plays by total, and his figures are within 0.02 of these.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import Final, NamedTuple

import numpy as np

from twentyone.analysis.studies.counting.effects import Effects, correlation
from twentyone.exact.values.compositions import Floats
from twentyone.policies.counting import System

UNSEEN: Final = range(26, 50)
"""The cards that are unseen when a play of the playing efficiency is decided: of one deck, dealt to half."""


class Plays(NamedTuple):
    """Decisions between two plays, m of them.

    Attributes:
        chances: (m,) how often in a round each is met.
        margins: the effects on (m,) how much better the first play is than the second; 0 or more at full.
    """

    chances: Floats
    margins: Effects


def betting_correlation(system: System, value: Effects) -> float:
    """The correlation of the tags with the effects on the value of a round."""
    return correlation(np.array(system.tags, float), value.removed, value.shares)


def insurance_correlation(system: System, insurance: Effects) -> float:
    """The correlation of the tags with the effects on the value of insurance."""
    return betting_correlation(system, insurance)


def playing_efficiency(system: System, plays: Plays) -> float:
    """The gain by playing by the count, as a part of that by perfect knowledge; 0 if nothing is gained."""
    margins = plays.margins
    tags = np.array(system.tags, float)
    known = np.array([abs(correlation(tags, each, margins.shares)) for each in margins.removed.T])
    perfect = counted = 0.0
    for unseen in UNSEEN:
        deviation = margins.deviation(unseen)
        perfect += float(plays.chances @ gain(margins.full, deviation))
        counted += float(plays.chances @ gain(margins.full, known * deviation))
    return counted / perfect if perfect else 0.0


def gain(margin: Floats, deviation: Floats) -> Floats:
    """The mean gain from playing the second of two plays whenever it is the better one.

    The margin of the first is taken as normal, so the gain is the deviation times the unit normal linear loss
    integral (UNLLI).

    Args:
        margin: (...) the mean margin of the first play, 0 or more.
        deviation: (...) its standard deviation, as far as it is known.
    """
    at = np.divide(margin, deviation, out=np.full(margin.shape, np.inf), where=deviation > 0)
    found: Floats = deviation * normal_loss(at)
    return found


def normal_loss(at: Floats) -> Floats:
    """The unit normal linear loss integral: the mean of max(Z - at, 0) for a standard normal Z."""
    density = np.exp(-(at**2) / 2) / sqrt(2 * np.pi)
    beyond = np.reshape([(1 - erf(each / sqrt(2))) / 2 for each in at.flat], at.shape)
    loss = np.zeros(at.shape)
    np.subtract(density, np.where(np.isinf(at), 0, at) * beyond, out=loss)
    return np.maximum(loss, 0)
