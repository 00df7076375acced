"""`RemoteBlackjackEnv` at real dealers: beside the environment here, and as the dealer counts."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.wrappers import FlattenObservation

from cards import PRESETS, Bets, Outcome, Rules, StackedShoe, asking, shoe_for
from tests.helpers.agents import DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER, any_new_rules, pick
from tests.helpers.house import House, deal_from, open_house, stacked
from tests.helpers.patience import eventually
from tests.helpers.remote import seated
from tests.twentyone.environments.comparing import assert_no_fault, plain
from tests.twentyone.environments.making import allowed
from twentyone.environments.blackjack import BlackjackEnv
from twentyone.environments.chance import CountedRandom, key_of
from twentyone.environments.connecting import DealerGoneError
from twentyone.environments.remote import RemoteBlackjackEnv
from twentyone.support.limits import raise_open_files

OTHER_RULES = list(any_new_rules(20, 60))[::12]
BETS = replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=1_000_000)


@pytest.mark.parametrize(("rules", "form"), [("course", "tuple"), ("vegas", "box")])
def test_gymnasium_finds_no_fault(rules: str, form: str) -> None:
    options = {"rules": rules, "observation": form, "illegal": "stand"}
    with open_house(rules=PRESETS[rules]) as house, seated(house.port, **options) as env:
        assert_no_fault(env)


def told(step: tuple[Any, ...], *, knows_dealer: bool) -> Any:
    """What a step or a reset has given; players of HIT and STAND do not learn the dealer's total."""
    *rest, info = step
    return plain((*rest, {name: info[name] for name in info if knows_dealer or name != "dealer_total"}))


def assert_plays_alike(
    env: RemoteBlackjackEnv, house: House, rules: Rules, rounds: int, seed: int, **options: Any
) -> Counter[int]:
    """Play the rounds that the environment here plays; return how often each action was taken."""
    deal_from(house, lambda: shoe_for(rules, CountedRandom(key_of(seed))))
    alone, random = BlackjackEnv(rules, **options), np.random.default_rng(seed)
    taken: Counter[int] = Counter()
    knows = asking.asks_more(rules)
    for number in range(rounds):
        dealt = env.reset()
        here = alone.reset(seed=None if number else seed)
        assert told(dealt, knows_dealer=knows) == told(here, knows_dealer=knows)
        info, is_over = dealt[1], False
        while not is_over:
            action = int(pick(info["action_mask"], random))
            taken[action] += 1
            step = env.step(action)
            here_too = alone.step(action)
            assert told(step, knows_dealer=knows) == told(here_too, knows_dealer=knows)
            _, _, is_over, _, info = step
    return taken


@pytest.mark.parametrize(
    ("preset", "options"),
    [
        ("study", {"observation": "tuple"}),
        ("casino", {"observation": "discrete", "actions": "gymnasium"}),
        ("vegas", {"observation": "box"}),
        ("reno", {"observation": "box", "actions": "gymnasium"}),
    ],
)
def test_on_the_same_cards_it_is_the_same_as_the_one_here(preset: str, options: dict[str, str]) -> None:
    rules = PRESETS[preset]
    with open_house(rules=rules) as house, seated(house.port, rules=preset, **options) as env:
        taken = assert_plays_alike(env, house, rules, 100, seed=6, **options)
        assert env.rules == rules
    assert set(taken) >= ({HIT, STAND, DOUBLE, SPLIT} if asking.asks_more(rules) else {HIT, STAND})


def test_other_new_rules_are_played_alike_too() -> None:
    for rules in OTHER_RULES:
        with open_house(rules=rules) as house, seated(house.port) as env:
            assert_plays_alike(env, house, rules, 40, seed=8)


def test_where_bets_are_asked_it_stakes_the_least_and_the_reward_is_in_that_unit() -> None:
    with open_house(rules=BETS) as house:
        with seated(house.port, name="learner") as env:
            taken = assert_plays_alike(env, house, replace(BETS, bets=None, bankroll=None), 100, seed=6)
            assert env.rules == BETS
        assert eventually(lambda: house.tally("learner").rounds == 100)
    assert {INSURE, SURRENDER} <= set(taken)


