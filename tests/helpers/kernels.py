"""Tables of chances, shoes in a given order, and rounds that `cards` plays by both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cards import CARDS, FiniteShoe, Round, Rules, StackedShoe
from cards.shoe import OneByOne, Shoe
from tests.helpers.played import by_cards
from twentyone.policies.decisions import DecisionTable, as_policy

Cards = NDArray[np.uint8]
"""Indices of cards, 0 to 51; the rank is the index mod 13."""

ENOUGH = 90
"""The most cards that a round of nine seats can use; most shoes have many more."""


def orders(rules: Rules, how_many: int, seed: int) -> Iterator[Cards]:
    """Shuffled shoes, the first `ENOUGH` cards of each; for an infinite deck, any cards."""
    random = np.random.default_rng(seed)
    full = np.array([card.index for card in CARDS] * (rules.decks or 0), np.uint8)
    for _ in range(how_many):
        if full.size:
            yield random.permutation(full)[:ENOUGH]
        else:
            yield random.integers(0, len(CARDS), ENOUGH, np.uint8)


def any_policy(seed: int, sure: bool = True) -> DecisionTable:
    """A policy with a random decision in each cell, or, if not sure, a random chance of HIT."""
    random = np.random.default_rng(seed)
    hit = random.random((22, 22))
    return DecisionTable(f"any {seed}", np.round(hit) if sure else hit)


def play_by_cards(rules: Rules, policies: Sequence[DecisionTable], shoe: Shoe) -> Round:
    """A round played by `cards`, with policies that leave nothing to chance."""
    return by_cards(rules, [as_policy(policy, no_chance) for policy in policies], shoe)


def no_chance(n: int) -> int:
    """A random source that must not be used."""
    raise AssertionError(f"asked for a number below {n}")


def stacked(cards: Cards) -> StackedShoe:
    """A shoe that deals cards in their order."""
    return StackedShoe([CARDS[index] for index in cards])


class UnshuffledShoe(FiniteShoe):
    """A shoe that is not shuffled: it deals in its order, and in the same order again when it is fresh."""

    def __init__(self, cards: Cards, fewest: int) -> None:
        self.order = [CARDS[index] for index in cards]
        super().__init__(self.order, OneByOne(lambda _: 0), fewest)
        self.fewest = fewest

    def begin_round(self) -> bool:
        """Start again with the first card when the shoe is fresh, with all cards in their first places."""
        if len(self) < self.fewest:
            super().__init__(self.order, OneByOne(lambda _: 0), self.fewest)
        return super().begin_round()
