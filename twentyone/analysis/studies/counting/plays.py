"""The exact values that counting rests on: of a round, of insurance, and of all first decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from cards import PRESETS, DealerStands, EveryRound, Rules, SplitAces, Surrender
from twentyone.analysis.studies.counting.effects import PLACES, effects_from, effects_of
from twentyone.analysis.studies.counting.efficiency import UNSEEN, Plays, gain
from twentyone.exact.values.compositions import ACE, Floats
from twentyone.exact.values.game import seat_game
from twentyone.exact.values.shoe import Shoe

TEN: Final = 8
"""The place of the tens and pictures among the cards."""

MIDDLE: Final = UNSEEN[len(UNSEEN) // 2]

INSURED: Final = 0.5
"""The stake on insurance, in initial bets."""


def published_game() -> Rules:
    """The game for which the figures of systems are published: one deck on the Las Vegas Strip.

    The dealer stands on every 17, any two cards may be doubled, but not after a split, without surrender
    (Griffin, "The Theory of Blackjack", chapter 2).
    """
    return replace(
        one_deck(PRESETS["vegas"]),
        dealer_stands=DealerStands.ALL17,
        double_after_split=False,
        split_aces=SplitAces.ONCE,
        surrender=Surrender.NONE,
    )


def one_deck(rules: Rules) -> Rules:
    """The same rules with one deck, fresh every round."""
    return replace(rules, decks=1, reshuffle=EveryRound())


def round_value(rules: Rules, shoe: Shoe) -> float:
    """The value of a round by the best play, without insurance, from a shoe."""
    values = seat_game(rules, shoe).best_play()
    return values.value - values.insurance


def insurance_value(shoe: Shoe) -> float:
    """The value of insurance for each unit that is staked on it, with an ace seen out of a shoe."""
    tens = shoe.counts[TEN] / (shoe.size - 1)
    return 3 * tens - 1


class FirstPlays(NamedTuple):
    """The first decisions on hands of two cards.

    Attributes:
        chances: (10, hands) the chance of each hand and upcard, by the upcard's place.
        values: (10, 5, hands) the value of each decision, in the order of
            `twentyone.exact.values.game.FIRST`, given the hand and the upcard; -inf where it is not allowed.
    """

    chances: Floats
    values: Floats


def first_plays(rules: Rules, shoe: Shoe) -> FirstPlays:
    """The first decisions, followed by the best play, from a shoe with two cards of each kind or more."""
    game = seat_game(rules, shoe)
    chances = np.stack([game.upcards[upcard] * game.against(upcard).dealt.chances for upcard in PLACES])
    return FirstPlays(chances, np.stack([game.best_first(upcard).values for upcard in PLACES]))


def plays_from(shoe: Shoe, found: Sequence[FirstPlays], *, insurance: bool) -> Plays:
    """Each first decision as one between the best and its rival, and insurance as one more.

    The rival is the decision with which perfect knowledge of the cards left would gain most.

    Args:
        shoe: the whole shoe.
        found: the first decisions of `shoes_of(shoe)`.
        insurance: whether insurance is offered.
    """
    values = np.stack([each.values for each in found])
    best = np.expand_dims(values[0].argmax(axis=1), (0, 2))
    margins = np.take_along_axis(values, best, axis=2) - values
    margins[:, np.isinf(values[0])] = 0  # what is not allowed never gains anything
    effects = effects_from(shoe, list(margins))
    rivals = gain(effects.full, effects.deviation(MIDDLE)).argmax(axis=1)[:, np.newaxis]
    full = np.take_along_axis(effects.full, rivals, axis=1).ravel()
    removed = np.take_along_axis(effects.removed, rivals[np.newaxis], axis=2).reshape(len(PLACES), -1)
    chances = found[0].chances.ravel()
    if insurance:
        bet = effects_of(insurance_value, shoe)
        full, removed = np.append(full, -bet.full), np.column_stack([removed, -bet.removed])
        chances = np.append(chances, effects.shares[ACE] * INSURED)
    return Plays(chances, effects._replace(full=full, removed=removed))
