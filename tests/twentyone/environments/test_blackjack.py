"""`BlackjackEnv` in both games, held to `cards.Round`."""

from __future__ import annotations

import copy
import pickle
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from cards import PRESETS, Decision, Round, Rules, asking, shoe_for
from tests.helpers.agents import (
    DOUBLE,
    HIT,
    INSURE,
    NAMES,
    SPLIT,
    STAND,
    SURRENDER,
    any_new_rules,
    pick,
)
from tests.twentyone.environments.comparing import assert_no_fault, plain
from tests.twentyone.environments.making import BOTH, allowed, blackjack, play_round
from twentyone.environments.blackjack import BlackjackEnv
from twentyone.environments.chance import CountedRandom, key_of
from twentyone.environments.registration import BLACKJACK
from twentyone.policies.observation_tuples import ObservationTuple
from twentyone.policies.policy import observation

SIMPLE = [rules for rules in PRESETS.values() if rules.has_dealer and not asking.asks_more(rules)]


@pytest.mark.parametrize(
    ("rules", "form"), [("course", "tuple"), ("study", "discrete"), ("vegas", "tuple"), ("reno", "box")]
)
def test_gymnasium_finds_no_fault(rules: str, form: str) -> None:
    """Its checker takes actions without a look at the mask, so what is not allowed must stand."""
    assert_no_fault(blackjack(rules=rules, observation=form, actions="gymnasium", illegal="stand"))


def seen_of(game: Round, rules: Rules) -> tuple[tuple[int, ...], list[int]]:
    """What a player sees of a round, and the actions that it has."""
    seen = observation(game, 0)
    options = seen.options if game.turn is not None else ()
    simple = (seen.total, seen.upcard or 0, int(seen.is_soft))
    question = 0 if Decision.DECLINE not in options else 1 if Decision.INSURE in options else 2
    whole = (*simple, seen.pair, len(game.hands_of(0)), question)
    names = {option.value for option in options} | {"STAND"}
    return whole if asking.asks_more(rules) else simple, [n for n, name in enumerate(NAMES) if name in names]


def test_a_kept_shoe_goes_on_as_cards_plays_it() -> None:
    """Every preset of HIT and STAND by 150 rounds and 60 new rules by 20, without a seed in between."""
    random = np.random.default_rng(3)
    taken, outcomes, most_hands = Counter[int](), set[str](), 0
    for rules in [*SIMPLE, *any_new_rules(5, 60)]:
        env, shoe = blackjack(rules=rules), shoe_for(rules, CountedRandom(key_of(5)))
        for number in range(20 if asking.asks_more(rules) else 150):
            turns, seen, reward, info = play_round(env, random, None if number else 5)
            game = Round(rules, shoe)
            game.deal()
            for before, mask, action in turns:
                assert (before, mask) == seen_of(game, rules)
                if game.turn is not None:
                    game.decide(0, Decision(NAMES[action]))
                    taken[action] += 1
            outcome, payoff = game.outcomes[0], game.payoffs[0]
            assert outcome is not None and payoff is not None and game.dealer is not None
            told = {"outcome": outcome.value, "dealer_total": game.dealer.total}
            assert (reward, info | told) == (float(payoff), info)
            assert asking.asks_more(rules) or (seen[0], plain(info)) == (game.hands[0].total, BOTH | told)
            outcomes.add(info["outcome"])
            most_hands = max(most_hands, len(game.hands_of(0)))
    assert min(taken[action] for action in range(6)) > 10, taken
    assert (outcomes, most_hands) == ({"WIN", "LOSE", "PUSH", "BUST", "SURRENDER"}, 4)


def test_two_aces_that_count_11_are_bust_before_anything_is_asked() -> None:
    env = blackjack(ace=11)
    env.reset(seed=1)
    for _ in range(3_000):  # one hand in 221 is two aces
        seen, info = env.reset()
        if seen[0] == 22:
            break
    assert (seen[2], plain(info)) == (0, BOTH)
    again, reward, is_over, _, told = env.step(STAND)
    assert (again, reward, is_over, told["outcome"]) == (seen, -1.0, True, "BUST")


def test_a_natural_is_asked_nothing_and_paid_at_the_ratio() -> None:
    env = blackjack(rules="europe", reshuffle="round")
    env.reset(seed=1)
    rewards = set()
    for _ in range(600):
        seen, info = env.reset()
        if seen[0] == 21:
            assert allowed(info) == [STAND]
            _, reward, is_over, _, info = env.step(STAND)
            assert is_over and info["outcome"] == ("WIN" if reward else "PUSH")
            rewards.add(reward)
    assert 1.5 in rewards and rewards <= {1.5, 0.0}


