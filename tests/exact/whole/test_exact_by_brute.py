"""The exact values of the whole game are those of every round that a small shoe can give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Final

import pytest

from cards import PRESETS, Decision, Naturals, Rules, rules_from
from exact.solving import NoExactFormError
from exact.whole.charts import evaluate
from exact.whole.game import Values, WholeGame, whole_game
from exact.whole.running_out import can_run_out
from exact.whole.shoe import Shoe
from policies.chart import Chart
from policies.hands import HANDS
from tests.exact.whole.brute import ACE, Brute, Cards, Left, Options
from tests.exact.whole.brute import Values as BruteValues
from tests.exact.whole.test_brute import SEEDS, follow, random_chart, shoe_of, some_rules

TIGHT: Final = 1e-12

SHOES: Final = (
    shoe_of(v5=3, v6=3, v9=3, v10=12, v11=4),
    shoe_of(v6=4, v8=4, v10=14, v11=4),
    shoe_of(v2=3, v7=4, v10=14, v11=3),
    shoe_of(v3=3, v8=4, v10=14, v11=3),
    shoe_of(v4=3, v7=4, v9=3, v10=14),
)
"""Shoes of four and five ranks that cannot run out."""

OF_MANY_HANDS: Final = (
    shoe_of(v8=4, v10=18, v11=4),
    shoe_of(v6=5, v8=4, v10=18),
    shoe_of(v3=3, v10=22, v11=3),
)
"""Shoes of three ranks: with each further hand the number of rounds grows tenfold."""


@cache
def a_game(seed: int) -> tuple[Brute, WholeGame]:
    """The same game twice: by force, and by the exact values."""
    rules = some_rules(seed)
    shoes = OF_MANY_HANDS if rules.split > 2 else SHOES
    shoe = shoes[seed % len(shoes)]
    return Brute(rules, shoe), whole_game(rules, Shoe(shoe))


def assert_equal(exact: Values, brute: BruteValues, insurance: float) -> None:
    """The same value, insurance and values by upcard."""
    assert exact.insurance == pytest.approx(insurance, abs=TIGHT)
    assert exact.value == pytest.approx(brute.value + insurance, abs=TIGHT)
    for upcard in range(2, 12):
        given = exact.by_upcard[upcard - 2]
        assert (given == given) == (upcard in brute.by_upcard), "no number where there is no such card"
        if upcard in brute.by_upcard:
            assert given == pytest.approx(brute.by_upcard[upcard], abs=TIGHT)


def hands_of_two(game: Brute) -> Iterator[tuple[Cards, int, Left]]:
    """Each hand that may be dealt and is not over 21, each upcard beside it, and the cards left."""
    for first, _, after_first in game.draws(game.shoe):
        for second, _, after_second in game.draws(after_first):
            if first <= second and game.total((first, second))[0] <= 21:
                for upcard, _, left in game.draws(after_second):
                    yield (first, second), upcard, left


@pytest.mark.parametrize("seed", SEEDS)
def test_the_value_of_the_best_play(seed: int) -> None:
    brute, exact = a_game(seed)
    best = brute.best()
    assert not brute.ties, "of two decisions as good, the one that is taken may change what a split is worth"
    assert_equal(exact.optimum(), best, brute.insurance())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_value_of_a_chart(seed: int) -> None:
    brute, exact = a_game(seed)
    chart = random_chart(Random(seed))
    assert_equal(evaluate(exact, chart), brute.value(follow(chart, brute)), brute.insurance())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_options_of_every_hand_of_two_and_three_cards(seed: int) -> None:
    brute, exact = a_game(seed)
    for cards, upcard, left in hands_of_two(brute):
        assert_same(exact.options(cards, upcard), brute.options(cards, upcard))
        for third, _, _ in brute.draws(left):
            more = tuple(sorted((*cards, third)))
            if brute.total(more)[0] <= 21:
                assert_same(exact.options(more, upcard), brute.options(more, upcard))


@pytest.mark.parametrize("seed", [seed for seed in SEEDS if some_rules(seed).split > 1])
def test_the_options_of_every_hand_that_a_split_makes(seed: int) -> None:
    """The first of its cards is the one that was split."""
    brute, exact = a_game(seed)
    for (first, second), upcard, _ in hands_of_two(brute):
        for cards in {(first, second), (second, first)}:
            by_force = brute.options((first, second), upcard, pair=cards[0])
            assert_same(exact.options(cards, upcard, is_split=True), by_force)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_asked_before_play(seed: int) -> None:
    brute, exact = a_game(seed)
    for cards, upcard, _ in hands_of_two(brute):
        expected = {}
        if brute.is_asked(cards) and brute.asks_first(upcard):
            expected = brute.before_peek(cards, upcard)
        if brute.rules.insurance and upcard == ACE:
            expected[Decision.INSURE] = brute.side_bet(cards)
        assert_same(exact.before_peek(cards, upcard), expected)


def assert_same(exact: Mapping[Decision, float], brute: Mapping[Decision, float]) -> None:
    """The same options, worth the same."""
    assert exact == pytest.approx(brute, abs=TIGHT, rel=0)


@pytest.mark.parametrize("low", [2, 3, 4])
def test_a_shoe_that_is_just_large_enough_does_not_run_out(low: int) -> None:
    """Every pair is split, and every hand drawn as far as it goes; `Brute` fails where a card is missing."""
    rules = Rules(naturals=Naturals.BEAT, split=2)
    counts = [3 if value in (low, ACE) else 0 for value in range(2, 12)]
    while can_run_out(rules, Shoe(tuple(counts))):
        counts[10 - 2] += 1
    game = Brute(rules, tuple(counts))

    def draw(cards: Cards, _: int, __: bool, options: Options) -> Decision:
        if Decision.SPLIT in options:
            return Decision.SPLIT
        return Decision.HIT if game.total(cards)[0] < 21 else Decision.STAND

    chart = Chart("draws", {"H21": ("S",) * 10, "S21": ("S",) * 10} | _DRAWN)
    exact = evaluate(whole_game(rules, Shoe(game.shoe)), chart)
    assert_equal(exact, game.value(draw), insurance=0)
    counts[10 - 2] -= 1
    with pytest.raises(NoExactFormError, match="may run out"):
        whole_game(rules, Shoe(tuple(counts)))


_DRAWN: Final = {hand: ("P" if hand[0] == "P" else "H",) * 10 for hand in HANDS if hand not in ("H21", "S21")}


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
