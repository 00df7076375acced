"""Where learning with a constant chance of exploring ends: laws, and figures that other modules compute."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import PRESETS, Ace, EveryRound, Rules
from tests.helpers.tiers import first_of
from twentyone.exact.named import random_play_limit
from twentyone.exact.soft import Control, control_values, soft_limit
from twentyone.exact.solving import evaluate, game_for, solve
from twentyone.exact.values.game import NoExactFormError
from twentyone.policies.qtable import HIT, STAND

COURSE = Rules()
INFINITE = Rules(decks=None)
CASINO = replace(PRESETS["casino"], reshuffle=EveryRound())
EVERY = [COURSE, INFINITE, Rules(ace=Ace.ONE), Rules(decks=2, ace=Ace.ELEVEN), CASINO]

on_policy = st.builds(
    Control,
    epsilon=st.sampled_from((0.01, 0.1, 0.3, 0.7, 1.0)),
    n=st.integers(1, 3),
    trace=st.sampled_from((0.0, 0.5, 1.0)),
)


def gaps(rules: Rules, control: Control) -> list[float]:
    best = solve(rules).value
    return [best - value for value in soft_limit(rules, control).values]


@pytest.mark.parametrize("rules", first_of(EVERY, 2), ids=str)
def test_random_play_is_the_softest_policy(rules: Rules) -> None:
    """Monte-Carlo by random play ends where the method random-play does, which is computed another way."""
    limit = soft_limit(rules, Control(1.0, trace=1.0))
    (policy,) = limit.policies
    known = random_play_limit(rules).hit
    assert limit.values[0] == evaluate(rules, known).value
    reached = evaluate(rules, known).reach > 0
    assert (policy == known)[reached].all()


def test_the_limit_of_random_play_has_the_known_gaps() -> None:
    assert gaps(COURSE, Control(1.0, trace=1.0)) == [pytest.approx(0.0711393788, abs=1e-10)]
    assert gaps(INFINITE, Control(1.0, trace=1.0)) == [pytest.approx(0.0664, abs=5e-5)]


@settings(max_examples=10)
@given(st.sampled_from(EVERY), st.sampled_from((0.01, 0.1, 0.3, 0.7, 1.0)))
def test_monte_carlo_ends_where_its_policy_is_greedy_by_the_values_of_its_own_play(
    rules: Rules, epsilon: float
) -> None:
    """The values of an epsilon-soft policy are those of `twentyone.exact.solving`, which sums otherwise."""
    (policy,) = soft_limit(rules, Control(epsilon, trace=1.0)).policies
    played = evaluate(rules, epsilon / 2 + (1 - epsilon) * policy)
    hits = played.action_values[:, :, HIT] > played.action_values[:, :, STAND]
    assert (hits == policy)[played.reach > 0].all()


@settings(max_examples=10)
@given(on_policy)
def test_with_an_infinite_deck_only_epsilon_matters(control: Control) -> None:
    """There a cell is all that matters, so returns of any length have the same mean (SB 7.1, 12.1)."""
    (policy,) = soft_limit(INFINITE, Control(control.epsilon)).policies
    (other,) = soft_limit(INFINITE, control).policies
    assert (policy == other).all()
    game = game_for(INFINITE)
    one = control_values(game, Control(control.epsilon), policy)
    assert np.allclose(one, control_values(game, control, policy), rtol=0, atol=1e-12, equal_nan=True)


@pytest.mark.parametrize("epsilon", first_of([0.1, 0.01, 0.5, 1.0]))
def test_off_policy_learning_ends_at_the_best_play_of_an_infinite_deck(epsilon: float) -> None:
    """Watkins and Dayan, 1992; its values are those of the best play, whatever is played."""
    limit = soft_limit(INFINITE, Control(epsilon, off_policy=True))
    assert limit.values == (solve(INFINITE).value,)
    values = control_values(game_for(INFINITE), Control(epsilon, off_policy=True), limit.policies[0])
    best = solve(INFINITE).evaluation
    reached = best.reach > 0
    assert np.allclose(values[reached], best.action_values[reached], rtol=0, atol=1e-12)


@pytest.mark.parametrize("rules", first_of([CASINO, COURSE, INFINITE]), ids=str)
def test_the_less_it_explores_the_smaller_is_the_gap(rules: Rules) -> None:
    lost = [gaps(rules, Control(epsilon))[0] for epsilon in (1e-6, 0.1, 0.3, 0.5, 1.0)]
    assert lost == sorted(lost)
    assert lost[0] == pytest.approx(0, abs=1e-12) and lost[1] > 1e-5


def test_on_policy_learning_may_chatter() -> None:
    """Two policies, each greedy by the values of the other's play (Gordon, 1996)."""
    control = Control(0.0, trace=1.0, explores_starts=True)
    limit = soft_limit(CASINO, control)
    assert not limit.is_steady and len(limit.policies) == 2
    game = game_for(CASINO)
    for policy, following in (limit.policies, limit.policies[::-1]):
        values = control_values(game, control, policy)
        assert ((values[:, :, HIT] > values[:, :, STAND]) == following).all()
    assert gaps(CASINO, control) == pytest.approx([0, 2.1e-6], abs=5e-8)


def test_a_discount_makes_a_hit_worth_less() -> None:
    """With gamma 0 what follows a hit counts nothing, so only a bust does; standing is not discounted."""
    game = game_for(INFINITE)
    values = control_values(game, Control(0.1, gamma=0.0), np.zeros((22, 22)))
    assert values[11, 10, HIT] == 0
    assert values[20, 10, HIT] == pytest.approx(-12 / 13)
    assert values[20, 10, STAND] == control_values(game, Control(0.1), np.zeros((22, 22)))[20, 10, STAND]


def test_what_is_no_method_is_refused() -> None:
    for epsilon, n, trace in ((1.1, 1, 0.0), (0.1, 0, 0.0), (0.1, 9, 0.0), (0.1, 1, -0.1)):
        with pytest.raises(ValueError, match="is no method: expected"):
            Control(epsilon, n=n, trace=trace)
    with pytest.raises(ValueError, match="never explores"):
        Control(0.0)
    with pytest.raises(NoExactFormError):
        soft_limit(PRESETS["showdown"], Control(0.1))
