"""What decisions have cost: with the payoffs they add up to the value of the best play, whoever plays."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest

from cards import (
    PRESETS,
    Card,
    Decision,
    EveryRound,
    HoleCard,
    QueuedShoe,
    Rank,
    Round,
    Rules,
    StackedShoe,
    Suit,
    Surrender,
)
from tests.helpers.hand_costs import hand_costs
from tournament.rounds.costs import costs_for
from twentyone.exact import solving
from twentyone.exact.values.game import seat_game
from twentyone.policies.policy import Observation, observation

ERRORS = 4
"""Standard errors within which a mean has to be."""

Chooser = Callable[[Observation], Decision]

FRESH = {name: replace(rules, reshuffle=EveryRound()) for name, rules in PRESETS.items()}
ENDLESS = replace(FRESH["course"], decks=None)
OBO = replace(FRESH["vegas"], hole_card=HoleCard.OBO, surrender=Surrender.EARLY)


def anything(chance: random.Random) -> Chooser:
    """Any decision that is allowed."""
    return lambda seen: chance.choice(seen.options)


def below_17(_: random.Random) -> Chooser:
    """HIT below 17, else STAND or what comes to it."""
    return lambda seen: Decision.HIT if seen.total < 17 else Decision.STAND


def known(rules: Rules) -> Any:
    """Their costs, which are known exactly."""
    costs = costs_for(rules)
    assert costs is not None
    return costs


def summed(rules: Rules, choose: Chooser, rounds: int, leaves: Callable[[], bool]) -> list[float]:
    """The payoff and the costs of each of some rounds, added up."""
    costs, shoe = known(rules), QueuedShoe(rules, 5)
    found = []
    for _ in range(rounds):
        round_ = Round(rules, shoe)
        round_.deal()
        while round_.turn is not None:
            if leaves():
                round_.forfeit(0)
            else:
                round_.decide(0, choose(observation(round_, 0)))
        (payoff,) = round_.payoffs
        assert payoff is not None
        found.append(float(payoff) + sum(costs.of(round_)))
    return found


@pytest.mark.parametrize(
    ("rules", "player", "leaving"),
    [
        (FRESH["course"], anything, 0.3),
        (FRESH["vegas"], anything, 0.3),
        pytest.param(FRESH["europe"], below_17, 0.0, marks=pytest.mark.check),
        pytest.param(FRESH["europe"], anything, 0.3, marks=pytest.mark.check),
        pytest.param(ENDLESS, below_17, 0.3, marks=pytest.mark.check),
        pytest.param(FRESH["casino"], anything, 0.0, marks=pytest.mark.check),
        pytest.param(FRESH["reno"], anything, 0.3, marks=pytest.mark.check),
        pytest.param(OBO, anything, 0.0, marks=pytest.mark.check),
    ],
    ids=lambda value: getattr(value, "preset", None) or getattr(value, "__name__", None),
)
def test_payoffs_and_costs_add_up_to_the_best_value(
    rules: Rules, player: Callable[[random.Random], Chooser], leaving: float
) -> None:
    chance = random.Random(1)
    found = summed(rules, player(chance), 5000, lambda: chance.random() < leaving)
    costs = known(rules)
    assert abs(fmean(found) - costs.best) < ERRORS * stdev(found) / sqrt(len(found))


def test_the_best_value_is_that_of_the_exact_values() -> None:
    at_course, at_vegas = known(FRESH["course"]), known(FRESH["vegas"])
    assert (at_course.yardstick, at_vegas.yardstick) == ("best chart", "best play")
    assert at_course.best == solving.solve(Rules()).value
    assert at_vegas.best == pytest.approx(-0.0045900139, abs=1e-9)  # docs: the best play
    assert at_vegas.best == seat_game(FRESH["vegas"]).best_play().value


def test_nothing_is_known_exactly_without_a_dealer_of_kept_shoes_and_of_several_seats() -> None:
    seats = replace(FRESH["course"], seats=2)
    for rules in (PRESETS["showdown"], PRESETS["study"], PRESETS["vegas"], seats):
        assert costs_for(rules) is None, rules


def costs_of(rules: Rules, cards: str, *decisions: Decision, leaves: bool = False) -> tuple[float, ...]:
    """What these decisions have cost in a round with these cards, and the forfeit behind them."""
    round_ = Round(rules, StackedShoe([Card(Rank[name.upper()], Suit.CLUBS) for name in cards.split()]))
    round_.deal()
    for decision in decisions:
        round_.decide(0, decision)
    if leaves:
        round_.forfeit(0)
    assert round_.is_over
    return tuple(known(rules).of(round_))


@pytest.mark.parametrize("rules", [FRESH["course"], FRESH["vegas"]], ids=lambda rules: rules.preset)
def test_the_ev_lost_is_the_sum_of_the_costs_also_where_it_is_found_again(rules: Rules) -> None:
    """Chips that limit the options, and a forfeit, change what the same cards and decisions cost."""
    costs, shoe, chance = known(rules), QueuedShoe(rules, 7), random.Random(1)
    for _ in range(3_000):
        round_ = Round(rules, shoe, means=chance.choice([None, [1], [2]]))
        round_.deal()
        while round_.turn is not None:
            if chance.random() < 0.05:
                round_.forfeit(0)
            else:
                round_.decide(0, chance.choice(round_.options))
        assert costs.lost(round_) == sum(costs.of(round_)), round_.records


def test_a_forfeit_costs_the_value_of_the_hands_and_the_stakes() -> None:
    (cost,) = costs_of(FRESH["course"], "Ten Ace Six Ten", leaves=True)
    assert 1.8 < cost < 2.0  # 21 against a six wins nearly always, and the stake is lost
    cards, doubled = "Eight Eight Six Ten Three Ten Ten", (Decision.SPLIT, Decision.DOUBLE)
    split, double, forfeit = costs_of(FRESH["vegas"], cards, *doubled, leaves=True)  # 8 and 3 against a six
    assert split == double == 0
    # 21 in three cards with a double stake, and 18, against a six: nearly 2 and a good half.
    assert 3 + 1.7 + 0.2 < forfeit < 3 + 2 + 0.6


def test_a_hand_that_waits_is_worth_the_mean_over_its_second_card() -> None:
    """From an endless deck; there are as many hands as may be, so a further eight is not split."""
    rules, begun = replace(FRESH["europe"], decks=None, split=3), "Eight Eight Six Ten Eight Ten"
    split = (Decision.SPLIT, Decision.SPLIT)
    *_, waits = costs_of(rules, begun, *split, leaves=True)
    asked = [costs_of(rules, f"{begun} {rank.name}", *split, Decision.STAND, leaves=True) for rank in Rank]
    assert waits == pytest.approx(fmean(costs[-1] for costs in asked), abs=1e-12)


def test_insurance_that_is_lost_for_certain_costs_no_more() -> None:
    insured, first = costs_of(FRESH["vegas"], "Ten Nine Ace Six", Decision.INSURE, leaves=True)
    declined, second = costs_of(FRESH["vegas"], "Ten Nine Ace Six", Decision.DECLINE, leaves=True)
    assert declined == 0
    assert insured > 0.03  # 2:1 for fewer than a third of the cards
    assert first == pytest.approx(second, abs=1e-12)


def test_a_decision_has_the_cost_of_its_hand() -> None:
    costs = costs_of(FRESH["course"], "Ten Six Ten Six Two King", Decision.HIT, Decision.STAND)
    game, table = hand_costs(FRESH["course"])
    row = game.dealt[8, 4]
    assert len(costs) == 2
    assert costs[0] == pytest.approx(table[row, 8, 0], abs=1e-12)
    assert costs_of(FRESH["vegas"], "Ace King Six Ten Five") == ()  # a natural is asked nothing
