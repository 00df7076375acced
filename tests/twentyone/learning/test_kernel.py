"""The shortcut for HIT and STAND: the same table as by the loops of any rules, bit for bit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards import PRESETS, Ace, HoleCard, Naturals, Rules
from tests.helpers.tiers import first_of
from twentyone.learning import kernel
from twentyone.learning.arrays import SHARD_ROUNDS
from twentyone.learning.memory import MemoryLearner
from twentyone.learning.settings import knobs_for
from twentyone.policies.files import QLEARNING, RANDOM_PLAY

COURSE = PRESETS["course"]
RULES = [
    COURSE,
    PRESETS["casino"],
    PRESETS["textbook"],
    replace(COURSE, decks=2, ace=Ace.ELEVEN, naturals=Naturals.BEAT),
    PRESETS["study"],
]


def learned(rules: Rules, method: str) -> MemoryLearner:
    """A learner after some rounds, within which a shard ends; it stops on the way."""
    learner = MemoryLearner(rules, method, knobs_for(method), 5)
    learner.rounds = SHARD_ROUNDS - 7_000
    for end in (SHARD_ROUNDS - 6_999, SHARD_ROUNDS - 10, SHARD_ROUNDS + 5_000):
        learner.learn_to(end)
    return learner


@pytest.mark.parametrize("method", [QLEARNING, RANDOM_PLAY])
@pytest.mark.parametrize("rules", first_of(RULES, 2), ids=str)
def test_it_learns_the_same_as_by_any_rules(
    rules: Rules, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kernel.is_for(rules, method)
    short = learned(rules, method)
    monkeypatch.setattr(kernel, "is_for", lambda rules, method: False)
    usual = learned(rules, method)
    assert short.counts() == usual.counts()
    assert short.values() == usual.values()
    assert short.tally.as_json() == usual.tally.as_json()
    assert short.tally.rounds == 12_000


def test_it_is_for_two_methods_where_hit_and_stand_are_all_that_is_asked() -> None:
    assert not kernel.is_for(COURSE, "sarsa")
    for rules in (
        PRESETS["vegas"],
        replace(COURSE, insurance=True, hole_card=HoleCard.PEEK, naturals=Naturals.BEAT),
        replace(COURSE, naturals=Naturals("3:2")),
        replace(COURSE, naturals=Naturals.BEAT, hole_card=HoleCard.PEEK),
    ):
        assert not kernel.is_for(rules, QLEARNING)
