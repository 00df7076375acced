"""`RemoteBlackjackEnv` in the whole game: at real dealers, beside the one here, and at scripted peers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.wrappers import FlattenObservation

import environments
from cards import PRESETS, Bets, Outcome, Rules, RulesError, StackedShoe, shoe_for
from environments.blackjack import BlackjackEnv
from environments.chance import CountedRandom, key_of
from environments.remote import RemoteBlackjackEnv
from environments.wire import DealerGoneError
from policies.seen import Seen
from tests.environments.comparing import assert_no_fault
from tests.environments.test_remote import following, on_a_thread, saying, seated
from tests.helpers.agents import (
    DOUBLE,
    HIT,
    INSURE,
    SPLIT,
    STAND,
    SURRENDER,
    WHOLE_PRESETS,
    any_whole_rules,
    pick,
)
from tests.helpers.house import House, open_house, stacked
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import AsyncPeer

gymnasium.register_envs(environments)

VEGAS = f"RULES {PRESETS['vegas']}"
OTHER_RULES = list(any_whole_rules(20, 60))[::10]


class Forgiving(RemoteBlackjackEnv):
    """Stands where an action is not allowed: Gymnasium's checker tries any action."""

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        try:
            return super().step(action)
        except ValueError:
            return super().step(STAND)


def allowed(info: dict[str, Any]) -> list[int]:
    """The actions that are allowed."""
    assert info["action_mask"].dtype == np.int8
    return [int(action) for action in np.flatnonzero(info["action_mask"])]


def deal_by(house: House, rules: Rules, seed: int) -> None:
    """Let the dealer deal what an environment deals by a seed."""
    house.server.shoes = lambda _, __: shoe_for(rules, CountedRandom(key_of(seed)))


