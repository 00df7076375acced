"""`BlackjackEnv`: Gymnasium's own checks, the rules as keywords, and rounds as `cards` plays them."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import environments
from cards import PRESETS, Ace, Cutoff, DealerStands, Decision, Naturals, Round, Rules, RulesError, shoe_for
from environments.blackjack import BlackjackEnv
from environments.chance import CountedRandom, key_of
from environments.registration import BLACKJACK
from policies.policy import upcard_value
from policies.seen import Seen
from tests.environments.comparing import assert_no_fault, plain

HIT, STAND = 0, 1
BOTH = {"action_mask": ("int8", [1, 1])}
WITH_DEALER = [name for name, rules in PRESETS.items() if rules.has_dealer and not rules.is_whole]

gymnasium.register_envs(environments)


def blackjack(**options: Any) -> BlackjackEnv:
    env = gymnasium.make(BLACKJACK, **options).unwrapped
    assert isinstance(env, BlackjackEnv)
    return env


def hands(env: BlackjackEnv, count: int = 10) -> list[Seen]:
    """The hands that are dealt next."""
    return [env.reset()[0] for _ in range(count)]


@pytest.mark.parametrize("preset", WITH_DEALER)
def test_gymnasium_finds_no_fault(preset: str) -> None:
    assert_no_fault(blackjack(rules=preset))


@pytest.mark.parametrize(
    ("keywords", "rules"),
    [
        ({}, PRESETS["course"]),
        ({"rules": "casino"}, PRESETS["casino"]),
        ({"rules": PRESETS["study"]}, PRESETS["study"]),
        ({"rules": PRESETS["study"], "ace": 11}, replace(PRESETS["study"], ace=Ace.ELEVEN)),
        ({"rules": "study", "decks": 2}, replace(PRESETS["study"], decks=2)),
        ({"decks": "inf"}, replace(PRESETS["course"], decks=None)),
        ({"reshuffle": "cutoff:20"}, replace(PRESETS["course"], reshuffle=Cutoff(20))),
        ({"ace": 1}, replace(PRESETS["course"], ace=Ace.ONE)),
        ({"dealer_stands": "hard17"}, replace(PRESETS["course"], dealer_stands=DealerStands.HARD17)),
        ({"naturals": "beat"}, replace(PRESETS["course"], naturals=Naturals.BEAT)),
        ({"rules": "casino", "natural": "equal"}, replace(PRESETS["casino"], naturals=Naturals.EQUAL)),
    ],
)
def test_every_rule_is_a_keyword(keywords: dict[str, Any], rules: Rules) -> None:
    assert blackjack(**keywords).rules == rules


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        (
            {"rules": "poker"},
            "there are no rules 'poker':"
            " expected course, study, devs, casino, showdown, vegas, reno or europe",
        ),
        ({"rules": "showdown"}, "showdown has no dealer to play against: expected rules with a dealer"),
        (
            {"rules": replace(Rules(), seats=3)},
            "seats is 3: expected 1, since an environment plays a single seat",
        ),
        ({"decks": 9}, "decks is 9: expected 1 to 8, or inf"),
        ({"natural": True}, "naturals is 'True': expected equal, beat"),
        ({"natural": "beat", "naturals": "beat"}, "natural and naturals are the same field: expected one"),
        (
            {"sab": True},
            "there is no field 'sab' of the rules: expected one of decks, reshuffle, ace, dealer_stands",
        ),
        ({"decks": "inf", "reshuffle": "cutoff:9"}, "an infinite deck never runs low"),
    ],
)
def test_invalid_rules_are_refused_in_a_sentence(keywords: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulesError) as error:
        blackjack(**keywords)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize("preset", WITH_DEALER)
def test_rounds_are_those_that_cards_plays(preset: str) -> None:
    """300 rounds by coin from one seed: every observation, payoff and info."""
    rules = PRESETS[preset]
    env, coin = blackjack(rules=preset), CountedRandom(key_of(99))
    shoe = shoe_for(rules, CountedRandom(key_of(5)))
    for number in range(300):
        observation, info = env.reset(seed=None if number else 5)
        game = Round(rules, shoe)
        game.deal()
        is_over, reward = False, 0.0
        while game.turn == 0:
            hand, upcard = game.hands[0], game.upcard
            assert upcard is not None
            assert observation == (hand.total, upcard_value(upcard), int(hand.is_soft))
            assert (is_over, reward, plain(info)) == (False, 0.0, BOTH)
            action = coin(2)
            game.decide(0, (Decision.HIT, Decision.STAND)[action])
            observation, reward, is_over, is_cut, info = env.step(action)
            assert not is_cut
        outcome = game.outcomes[0]
        assert outcome is not None and game.dealer is not None
        assert (is_over, reward) == (True, outcome.payoff)
        assert observation[0] == game.hands[0].total
        assert plain(info) == BOTH | {"outcome": outcome.value, "dealer_total": game.dealer.total}


def test_standing_is_1_and_ends_the_round_other_than_in_blackjack_v1() -> None:
    env, other = blackjack(), gymnasium.make("Blackjack-v1")
    for seed in range(50):
        env.reset(seed=seed)
        assert env.step(STAND)[2]
        other.reset(seed=seed)
        assert other.step(HIT)[2]  # the number of this action there


def test_a_seed_repeats_and_no_seed_goes_on() -> None:
    env = blackjack(rules="study")

    def deal(seed: int | None) -> list[Any]:
        return [env.reset(seed=seed)[0], *(env.reset()[0] for _ in range(30))]

    first = deal(1)
    assert deal(1) == first
    assert deal(2) != first
    assert hands(blackjack()) != hands(blackjack())


def test_random_numbers_that_are_set_decide_the_cards() -> None:
    def seeded(seed: int) -> BlackjackEnv:
        env = blackjack()
        env.np_random = np.random.default_rng(seed)
        return env

    first = hands(seeded(1))
    assert hands(seeded(1)) == first != hands(seeded(2))
    again = blackjack(rules="study")
    again.reset(seed=9)
    again.np_random = np.random.default_rng(1)
    fresh = blackjack(rules="study")
    fresh.np_random = np.random.default_rng(1)
    assert hands(again, 40) == hands(fresh, 40)


def test_the_seed_that_it_chose_deals_its_cards_again() -> None:
    env = blackjack(rules="study")
    first = hands(env)
    again = blackjack(rules="study")
    assert [again.reset(seed=env.np_random_seed)[0], *hands(again, 9)] == first


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"]
)
@pytest.mark.parametrize("rules", [*WITH_DEALER, replace(Rules(), decks=None)])
def test_a_copy_in_the_middle_of_a_round_goes_on_independently(
    rules: str | Rules, duplicate: Callable[[BlackjackEnv], BlackjackEnv]
) -> None:
    def play(env: BlackjackEnv) -> list[Any]:
        """To the end of the round, and 20 more."""
        said: list[Any] = [env.step(HIT)]
        for number in range(20):
            said += [env.reset(), env.step(number % 2)]
        return [plain(one) for one in said]

    env = blackjack(rules=rules)
    seed = next(seed for seed in range(100) if env.reset(seed=seed)[0][0] < 10)
    env.reset(seed=seed)
    env.step(HIT)
    one, other = duplicate(env), duplicate(env)
    expected = play(one)
    assert play(env) == expected == play(other)


def test_two_aces_that_count_11_are_bust_before_anything_is_asked() -> None:
    env = blackjack(ace=11)
    env.reset(seed=1)
    for _ in range(3_000):  # one hand in 221 is two aces
        observation, info = env.reset()
        if observation[0] == 22:
            break
    assert (observation[2], plain(info)) == (0, BOTH)
    again, reward, is_over, _, told = env.step(STAND)
    assert (again, reward, is_over, told["outcome"]) == (observation, -1.0, True, "BUST")


def test_the_cards_are_drawn_as_text_and_the_hole_card_only_at_the_end() -> None:
    env = blackjack(render_mode="ansi")
    env.reset(seed=3)
    before = env.render()
    assert before is not None
    dealer, player, *rest = before.splitlines()
    assert (dealer.count(" of "), player.count(" of "), rest) == (1, 2, [])
    _, reward, _, _, info = env.step(STAND)
    after = env.render()
    assert after is not None
    lines = after.splitlines()
    assert lines[0].startswith(dealer) and lines[0].count(" of ") >= 2
    assert lines[1:] == [player, f"{info['outcome']}: {reward:+.0f}"]


def test_render_without_a_mode_says_how() -> None:
    with pytest.warns(UserWarning, match=r'expected make\(\.\.\., render_mode="ansi"\)'):
        assert blackjack().render() is None


@pytest.mark.parametrize("action", [2, -1, 0.5, 1.0, None, "1"])
def test_an_invalid_action_changes_nothing(action: Any) -> None:
    env = blackjack()
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"expected 0 \(hit\) or 1 \(stand\)"):
        env.step(action)
    assert env.step(STAND)[2]


@pytest.mark.parametrize("action", [1, np.int64(1), np.array(1), np.uint8(1), True])
def test_an_action_is_a_whole_number_of_any_kind(action: Any) -> None:
    env = blackjack()
    env.reset(seed=1)
    assert env.step(action)[2]


def test_no_step_without_a_round() -> None:
    env = blackjack()
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
        env.step(HIT)
    env.reset(seed=1)
    env.step(STAND)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
        env.step(STAND)


def test_its_spec_makes_it_again() -> None:
    env = gymnasium.make(BLACKJACK, rules="casino", natural="equal")
    assert env.spec is not None
    again = gymnasium.make(pickle.loads(pickle.dumps(env.spec)))
    assert again.unwrapped.rules == env.unwrapped.rules  # type: ignore[attr-defined]
    assert plain(again.reset(seed=4)) == plain(env.reset(seed=4))
