"""Random sources: streams that repeat and differ by key, and the operating system's."""

from __future__ import annotations

import os
import sys
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import RandBelow, from_system, seeded
from tests.helpers.chi_squared import FIXED_SEED_Z, SYSTEM_Z, looks_uniform

CHUNK_OF_WORDS = 2048
"""The number of draws of the system's source that come from one call."""


def draws(rand_below: RandBelow, n: int, count: int) -> list[int]:
    """A number of draws from 0 to n - 1."""
    return [rand_below(n) for _ in range(count)]


@given(st.lists(st.integers() | st.text(), min_size=1, max_size=3), st.integers(1, 416))
def test_a_key_repeats_its_stream(key: list[int | str], n: int) -> None:
    stream = draws(seeded(*key), n, 50)
    assert stream == draws(seeded(*key), n, 50)
    assert all(0 <= draw < n for draw in stream)


def test_every_key_has_its_own_stream() -> None:
    keys: list[tuple[int | str, ...]] = [(1,), (2,), (1, 1), (1, 2), (2, 1), (11,), (1, "policy"), (-1,)]
    streams = [draws(seeded(*key), 52, 20) for key in keys]
    assert all(one != other for one, other in combinations(streams, 2))


def test_streams_of_one_seed_do_not_depend_on_each_other() -> None:
    one, other = seeded(7, 1), seeded(7, 2)
    assert looks_uniform([(one(13), other(13)) for _ in range(20 * 169)], 169)


@pytest.mark.parametrize("n", [2, 13, 52, 416])
def test_both_sources_are_uniform(n: int) -> None:
    assert looks_uniform(draws(seeded("uniform", n), n, 50 * n), n, FIXED_SEED_Z)
    assert looks_uniform(draws(from_system(), n, 50 * n), n, SYSTEM_Z)


def test_the_system_gives_draws_without_end_and_never_the_same() -> None:
    """More draws than three of its chunks; two sources share nothing, nor do two chunks of one."""
    source = from_system()
    chunks = [draws(source, 52, CHUNK_OF_WORDS) for _ in range(3)]
    chunks.append(draws(from_system(), 52, CHUNK_OF_WORDS))
    assert all(0 <= draw < 52 for chunk in chunks for draw in chunk)
    assert all(one != other for one, other in combinations(chunks, 2))


def test_the_system_draws_again_where_a_remainder_would_favour_small_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """2**32 is 3 * 1431655765 + 1, so the largest word would favour remainder 0, and is not used."""
    words = [2**32 - 1, 5, 2**32 - 2, 2**32 - 1, 4]
    given_bytes = b"".join(word.to_bytes(4, sys.byteorder) for word in words)
    monkeypatch.setattr(os, "urandom", lambda _: given_bytes)
    assert draws(from_system(), 3, 3) == [5 % 3, (2**32 - 2) % 3, 4 % 3]