def told(step: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a step or a reset has given, as something that can be compared."""
    *rest, info = step
    return (*rest, allowed(info), info.get("outcome"), info.get("dealer_total"))


def assert_plays_alike(env: RemoteBlackjackEnv, rules: Rules, rounds: int, seed: int) -> Counter[int]:
    """Play the rounds that the environment here plays; return how often each action was taken."""
    alone, random = BlackjackEnv(rules), np.random.default_rng(seed)
    taken: Counter[int] = Counter()
    for number in range(rounds):
        dealt = env.reset()
        assert told(dealt) == told(alone.reset(seed=None if number else seed))
        info, is_over = dealt[1], False
        while not is_over:
            action = int(pick(info["action_mask"], random))
            taken[action] += 1
            step = env.step(action)
            assert told(step) == told(alone.step(action))
            _, _, is_over, _, info = step
    return taken


@pytest.mark.parametrize("preset", WHOLE_PRESETS)
def test_gymnasium_finds_no_fault(preset: str) -> None:
    with open_house(rules=PRESETS[preset]) as house:
        options = {"port": house.port, "timeout": PATIENCE}
        spec = EnvSpec(
            "twentyone/Forgiving-v0", f"{__name__}:Forgiving", kwargs=options, nondeterministic=True
        )
        env = gymnasium.make(spec).unwrapped
        assert_no_fault(env)
        env.close()


@pytest.mark.parametrize("preset", WHOLE_PRESETS)
def test_on_the_same_cards_it_is_the_same_as_the_one_here(preset: str) -> None:
    rules = PRESETS[preset]
    with open_house(rules=rules) as house:
        deal_by(house, rules, 6)
        with seated(house.port) as env:
            taken = assert_plays_alike(env, rules, 150, seed=6)
            assert env.rules == rules
    assert {HIT, STAND, DOUBLE, SPLIT} <= set(taken)


@pytest.mark.parametrize("rules", OTHER_RULES, ids=str)
def test_other_rules_are_played_alike_too(rules: Rules) -> None:
    with open_house(rules=rules) as house:
        deal_by(house, rules, 8)
        with seated(house.port) as env:
            assert_plays_alike(env, rules, 60, seed=8)


def test_where_bets_are_asked_it_stakes_the_least_and_the_reward_is_in_that_unit() -> None:
    rules = replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=1_000_000)
    with open_house(rules=rules) as house:
        deal_by(house, rules, 6)
        with seated(house.port, name="learner") as env:
            taken = assert_plays_alike(env, replace(rules, bets=None, bankroll=None), 100, seed=6)
            assert env.rules == rules
        assert eventually(lambda: house.tally("learner").rounds == 100)
    assert {INSURE, SURRENDER} <= set(taken)


@pytest.mark.parametrize(
    ("dealer", "outcome", "goes_on"), [("Ten of Clubs", "LOSE", False), ("Seven of Clubs", "WIN", True)]
)
def test_what_the_bankroll_does_not_cover_is_not_in_the_mask(
    dealer: str, outcome: str, goes_on: bool
) -> None:
    """A pair of nines against a nine, and one unit: who has lost it is dealt no more rounds."""
    rules = replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=10)
    cards = stacked(f"Nine of Hearts, Nine of Spades, Nine of Clubs, {dealer}")
    with open_house(rules=rules) as house:
        house.server.shoes = lambda _, __: StackedShoe(cards)
        with seated(house.port) as env:
            observation, info = env.reset()
            assert (observation, allowed(info)) == ((18, 9, 0, 0, 1, 0), [HIT, STAND, SURRENDER])
            _, reward, is_over, _, info = env.step(STAND)
            assert (reward, is_over, info["outcome"]) == (1 if goes_on else -1, True, outcome)
            if goes_on:
                assert len(env.reset()[0]) == 6
                return
            with pytest.raises(DealerGoneError, match="deals no more rounds"):
                env.reset()


def test_rounds_end_as_the_dealer_counts_them() -> None:
    random = np.random.default_rng(1)
    outcomes: Counter[str] = Counter()
    payoff = 0.0
    with open_house(rules=PRESETS["vegas"], seed=8) as house, seated(house.port, name="learner") as env:
        for _ in range(200):
            _, info = env.reset()
            is_over = False
            while not is_over:
                _, reward, is_over, _, info = env.step(int(pick(info["action_mask"], random)))
            outcomes[info["outcome"]] += 1
            payoff += reward
        assert eventually(lambda: house.tally("learner").rounds == 200)
        tally = house.tally("learner")
    assert {outcome.value: count for outcome, count in tally.counts.items() if count} == outcomes
    assert float(tally.total_payoff) == payoff
    assert outcomes["SURRENDER"] > 0


def test_its_spaces_are_those_of_the_table_from_the_first_reset_on() -> None:
    with open_house(rules=PRESETS["reno"]) as house, seated(house.port) as env:
        assert env.action_space == spaces.Discrete(2)
        observation, _ = env.reset()
        assert env.action_space == spaces.Discrete(6)
        assert observation in env.observation_space and len(observation) == 6
    with open_house() as house, seated(house.port) as env:
        observation, info = env.reset()
        assert env.action_space == spaces.Discrete(2)
        assert (len(observation), info["action_mask"].tolist()) == (3, [1, 1])


def test_wrappers_are_told_of_the_spaces_before_the_table_is() -> None:
    with open_house(rules=PRESETS["reno"]) as house, seated(house.port, rules="vegas") as env:
        wrapped = FlattenObservation(env)
        seen, info = wrapped.reset()
        assert seen in wrapped.observation_space and seen.sum() == 6  # each number as a place of its own
        assert wrapped.action_space.sample(info["action_mask"]) in allowed(info)
    with pytest.raises(RulesError, match="there are no rules 'venice'"):
        RemoteBlackjackEnv(rules="venice")


BETS = replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=1_000)


@pytest.mark.parametrize("rules", [BETS, replace(BETS, seats=3)], ids=["bets", "bets and 3 seats"])
def test_the_spaces_may_be_those_of_the_rules_that_a_table_has_told(rules: Rules) -> None:
    with open_house(rules=rules, bots=rules.seats - 1) as house:
        with seated(house.port) as first:
            first.reset()
            told = first.rules
        assert told == rules
        with seated(house.port, rules=told) as env:
            before = env.observation_space
            assert env.action_space == spaces.Discrete(6)
            observation, _ = env.reset()
            assert env.observation_space == before and observation in before


def test_a_reset_in_an_open_round_declines_and_stands_with_every_hand() -> None:
    with open_house(rules=PRESETS["vegas"], seed=4) as house:
        with seated(house.port, name="restless") as env:
            splits = 0
            for _ in range(80):
                _, info = env.reset()
                if SPLIT in allowed(info):
                    env.step(SPLIT)
                    splits += 1
        assert splits > 2
        assert eventually(lambda: house.tally("restless").rounds == 80)
        assert house.tally("restless").counts[Outcome.BUST] == 0


def test_what_is_not_allowed_is_not_sent() -> None:
    hand = ["CARD Ten of Hearts", "CARD Nine of Clubs", "DEALER Ace of Clubs"]
    heard: list[str] = []
    lines = [VEGAS, "BEGIN", *hand, "DECISION INSURE DECLINE"]
    with on_a_thread(saying(*lines, heard=heard)) as port, seated(port) as env:
        _, info = env.reset()
        assert allowed(info) == [STAND, INSURE]
        with pytest.raises(ValueError, match="the action is 2"):
            env.step(DOUBLE)
    assert heard == ["RULES", "QUIT"]


def test_where_the_dealers_clock_declined_a_step_only_looks_and_a_late_answer_is_given_again() -> None:
    """The dealer takes the first STAND for the answer that it had waited for in vain, and refuses it."""
    hand = ["CARD Ten of Hearts", "CARD Nine of Clubs", "DEALER Ace of Clubs", "DECISION INSURE DECLINE"]
    clock = ["ERROR no answer came in time: that is taken as DECLINE", "DECISION HIT STAND DOUBLE SURRENDER"]
    refused = "ERROR STAND came too late: the clock had already declined"
    end = ["DEALER Eight of Clubs", "RESULT PUSH 0"]
    heard: list[str] = []

    async def script(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN ")
        await peer.say(VEGAS, "BEGIN", *hand, *clock)
        assert await peer.hear() == "RULES"
        heard.append(await peer.hear())
        await peer.say(refused)
        heard.append(await peer.hear())
        await peer.say(*end)
        heard.append(await peer.hear())

    with on_a_thread(following(script)) as port, seated(port) as env:
        observation, info = env.reset()
        assert (observation[5], allowed(info)) == (1, [STAND, INSURE])
        observation, reward, is_over, _, info = env.step(INSURE)  # this is not sent
        assert (observation, reward, is_over) == ((19, 11, 0, 0, 1, 0), 0.0, False)
        assert allowed(info) == [HIT, STAND, DOUBLE, SURRENDER]
        observation, reward, is_over, _, info = env.step(STAND)
        assert (observation[0], reward, is_over, info["dealer_total"]) == (19, 0.0, True, 19)
    assert heard == ["STAND", "STAND", "QUIT"]


def test_a_dealer_that_tells_of_hands_that_are_not_there_is_left() -> None:
    hand = ["CARD Eight of Hearts", "CARD Eight of Clubs", "DEALER Two of Clubs", "HAND 1 3"]
    peer, sentence = saying(VEGAS, "BEGIN", *hand, waits=False), "HAND tells of 3 hands: expected 1$"
    with on_a_thread(peer) as port, seated(port) as env, pytest.raises(DealerGoneError, match=sentence):
        env.reset()


def test_split_hands_are_drawn_and_the_dealer_s_cards_at_the_end() -> None:
    hand = ["CARD Eight of Hearts", "CARD Eight of Clubs", "DEALER Two of Clubs"]
    after = ["HAND 1 2", "CARD Three of Hearts", "DECISION HIT STAND DOUBLE"]
    second = ["HAND 2 2", "CARD Ten of Clubs", "DECISION HIT STAND"]
    end = [
        "DEALER Ten of Diamonds",
        "DEALER Ten of Spades",
        "HAND 1 2 WIN +2",
        "HAND 2 2 WIN +1",
        "RESULT WIN +3",
    ]

    async def script(peer: AsyncPeer) -> None:
        assert (await peer.hear()).startswith("JOIN ")
        await peer.say(VEGAS, "BEGIN", *hand, "DECISION HIT STAND SPLIT SURRENDER")
        assert await peer.hear() == "RULES"
        assert await peer.hear() == "SPLIT"
        await peer.say(*after)
        assert await peer.hear() == "DOUBLE"
        await peer.say("CARD Ten of Hearts", *second)
        assert await peer.hear() == "STAND"
        await peer.say(*end)
        assert await peer.hear() == "QUIT"

    with on_a_thread(following(script)) as port, seated(port, render_mode="ansi") as env:
        assert env.reset()[0] == (16, 2, 0, 8, 1, 0)
        assert env.step(SPLIT)[0] == (11, 2, 0, 0, 2, 0)
        assert env.step(DOUBLE)[0] == (18, 2, 0, 0, 2, 0)
        assert [(one.hand.total, one.stake) for one in env._shown().hands] == [(21, 2), (18, 1)]
        observation, reward, is_over, _, info = env.step(STAND)
        assert (observation, reward, is_over) == ((18, 2, 0, 0, 2, 0), 3.0, True)
        assert (info["outcome"], info["dealer_total"], allowed(info)) == ("WIN", 22, [STAND])
        assert str(env.render()).splitlines() == [
            "dealer: Two of Clubs, Ten of Diamonds, Ten of Spades",
            "player, hand 1 of 2: Eight of Hearts, Three of Hearts, Ten of Hearts (hard 21)",
            "player, hand 2 of 2: Eight of Clubs, Ten of Clubs (hard 18)",
            "WIN: +3",
        ]
