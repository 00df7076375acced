"""The compiled environment against Gymnasium's own loop over `BlackjackEnv`, and against exact values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import Error, ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from hypothesis import given, settings
from hypothesis import strategies as st

import environments
from cards import PRESETS, Cutoff, Rules, RulesError
from environments.blackjack import BlackjackEnv
from environments.registration import BLACKJACK
from environments.vector import BlackjackVectorEnv
from exact.named import named
from exact.solving import evaluate
from tests.environments.comparing import assert_same
from tests.helpers.strategies import any_rules

WITH_DEALER = [name for name, rules in PRESETS.items() if rules.has_dealer and not rules.is_whole]
ALONE = any_rules().filter(lambda rules: rules.has_dealer).map(lambda rules: replace(rules, seats=1))

gymnasium.register_envs(environments)


def vector(count: int, **options: Any) -> BlackjackVectorEnv:
    env = gymnasium.make_vec(BLACKJACK, num_envs=count, vectorization_mode="vector_entry_point", **options)
    assert isinstance(env, BlackjackVectorEnv)
    return env


def one_by_one(count: int, rules: Rules | str) -> SyncVectorEnv:
    """Gymnasium's loop over a number of single environments."""
    return SyncVectorEnv([lambda: BlackjackEnv(rules)] * count)


def assert_plays_alike(rules: Rules | str, count: int, steps: int, seed: int) -> None:
    fast, slow = BlackjackVectorEnv(count, rules), one_by_one(count, rules)
    actions = np.random.default_rng(seed)
    assert_same(fast.reset(seed=seed), slow.reset(seed=seed))
    for _ in range(steps):
        taken = actions.integers(0, 2, count)
        assert_same(fast.step(taken), slow.step(taken))


@pytest.mark.parametrize("preset", WITH_DEALER)
def test_a_preset_is_played_as_one_environment_after_the_other_plays_it(preset: str) -> None:
    """50,000 steps: observations, rewards, ends and infos of every one."""
    assert_plays_alike(preset, count=100, steps=500, seed=11)


def test_shoes_that_run_empty_within_a_round_are_refilled_alike() -> None:
    assert_plays_alike(replace(PRESETS["casino"], decks=1, reshuffle=Cutoff(1)), 20, 1_000, seed=2)


@settings(max_examples=60)
@given(ALONE, st.integers(0, 2**40))
def test_any_rules_are_played_alike(rules: Rules, seed: int) -> None:
    assert_plays_alike(rules, count=4, steps=40, seed=seed)


@pytest.mark.parametrize(
    ("rules", "policy"),
    [
        (PRESETS["course"], "basic"),
        (PRESETS["devs"], "threshold:15"),
        (replace(PRESETS["course"], decks=None), "mimic"),
    ],
    ids=["course", "devs", "infinite deck"],
)
def test_a_policy_gets_its_exact_value(rules: Rules, policy: str) -> None:
    """A million rounds; the mean payoff lies within 4 standard errors of the value by enumeration."""
    table = named(policy, rules)
    env = vector(10_000, rules=rules)
    (totals, upcards, soft), _ = env.reset(seed=3)
    total = squares = rounds = 0.0
    played = np.zeros(10_000, np.int64)
    while played.min() < 100:  # a number for each, since short rounds come first
        is_hit = table.hit[np.minimum(totals, 21), upcards + 10 * soft] > 0
        (totals, upcards, soft), rewards, ended, _, _ = env.step(np.where(is_hit, 0, 1))
        counted = ended & (played < 100)
        played += counted
        total += rewards[counted].sum()
        squares += (rewards[counted] ** 2).sum()
        rounds += counted.sum()
    assert rounds == 1_000_000
    mean = total / rounds
    error = sqrt((squares / rounds - mean**2) / rounds)
    assert abs(mean - evaluate(rules, table.hit).value) < 4 * error


def test_it_says_how_it_goes_on_after_a_round() -> None:
    env = vector(50)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    env.reset(seed=1)
    stand = np.ones(50, np.int64)
    assert env.step(stand)[2].all()  # a hand that stands ends the round
    observations, rewards, ended, cut, info = env.step(stand)  # ignored as an action
    assert not ended.any() and not cut.any() and not rewards.any()
    assert info.keys() == {"action_mask", "_action_mask"}
    assert all((observations[0] >= 4).tolist())
    assert observations in env.observation_space
    assert env.step(stand)[2].all()


def test_each_environment_has_the_seed_that_it_is_given() -> None:
    env = vector(3, rules="study")  # its shoe is not fresh every round

    def deal(seed: int | Sequence[int | None] | None) -> list[tuple[int, ...]]:
        observations, _ = env.reset(seed=seed)
        later = [env.reset()[0] for _ in range(10)]
        return [tuple(int(row[i]) for one in [observations, *later] for row in one) for i in range(3)]

    first = deal(7)
    assert deal([9, 8, 7]) == first[::-1]
    kept, seeded, _ = deal([None, 8, None])
    assert seeded == first[1] and kept != first[2]
    assert len(set(deal(None))) == 3
    alone = BlackjackEnv("study")
    hands = [alone.reset(seed=8 if number == 0 else None)[0] for number in range(11)]
    assert sum(hands, ()) == seeded


