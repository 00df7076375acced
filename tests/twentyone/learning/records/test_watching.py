"""Transitions from records are those that an environment gives for the same cards and actions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import PRESETS, Bets, Decision, HoleCard, Payoff, Round, Rules, SeatForfeited, StackedShoe, asking
from tests.helpers.house import stacked
from tests.helpers.recorded import ONE_SEAT, SEVERAL_SEATS, VEGAS, line_of
from tests.helpers.rounds import played
from twentyone.environments.blackjack import BlackjackEnv
from twentyone.learning.records.lines import played_again
from twentyone.learning.records.watching import (
    DOUBLE,
    INSURE,
    SPLIT,
    STAND,
    Episode,
    Transition,
    episodes,
)
from twentyone.policies.observation_tuples import ObservationTuple

SIMPLE = (0, 1, 0)


def six(seen: ObservationTuple) -> ObservationTuple:
    return seen if len(seen) == 6 else (*seen, *SIMPLE)


def episodes_of(round_: Round) -> list[Episode]:
    again = played_again(line_of(round_))
    return episodes(again)


@given(rules=st.sampled_from(ONE_SEAT), seed=st.integers(0, 10**6))
def test_they_are_those_of_an_environment(rules: Rules, seed: int) -> None:
    env, random = BlackjackEnv(rules), Random(seed)
    seen, info = env.reset(seed=seed)
    steps, done = [], False
    while not done:
        is_asked = env._round is not None and env._round.turn is not None
        allowed = [*info["action_mask"].nonzero()[0].tolist()] if asking.asks_more(rules) else [0, 1]
        action = random.choice(allowed) if is_asked else STAND
        after, reward, done, _, info = env.step(action)
        mask = sum(1 << each for each in allowed) if is_asked else 1 << STAND
        steps.append((six(seen), action, reward, six(after), done, mask))
        seen = after
    assert env._round is not None
    (episode,) = episodes_of(env._round)
    assert [step[:6] for step in episode] == steps


@given(
    rules=st.sampled_from([*ONE_SEAT, *SEVERAL_SEATS]),
    seed=st.integers(0, 10**6),
    actions=st.text("hhsoof", max_size=30),
    means=st.lists(st.sampled_from([1, Fraction(3, 2), 2, 8]), min_size=4, max_size=4),
)
def test_every_payoff_is_credited_once(rules: Rules, seed: int, actions: str, means: list[Payoff]) -> None:
    round_ = played(rules, seed, actions, means=means[: rules.seats] if rules.bets else None)
    given_up = {record.seat for record in round_.records if isinstance(record, SeatForfeited)}
    payoffs = [payoff for seat, payoff in enumerate(round_.payoffs) if seat not in given_up]
    episodes = episodes_of(round_)
    assert [sum(step.reward for step in episode) for episode in episodes] == pytest.approx(payoffs)
    for episode in episodes:
        assert [step.done for step in episode] == [False] * (len(episode) - 1) + [True]
        if episode[-1].action != INSURE:  # else the hand was asked nothing, and its payoff is nobody's
            assert sum(step.credit for step in episode) == pytest.approx(episode[-1].reward)


def dealt(rules: Rules, cards: str, *decisions: Decision) -> Round:
    round_ = Round(rules, StackedShoe(stacked(cards)))
    round_.deal()
    for decision in decisions:
        round_.decide(0, decision)
    return round_


def test_a_split_is_followed_by_both_hands_and_each_has_its_own_payoff() -> None:
    cards = "Eight of Spades, Eight of Hearts, Six of Clubs, Ten of Clubs, Three of Clubs, Ten of Hearts,"
    drawn = "Nine of Clubs, Ten of Spades"
    round_ = dealt(VEGAS, cards + drawn, Decision.SPLIT, Decision.DOUBLE, Decision.STAND)
    in_play = 0b000111
    assert episodes_of(round_) == [
        [
            Transition((16, 6, 0, 8, 1, 0), SPLIT, 0, (11, 6, 0, 0, 2, 0), False, 0b011111, 0, (1, 2)),
            Transition((11, 6, 0, 0, 2, 0), DOUBLE, 0, (17, 6, 0, 0, 2, 0), False, in_play, 2, (0, 0)),
            Transition((17, 6, 0, 0, 2, 0), STAND, 3, (17, 6, 0, 0, 2, 0), True, in_play, 1, (0, 0)),
        ]
    ]


def test_a_natural_that_takes_one_bet_is_lost_by_each_hand_and_comes_back_to_the_split() -> None:
    """Each hand teaches what it is worth without a split, and that loses 1 to the natural, not 0."""
    cards = "Eight of Spades, Eight of Hearts, Ten of Clubs, Ace of Clubs, Three of Clubs, Ten of Hearts,"
    drawn = "Eight of Clubs, Nine of Clubs, Two of Spades"
    rules = replace(PRESETS["europe"], split=3, hole_card=HoleCard.OBO)
    decisions = (Decision.SPLIT, Decision.DOUBLE, Decision.SPLIT, Decision.STAND, Decision.STAND)
    round_ = dealt(rules, cards + drawn, *decisions)
    assert [hand.payoff for hand in round_.hands_of(0)] == [-1, 0, 0]
    (episode,) = episodes_of(round_)
    assert [step.action for step in episode] == [SPLIT, DOUBLE, SPLIT, STAND, STAND]
    assert [step.credit for step in episode] == [1, -1, 1, -1, -1]
    assert [step.reward for step in episode] == [0, 0, 0, 0, -1]


def test_bets_change_neither_observations_nor_rewards() -> None:
    simple = Rules()
    for seed in range(30):
        plain, staked = played(simple, seed, "h"), played(replace(simple, bets=Bets(5, 50)), seed, "h")
        assert episodes_of(plain) == episodes_of(staked)
