"""The EV lost: its expectation is the exact gap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from math import sqrt

import numpy as np
import pytest

from cards import HIT_OR_STAND, PRESETS, Ace, DealerStands, Decision, Naturals, Rules, best_total
from tests.helpers.hand_costs import hand_costs
from twentyone.exact import named, solving
from twentyone.exact.ev_lost import ChartCosts, EvLost, PlayedRound, ev_lost
from twentyone.exact.values.game import NoExactFormError
from twentyone.policies import decisions
from twentyone.policies.decisions import DecisionTable
from twentyone.policies.policy import Situation
from twentyone.policies.qtable import HIT, STAND

INFINITE = Rules(decks=None)
ANY_RULES = {
    "course": Rules(),
    "infinite": INFINITE,
    "devs": PRESETS["devs"],
    "infinite, ace 11": Rules(decks=None, ace=Ace.ELEVEN),
    "hard17, naturals beat": Rules(decks=None, dealer_stands=DealerStands.HARD17, naturals=Naturals.BEAT),
}


def lost(rules: Rules, played: Mapping[tuple[int, tuple[int, ...]], int]) -> EvLost:
    """The EV lost by hands, given by their upcard and their cards in the order of the deal."""
    rounds = Counter[PlayedRound]()
    for (upcard, cards), times in played.items():
        total, _ = best_total(sum(1 if card == 11 else card for card in cards), cards.count(11), rules.ace)
        numbers = range(2, len(cards) + (total <= 21))
        asked = [Situation(tuple(sorted(cards[:n])), upcard, False, HIT_OR_STAND) for n in numbers]
        answers = [Decision.HIT] * (len(cards) - 2) + [Decision.STAND]
        rounds[tuple(zip(asked, answers, strict=False))] += times
    return ev_lost(ChartCosts(rules), rounds)


def gap(rules: Rules, policy: DecisionTable) -> float:
    return solving.solve(rules).value - solving.evaluate(rules, policy.hit).value


def policies(rules: Rules) -> Iterator[DecisionTable]:
    yield from (decisions.threshold(16), decisions.at_random(), named.total_only(rules))
    yield named.named("basic", rules)
    yield DecisionTable("any", np.random.default_rng(7).random((22, 22)))


@pytest.mark.parametrize("name", ANY_RULES)
def test_over_all_hands_its_expectation_is_exactly_the_gap(name: str) -> None:
    # The performance difference lemma (Kakade and Langford, 2002), hand by hand.
    rules = ANY_RULES[name]
    game, costs = hand_costs(rules)
    for policy in policies(rules):
        plan = game.plan(policy.hit)
        taken = np.stack([plan, 1 - plan], axis=2)
        cost = game.reach(plan)[:, :, np.newaxis] * taken * costs
        assert cost.sum() == pytest.approx(gap(rules, policy), abs=1e-12), policy.name
        # The best policy loses nothing however the cards fall.
        assert policy.name != "basic" or not cost.any()


def test_a_decision_costs_what_the_best_one_is_better_by() -> None:
    # Hard 16 against 10: hitting wins by 0.00647 in the infinite deck. Two rounds that stand there, one that
    # does not, and is bust.
    cost = lost(INFINITE, {(10, (10, 6)): 2, (10, (10, 6, 9)): 1})
    assert (cost.rounds, cost.decisions) == (3, 3)
    assert cost.per_round == pytest.approx(0.00647 * 2 / 3, abs=5e-6)
    # Of the numbers c, c, 0 the mean is 2 c / 3 and the standard deviation c / sqrt 3.
    assert cost.standard_error == pytest.approx(0.00647 / 3, abs=5e-6)
    assert cost.per_decision == cost.per_round
    assert cost.per_decision_error == pytest.approx(cost.standard_error)


def test_from_a_finite_shoe_it_depends_on_the_very_cards() -> None:
    # 16 against 10 of a fresh deck: with a 4 or a 5 in the hand, fewer cards help, and standing is
    # better, although the best chart by totals hits.
    ten_six, five_four = (lost(Rules(), {(10, cards): 1}).per_round for cards in ((10, 6), (4, 4, 4, 4)))
    assert ten_six is not None and five_four is not None
    assert ten_six > 0 > five_four


def test_every_decision_of_a_round_is_counted_and_the_order_of_cards_matters() -> None:
    # 2, 3, 10 and 5: HIT on 5, HIT on 15, STAND on 20.
    costs = hand_costs(INFINITE)[1]
    assert costs.shape[1:] == (10, 2)
    cost = lost(INFINITE, {(7, (2, 3, 10, 5)): 1})
    assert cost.decisions == 3
    assert cost.per_round == pytest.approx(0.0, abs=1e-12)
    other = lost(INFINITE, {(7, (10, 10, 2)): 1})  # hits 20, and is bust
    assert other.decisions == 1
    assert other.per_round is not None and other.per_round > 1.0


def test_a_hand_that_is_dealt_bust_decides_nothing() -> None:
    cost = lost(Rules(decks=None, ace=Ace.ELEVEN), {(7, (11, 11)): 4})
    assert (cost.rounds, cost.decisions, cost.per_round, cost.per_decision) == (4, 0, 0.0, None)


@pytest.mark.parametrize("name", ["course", "devs", "infinite, ace 11"])
def test_the_costs_of_decisions_are_those_of_the_hands(name: str) -> None:
    rules = ANY_RULES[name]
    game, costs = hand_costs(rules)
    chart = ChartCosts(rules)
    for first, second, upcard in product(range(2, 12), range(2, 12), (2, 7, 10, 11)):
        row = game.dealt[first - 2, second - 2]
        if row < len(game.stand):
            asked = Situation(tuple(sorted((first, second))), upcard, False, HIT_OR_STAND)
            found = [chart.cost(asked, decision) for decision in HIT_OR_STAND]
            assert found == pytest.approx(costs[row, upcard - 2], abs=1e-12)


def test_hands_that_the_rules_do_not_allow_are_left_out() -> None:
    cost = lost(Rules(), {(7, (2, 2, 2, 2, 2)): 3, (7, (10, 10)): 1, (2, (2, 2, 2, 2)): 5})
    assert cost.rounds == 1
    nothing = lost(Rules(), {})
    assert nothing.rounds == nothing.decisions == 0
    unknown = ("per_round", "standard_error", "per_decision", "per_decision_standard_error")
    assert nothing.as_json() == {"rounds": 0, "decisions": 0} | dict.fromkeys(unknown)


def test_one_round_has_no_standard_error() -> None:
    cost = lost(Rules(), {(7, (10, 10)): 1})
    assert (cost.per_round, cost.standard_error, cost.per_decision_error) == (0.0, None, None)


def test_rules_without_an_exact_form_have_no_cost() -> None:
    with pytest.raises(NoExactFormError):
        lost(PRESETS["showdown"], {})


def test_the_cost_of_a_hand_is_never_below_0_where_the_best_policy_is_the_optimum() -> None:
    _, costs = hand_costs(INFINITE)
    assert costs.min() > -1e-12
    assert np.minimum(costs[:, :, HIT], costs[:, :, STAND]) == pytest.approx(0.0, abs=1e-12)
    assert sqrt(float((costs**2).mean())) > 0.1


def test_the_standard_errors_are_those_of_a_mean_and_of_a_ratio_of_two_means() -> None:
    # Cochran, Sampling Techniques (1977), 2.11: the residuals from the ratio, over the mean of the decisions.
    played = {(10, (10, 6)): 1, (6, (10, 2, 10)): 1, (10, (2, 3, 4, 9, 2)): 1, (7, (11, 7, 3)): 1}
    each = [lost(Rules(), {hand: 1}) for hand in played]
    costs = np.array([one.per_round for one in each], dtype=np.float64)
    asked = np.array([one.decisions for one in each])
    assert asked.tolist() == [1, 1, 4, 2]
    assert len({*costs.tolist()}) > 2
    cost = lost(Rules(), played)
    residuals = costs - costs.sum() / asked.sum() * asked
    assert cost.standard_error == pytest.approx(costs.std(ddof=1) / sqrt(4))
    assert cost.per_decision == pytest.approx(costs.sum() / asked.sum())
    assert cost.per_decision_error == pytest.approx(sqrt((residuals**2).sum() / 3 / 4) / asked.mean())
