"""`BlackjackEnv` in the whole game, held to the reference of `tests.cards` and to `cards.Round`."""

from __future__ import annotations

import copy
import pickle
import re
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded

import environments
from cards import PRESETS, Bets, Card, Decision, Round, Rules, RulesError, rules_from, shoe_for
from environments.blackjack import BlackjackEnv
from environments.chance import CountedRandom, key_of
from environments.registration import BLACKJACK
from policies.policy import observation
from policies.seen import Seen
from tests.environments.comparing import assert_no_fault
from tests.helpers.agents import (
    DOUBLE,
    HIT,
    INSURE,
    NAMES,
    SPLIT,
    STAND,
    SURRENDER,
    WHOLE_PRESETS,
    any_whole_fields,
    any_whole_rules,
    as_keywords,
    pick,
)
from tests.helpers.reference import Options, Played, is_soft, play, rule, total_of

gymnasium.register_envs(environments)

Turn = tuple[Seen, list[int], int]
"""An observation, the mask, and the action that was taken."""

CARDS_OF_A_ROUND = 40
"""Enough for four hands and the dealer's."""


def blackjack(**options: Any) -> BlackjackEnv:
    env = gymnasium.make(BLACKJACK, **options).unwrapped
    assert isinstance(env, BlackjackEnv)
    return env


def allowed(info: dict[str, Any]) -> list[int]:
    """The actions that are allowed."""
    mask = info["action_mask"]
    assert (mask.dtype, mask.shape) == (np.int8, (6,))
    return [int(action) for action in np.flatnonzero(mask)]


def play_round(
    env: BlackjackEnv, random: np.random.Generator, seed: int | None = None
) -> tuple[list[Turn], Seen, float, dict[str, Any]]:
    """A round by allowed actions at random: its turns, and what the last step gave."""
    seen, info = env.reset(seed=seed)
    turns: list[Turn] = []
    is_over, reward = False, 0.0
    while not is_over:
        assert reward == 0.0
        assert set(info) == {"action_mask"}
        action = int(pick(info["action_mask"], random))
        turns.append((seen, allowed(info), action))
        seen, reward, is_over, is_cut, info = env.step(action)
        assert not is_cut
    return turns, seen, reward, info


class Forgiving(BlackjackEnv):
    """Stands where an action is not allowed: Gymnasium's checker tries any action."""

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        try:
            return super().step(action)
        except ValueError:
            return super().step(STAND)


@pytest.mark.parametrize("preset", WHOLE_PRESETS)
def test_gymnasium_finds_no_fault(preset: str) -> None:
    spec = EnvSpec("twentyone/Forgiving-v0", f"{__name__}:Forgiving", kwargs={"rules": preset})
    assert_no_fault(gymnasium.make(spec).unwrapped)


@pytest.mark.parametrize("preset", WHOLE_PRESETS)
def test_a_sample_by_the_mask_is_allowed_and_what_is_seen_lies_in_the_space(preset: str) -> None:
    env = gymnasium.make(BLACKJACK, rules=preset)  # with Gymnasium's checks of each step around it
    assert env.action_space == gymnasium.spaces.Discrete(6)
    env.action_space.seed(4)
    seen, info = env.reset(seed=4)
    taken: Counter[int] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2_000):
            assert env.observation_space.contains(seen)
            action = int(env.action_space.sample(info["action_mask"]))
            taken[action] += 1
            seen, _, is_over, _, info = env.step(action)
            if is_over:
                seen, info = env.reset()
    offered = {"vegas": 6, "reno": 5, "europe": 4}[preset]  # reno has no surrender, europe no insurance
    assert len(taken) == offered


def fields_of_reference(played: Played, fields: dict[str, str]) -> tuple[list[tuple[Seen, list[int]]], Seen]:
    """What a player sees and may do at each question of a round of the reference, and at its end."""
    upcard = played.dealer[0]
    shown = 11 if upcard.is_ace else upcard.points
    hands: list[list[Card]] = [[]]
    questions: list[tuple[Seen, list[int]]] = []
    last = 0

    def see(options: Options) -> Seen:
        hand = hands[last]
        points = [card.points for card in hand]
        is_pair = len(hand) == 2 and points[0] == points[1]
        may_split = "SPLIT" in options or ("SURRENDER" in options and "DECLINE" in options)
        pair = points[0] if is_pair and may_split and rule(fields, "split") != "1" else 0
        question = 0 if "DECLINE" not in options else 1 if "INSURE" in options else 2
        ace = rule(fields, "ace")
        return total_of(hand, ace), shown, int(is_soft(hand, ace)), pair, len(hands), question

    for event in played.events:
        match event:
            case ("card", 0, int(at), Card() as card):
                hands[at].append(card)
            case ("asked", 0, int(at), tuple() as options):
                last = at
                mask = [number for number, name in enumerate(NAMES) if name == "STAND" or name in options]
                questions.append((see(options), mask))
            case ("decided", 0, int(at), "SPLIT"):
                hands[at : at + 1] = [[card] for card in hands[at]]
    return questions, see(())


