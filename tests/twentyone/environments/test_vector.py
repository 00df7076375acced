"""The compiled environment beside Gymnasium's own loop over `BlackjackEnv`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gymnasium.error import Error, ResetNeeded
from gymnasium.spaces import MultiDiscrete
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import PRESETS, Cutoff, Rules
from tests.helpers.agents import NAMES, STAND, SURRENDER, any_new_rules, pick
from tests.helpers.strategies import any_rules
from tests.twentyone.environments.comparing import assert_plays_alike, assert_same, plain
from tests.twentyone.environments.making import allowed, vector
from twentyone.environments.blackjack import BlackjackEnv
from twentyone.environments.vector import BlackjackVectorEnv

ALONE = any_rules().filter(lambda rules: rules.has_dealer).map(lambda rules: replace(rules, seats=1))


FORMS = {"course": "tuple", "casino": "discrete", "study": "box", "vegas": "discrete", "reno": "tuple"}


@pytest.mark.parametrize(("rules", "form"), [*FORMS.items(), ("europe", "box")])
def test_a_preset_is_played_as_one_environment_after_the_other_plays_it(rules: str, form: str) -> None:
    assert_plays_alike(rules, count=20, steps=120, seed=11, form=form)


@pytest.mark.parametrize("rules", ["casino", "vegas"])
def test_a_mask_says_which_are_reset(rules: str) -> None:
    """Between steps, where rounds are open and where they are over."""
    assert_plays_alike(rules, count=20, steps=60, seed=1, has_resets=True)


@pytest.mark.parametrize("rules", ["casino", "reno"])
def test_shoes_that_run_empty_within_a_round_are_refilled_alike(rules: str) -> None:
    short = replace(PRESETS[rules], decks=1, reshuffle=Cutoff(1))
    assert_plays_alike(short, count=10, steps=400, seed=2)


@settings(max_examples=25)
@given(ALONE, st.integers(0, 2**40))
def test_any_rules_of_hit_and_stand_are_played_alike(rules: Rules, seed: int) -> None:
    assert_plays_alike(rules, count=4, steps=30, seed=seed)


@pytest.mark.parametrize("steps", [20, pytest.param(120, marks=pytest.mark.check)])
def test_any_rules_are_played_alike(steps: int) -> None:
    """60 rules with every value of every rule."""
    taken: Counter[int] = Counter()
    for seed, rules in enumerate(any_new_rules(7, 60)):
        taken += assert_plays_alike(rules, count=4, steps=steps, seed=seed)
    assert min(taken[action] for action in range(6)) > steps, taken


def test_it_says_how_it_goes_on_after_a_round() -> None:
    env = vector(50)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    env.reset(seed=1)
    stand = np.ones(50, np.int64)
    assert env.step(stand)[2].all()  # a hand that stands ends the round
    observations, rewards, ended, cut, info = env.step(stand)  # ignored as an action
    assert not ended.any() and not cut.any() and not rewards.any()
    assert info.keys() == {"action_mask", "_action_mask"}
    assert (observations[0] >= 4).all()
    assert env.step(stand)[2].all()
    whole, other = vector(200, rules="reno"), vector(200, rules="reno")
    whole.action_space.seed(1)
    _, info = whole.reset(seed=1)
    assert_same((_, info), other.reset(seed=1))
    assert (whole.action_space, env.action_space) == (MultiDiscrete([6] * 200), MultiDiscrete([2] * 50))
    right = whole.action_space.sample(tuple(info["action_mask"]))
    (_, _, ended, _, info), _ = whole.step(right), other.step(right)
    assert ended.sum() > 50 and (info["action_mask"][ended] == [0, 1, 0, 0, 0, 0]).all()
    some = np.array(whole.action_space.sample(tuple(info["action_mask"])))
    assert_same(whole.step(np.where(ended, SURRENDER, some)), other.step(some))  # ignored where it is over


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
    assert len({*deal(None), *deal(None)}) == 6
    alone = BlackjackEnv("study")
    hands = [alone.reset(seed=8 if number == 0 else None)[0] for number in range(11)]
    assert sum(hands, ()) == seeded
    same_seeds: list[Any] = [np.int64(7), np.uint8(7), np.array([7, 8, 9]), [np.int64(7), 8, 9]]
    for same in same_seeds:
        assert deal(same) == first


def test_what_it_returns_is_the_callers() -> None:
    env = vector(10, rules="vegas")
    kept, info = env.reset(seed=1)
    before = plain((kept, info))
    for _ in range(5):
        env.step(np.full(10, STAND))
    assert plain((kept, info)) == before
    simple = vector(3)
    _, info = simple.reset(seed=1)  # its masks, which are said at every step, cannot be written to
    assert plain(info) == {"action_mask": ("int8", [[1, 1]] * 3), "_action_mask": ("bool", [True] * 3)}
    with pytest.raises(ValueError, match="read-only"):
        info["action_mask"][0, 0] = 0
    info["more"] = 1
    assert "more" not in simple.step(np.full(3, STAND))[4]


def test_an_invalid_mask_changes_nothing() -> None:
    env, other = vector(3), vector(3)
    assert_same(env.reset(seed=1), other.reset(seed=1))
    wrong: list[tuple[Any, type[Exception], str]] = [
        ([True, False, True], TypeError, " is [True, False, True]: expected an array of bool"),
        (np.array([1, 0, 1]), TypeError, " is array([1, 0, 1]): expected an array of bool"),
        (np.array([True]), ValueError, " has the shape (1,): expected (3,)"),
        (np.zeros(3, np.bool_), ValueError, " has no True: expected one or more"),
    ]
    for mask, error, sentence in wrong:
        with pytest.raises(error, match=f"^the reset_mask{re.escape(sentence)}$"):
            env.reset(seed=5, options={"reset_mask": mask})
    assert_same(env.reset(), other.reset())


def test_the_first_reset_is_for_all() -> None:
    env = vector(2)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before reset\(\) with a mask"):
        env.reset(options={"reset_mask": np.array([True, False])})
    everywhere = env.reset(seed=3, options={"reset_mask": np.array([True, True])})
    assert_same(everywhere, vector(2).reset(seed=3))


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_what_is_not_allowed_anywhere_raises_and_changes_nothing(steps: int) -> None:
    env, other = vector(50, rules="vegas"), vector(50, rules="vegas")
    random = np.random.default_rng(steps)
    _, info = env.reset(seed=4)
    other.reset(seed=4)
    ended = np.zeros(50, np.bool_)
    for _ in range(steps):
        actions = pick(info["action_mask"], random)
        _, _, ended, _, info = env.step(actions)
        other.step(actions)
    right = pick(info["action_mask"], random)
    tried = 0
    for place, action in zip(*np.nonzero(info["action_mask"] == 0), strict=True):
        wrong = right.copy()
        wrong[place] = action
        if ended[place]:  # ignored, whatever it is
            continue
        first = allowed({"action_mask": info["action_mask"][place]})[0]
        called = f"the action of environment {place} is {action} ({NAMES[action].lower()})"
        told = f"{called}, which is not allowed now: expected {first} ({NAMES[first].lower()})"
        with pytest.raises(ValueError, match=f"^{re.escape(told)}"):
            env.step(wrong)
        tried += 1
    assert tried > 40
    assert_same(env.step(right), other.step(right))


def test_what_are_no_actions_is_refused() -> None:
    both, all_six = r"expected 0 \(hit\) or 1 \(stand\)$", r"expected 0 \(hit\), .* or 5 \(insure\)$"
    for rules, most, expected in (("course", 2, both), ("vegas", 6, all_six)):
        env = vector(3, rules=rules)
        with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
            env.step(np.zeros(3, np.int64))
        env.reset(seed=1)
        for actions in ([0, 1, most], [0, -1, 1], [0.0, 1.0, 1.0]):
            with pytest.raises(ValueError, match=f"^an action is invalid: {expected}"):
                env.step(np.array(actions))
        with pytest.raises(ValueError, match=r"the actions have the shape \(2,\): expected \(3,\)"):
            env.step(np.array([1, 1]))
        env.step(np.ones(3, np.bool_))


def test_bad_numbers_of_environments_and_seeds_are_refused() -> None:
    with pytest.raises(ValueError, match="num_envs is 0: expected 1 or more"):
        BlackjackVectorEnv(0)
    with pytest.raises(ValueError, match="there are 2 seeds: expected one for each of 3"):
        vector(3).reset(seed=[1, 2])
    for seed in (-1, [1, -2, 3], [1, None, 2.5], np.int64(-1)):
        with pytest.raises(Error, match="Seed must be"):
            vector(3).reset(seed=seed)  # type: ignore[arg-type]
