"""The EV lost with doubling and splits: its expectation is the exact gap, and it varies less than payoffs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from cards import PRESETS, Decision, Rules, Surrender, Tally, rules_from
from tests.helpers.played import played
from tests.helpers.tiers import first_of
from twentyone.exact.ev_lost import ChartCosts, EvLost, PlayedRound, ev_lost
from twentyone.exact.hand_advice import adviser_for
from twentyone.exact.values.charts import evaluate
from twentyone.exact.values.game import seat_game
from twentyone.exact.yardsticks import yardsticks_of
from twentyone.policies.chart import Chart, policy_of
from twentyone.policies.decisions import fresh
from twentyone.policies.hands import HARD, SOFT
from twentyone.policies.policy import Situation, situations_of

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, DECLINE = Decision
VEGAS = PRESETS["vegas"]

COSTS = ChartCosts(VEGAS)

CHART = Chart(
    "without splits",
    {
        **dict.fromkeys((*HARD, *SOFT), ("H",) * 10),
        **{f"H{total}": ("S",) * 10 for total in range(15, 22)},
        **{f"S{total}": ("S",) * 10 for total in range(18, 22)},
        "H11": ("Dh",) * 10,
        "H10": ("Dh",) * 8 + ("H", "H"),
        "H16": ("S",) * 5 + ("Rh",) * 5,
    },
)
"""A player who doubles and surrenders, now and then wrongly, and never splits or insures."""

RULES = {
    "reno, early surrender": replace(PRESETS["reno"], surrender=Surrender.EARLY),
    "europe": PRESETS["europe"],
    "infinite, obo": rules_from(
        {"preset": "europe", "decks": "inf", "reshuffle": "round", "hole-card": "obo", "naturals": "2:1"}
    ),
}


def play(rules: Rules, chart: Chart, rounds: int, seed: int) -> tuple[Counter[PlayedRound], Tally]:
    """The answers and the payoffs of rounds by a chart."""
    answers: Counter[PlayedRound] = Counter()
    tally = Tally()
    for round_ in played(rules, policy_of(chart, rules), rounds, seed):
        answers[tuple(situations_of(round_, 0))] += 1
        outcome, payoff = round_.outcomes[0], round_.payoffs[0]
        assert outcome is not None and payoff is not None
        tally.add(outcome, payoff)
    return answers, tally


@pytest.mark.parametrize("name", first_of(["infinite, obo", "reno, early surrender", "europe"]))
def test_over_rounds_that_were_played_it_is_the_gap_within_four_standard_errors(name: str) -> None:
    rules = fresh(RULES[name])
    game = seat_game(rules)
    answers, tally = play(rules, CHART, 3_000, seed=5)
    lost = ev_lost(ChartCosts(rules), answers)
    assert lost.rounds == 3_000
    assert lost.per_round is not None and lost.standard_error is not None
    value = evaluate(game, CHART)
    gap = yardsticks_of(game).best_chart - (value.value - value.insurance)  # it never insures
    assert abs(lost.per_round - gap) < 4 * lost.standard_error
    assert tally.standard_error is not None
    assert lost.standard_error < tally.standard_error / 5
    assert lost.per_decision == pytest.approx(lost.per_round * lost.rounds / lost.decisions, abs=1e-15)


def test_the_sum_of_what_the_decisions_of_a_round_cost_counts() -> None:
    eights = Situation((8, 8), 6, False, (HIT, STAND, DOUBLE, SPLIT, SURRENDER))
    first, second = (Situation((8, card), 6, True, (HIT, STAND, DOUBLE)) for card in (3, 10))
    costs = [COSTS.cost(first, HIT), COSTS.cost(second, HIT)]
    assert min(costs) > 0.1 and COSTS.cost(eights, SPLIT) == 0
    lost = ev_lost(COSTS, {((eights, SPLIT), (first, HIT), (second, HIT)): 1, (): 1})
    assert (lost.rounds, lost.decisions) == (2, 3)
    assert lost.per_round == pytest.approx(sum(costs) / 2)
    assert lost.per_decision == pytest.approx(sum(costs) / 3)
    # Of the numbers c and 0 the standard error of the mean is c / 2.
    assert lost.standard_error == pytest.approx(sum(costs) / 2)


def test_the_insurance_that_is_taken_or_not_costs_what_it_is_worth() -> None:
    asked = Situation((10, 10), 11, False, (INSURE, DECLINE))
    worth = adviser_for(VEGAS).values(asked)[INSURE]
    assert worth < 0
    assert ev_lost(COSTS, {((asked, INSURE),): 1}).per_round == -worth
    assert ev_lost(COSTS, {((asked, DECLINE),): 1}).per_round == 0


def test_rounds_that_the_rules_do_not_allow_are_left_out() -> None:
    wrong = (Situation((2, 3), 6, False, (INSURE, DECLINE)), INSURE)
    right = (Situation((10, 10), 6, False, (HIT, STAND)), STAND)
    assert ev_lost(COSTS, {(right, wrong): 3, (right,): 2}).rounds == 2
    assert ev_lost(COSTS, {}) == EvLost(0, 0, None, None, None, None)