def test_insurance_pays_2_to_1_and_standing_declines_it() -> None:
    """With the same cards: insured and not, and the dealer's natural ends both at once."""
    insured, other = blackjack(rules="vegas"), blackjack(rules="vegas")
    differences = set()
    for seed in range(400):
        seen, info = insured.reset(seed=seed)
        if seen[5] != 1:
            continue
        assert seen[1] == 11 and seen[3:] == (0, 1, 1) and allowed(info) == [STAND, INSURE]
        other.reset(seed=seed)
        one, two = insured.step(INSURE), other.step(STAND)
        assert one[0] == two[0] and one[2] == two[2]
        while not one[2]:
            one, two = insured.step(STAND), other.step(STAND)
        has_natural = one[4]["dealer_total"] == 21 and one[1] > two[1]
        differences.add((has_natural, one[1] - two[1]))
    assert differences == {(True, 1.0), (False, -0.5)}


def test_surrender_before_the_peek_is_a_question_of_its_own() -> None:
    env = blackjack(rules="vegas", surrender="early", insurance=False, render_mode="ansi")
    questions = 0
    for seed in range(100):
        seen, info = env.reset(seed=seed)
        if seen[5] == 2:
            questions += 1
            assert seen[1] in (10, 11) and allowed(info) == [STAND, SURRENDER]
            if questions % 2:
                _, reward, is_over, _, info = env.step(SURRENDER)
                assert (reward, is_over, info["outcome"]) == (-0.5, True, "SURRENDER")
                assert str(env.render()).splitlines()[2:] == ["SURRENDER: -0.5"]
            elif not (done := env.step(STAND))[2]:
                assert SURRENDER not in allowed(done[4]) and done[0][5] == 0
    assert questions > 15


def test_what_is_not_allowed_raises_and_changes_nothing() -> None:
    """Every forbidden action of 100 rounds, before each allowed one; the sentence names what is allowed."""
    env, other = blackjack(rules="vegas"), blackjack(rules="vegas")
    random = np.random.default_rng(6)
    tried: set[tuple[int, int]] = set()
    env.reset(seed=6)[1]["action_mask"][:] = 0  # which is the caller's own
    for number in range(100):
        seed = None if number else 6
        seen, info = env.reset(seed=seed)
        assert other.reset(seed=seed)[0] == seen
        is_over = False
        while not is_over:
            may = allowed(info)
            for action in set(range(6)) - set(may):
                called = f"the action is {action} ({NAMES[action].lower()}), which is not allowed now:"
                named = [f"{one} ({NAMES[one].lower()})" for one in may]
                expected = " or ".join([", ".join(named[:-1])] * (len(named) > 1) + named[-1:])
                with pytest.raises(ValueError, match=f"^{re.escape(f'{called} expected {expected}')}$"):
                    env.step(action)
                tried.add((action, seen[5]))
            action = int(pick(info["action_mask"], random))
            seen, reward, is_over, _, info = env.step(action)
            assert other.step(action)[:3] == (seen, reward, is_over)
    assert {(action, 0) for action in (HIT, DOUBLE, SPLIT, SURRENDER, INSURE)} <= tried
    assert {(action, 1) for action in (HIT, DOUBLE, SPLIT, SURRENDER)} <= tried


@pytest.mark.parametrize(
    ("rules", "expected", "beyond"),
    [
        ("course", r"expected 0 \(hit\) or 1 \(stand\)$", 2),
        ("reno", r"0 \(hit\), 1 \(stand\), 2 \(double\), 3 \(split\), 4 \(surrender\) or 5 \(insure\)$", 6),
    ],
)
def test_an_action_is_a_whole_number_of_any_kind(rules: str, expected: str, beyond: int) -> None:
    env = blackjack(rules=rules)
    for wrong in (beyond, -1, 0.5, 1.0, None, "1"):
        env.reset(seed=1)
        with pytest.raises(ValueError, match=expected):
            env.step(wrong)  # type: ignore[arg-type]
        assert env.step(STAND)[2], wrong
    for right in (1, np.int64(1), np.array(1), np.uint8(1), True):
        env.reset(seed=1)
        assert env.step(right)[2], right  # type: ignore[arg-type]


