"""The counted random numbers: SplitMix64's own figures, in blocks, under keys of their own."""

from __future__ import annotations

import copy
import pickle

import numpy as np

from cards.splitmix import random_number as number
from tests.helpers.chi_squared import looks_uniform
from twentyone.environments.chance import BLOCK, U64, CountedRandom, key_of


def test_the_numbers_are_those_of_splitmix64() -> None:
    """The first outputs for the seed 0, as in the tests of Java's SplittableRandom and of Vigna's C."""
    words = number(U64(0), np.arange(1, 4, dtype=np.uint64))
    assert [f"{word:016x}" for word in words] == ["e220a8397b1dcdaf", "6e789e6aa1b965f4", "06c45d188009454f"]


def test_draws_go_on_over_the_end_of_a_block() -> None:
    key = key_of(1)
    rand_below, words = CountedRandom(key), number(U64(key), np.arange(3 * BLOCK, dtype=np.uint64)).tolist()
    assert [rand_below(1 << 32) for _ in words] == [word >> 32 for word in words]


def test_a_copy_goes_on_from_the_same_number_independently() -> None:
    for drawn in (0, 1, BLOCK, BLOCK + 7):
        rand_below = CountedRandom(key_of(3))
        for _ in range(drawn):
            rand_below(52)
        copies = [copy.deepcopy(rand_below), copy.copy(rand_below), pickle.loads(pickle.dumps(rand_below))]
        expected = [rand_below(52) for _ in range(2 * BLOCK)]
        for other in copies:
            assert [other(52) for _ in range(2 * BLOCK)] == expected, drawn


def test_every_number_below_a_limit_is_as_likely_under_every_seed() -> None:
    sources = [CountedRandom(key_of(seed)) for seed in range(1_000)]
    assert looks_uniform((rand_below(52) for rand_below in sources for _ in range(26)), cells=52)


def test_seeds_have_different_keys() -> None:
    seeds = [*range(-500, 10_000), 2**64, 2**64 + 1, 2**200]
    assert len({key_of(seed) for seed in seeds}) == len(seeds)
    assert all(0 <= key_of(seed) < 2**64 for seed in seeds)
