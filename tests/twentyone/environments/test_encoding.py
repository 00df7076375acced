"""What is seen as one number and as an array: as it is documented, there and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete

from cards import PRESETS, Ace
from tests.helpers.agents import any_new_rules
from tests.helpers.house import open_house
from tests.helpers.remote import seated
from tests.twentyone.environments.comparing import assert_same, plain
from tests.twentyone.environments.making import blackjack, play_round
from twentyone.environments.encoding import FEW, MANY, NUMBERS, from_box, from_number, to_box, to_number
from twentyone.policies.observation_tuples import ObservationTuple

KNOWN: dict[ObservationTuple, int] = {
    (2, 2, 0): 0,  # a hard 2: two aces that count 1
    (16, 10, 0): 148,
    (32, 11, 0): 309,
    (12, 2, 1): 310,
    (21, 11, 1): 409,
    (16, 10, 0, 0, 1, 0): 148,  # the same hand has the same number in both games
    (16, 10, 0, 8, 1, 0): 488,
    (4, 2, 0, 2, 1, 0): 420,
    (12, 2, 1, 1, 1, 0): 410,
    (2, 2, 0, 1, 1, 0): 510,
    (16, 10, 0, 0, 3, 0): 1188,
    (16, 11, 0, 0, 1, 1): 2229,  # insurance
    (16, 10, 0, 0, 1, 2): 2748,  # surrender before the peek
    (2, 11, 0, 1, 1, 2): 3119,
}


def test_these_are_the_numbers_of_what_is_seen() -> None:
    for seen, number in KNOWN.items():
        assert to_number(seen) == number
        assert from_number(number, parts=len(seen)) == seen


@pytest.mark.parametrize(("parts", "count"), [(FEW, 410), (MANY, 3120)])
def test_every_number_is_something_else_that_can_be_seen(parts: int, count: int) -> None:
    assert count == NUMBERS[parts]
    numbers = np.arange(count)
    seen = from_number(numbers, parts=parts)
    assert to_number(seen).tolist() == numbers.tolist()
    assert len(set(zip(*(part.tolist() for part in seen), strict=True))) == count
    boxes = to_box(seen)
    assert boxes.dtype == np.float32 and boxes.shape == (count, 7 if parts == MANY else 3)
    assert boxes.min() >= 0 and boxes.max() == 1
    assert_same(from_box(boxes), seen)
    for number in range(0, count, 37):
        one = from_number(number, parts=parts)
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


def test_what_cannot_be_seen_is_refused() -> None:
    simple = [(1, 2, 0), (33, 2, 0), (11, 2, 1), (22, 2, 1), (16, 1, 0), (16, 12, 0), (16, 2, 2)]
    whole = [(16, 2, 0, 7, 1, 0), (16, 2, 0, 0, 5, 0), (16, 2, 0, 0, 2, 1), (16, 2, 0, 0, 1, 3)]
    for seen in (*simple, *whole):
        for encode in (to_number, to_box):
            with pytest.raises(ValueError, match="cannot be seen: expected an observation of an environment"):
                encode(seen)
    for parts in ((), (16, 10), (16, 10, 0, 8)):
        with pytest.raises(ValueError, match=f"observation are {len(parts)}: expected 3"):
            to_number(parts)


def test_what_is_no_number_or_array_of_anything_is_refused() -> None:
    wrong: list[tuple[Any, int]] = [(-1, FEW), (410, FEW), (3120, MANY), (1.0, FEW)]
    for number, parts in wrong:
        most = 3119 if parts == MANY else 409
        with pytest.raises(ValueError, match=f"is no number of what is seen: expected 0 to {most}"):
            from_number(number, parts=parts)
    for array, shape in ((np.zeros(4), r"\(4,\)"), (1.0, r"\(\)")):
        with pytest.raises(ValueError, match=rf"the array has the shape {shape}: expected 3 or 7 numbers"):
            from_box(array)


@pytest.mark.parametrize("preset", ["casino", "vegas"])
def test_an_environment_tells_the_same_in_every_form(preset: str) -> None:
    """100 rounds: each observation is that of the tuple, and can be turned back into it."""
    envs = [blackjack(rules=preset, observation=form) for form in ("tuple", "discrete", "box")]
    randoms = [np.random.default_rng(3) for _ in envs]
    for number in range(100):
        seed = None if number else 3
        rounds = [play_round(env, random, seed) for env, random in zip(envs, randoms, strict=True)]
        (turns, last, *rest), *others = rounds
        for (told, end, *more), encode in zip(others, (to_number, to_box), strict=True):
            assert plain(more) == plain(rest)
            assert [plain(one) for one, *_ in told] == [plain(encode(one)) for one, *_ in turns]
            assert [one[1:] for one in told] == [one[1:] for one in turns]
            assert plain(end) == plain(encode(last))


def test_under_all_rules_what_is_seen_has_a_number() -> None:
    """60 new rules by 20 rounds; and aces that count 1, or 11, in a game of HIT and STAND."""
    simple = [replace(PRESETS["course"], ace=ace) for ace in Ace]
    for seed, rules in enumerate([*any_new_rules(2, 60), *simple]):
        env, random = blackjack(rules=rules), np.random.default_rng(seed)
        for number in range(20):
            turns, last, *_ = play_round(env, random, None if number else seed)
            for seen in (*(seen for seen, *_ in turns), last):
                assert from_number(to_number(seen), parts=len(seen)) == seen


@pytest.mark.parametrize(("preset", "form"), [("casino", "discrete"), ("vegas", "box")])
def test_stable_baselines3_can_learn_on_numbers_and_arrays(preset: str, form: str) -> None:
    """What its `env_checker` asks beyond Gymnasium's; it needs half a gigabyte of torch."""
    with (
        open_house(rules=PRESETS[preset]) as house,
        seated(house.port, rules=preset, observation=form) as far,
    ):
        for env in (blackjack(rules=preset, observation=form), far):
            space = env.observation_space
            assert isinstance(env.action_space, Discrete) and env.action_space.start == 0
            assert (isinstance(space, Box) and len(space.shape) == 1) or space == Discrete(space.n)  # type: ignore[attr-defined]
            seen, info = env.reset(seed=0)
            for _ in range(100):
                assert isinstance(seen, np.ndarray | np.integer | int) and seen in space
                *result, info = env.step(int(env.action_space.sample(info["action_mask"])))
                assert [*map(type, result[1:])] == [float, bool, bool] and np.isfinite(result[1])
                seen, info = env.reset() if result[2] else (result[0], info)