def test_rounds_are_those_of_the_reference_card_by_card() -> None:
    """60 rules by 60 rounds: observations, masks, payoffs, outcomes and the dealer's total."""
    random = np.random.default_rng(1)
    taken: Counter[int] = Counter()
    outcomes: Counter[str] = Counter()
    most_hands = 0
    for number, fields in enumerate(any_whole_fields(2, 60)):
        rules = rules_from(fields)
        env = blackjack(**as_keywords(fields))
        assert env.rules == rules
        for seed in range(1000 * number, 1000 * number + 60):
            turns, seen, reward, info = play_round(env, random, seed)
            actions = iter([action for _, _, action in turns])
            cards = shoe_for(rules, CountedRandom(key_of(seed))).deal_several(CARDS_OF_A_ROUND)
            played = play(fields, 1, cards, lambda *_, left=actions: NAMES[next(left)])
            questions, end = fields_of_reference(played, fields)
            if questions:
                assert [(before, mask) for before, mask, _ in turns] == questions, rules
            else:  # the cards as dealt decide: any round has a step
                assert turns == [(end, [STAND], STAND)]
            (seat,) = played.seats
            assert seat.payoff is not None
            assert (seen, reward) == (end, float(seat.payoff)), rules
            assert (info["outcome"], allowed(info)) == (seat.outcome, [STAND])
            assert info["dealer_total"] == total_of(played.dealer, rule(fields, "ace"))
            taken.update(action for _, _, action in turns)
            outcomes[info["outcome"]] += 1
            most_hands = max(most_hands, seen[4])
    assert min(taken[action] for action in range(6)) > 20, taken
    assert set(outcomes) == {"WIN", "LOSE", "PUSH", "BUST", "SURRENDER"}
    assert most_hands == 4


def test_a_kept_shoe_goes_on_as_cards_plays_it() -> None:
    """30 rules by 60 rounds, without a seed in between."""
    random = np.random.default_rng(3)
    for rules in any_whole_rules(4, 30):
        env, shoe = blackjack(rules=rules), shoe_for(rules, CountedRandom(key_of(5)))
        for number in range(60):
            turns, seen, reward, info = play_round(env, random, None if number else 5)
            game = Round(rules, shoe)
            game.deal()
            for before, _, action in turns:
                observed = observation(game, 0)
                hands = len(game.hands_of(0))
                assert before[:5] == (*seen_by(observed), observed.pair, hands)
                if game.turn is not None:
                    game.decide(0, Decision(NAMES[action]))
            outcome, payoff = game.outcomes[0], game.payoffs[0]
            assert outcome is not None and payoff is not None and game.dealer is not None
            assert (reward, info["outcome"]) == (float(payoff), outcome.value)
            assert info["dealer_total"] == game.dealer.total
            assert seen[4] == len(game.hands_of(0))


def seen_by(observed: Any) -> tuple[int, int, int]:
    return observed.total, observed.upcard, int(observed.is_soft)


@pytest.mark.parametrize(
    ("keywords", "option", "value"),
    [
        ({"naturals": "6:5"}, "naturals", "6:5"),
        ({"natural": "1:1"}, "naturals", "1:1"),
        ({"double": "always"}, "double", "always"),
        ({"double_after_split": "no"}, "double-after-split", "no"),
        ({"double_after_split": False}, "double-after-split", "no"),
        ({"rules": "reno", "double_after_split": True}, "double-after-split", "yes"),
        ({"split": 2}, "split", "2"),
        ({"split_aces": "play"}, "split-aces", "play"),
        ({"surrender": "early"}, "surrender", "early"),
        ({"insurance": False}, "insurance", "no"),
        ({"rules": "europe", "insurance": "yes"}, "insurance", "yes"),
        ({"surrender": "none", "hole_card": "obo"}, "hole-card", "obo"),
        ({"bets": 1}, "bets", "1"),
    ],
)
def test_every_rule_is_a_keyword(keywords: dict[str, Any], option: str, value: str) -> None:
    rules = blackjack(**{"rules": "vegas"} | keywords).rules
    if option == "naturals":
        assert rules.naturals.value == value
    else:
        assert rules.new_fields()[option] == value


