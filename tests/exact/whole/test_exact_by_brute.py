"""The exact values of the whole game are those of every round that a small shoe can give.

Six games together have every value of every rule; the others combine them in other ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

import pytest

from cards import PRESETS, Decision, Naturals, Rules, rules_from
from exact.solving import NoExactFormError
from exact.whole.charts import evaluate
from exact.whole.game import Values, whole_game
from exact.whole.mixed import evaluate_policy
from exact.whole.running_out import can_run_out
from exact.whole.shoe import Shoe
from policies.chances import sure
from policies.chart import Chart, policy_of
from policies.hands import HANDS
from tests.exact.whole.brute import ACE, Brute, Cards, Left, Number, Options
from tests.exact.whole.brute import Values as BruteValues
from tests.exact.whole.games import COVERING, GAMES, a_game, follow, random_policy
from tests.helpers.played import random_chart
from tests.helpers.tiers import first_of

TIGHT: Final = 1e-12

EACH_GAME: Final = pytest.mark.parametrize("number", first_of(GAMES, COVERING))


def assert_equal(exact: Values, brute: BruteValues, insurance: Number) -> None:
    """The same value, insurance and values by upcard."""
    assert exact.insurance == pytest.approx(insurance, abs=TIGHT)
    assert exact.value == pytest.approx(brute.value + insurance, abs=TIGHT)
    for upcard in range(2, 12):
        given = exact.by_upcard[upcard - 2]
        assert (given == given) == (upcard in brute.by_upcard), "no number where there is no such card"
        if upcard in brute.by_upcard:
            assert given == pytest.approx(brute.by_upcard[upcard], abs=TIGHT)


def assert_same(exact: Mapping[Decision, float], brute: Mapping[Decision, float]) -> None:
    """The same options, worth the same."""
    assert exact == pytest.approx(brute, abs=TIGHT, rel=0)


def hands_of_two(game: Brute) -> Iterator[tuple[Cards, int, Left]]:
    """Each hand that may be dealt and is not over 21, each upcard beside it, and the cards left."""
    for first, _, after_first in game.draws(game.shoe):
        for second, _, after_second in game.draws(after_first):
            if first <= second and game.total((first, second))[0] <= 21:
                for upcard, _, left in game.draws(after_second):
                    yield (first, second), upcard, left


@EACH_GAME
def test_the_value_of_the_best_play(number: int) -> None:
    brute, exact = a_game(number)
    assert_equal(exact.optimum(), brute.best(), brute.insurance())


@EACH_GAME
def test_the_value_of_a_chart(number: int) -> None:
    brute, exact = a_game(number)
    chart = random_chart(Random(number))
    certain = sure(policy_of(chart, exact.rules))
    values, by_force = evaluate(exact, chart), brute.value(follow(certain, brute))
    assert_equal(values, by_force, brute.insurance())
    assert_equal(evaluate_policy(exact, certain), by_force, insurance=0)  # a chart never insures


@pytest.mark.parametrize("number", first_of(GAMES, 4))
def test_the_value_of_a_policy_that_leaves_everything_to_chance(number: int) -> None:
    brute, exact = a_game(number)
    policy = random_policy(number)
    play = follow(policy, brute)
    assert_equal(evaluate_policy(exact, policy), brute.value(play), brute.insured(play))


@EACH_GAME
def test_the_options_of_every_hand(number: int) -> None:
    """Of two and three cards, of a split, whose first card is the one that was split, and before play."""
    brute, exact = a_game(number)
    for cards, upcard, left in hands_of_two(brute):
        assert_same(exact.options(cards, upcard), brute.options(cards, upcard))
        for third, _, _ in brute.draws(left):
            more = tuple(sorted((*cards, third)))
            if brute.total(more)[0] <= 21:
                assert_same(exact.options(more, upcard), brute.options(more, upcard))
        for each in {cards, cards[::-1]} if brute.rules.split > 1 else ():
            by_force = brute.options(cards, upcard, pair=each[0])
            assert_same(exact.options(each, upcard, is_split=True), by_force)
        asked: dict[Decision, float] = {}
        if brute.is_asked(cards) and brute.asks_first(upcard):
            asked = brute.before_peek(cards, upcard)
        if brute.rules.insurance and upcard == ACE:
            asked[Decision.INSURE] = brute.side_bet(cards)
        assert_same(exact.before_peek(cards, upcard), asked)


@pytest.mark.parametrize("low", first_of([3, 2, 4]))
def test_a_shoe_that_is_just_large_enough_does_not_run_out(low: int) -> None:
    """Every pair is split, and every hand drawn as far as it goes; `Brute` fails where a card is missing."""
    rules = Rules(naturals=Naturals.BEAT, split=2)
    counts = [3 if value in (low, ACE) else 0 for value in range(2, 12)]
    while can_run_out(rules, Shoe(tuple(counts))):
        counts[10 - 2] += 1
    game = Brute(rules, tuple(counts))

    def draw(cards: Cards, _: int, __: bool, options: Options, ___: int) -> Mapping[Decision, float]:
        if Decision.SPLIT in options:
            return {Decision.SPLIT: 1}
        return {Decision.HIT if game.total(cards)[0] < 21 else Decision.STAND: 1}

    drawn = {hand: ("P" if hand[0] == "P" else "H",) * 10 for hand in HANDS}
    chart = Chart("draws", drawn | {"H21": ("S",) * 10, "S21": ("S",) * 10})
    exact = evaluate(whole_game(rules, Shoe(game.shoe)), chart)
    assert_equal(exact, game.value(draw), insurance=0)
    counts[10 - 2] -= 1
    with pytest.raises(NoExactFormError, match="may run out"):
        whole_game(rules, Shoe(tuple(counts)))


def test_questions_that_nobody_is_asked() -> None:
    vegas, reno = whole_game(PRESETS["vegas"]), whole_game(rules_from({"rules": "reno", "split": "1"}))
    with pytest.raises(ValueError, match="expected two cards"):
        vegas.before_peek([3, 4, 5], 11)
    with pytest.raises(ValueError, match="takes one card only"):
        vegas.options([11, 5, 3], 6, is_split=True)
    with pytest.raises(ValueError, match="let no pair be split"):
        reno.options([8, 8], 6, is_split=True)
    aces_and_tens = whole_game(PRESETS["vegas"], Shoe((0,) * 8 + (40, 1), endless=False))
    with pytest.raises(ValueError, match="for certain"):
        aces_and_tens.options([10, 10], 11)


def test_the_second_hand_of_a_split_is_split_only_where_a_third_is_allowed() -> None:
    two, three = (whole_game(rules_from({"rules": "vegas", "split": hands})) for hands in "23")
    assert Decision.SPLIT not in two.options([8, 8], 6, is_split=True)
    assert Decision.SPLIT in three.options([8, 8], 6, is_split=True)
    assert Decision.SPLIT in two.options([8, 8], 6)


def test_nothing_taken_out_of_an_infinite_deck_leaves_it_infinite() -> None:
    assert Shoe((1,) * 10, endless=True).without([]).endless
