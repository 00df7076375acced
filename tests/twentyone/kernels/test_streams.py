"""The random numbers of the kernels: the published generator, and no number twice."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.chi_squared import looks_uniform
from twentyone.kernels.draws import draw_paired
from twentyone.kernels.shoe import SHOE, begin_stream, new_shoe
from twentyone.kernels.streams import DECISIONS, MAX_SHARDS, U64, index_of, key_of, number

words = st.integers(0, 2 * DECISIONS - 1)
shards = st.integers(0, MAX_SHARDS - 1)
shoes = st.integers(0, 2**32 - 1)


def test_it_is_splitmix64() -> None:
    """The first outputs of the authors' own program (splitmix64.c, Vigna) for the seed 1234567."""
    outputs = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [int(number(U64(1234567), U64(i))) for i in range(1, 5)] == outputs


@given(st.tuples(words, shards, shoes), st.tuples(words, shards, shoes))
def test_no_two_counters_have_the_same_index(one: tuple[int, int, int], other: tuple[int, int, int]) -> None:
    assert (int(index_of(*one)) == int(index_of(*other))) == (one == other)


@given(st.integers(0, 2**200), st.integers(0, 2**200))
def test_every_seed_has_a_different_key(one: int, other: int) -> None:
    assert (int(key_of(one)) == int(key_of(other))) == (one == other)


def test_draws_of_a_shoe_are_uniform_in_each_place() -> None:
    """Eight draws use all four words twice; each is uniform, and so is each pair."""
    places: list[list[int]] = [[] for _ in range(8)]
    shoe = new_shoe(np.zeros(52, np.uint8), 52, key_of(1), 3)
    for _ in range(15_000):
        begin_stream(shoe.at)
        for place in places:
            place.append(int(draw_paired(52, shoe)))
    assert all(looks_uniform(place, 52) for place in places)
    for one, other in pairwise(places):
        assert looks_uniform(zip(one, other, strict=True), 52 * 52)


def test_a_shoe_is_the_same_whatever_was_dealt_before() -> None:
    def draws(stream: int) -> Counter[int]:
        shoe = new_shoe(np.zeros(52, np.uint8), 52, key_of(5), 0)
        shoe.at[SHOE] = stream - 1
        begin_stream(shoe.at)
        return Counter(int(draw_paired(416, shoe)) for _ in range(100))

    assert draws(7) == draws(7) != draws(8)
