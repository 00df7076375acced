"""The EV lost: its expectation is the exact gap."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
import pytest

from cards import PRESETS, Ace, DealerStands, Naturals, Rules
from exact import named, solving
from exact.ev_lost import ev_lost
from exact.whole.game import NoExactFormError
from policies import decisions
from policies.decisions import DecisionTable
from policies.qtable import HIT, STAND

INFINITE = Rules(decks=None)
ANY_RULES = {
    "course": Rules(),
    "infinite": INFINITE,
    "devs": PRESETS["devs"],
    "infinite, ace 11": Rules(decks=None, ace=Ace.ELEVEN),
    "hard17, naturals beat": Rules(decks=None, dealer_stands=DealerStands.HARD17, naturals=Naturals.BEAT),
}


def gap(rules: Rules, policy: DecisionTable) -> float:
    return solving.solve(rules).value - solving.evaluate(rules, policy.hit).value


def policies(rules: Rules) -> Iterator[DecisionTable]:
    yield from (named.basic(rules), decisions.threshold(16), decisions.at_random(), named.total_only(rules))
    yield DecisionTable("any", np.random.default_rng(7).random((22, 22)))


@pytest.mark.parametrize("name", ANY_RULES)
def test_over_all_hands_its_expectation_is_exactly_the_gap(name: str) -> None:
    # The performance difference lemma (Kakade and Langford, 2002), hand by hand.
    rules = ANY_RULES[name]
    game, costs = solving.hand_costs(rules)
    for policy in policies(rules):
        plan = game.plan(policy.hit)
        taken = np.stack([plan, 1 - plan], axis=2)
        lost = game.reach(plan)[:, :, np.newaxis] * taken * costs
        assert lost.sum() == pytest.approx(gap(rules, policy), abs=1e-12), policy.name
        # The best policy loses nothing however the cards fall.
        assert policy.name != "basic" or not lost.any()


def test_a_decision_costs_what_the_best_one_is_better_by() -> None:
    # Hard 16 against 10: hitting wins by 0.00647 in the infinite deck. Two rounds that stand there, one that
    # does not, and is bust.
    cost = ev_lost(INFINITE, {(10, (10, 6)): 2, (10, (10, 6, 9)): 1})
    assert (cost.rounds, cost.decisions) == (3, 3)
    assert cost.per_round == pytest.approx(0.00647 * 2 / 3, abs=5e-6)
    # Of the numbers c, c, 0 the mean is 2 c / 3 and the standard deviation c / sqrt 3.
    assert cost.standard_error == pytest.approx(0.00647 / 3, abs=5e-6)
    assert cost.per_decision == cost.per_round
    assert cost.per_decision_error == pytest.approx(cost.standard_error)


def test_from_a_finite_shoe_it_depends_on_the_very_cards() -> None:
    # 16 against 10 of a fresh deck: with a 4 or a 5 in the hand, fewer cards help, and standing is
    # better, although the best policy by totals hits.
    ten_six, five_four = (ev_lost(Rules(), {(10, cards): 1}).per_round for cards in ((10, 6), (4, 4, 4, 4)))
    assert ten_six is not None and five_four is not None
    assert ten_six > 0 > five_four


def test_every_decision_of_a_round_is_counted_and_the_order_of_cards_matters() -> None:
    # 2, 3, 10 and 5: HIT on 5, HIT on 15, STAND on 20.
    costs = solving.hand_costs(INFINITE)[1]
    assert costs.shape[1:] == (10, 2)
    cost = ev_lost(INFINITE, {(7, (2, 3, 10, 5)): 1})
    assert cost.decisions == 3
    assert cost.per_round == pytest.approx(0.0, abs=1e-12)
    other = ev_lost(INFINITE, {(7, (10, 10, 2)): 1})  # hits 20, and is bust
    assert other.decisions == 1
    assert other.per_round is not None and other.per_round > 1.0


def test_a_hand_that_is_dealt_bust_decides_nothing() -> None:
    cost = ev_lost(Rules(decks=None, ace=Ace.ELEVEN), {(7, (11, 11)): 4})
    assert (cost.rounds, cost.decisions, cost.per_round, cost.per_decision) == (4, 0, 0.0, None)


def test_hands_that_the_rules_do_not_allow_are_left_out() -> None:
    cost = ev_lost(Rules(), {(7, (2, 2, 2, 2, 2)): 3, (7, (10, 10)): 1, (2, (2, 2, 2, 2)): 5})
    assert cost.rounds == 1
    nothing = ev_lost(Rules(), {})
    assert nothing.rounds == nothing.decisions == 0
    unknown = ("per_round", "standard_error", "per_decision", "per_decision_standard_error")
    assert nothing.as_json() == {"rounds": 0, "decisions": 0} | dict.fromkeys(unknown)


def test_one_round_has_no_standard_error() -> None:
    cost = ev_lost(Rules(), {(7, (10, 10)): 1})
    assert (cost.per_round, cost.standard_error, cost.per_decision_error) == (0.0, None, None)


def test_rules_without_an_exact_form_have_no_cost() -> None:
    with pytest.raises(NoExactFormError):
        ev_lost(PRESETS["casino"], {})


def test_the_cost_of_a_hand_is_never_below_0_where_the_best_policy_is_the_optimum() -> None:
    _, costs = solving.hand_costs(INFINITE)
    assert costs.min() > -1e-12
    assert np.minimum(costs[:, :, HIT], costs[:, :, STAND]) == pytest.approx(0.0, abs=1e-12)
    assert sqrt(float((costs**2).mean())) > 0.1


def test_the_standard_errors_are_those_of_a_mean_and_of_a_ratio_of_two_means() -> None:
    # Cochran, Sampling Techniques (1977), 2.11: the residuals from the ratio, over the mean of the decisions.
    played = {(10, (10, 6)): 1, (6, (10, 2, 10)): 1, (10, (2, 3, 4, 9, 2)): 1, (7, (11, 7, 3)): 1}
    each = [ev_lost(Rules(), {hand: 1}) for hand in played]
    costs = np.array([one.per_round for one in each], dtype=np.float64)
    asked = np.array([one.decisions for one in each])
    assert asked.tolist() == [1, 1, 4, 2]
    assert len({*costs.tolist()}) > 2
    cost = ev_lost(Rules(), played)
    residuals = costs - costs.sum() / asked.sum() * asked
    assert cost.standard_error == pytest.approx(costs.std(ddof=1) / sqrt(4))
    assert cost.per_decision == pytest.approx(costs.sum() / asked.sum())
    assert cost.per_decision_error == pytest.approx(sqrt((residuals**2).sum() / 3 / 4) / asked.mean())