def test_rules_that_lack_what_their_preset_has_stay_without_it() -> None:
    rules = replace(
        PRESETS["vegas"], insurance=False, split=1, double_after_split=False, split_aces=Rules().split_aces
    )
    assert blackjack(rules=rules).rules == rules
    assert blackjack(rules=rules, decks=2).rules == replace(rules, decks=2)


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        (
            {"rules": "vegas", "bets": "10-80"},
            "bets is 10-80: expected 1, since an environment stakes one unit",
        ),
        (
            {"rules": replace(PRESETS["vegas"], bets=Bets(5, 50))},
            "bets is 5-50: expected 1, since an environment stakes one unit",
        ),
        ({"rules": "vegas", "bankroll": 100}, "a bankroll of 100 makes no sense where no bets are asked"),
        ({"rules": "vegas", "split": 5}, "split is 5: expected 1 to 4"),
        ({"rules": "vegas", "insurance": "maybe"}, "insurance is 'maybe': expected no or yes"),
        ({"surrender": "late"}, "under naturals equal there is no natural, so surrender late makes no sense"),
        ({"rules": "europe", "surrender": "late"}, "surrender late needs a dealer who looks first"),
        (
            {"rules": "vegas", "resplit": True},
            "there is no field 'resplit' of the rules: expected one of decks",
        ),
    ],
)
def test_invalid_rules_are_refused_in_a_sentence(keywords: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulesError) as error:
        blackjack(**keywords)
    assert str(error.value).startswith(sentence)


def test_what_is_not_allowed_raises_and_changes_nothing() -> None:
    """Every forbidden action of 400 rounds, before each allowed one."""
    env, other = blackjack(rules="vegas"), blackjack(rules="vegas")
    random = np.random.default_rng(6)
    tried: set[tuple[int, int]] = set()
    for number in range(400):
        seed = None if number else 6
        seen, info = env.reset(seed=seed)
        assert other.reset(seed=seed)[0] == seen
        is_over = False
        while not is_over:
            may = allowed(info)
            for action in set(range(6)) - set(may):
                called = re.escape(
                    f"the action is {action} ({NAMES[action].lower()}), which is not allowed now:"
                )
                with pytest.raises(ValueError, match=rf"^{called} expected .*1 \(stand\)"):
                    env.step(action)
                tried.add((action, seen[5]))
            action = int(pick(info["action_mask"], random))
            seen, reward, is_over, _, info = env.step(action)
            assert other.step(action)[:3] == (seen, reward, is_over)
    assert {(action, 0) for action in (HIT, DOUBLE, SPLIT, SURRENDER, INSURE)} <= tried
    assert {(action, 1) for action in (HIT, DOUBLE, SPLIT, SURRENDER)} <= tried


def test_the_sentence_names_what_is_allowed() -> None:
    env = blackjack(rules="vegas", reshuffle="round")
    _, info = next(env.reset(seed=seed) for seed in range(100) if env.reset(seed=seed)[0][1] == 11)
    assert allowed(info) == [STAND, INSURE]
    with pytest.raises(ValueError) as error:
        env.step(HIT)
    assert (
        str(error.value)
        == "the action is 0 (hit), which is not allowed now: expected 1 (stand) or 5 (insure)"
    )


@pytest.mark.parametrize("action", [6, -1, 0.5, 1.0, None, "1"])
def test_what_is_no_action_changes_nothing(action: Any) -> None:
    env = blackjack(rules="reno")
    env.reset(seed=1)
    expected = r"expected 0 \(hit\), 1 \(stand\), 2 \(double\), 3 \(split\), 4 \(surrender\) or 5 \(insure\)$"
    with pytest.raises(ValueError, match=expected):
        env.step(action)
    assert env.step(STAND)[2]


