"""The loops of learning as plain Python: the same table as by the pure rules on the same rounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest

from cards import PRESETS, Cutoff, EveryRound, HoleCard, Rules, Surrender
from tests.helpers.uncompiled import uncompiled, wrapping
from twentyone.kernels.counting import Count
from twentyone.kernels.rounds import new_seats
from twentyone.kernels.streams import key_of
from twentyone.learning.arrays import SHARD_ROUNDS, new_log
from twentyone.learning.settings import knobs_for
from twentyone.learning.tables import shown
from twentyone.learning.textbook import Kind, Knobs
from twentyone.policies.action_values import FURTHEST, SHAPE
from twentyone.policies.counting import HI_LO

VEGAS: Final = PRESETS["vegas"]
ONE_DECK: Final = replace(VEGAS, decks=1, reshuffle=Cutoff(1), split=4, surrender=Surrender.EARLY)
"""It is refilled within rounds."""

OBO: Final = replace(PRESETS["europe"], hole_card=HoleCard.OBO, decks=2)

LOOPS = tuple(f"twentyone.learning.{name}" for name in ("rounds", "arrays", "cells"))


@pytest.fixture(autouse=True)
def no_warning_of_what_wraps_around() -> Iterator[None]:
    with wrapping():
        yield


def nothing(game: Any, knobs: Knobs, size: int) -> Any:
    """Nothing learned yet."""
    values, counts = np.full(size, knobs.initial), np.zeros(size, np.int64)
    others = values.copy() if knobs.kind == Kind.CROSSED else None
    return uncompiled("twentyone.learning.arrays").begin_with(values, counts, others)


def assert_same(learned: Any, pure: Any, rules: Rules, rounds: int) -> None:
    """See that both have learned the same, bit for bit."""
    assert learned.counts.tolist() == pure.counts()
    means = (learned.values + learned.others) / 2
    assert shown(means, learned.counts).tolist() == pure.values()
    assert learned.endings.sum() == pure.rounds == rounds


@pytest.mark.parametrize(
    ("rules", "knobs"),
    [(ONE_DECK, None), (ONE_DECK, Knobs(kind=Kind.CROSSED)), (OBO, None), (OBO, Knobs(epsilon=1.0))],
    ids=["one deck, own", "one deck, double-q", "obo, own", "obo, at random"],
)
@pytest.mark.parametrize("is_kept", [True, False])
def test_shoes_teach_the_same_as_the_pure_rules(rules: Rules, knobs: Knobs | None, is_kept: bool) -> None:
    loops, arrays, cells = map(uncompiled, LOOPS)
    playing, rounds, seed = uncompiled("tests.twentyone.learning.playing"), 120, 5
    rules = rules if is_kept else replace(rules, reshuffle=EveryRound())
    given, size = knobs or Knobs(), cells.size_of(rules)
    game = arrays.game_for(rules, cells.cells_for(rules), size)
    learned = nothing(game, given, size)
    room = new_seats(1), new_log()
    kept = uncompiled("twentyone.kernels.shoe").new_shoe(game.full, game.fewest, key_of(seed), 0)
    if is_kept:
        shoe = playing.KeptShoe(rules, seed)
        kernel = loops.learn_kept_by_own if knobs is None else loops.learn_kept_by_textbook
        pieces: list[tuple[int, ...]] = [(1,), (50,), (rounds - 51,)]  # to stop and go on changes nothing
    else:
        shoe = playing.FreshShoe(rules, seed, 0)
        kernel = loops.learn_fresh_by_own if knobs is None else loops.learn_fresh_by_textbook
        pieces = [(0, 50), (50, rounds - 50)]
    learner = playing.pure_learner(rules, knobs)
    for _ in range(rounds):
        playing.play(rules, shoe, learner)
    for piece in pieces:
        assert kernel(game, learned, given, *piece, kept, *room)
    assert_same(learned, learner, rules, rounds)


@pytest.mark.parametrize(("kind", "rounds"), [("kept", (20,)), ("fresh", (0, 20))])
@pytest.mark.parametrize("method", ["own", "textbook"])
def test_a_round_that_uses_up_the_shoe_is_told(kind: str, rounds: tuple[int, ...], method: str) -> None:
    """Six cards are fewer than many rounds need."""
    loops, arrays, cells = map(uncompiled, LOOPS)
    size = cells.size_of(VEGAS)
    game = arrays.game_for(VEGAS, cells.cells_for(VEGAS), size)
    few = game._replace(full=game.full[:6])
    room = new_seats(1), new_log()
    shoe = uncompiled("twentyone.kernels.shoe").new_shoe(few.full, 1, key_of(1), 0)
    kernel = getattr(loops, f"learn_{kind}_by_{method}")
    assert not kernel(few, nothing(few, Knobs(), size), Knobs(), *rounds, shoe, *room)


# Those that count.


def learner_of(rules: Rules, method: str, seed: int, table: Any = None) -> Any:
    return uncompiled("twentyone.learning.memory").memory_learner(rules, method, None, seed, table, HI_LO)


@pytest.mark.parametrize("method", ["qlearning", "double-q"])
def test_a_counting_learner_learns_the_same_by_the_layer_of_the_true_count(method: str) -> None:
    """The count is of all cards that the player has seen: not of the hole card."""
    playing, rounds, seed = uncompiled("tests.twentyone.learning.playing"), 150, 3
    knobs: Knobs | None = None if method == "qlearning" else knobs_for(method)
    shoe = playing.KeptShoe(ONE_DECK, seed)
    with playing.layered(ONE_DECK, Count(lowest=-FURTHEST, highest=FURTHEST), shoe) as cell:
        pure = playing.pure_learner(ONE_DECK, knobs)
        for _ in range(rounds):
            playing.play(ONE_DECK, shoe, pure, cell)
    learner = learner_of(ONE_DECK, method, seed)
    learner.learn_to(rounds)
    assert learner.visits().tolist() == pure.counts()
    known = np.array(pure.counts()) > 0
    assert learner.array()[known].tolist() == np.array(pure.values())[known].tolist()
    assert np.isnan(learner.table().values.ravel()[~known]).all()
    assert learner.tally.rounds == rounds
    assert int((learner.visits().reshape(SHAPE).sum(axis=(1, 2, 3)) > 0).sum()) > 5


def test_a_counting_learner_of_hit_and_stand_learns_no_other_action() -> None:
    learner = learner_of(PRESETS["study"], "qlearning", 1)
    learner.learn_to(100)
    visits = learner.visits().reshape(SHAPE).sum(axis=(0, 1, 2))
    assert (visits[:2] > 0).all() and not visits[2:].any()


def test_from_a_table_a_counting_learner_goes_on_with_a_fresh_shoe_as_after_a_shard() -> None:
    rules, before, end = ONE_DECK, SHARD_ROUNDS - 20, SHARD_ROUNDS + 30
    learner = learner_of(rules, "double-q", 9)
    learner.learn_to(20)
    first = learner.table()
    assert first.origin == (rules, first.method, 20, 9)
    late = type(first)(first.values, first.counts, first.origin._replace(rounds=before), first.system)
    whole = learner_of(rules, "qlearning", 9, late)
    assert (whole.rounds, whole.before) == (before, before)
    assert (whole.next_rounds(10**9), whole.next_rounds(before + 5)) == (20, 5)
    with pytest.raises(ValueError, match="not of one shard"):
        whole.learn(21)
    whole.learn_to(SHARD_ROUNDS)
    second = learner_of(rules, "qlearning", 9, whole.table())
    for each in (whole, second):
        each.learn_to(end)
    assert second.visits().tolist() == whole.visits().tolist()
    assert second.array().tobytes() == whole.array().tobytes()
    assert (whole.tally.rounds, second.tally.rounds) == (50, 30)
    assert second.table().origin == (rules, "qlearning", end, 9)
    assert second.visits().sum() > first.counts.sum()
    assert second.table().values.shape == SHAPE
