"""The whole game by force is the game that `cards.Round` plays: every round that a small shoe can give."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final, cast

import pytest

from cards import Decision, Round, rules_from
from policies.chart import policy_of
from tests.exact.whole.brute import ACE, Brute
from tests.exact.whole.games import (
    GAMES,
    RULES,
    best_by,
    by_upcard,
    every_round,
    few_cards,
    follow,
    held,
    seeing,
    shoe_of,
)
from tests.helpers.played import random_chart
from tests.helpers.tiers import first_of

EXACTLY: Final = cast(float, Fraction(1))
"""What `Brute` counts with when nothing is to be rounded."""


@pytest.mark.parametrize("number", first_of(GAMES))
def test_charts_and_the_best_policy_are_worth_what_rounds_with_the_cards_in_every_order_pay(
    number: int,
) -> None:
    rules = RULES[number]
    shoe = few_cards(rules)
    game, policy = Brute(rules, shoe, EXACTLY), policy_of(random_chart(Random(number)), rules)
    of_chart, best = game.value(follow(lambda seen, _: {policy(seen): 1}, game)), game.best()
    assert of_chart.by_upcard == by_upcard(every_round(rules, shoe, seeing(policy)))
    assert best.by_upcard == by_upcard(every_round(rules, shoe, best_by(game)))
    assert rules.split > 1 or best.value >= of_chart.value


@pytest.mark.parametrize("naturals", ["beat", "3:2"])
def test_insurance_adds_what_rounds_with_the_cards_in_every_order_pay_for_it(naturals: str) -> None:
    rules = rules_from({"naturals": naturals, "insurance": "yes", "hole-card": "obo"})
    shoe = shoe_of(v6=4, v10=5, v11=4)
    game = Brute(rules, shoe, EXACTLY)

    def insured(round_: Round) -> Decision:
        if Decision.INSURE in round_.options:
            hand, *_ = held(round_)
            return Decision.INSURE if game.side_bet(hand) > 0 else Decision.DECLINE
        return Decision.STAND

    with_insurance = by_upcard(every_round(rules, shoe, insured))[ACE]
    without_insurance = by_upcard(every_round(rules, shoe, lambda _: Decision.STAND))[ACE]
    assert with_insurance > without_insurance
    assert game.insurance() == (with_insurance - without_insurance) * shoe[-1] / sum(shoe)