def test_no_step_without_a_round() -> None:
    env = blackjack(rules="vegas")
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
        env.step(STAND)
    play_round(env, np.random.default_rng(1), seed=1)
    with pytest.raises(ResetNeeded, match=r"call reset\(\) before step"):
        env.step(STAND)


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
    differences = Counter[tuple[bool, float]]()
    for seed in range(1_500):
        seen, info = insured.reset(seed=seed)
        other.reset(seed=seed)
        if seen[5] != 1:
            continue
        assert seen[1] == 11 and seen[3:] == (0, 1, 1) and allowed(info) == [STAND, INSURE]
        one, two = insured.step(INSURE), other.step(STAND)
        assert one[0] == two[0] and one[2] == two[2]
        while not one[2]:
            one, two = insured.step(STAND), other.step(STAND)
        has_natural = one[4]["dealer_total"] == 21 and one[1] - two[1] > 0
        differences[has_natural, one[1] - two[1]] += 1
    assert set(differences) == {(True, 1.0), (False, -0.5)}


def test_surrender_before_the_peek_is_a_question_of_its_own() -> None:
    env = blackjack(rules="vegas", surrender="early", insurance=False)
    questions = 0
    for seed in range(300):
        seen, info = env.reset(seed=seed)
        if seen[5] == 2:
            questions += 1
            assert seen[1] in (10, 11) and allowed(info) == [STAND, SURRENDER]
            if questions % 2:
                _, reward, is_over, _, info = env.step(SURRENDER)
                assert (reward, is_over, info["outcome"]) == (-0.5, True, "SURRENDER")
            elif not (done := env.step(STAND))[2]:
                assert SURRENDER not in allowed(done[4]) and done[0][5] == 0
    assert questions > 50


def test_a_seed_repeats_the_episode_and_no_seed_goes_on() -> None:
    def episodes(seed: int) -> list[Any]:
        env, random = blackjack(rules="reno"), np.random.default_rng(1)
        rounds = [play_round(env, random, seed), *(play_round(env, random) for _ in range(30))]
        return [(turns, seen, reward) for turns, seen, reward, _ in rounds]

    assert episodes(1) == episodes(1) != episodes(2)


def test_the_mask_is_the_callers_own() -> None:
    env = blackjack(rules="vegas")
    _, info = env.reset(seed=1)
    before = allowed(info)
    info["action_mask"][:] = 0
    assert allowed(env.reset(seed=1)[1]) == before


@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"]
)
def test_a_copy_in_the_middle_of_a_split_goes_on_independently(
    duplicate: Callable[[BlackjackEnv], BlackjackEnv],
) -> None:
    def go_on(env: BlackjackEnv) -> list[Any]:
        """To the end of the round, standing, and 20 more."""
        said: list[Any] = []
        is_over = False
        while not is_over:
            *results, is_over, _, info = env.step(STAND)
            said += [results, allowed(info)]
        random = np.random.default_rng(1)
        return said + [play_round(env, random)[:3] for _ in range(20)]

    env = blackjack(rules="vegas", insurance=False)
    assert any(SPLIT in allowed(env.reset(seed=seed)[1]) for seed in range(200))
    env.step(SPLIT)
    one, other = duplicate(env), duplicate(env)
    expected = go_on(one)
    assert go_on(env) == expected == go_on(other)


def test_split_hands_are_drawn_one_below_the_other() -> None:
    env = blackjack(rules="vegas", insurance=False, render_mode="ansi")
    assert any(SPLIT in allowed(env.reset(seed=seed)[1]) for seed in range(200))
    env.step(SPLIT)
    before = str(env.render()).splitlines()
    assert [line.split(":")[0] for line in before] == ["dealer", "player, hand 1 of 2", "player, hand 2 of 2"]
    assert [line.count(" of ") for line in before] == [1, 3, 2]  # the second card of hand 2 comes in its turn
    is_over, reward = False, 0.0
    while not is_over:
        _, reward, is_over, _, info = env.step(STAND)
    after = str(env.render()).splitlines()
    assert after[0].count(" of ") >= 2
    assert after[-1] == f"{info['outcome']}: {reward:+g}"


def test_it_plays_the_whole_game_by_the_smallest_change() -> None:
    """One new rule is enough for six actions; without one there are two, as ever."""
    assert blackjack(split=2).action_space == gymnasium.spaces.Discrete(6)
    assert blackjack(naturals="3:2").action_space == gymnasium.spaces.Discrete(6)
    assert blackjack(rules="casino").action_space == gymnasium.spaces.Discrete(2)
