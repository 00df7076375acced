"""Advice at the table agrees with the exact values, for every hand on which a player decides."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, Ace, Decision, Naturals, Rules
from tests.helpers.processes import command
from twentyone.exact.advice import Advice, adviser_for
from twentyone.exact.named import named
from twentyone.exact.showdown import action_values
from twentyone.exact.solving import solve
from twentyone.policies.decisions import fresh
from twentyone.policies.policy import Observation
from twentyone.policies.qtable import HIT, STAND, dealer_column

ROOT = Path(__file__).parents[3]
COURSE = PRESETS["course"]
SHOWDOWN = PRESETS["showdown"]


def observations(rules: Rules) -> list[Observation]:
    upcards = range(2, 12) if rules.has_dealer else [None]
    return [Observation(*each) for each in product(range(2, 22), (False, True), upcards)]


def cell(seen: Observation) -> tuple[int, int]:
    return seen.total, dealer_column(seen.upcard, seen.is_soft)


@pytest.mark.parametrize("preset", ["course", "devs"])
def test_against_a_dealer_the_advice_is_the_better_action_of_basic_strategy(preset: str) -> None:
    rules = PRESETS[preset]
    adviser, solution = adviser_for(rules), solve(fresh(rules))
    values = solution.evaluation.action_values
    known = 0
    for seen in observations(rules):
        hit, stand = values[cell(seen)]
        advice = adviser.advise(seen)
        assert adviser.basic(seen) is advice.decision
        assert (advice.decision is Decision.HIT) == (solution.policy[cell(seen)] == 1)
        if np.isnan(hit):
            assert advice.cost == 0
        else:
            known += 1
            assert advice.decision is (Decision.HIT if hit > stand else Decision.STAND)
            assert advice.cost == abs(hit - stand)
    assert known == (~np.isnan(values[:, 2:, HIT])).sum() == (280 if preset == "course" else 200)


def test_the_same_rules_have_the_same_adviser_and_a_kept_shoe_is_advised_as_a_fresh_one() -> None:
    assert adviser_for(COURSE) is adviser_for(Rules())
    study = PRESETS["study"]
    for seen in observations(study):
        assert adviser_for(study).advise(seen) == adviser_for(fresh(study)).advise(seen)


@pytest.mark.parametrize("seats", [2, 9])
def test_without_a_dealer_the_advice_is_the_pair_of_thresholds(seats: int) -> None:
    rules = replace(SHOWDOWN, seats=seats)
    adviser, hit = adviser_for(rules), named("basic", rules).hit
    values = action_values(rules, hit)
    for seen in observations(rules):
        advice = adviser.advise(seen)
        assert adviser.basic(seen) is advice.decision
        assert (advice.decision is Decision.HIT) == (hit[cell(seen)] == 1)
        gain = values[cell(seen)][HIT] - values[cell(seen)][STAND]
        loss = gain if advice.decision is Decision.HIT else -gain
        assert advice.cost == (loss if loss > 0 else 0)
    assert (adviser.basic(Observation(17, False, None)) is Decision.HIT) == (seats == 9), (
        "more seats ask for more"
    )
    costs = [adviser.advise(seen).cost for seen in observations(rules) if seen.total > 3]
    assert sum(cost > 0 for cost in costs) >= 27, "of 18 hard and 10 soft hands at most one may be as well"


@pytest.mark.parametrize("ace", Ace)
def test_every_hand_under_any_rules_has_an_answer(ace: Ace) -> None:
    for rules in (
        replace(COURSE, decks=None, ace=ace),
        replace(COURSE, decks=None, ace=ace, naturals=Naturals.BEAT),
        replace(SHOWDOWN, ace=ace, seats=4),
    ):
        adviser = adviser_for(rules)
        for seen in observations(rules):
            advice = adviser.advise(seen)
            assert isinstance(advice, Advice) and 0 <= advice.cost < 2
        if ace is not Ace.EITHER:
            assert adviser.advise(Observation(15, True, observations(rules)[0].upcard)).cost == 0


@pytest.mark.check
def test_a_dealer_loads_numbers_only_when_it_advises() -> None:
    code = "import sys, dealer.lobby.practice, dealer.lobby.bots; sys.exit('numpy' in sys.modules)"
    assert command("dealer", code=code, is_true=True, cwd=ROOT).status == 0
