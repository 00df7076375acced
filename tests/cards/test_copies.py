"""Copies and pickles of what the rules are made of: the same in both builds (`cards.value`)."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from copy import copy, deepcopy

import pytest

from cards import PRESETS, RandBelow, Round, from_system, seeded, shoe_for
from cards.card import CARDS

COPIES = (copy, deepcopy, lambda value: pickle.loads(pickle.dumps(value)))


@pytest.mark.parametrize("again", COPIES)
def test_a_value_is_copied_by_its_fields(again: Callable[[object], object]) -> None:
    for rules in PRESETS.values():
        round_ = Round(rules, shoe_for(rules, seeded(1)))
        for value in (CARDS[7], rules, *round_.deal()):
            assert (type(again(value)), again(value), repr(again(value))) == (type(value), value, repr(value))


@pytest.mark.parametrize("again", COPIES)
@pytest.mark.parametrize("source", [seeded(1), from_system()])
def test_a_random_source_is_copied(again: Callable[[RandBelow], RandBelow], source: RandBelow) -> None:
    copied = again(source)
    assert {copied(3) for _ in range(100)} == {0, 1, 2}
