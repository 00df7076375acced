"""What is seen as one number and as an array: as it is documented, there and back, in every environment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import SyncVectorEnv

import environments
from cards import PRESETS, Ace, Rules
from environments.blackjack import BlackjackEnv
from environments.encoding import (
    FORMS,
    NUMBERS,
    WHOLE_NUMBERS,
    from_box,
    from_number,
    to_box,
    to_number,
)
from environments.registration import BLACKJACK, REMOTE_BLACKJACK
from environments.remote import RemoteBlackjackEnv
from environments.vector import BlackjackVectorEnv
from policies.seen import Seen
from tests.environments.comparing import assert_no_fault, assert_same, plain
from tests.environments.test_remote import seated
from tests.helpers.agents import STAND, any_whole_rules, pick
from tests.helpers.house import open_house

gymnasium.register_envs(environments)

FLAT = [form for form in FORMS if form != "tuple"]
PLAIN = [name for name, rules in PRESETS.items() if rules.has_dealer and not rules.is_whole]
EITHER_GAME = ["course", "casino", "vegas", "europe"]
TO = {"discrete": to_number, "box": to_box}


Told = tuple[Any, dict[str, Any], float]
"""An observation, with its `info` and the reward."""


def played(rules: Rules | str, form: str, rounds: int, seed: int) -> Iterator[Told]:
    """What an environment tells at each step of some rounds by allowed actions at random."""
    env, random = BlackjackEnv(rules, observation=form), np.random.default_rng(seed)
    for number in range(rounds):
        seen, info = env.reset(seed=None if number else seed)
        is_over, reward = False, 0.0
        yield seen, info, reward
        while not is_over:
            seen, reward, is_over, _, info = env.step(int(pick(info["action_mask"], random)))
            assert seen in env.observation_space
            yield seen, info, reward


@pytest.mark.parametrize(
    ("seen", "number"),
    [
        ((2, 2, 0), 0),  # a hard 2: two aces that count 1
        ((16, 10, 0), 148),
        ((32, 11, 0), 309),
        ((12, 2, 1), 310),
        ((21, 11, 1), 409),
        ((16, 10, 0, 0, 1, 0), 148),  # the same hand has the same number in both games
        ((16, 10, 0, 8, 1, 0), 488),
        ((4, 2, 0, 2, 1, 0), 420),
        ((12, 2, 1, 1, 1, 0), 410),
        ((2, 2, 0, 1, 1, 0), 510),
        ((16, 10, 0, 0, 3, 0), 1188),
        ((16, 11, 0, 0, 1, 1), 2229),  # insurance
        ((16, 10, 0, 0, 1, 2), 2748),  # surrender before the peek
        ((2, 11, 0, 1, 1, 2), 3119),
    ],
)
def test_these_are_the_numbers_of_what_is_seen(seen: Seen, number: int) -> None:
    assert to_number(seen) == number
    assert from_number(number, is_whole=len(seen) > 3) == seen


@pytest.mark.parametrize(("is_whole", "count"), [(False, 410), (True, 3120)])
def test_every_number_is_something_else_that_can_be_seen(is_whole: bool, count: int) -> None:
    assert count == (WHOLE_NUMBERS if is_whole else NUMBERS)
    numbers = np.arange(count)
    seen = from_number(numbers, is_whole=is_whole)
    assert to_number(seen).tolist() == numbers.tolist()
    assert len(set(zip(*(part.tolist() for part in seen), strict=True))) == count
    boxes = to_box(seen)
    assert boxes.dtype == np.float32 and boxes.shape == (count, 7 if is_whole else 3)
    assert boxes.min() >= 0 and boxes.max() == 1
    assert_same(from_box(boxes), seen)
    for number in range(0, count, 37):
        one = from_number(number, is_whole=is_whole)
        assert from_box(to_box(one)) == one
        assert to_box(one).tolist() == boxes[number].tolist()


def test_an_array_has_what_is_seen_in_the_units_of_the_documentation() -> None:
    assert to_box((16, 10, 0)).tolist() == np.array([16 / 32, 10 / 11, 0], np.float32).tolist()
    whole = [12 / 32, 11 / 11, 1, 1 / 10, 1 / 4, 1, 0]
    assert to_box((12, 11, 1, 1, 1, 1)).tolist() == np.array(whole, np.float32).tolist()
    assert to_box((12, 11, 1, 1, 1, 2))[5:].tolist() == [0, 1]


def test_arrays_of_any_shape_are_encoded() -> None:
    totals = np.arange(4, 16).reshape(3, 4)
    assert to_number((totals, 10, 0)).tolist() == ((totals - 2) * 10 + 8).tolist()
    assert to_box((totals, 10, 0)).shape == (3, 4, 3)
    assert plain(from_box(to_box((totals, 10, 0)))[0]) == plain(totals)


@pytest.mark.parametrize(
    "seen", [(1, 2, 0), (33, 2, 0), (11, 2, 1), (22, 2, 1), (16, 1, 0), (16, 12, 0), (16, 2, 2)]
)
def test_what_cannot_be_seen_is_refused(seen: Seen) -> None:
    for encode in TO.values():
        with pytest.raises(ValueError, match="cannot be seen: expected an observation of an environment"):
            encode(seen)


@pytest.mark.parametrize(
    "seen", [(16, 2, 0, 7, 1, 0), (16, 2, 0, 0, 5, 0), (16, 2, 0, 0, 2, 1), (16, 2, 0, 0, 1, 3)]
)
def test_nor_can_this_in_the_whole_game(seen: Seen) -> None:
    with pytest.raises(ValueError, match="cannot be seen"):
        to_number(seen)


@pytest.mark.parametrize("parts", [(), (16, 10), (16, 10, 0, 8)])
def test_an_observation_has_three_parts_or_six(parts: Seen) -> None:
    with pytest.raises(ValueError, match=f"an observation has {len(parts)} parts: expected 3, or 6"):
        to_number(parts)


@pytest.mark.parametrize(("number", "is_whole"), [(-1, False), (410, False), (3120, True), (1.0, False)])
def test_what_is_no_number_of_anything_is_refused(number: Any, is_whole: bool) -> None:
    with pytest.raises(
        ValueError, match=f"is no number of what is seen: expected 0 to {3119 if is_whole else 409}"
    ):
        from_number(number, is_whole=is_whole)
    with pytest.raises(ValueError, match=r"the array has the shape \(4,\): expected 3 or 7 numbers"):
        from_box(np.zeros(4))


@pytest.mark.parametrize("form", FLAT)
@pytest.mark.parametrize("preset", [*PLAIN, "vegas", "reno", "europe"])
def test_an_environment_tells_the_same_in_every_form(preset: str, form: str) -> None:
    """300 rounds: each observation is that of the tuple, and can be turned back into it."""
    rounds = zip(played(preset, "tuple", 300, 3), played(preset, form, 300, 3), strict=True)
    for (seen, *rest), (told, *others) in rounds:
        assert plain(rest) == plain(others)
        assert plain(told) == plain(TO[form](seen))
        back = from_box(told) if form == "box" else from_number(told, is_whole=len(seen) > 3)
        assert back == seen


def test_under_all_rules_what_is_seen_has_a_number() -> None:
    """60 rules of the whole game by 60 rounds; and aces that count 1, or 11, in a game of HIT and STAND."""
    plainer = [replace(PRESETS["course"], ace=ace) for ace in Ace]
    for number, rules in enumerate([*any_whole_rules(2, 60), *plainer]):
        for seen, _, _ in played(rules, "tuple", 60, number):
            assert from_number(to_number(seen), is_whole=rules.is_whole) == seen


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("preset", EITHER_GAME)
def test_thousands_tell_what_one_after_the_other_tells(preset: str, form: str) -> None:
    count = 50
    fast = BlackjackVectorEnv(count, preset, observation=form)
    slow = SyncVectorEnv([lambda: BlackjackEnv(preset, observation=form)] * count)
    assert fast.observation_space == slow.observation_space
    assert fast.single_observation_space == slow.single_observation_space
    random = np.random.default_rng(1)
    mine, theirs = fast.reset(seed=1), slow.reset(seed=1)
    assert_same(mine, theirs)
    info = mine[1]
    for number in range(60):
        actions = pick(info["action_mask"], random)
        step = fast.step(actions)
        assert step[0] in fast.observation_space
        assert_same(step, slow.step(actions))
        info = step[4]
        if number % 20 == 19:
            mask = np.arange(count) % 2 == 0
            dealt = fast.reset(options={"reset_mask": mask})
            assert_same(dealt[1], slow.reset(options={"reset_mask": mask.copy()})[1])
            info = {
                "action_mask": np.where(mask[:, np.newaxis], dealt[1]["action_mask"], info["action_mask"])
            }


def test_the_masks_that_are_said_at_every_step_cannot_be_written_to() -> None:
    env = BlackjackVectorEnv(3)
    _, info = env.reset(seed=1)
    assert plain(info) == {"action_mask": ("int8", [[1, 1]] * 3), "_action_mask": ("bool", [True] * 3)}
    with pytest.raises(ValueError, match="read-only"):
        info["action_mask"][0, 0] = 0
    info["more"] = 1
    assert "more" not in env.step(np.full(3, STAND))[4]


@pytest.mark.parametrize("form", FLAT)
@pytest.mark.parametrize("preset", ["casino", "vegas"])
def test_at_a_dealer_it_is_told_in_the_same_form(preset: str, form: str) -> None:
    with open_house(rules=PRESETS[preset], seed=5) as house, seated(house.port, observation=form) as env:
        random = np.random.default_rng(5)
        for _ in range(30):
            seen, info = env.reset()
            is_over = False
            while not is_over:
                assert seen in env.observation_space
                assert env.rules is not None and env.rules.is_whole == (preset == "vegas")
                back = from_box(seen) if form == "box" else from_number(seen, is_whole=env.rules.is_whole)
                assert 4 <= back[0] <= 21 and 2 <= back[1] <= 11
                seen, _, is_over, _, info = env.step(int(pick(info["action_mask"], random)))


@pytest.mark.parametrize("form", FLAT)
def test_gymnasium_finds_no_fault(form: str) -> None:
    env = gymnasium.make(BLACKJACK, observation=form).unwrapped
    assert_no_fault(env)
    assert isinstance(env.observation_space, spaces.Discrete if form == "discrete" else spaces.Box)


@pytest.mark.parametrize(
    "make",
    [BlackjackEnv, lambda **options: BlackjackVectorEnv(2, **options), RemoteBlackjackEnv],
    ids=["one", "thousands", "remote"],
)
def test_another_form_is_refused_in_a_sentence(make: Any) -> None:
    with pytest.raises(ValueError, match=r"^observation is 'dict': expected tuple, discrete or box$"):
        make(observation="dict")


@pytest.mark.parametrize("name", [BLACKJACK, REMOTE_BLACKJACK])
def test_a_form_is_part_of_the_spec(name: str) -> None:
    env = gymnasium.make(name, observation="box")
    assert env.spec is not None
    assert gymnasium.make(env.spec).observation_space == spaces.Box(0.0, 1.0, (3,), np.float32)
