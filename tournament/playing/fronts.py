"""The first cards of many rounds at once, which are those of `cards.QueuedShoe`, card by card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import CARDS, Card, Rules
from cards.queues import FIRST_FACTOR, GAMMA, SECOND_FACTOR, seed_key

ROUNDS: Final = 256
"""Rounds whose cards are made at once."""

PER_QUEUE: Final = 6
"""Cards of each queue that are made: few rounds need more, and these have theirs from the shoe."""

_CARDS: Final = np.empty(len(CARDS), dtype=object)
_CARDS[:] = CARDS

_32: Final = np.uint64(32)


def front_of(rules: Rules, seed: int) -> Callable[[int], Sequence[Card]] | None:
    """What `cards.QueuedShoe` asks for by these rules; None for an infinite deck, which has no order."""
    if rules.decks is None:
        return None
    key, decks = seed_key(seed), rules.decks
    count = min(PER_QUEUE * (1 + rules.seats * rules.split), len(CARDS) * decks)

    def front(number: int) -> Sequence[Card]:
        block, place = divmod(number, ROUNDS)
        return fronts(key, block * ROUNDS, decks, count)[place]

    return front


@lru_cache(maxsize=64)
def fronts(key: int, first: int, decks: int, count: int) -> list[list[Card]]:
    """The first cards of some rounds; matches that play the same rounds share them.

    Args:
        key: the key of the seed.
        first: the number of the first round.
        decks: the decks of a shoe.
        count: how many cards of each round.

    Returns:
        The cards of `ROUNDS` rounds.
    """
    rounds, places = np.arange(ROUNDS), np.arange(count)
    keys = _random_numbers(np.uint64(key), np.uint64(first) + rounds.astype(np.uint64))
    high = _random_numbers(keys[:, np.newaxis], places.astype(np.uint64)) >> _32
    cards = len(CARDS) * decks
    picked = places + (high * (cards - places).astype(np.uint64) >> _32).astype(np.int64)
    order = np.tile(np.arange(cards, dtype=np.int16) % len(CARDS), (ROUNDS, 1))
    for here in range(count):
        there = picked[:, here]
        card = order[rounds, there]
        order[rounds, there] = order[:, here]
        order[:, here] = card
    found: list[list[Card]] = _CARDS[order[:, :count]].tolist()
    return found


def _random_numbers(key: NDArray[np.uint64] | np.uint64, index: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`cards.queues.random_number` of each."""
    x = key + index * np.uint64(GAMMA)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(FIRST_FACTOR)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(SECOND_FACTOR)
    return x ^ (x >> np.uint64(31))