@pytest.mark.parametrize("seed", [np.int64(7), np.uint8(7), np.array([7, 8, 9]), [np.int64(7), 8, 9]])
def test_a_seed_is_a_whole_number_of_any_kind(seed: Any) -> None:
    assert_same(vector(3).reset(seed=seed), vector(3).reset(seed=7))


@pytest.mark.parametrize("preset", WITH_DEALER)
def test_a_mask_says_which_are_reset(preset: str) -> None:
    """As Gymnasium's loop does it: between steps, where rounds are open and where they are over."""
    count = 20
    fast, slow, random = (
        BlackjackVectorEnv(count, preset),
        one_by_one(count, preset),
        np.random.default_rng(5),
    )
    assert_same(fast.reset(seed=1), slow.reset(seed=1))
    for number in range(100):
        taken = random.integers(0, 2, count)
        assert_same(fast.step(taken), slow.step(taken))
        mask = random.random(count) < 0.5
        mask[number % count] = True
        seed = random.integers(0, 1000, count).tolist() if number % 3 == 0 else None
        options = {"reset_mask": mask, "other": 1}
        dealt = fast.reset(seed=seed, options=options)
        assert options.keys() == {"reset_mask", "other"}
        assert_same(dealt, slow.reset(seed=seed, options=options))  # it removes the mask


@pytest.mark.parametrize(
    ("mask", "error", "sentence"),
    [
        ([True, False, True], TypeError, "the reset_mask is [True, False, True]: expected an array of bool"),
        (np.array([1, 0, 1]), TypeError, "the reset_mask is array([1, 0, 1]): expected an array of bool"),
        (np.array([True]), ValueError, "the reset_mask has the shape (1,): expected (3,)"),
        (np.zeros(3, np.bool_), ValueError, "the reset_mask has no True: expected one or more"),
    ],
)
def test_an_invalid_mask_changes_nothing(mask: Any, error: type[Exception], sentence: str) -> None:
    env, other = vector(3), vector(3)
    assert_same(env.reset(seed=1), other.reset(seed=1))
    with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
        env.reset(seed=5, options={"reset_mask": mask})
    assert_same(env.reset(), other.reset())


def test_the_first_reset_is_for_all() -> None:
    env = vector(2)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before reset\(\) with a mask"):
        env.reset(options={"reset_mask": np.array([True, False])})
    everywhere = env.reset(seed=3, options={"reset_mask": np.array([True, True])})
    assert_same(everywhere, vector(2).reset(seed=3))


def test_it_has_no_render_mode_but_none() -> None:
    assert vector(3, render_mode=None).render_mode is None
    with pytest.raises(ValueError, match=r"^render_mode is 'ansi': expected None, the only one$"):
        vector(3, render_mode="ansi")


def test_its_spec_makes_it_again() -> None:
    env = vector(3, rules="study", render_mode=None)
    assert env.spec is not None
    again = gymnasium.make_vec(env.spec)
    assert again.unwrapped.rules == env.rules  # type: ignore[attr-defined]
    assert_same(again.reset(seed=4), env.reset(seed=4))


def test_without_a_seed_no_two_deal_alike() -> None:
    hands = {tuple(np.stack(vector(20).reset()[0]).ravel().tolist()) for _ in range(3)}
    assert len(hands) == 3


def test_what_it_returns_is_the_callers() -> None:
    env = vector(10)
    kept, _ = env.reset(seed=1)
    before = np.stack(kept)
    for _ in range(5):
        env.step(np.zeros(10, np.int64))
    assert (np.stack(kept) == before).all()


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ([0, 1], r"the actions have the shape \(2,\): expected \(3,\)"),
        ([0, 1, 2], r"an action is invalid: expected 0 \(hit\) or 1 \(stand\)"),
        ([0, -1, 1], r"an action is invalid: expected 0 \(hit\) or 1 \(stand\)"),
        ([0.0, 1.0, 1.0], r"an action is invalid: expected 0 \(hit\) or 1 \(stand\)"),
    ],
)
def test_invalid_actions_are_refused(actions: Any, sentence: str) -> None:
    env = vector(3)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=sentence):
        env.step(np.array(actions))


def test_bad_numbers_of_environments_and_seeds_are_refused() -> None:
    with pytest.raises(ValueError, match="num_envs is 0: expected 1 or more"):
        BlackjackVectorEnv(0)
    with pytest.raises(ValueError, match="there are 2 seeds: expected one for each of 3"):
        vector(3).reset(seed=[1, 2])
    for seed in (-1, [1, -2, 3], [1, None, 2.5], np.int64(-1)):
        with pytest.raises(Error, match="Seed must be"):
            vector(3).reset(seed=seed)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="showdown has no dealer to play against"):
        vector(3, rules="showdown")
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
        vector(3).step(np.zeros(3, np.int64))