@pytest.mark.parametrize("rules", ["course", "vegas"])
def test_no_step_and_no_picture_without_a_round(rules: str) -> None:
    env = blackjack(rules=rules, render_mode="ansi")
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
        env.step(STAND)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before render"):
        env.render()
    play_round(env, np.random.default_rng(1), seed=1)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
        env.step(STAND)


def hands(env: BlackjackEnv, count: int = 10) -> list[ObservationTuple]:
    """The hands that are dealt next."""
    return [env.reset()[0] for _ in range(count)]


def test_a_seed_repeats_the_cards_and_no_seed_goes_on() -> None:
    env = blackjack(rules="study")

    def deal(seed: int) -> list[Any]:
        return [env.reset(seed=seed)[0], *hands(env, 30)]

    first = deal(1)
    assert deal(1) == first != deal(2)
    assert hands(blackjack()) != hands(blackjack())
    again = blackjack(rules="study")
    unseeded = hands(env := blackjack(rules="study"))
    assert [again.reset(seed=env.np_random_seed)[0], *hands(again, 9)] == unseeded, "the seed that it chose"


def test_random_numbers_that_are_set_decide_the_cards() -> None:
    def with_numbers(seed: int, env: BlackjackEnv) -> BlackjackEnv:
        env.np_random = np.random.default_rng(seed)
        return env

    first = hands(with_numbers(1, blackjack()))
    assert hands(with_numbers(1, blackjack())) == first != hands(with_numbers(2, blackjack()))
    used = blackjack(rules="study")
    used.reset(seed=9)
    assert hands(with_numbers(1, used), 40) == hands(with_numbers(1, blackjack(rules="study")), 40)


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"]
)
@pytest.mark.parametrize("rules", ["course", "study", replace(Rules(), decks=None), "vegas"])
def test_a_copy_in_the_middle_of_a_round_goes_on_independently(
    rules: str | Rules, duplicate: Callable[[BlackjackEnv], BlackjackEnv]
) -> None:
    """After a split, or a card that has left the hand open."""

    def go_on(env: BlackjackEnv) -> list[Any]:
        """To the end of the round, standing, and 20 more."""
        said: list[Any] = []
        is_over = False
        while not is_over:
            *results, is_over, _, info = env.step(STAND)
            said += [results, plain(info)]
        random = np.random.default_rng(1)
        return said + [play_round(env, random)[:3] for _ in range(20)]

    env = blackjack(rules=rules, **({"insurance": False} if rules == "vegas" else {}))
    action = SPLIT if rules == "vegas" else HIT
    assert any(
        action in allowed(info) and (action == SPLIT or seen[0] < 10)
        for seen, info in (env.reset(seed=seed) for seed in range(200))
    )
    env.step(action)
    one, other = duplicate(env), duplicate(env)
    expected = go_on(one)
    assert go_on(env) == expected == go_on(other)


def test_the_cards_are_drawn_as_text_and_the_hole_card_only_at_the_end() -> None:
    env = blackjack(render_mode="ansi")
    env.reset(seed=3)
    dealer, player, *rest = str(env.render()).splitlines()
    assert (dealer.count(" of "), player.count(" of "), rest) == (1, 2, [])
    assert re.fullmatch(r"player: \w+ of \w+, \w+ of \w+ \((hard|soft) \d+\)", player)
    _, reward, _, _, info = env.step(STAND)
    lines = str(env.render()).splitlines()
    assert lines[0].startswith(dealer) and lines[0].count(" of ") >= 2
    assert lines[1:] == [player, f"{info['outcome']}: {reward:+.0f}"]


def test_split_hands_are_drawn_one_below_the_other() -> None:
    env = blackjack(rules="vegas", insurance=False, render_mode="ansi")
    assert any(SPLIT in allowed(env.reset(seed=seed)[1]) for seed in range(200))
    env.step(SPLIT)
    before = str(env.render()).splitlines()
    assert [line.split(":")[0] for line in before] == ["dealer", "player, hand 1 of 2", "player, hand 2 of 2"]
    assert [line.count(" of ") for line in before] == [1, 3, 2]  # the second card of hand 2 comes in its turn


def test_render_without_a_mode_says_how() -> None:
    with pytest.warns(UserWarning, match=r'expected make\(\.\.\., render_mode="ansi"\)'):
        assert gymnasium.make(BLACKJACK).unwrapped.render() is None