def test_what_the_bankroll_does_not_cover_is_not_in_the_mask() -> None:
    """A pair of nines against a nine, and one unit: who has lost it is dealt no more rounds."""
    rules = replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=10)
    cards = stacked("Nine of Hearts, Nine of Spades, Nine of Clubs, Ten of Clubs")
    with open_house(rules=rules) as house:
        deal_from(house, lambda: StackedShoe(cards))
        with seated(house.port) as env:
            observation, info = env.reset()
            assert (observation, allowed(info)) == ((18, 9, 0, 0, 1, 0), [HIT, STAND, SURRENDER])
            _, reward, is_over, _, info = env.step(STAND)
            assert (reward, is_over, info["outcome"]) == (-1, True, "LOSE")
            with pytest.raises(DealerGoneError, match="deals no more rounds"):
                env.reset()


def test_a_reset_in_an_open_round_declines_and_stands_with_every_hand() -> None:
    with open_house(rules=PRESETS["vegas"], seed=4) as house:
        with seated(house.port, name="restless") as env:
            splits = 0
            for _ in range(80):
                _, info = env.reset(seed=1)
                if SPLIT in allowed(info):
                    env.step(SPLIT)
                    splits += 1
        assert splits > 2
        assert eventually(lambda: house.tally("restless").rounds == 80)
        assert house.tally("restless").counts[Outcome.BUST] == 0


def test_a_dealer_that_has_dealt_all_its_rounds_is_over_and_can_be_joined_no_more() -> None:
    with open_house(rounds=2) as house, seated(house.port) as env:
        for _ in range(2):
            env.reset()
            env.step(STAND)
        with pytest.raises(DealerGoneError, match="deals no more rounds"):
            env.reset()
        house.wait()
        with pytest.raises(DealerGoneError, match="there is no dealer at"):
            env.reset()


def test_closing_twice_is_fine_and_a_reset_joins_again() -> None:
    with open_house() as house, seated(house.port) as env:
        env.close()
        env.reset()
        env.close()
        env.close()
        with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
            env.step(STAND)
        env.reset()
        assert env.step(STAND)[2]
        with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
            env.step(STAND)


def test_its_spaces_are_those_of_the_table_from_the_first_reset_on() -> None:
    with open_house(rules=PRESETS["reno"]) as house, seated(house.port) as env:
        assert env.action_space == spaces.Discrete(2)
        observation, _ = env.reset()
        assert env.action_space == spaces.Discrete(6)
        assert observation in env.observation_space and len(observation) == 6
    with open_house(rules=PRESETS["reno"]) as house, seated(house.port, rules="vegas") as env:
        wrapped = FlattenObservation(env)  # which is told of the spaces before the table is
        seen, info = wrapped.reset()
        assert seen in wrapped.observation_space and seen.sum() == 6  # each number as a place of its own
        assert wrapped.action_space.sample(info["action_mask"]) in allowed(info)
    with open_house() as house, seated(house.port, rules="vegas") as env:
        assert env.action_space == spaces.Discrete(6)
        observation, info = env.reset()
        assert env.action_space == spaces.Discrete(2)
        assert (len(observation), info["action_mask"].tolist()) == (3, [1, 1])
    # Rules that a table has told, with its bets and all its seats, which an environment that deals refuses:
    many = RemoteBlackjackEnv(rules=replace(BETS, seats=3))
    assert many.action_space == spaces.Discrete(6) and len(many.observation_space.sample()) == 6


def test_it_plays_with_more_files_open_than_select_can_watch() -> None:
    resource = pytest.importorskip("resource")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    if raise_open_files(1_500) < 1_500:
        pytest.skip("the system lets nobody have 1,500 files open")
    try:
        with open_house() as house, ExitStack() as files:
            for _ in range(1_024):
                files.enter_context(Path(os.devnull).open("rb"))
            with seated(house.port) as env:
                for _ in range(3):
                    env.reset()
                    assert env.step(STAND)[2]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
