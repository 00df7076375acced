"""The whole game by force is the game that `cards.Round` plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Final, cast

import pytest

from cards import Card, Decision, Round, Rules, rules_from
from policies.chart import ENTRIES, Chart
from policies.hands import HANDS
from policies.policy import Observation, observation
from tests.exact.by_force import BY_VALUE, card_value
from tests.exact.whole.brute import ACE, Brute, Cards, Left, Options, Play, points_of, without
from tests.helpers.drawn import legal_fields
from tests.helpers.reference import VALUES

EXACTLY: Final = cast(float, Fraction(1))
"""What `Brute` counts with when nothing is to be rounded."""


def shoe_of(**counts: int) -> Left:
    """So many cards of each value: `shoe_of(v5=3, v11=4)`."""
    return tuple(counts.get(f"v{value}", 0) for value in range(2, 12))


def few_cards(rules: Rules) -> Left:
    """Pairs, naturals, soft and stiff hands, and few enough orders of the cards to play them all."""
    return shoe_of(v10=14, v11=4) if rules.split == 4 else shoe_of(v8=3, v10=14, v11=3)


def random_chart(random: Random, name: str = "random") -> Chart:
    """A chart that has a row for each hand, and anything in it."""
    fits = {True: tuple(ENTRIES), False: tuple(entry for entry in ENTRIES if "P" not in entry.upper())}
    return Chart(name, {hand: tuple(random.choices(fits[hand[0] == "P"], k=10)) for hand in HANDS})


def follow(chart: Chart, game: Brute) -> Play:
    """A chart as a policy of `Brute`."""

    def play(cards: Cards, upcard: int, is_split: bool, options: Options) -> Decision:
        is_pair = len(cards) == 2 and cards[0] == cards[1]
        asked_first = Decision.DECLINE in options and game.rules.split > 1
        may_split = is_pair and (Decision.SPLIT in options or asked_first)
        pair = points_of(cards[0]) if may_split else 0
        return chart.decide(Observation(*game.total(cards), upcard, pair, options), game.rules)

    return play


class NoCardError(Exception):
    """The next card is not given yet."""


class Given:
    """A shoe of given cards, until they are used up."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self._cards = iter([BY_VALUE[value] for value in values])

    def begin_round(self) -> bool:
        return False

    def deal(self, seat: int = -1, hand: int = 0) -> Card:
        for card in self._cards:
            return card
        raise NoCardError

    def deal_several(self, count: int) -> list[Card]:
        return [self.deal() for _ in range(count)]


Decide = Callable[[Round], Decision]


def by_rounds(rules: Rules, shoe: Left, decide: Decide) -> Mapping[int, Fraction]:
    """What a policy is worth by the upcard, from `cards.Round` with the cards in every order."""
    chances: dict[int, Fraction] = {}
    payoffs: dict[int, Fraction] = {}
    open_: list[tuple[tuple[int, ...], Fraction, Left]] = [((), Fraction(1), shoe)]
    while open_:
        values, chance, left = open_.pop()
        try:
            payoff = _played(rules, values, decide)
        except NoCardError:
            cards = sum(left)
            open_ += [
                ((*values, value), chance * left[value - 2] / cards, without(left, value))
                for value in range(2, 12)
                if left[value - 2]
            ]
        else:
            upcard = values[2]
            chances[upcard] = chances.get(upcard, Fraction(0)) + chance
            payoffs[upcard] = payoffs.get(upcard, Fraction(0)) + chance * payoff
    assert sum(chances.values()) == 1
    return {upcard: payoffs[upcard] / chances[upcard] for upcard in payoffs}


def _played(rules: Rules, values: tuple[int, ...], decide: Decide) -> Fraction:
    if len(values) < 4:
        raise NoCardError
    round_ = Round(rules, Given(values))
    round_.deal()
    while not round_.is_over:
        round_.decide(0, decide(round_))
    (payoff,) = round_.payoffs
    assert payoff is not None
    return Fraction(payoff)


def held(round_: Round) -> tuple[Cards, int, bool]:
    """The values of the hand that is asked, the upcard, and whether a split made the hand."""
    assert round_.upcard is not None
    played = round_.hands_of(0)[round_.turn_hand]
    cards = sorted(card_value(card) for card in played.hand.cards)
    return tuple(cards), card_value(round_.upcard), played.is_split


def some_fields(seed: int) -> dict[str, str]:
    """Any legal rules, each ace and each number of hands as often, where nobody is asked for bets."""
    random = Random(seed)
    wanted = {name: VALUES[name][seed % len(VALUES[name])] for name in ("ace", "split")} | {"bets": "1"}
    while True:
        fields = legal_fields(random) | {"bets": "1"}
        if fields == fields | wanted:
            return fields


def some_rules(seed: int) -> Rules:
    """The same, as `cards` has them."""
    return rules_from(some_fields(seed))


SEEDS: Final = range(24)


def test_each_value_of_each_rule_is_met() -> None:
    met = {item for seed in SEEDS for item in some_fields(seed).items()}
    assert met == {(name, value) for name, values in VALUES.items() for value in values} - {
        ("bets", "1-1"),
        ("bets", "5-50"),
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_a_chart_is_worth_what_rounds_with_the_cards_in_every_order_pay(seed: int) -> None:
    rules, chart = some_rules(seed), random_chart(Random(seed))
    game = Brute(rules, few_cards(rules), EXACTLY)
    played = by_rounds(rules, few_cards(rules), lambda round_: chart.decide(observation(round_, 0), rules))
    assert game.value(follow(chart, game)).by_upcard == played


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_policy_is_worth_what_rounds_with_the_cards_in_every_order_pay(seed: int) -> None:
    rules = some_rules(seed)
    game = Brute(rules, few_cards(rules), EXACTLY)

    def decide(round_: Round) -> Decision:
        if Decision.INSURE in round_.options:
            return Decision.DECLINE
        return game.decide_best(*held(round_), round_.options)

    best = game.best()
    assert best.by_upcard == by_rounds(rules, few_cards(rules), decide)
    chart = random_chart(Random(seed))
    if rules.split == 1:
        assert best.value >= game.value(follow(chart, game)).value


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

    with_insurance = by_rounds(rules, shoe, insured)[ACE]
    without_insurance = by_rounds(rules, shoe, lambda _: Decision.STAND)[ACE]
    assert with_insurance > without_insurance
    assert game.insurance() == (with_insurance - without_insurance) * shoe[-1] / sum(shoe)
