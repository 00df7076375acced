"""The exact values are those of every round that a small shoe can give.

Six games together have every value of every rule; the others combine them in other ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Final, TypeAlias

import pytest

from cards import (
    PRESETS,
    Ace,
    CardDealt,
    Decision,
    DecisionTaken,
    Double,
    HoleCard,
    Round,
    SplitAces,
    Surrender,
    rules_from,
)
from tests.helpers.played import random_chart
from tests.helpers.tiers import first_of
from tests.twentyone.exact.games import (
    COVERING,
    GAMES,
    RULES,
    SHOES,
    Decide,
    Paid,
    a_game,
    best_by,
    every_round,
    mean_by_upcard,
    mixed,
    random_policy,
    seeing,
    value_of,
)
from twentyone.exact.best.mixed import evaluate_policy
from twentyone.exact.values.charts import evaluate
from twentyone.exact.values.game import SeatGame, Values, seat_game
from twentyone.exact.values.shoe import Shoe
from twentyone.policies.chances import Chances, sure
from twentyone.policies.chart import policy_of

TIGHT: Final = 1e-12

EACH_GAME: Final = pytest.mark.parametrize("number", first_of(GAMES, COVERING))

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, DECLINE = Decision

Hand: TypeAlias = tuple[tuple[int, ...], int]
"""The values of a hand's cards, and of the upcard."""


def assert_equal(exact: Values, rounds: Iterator[Paid]) -> None:
    """Rounds have this value, this insurance and these values by upcard."""
    played = list(rounds)
    assert exact.value == pytest.approx(sum(each.chance * each.payoff for each in played), abs=TIGHT)
    assert exact.insurance == pytest.approx(sum(each.chance * each.insurance for each in played), abs=TIGHT)
    means = mean_by_upcard(played)
    found = {upcard: value for upcard, value in enumerate(exact.by_upcard, 2) if value == value}
    assert found == pytest.approx(means, abs=TIGHT), "no number where there is no such card"


@EACH_GAME
def test_the_value_of_the_best_play(number: int) -> None:
    game = a_game(number)
    assert_equal(game.best_play(), every_round(game.rules, game.shoe.counts, best_by(game)))


@EACH_GAME
def test_the_value_of_a_chart(number: int) -> None:
    game, chart = a_game(number), random_chart(Random(number))
    policy = policy_of(chart, game.rules)
    values = evaluate_policy(game, sure(policy))
    assert_equal(values, every_round(game.rules, game.shoe.counts, seeing(policy)))
    # A chart says nothing of insurance: it counts as taken where it pays.
    insured = evaluate(game, chart)
    assert insured.by_upcard == pytest.approx(values.by_upcard, abs=TIGHT, nan_ok=True)
    assert insured.insurance == game.insurance
    assert insured.value == pytest.approx(values.value + game.insurance, abs=TIGHT)


@pytest.mark.parametrize("number", first_of((2, 0, 4, 5, 12, 1, 3), 3))
def test_the_value_of_a_policy_that_leaves_everything_to_chance(number: int) -> None:
    game, policy = a_game(number), random_policy(number)
    rounds = every_round(game.rules, game.shoe.counts, mixed(policy))
    assert_equal(evaluate_policy(game, policy), rounds)


def means_of(rounds: Iterator[tuple[Hand, float, float]]) -> dict[Hand, float]:
    """The mean of what rounds pay, by the hand; each round has its chance and its payoff."""
    chances: defaultdict[Hand, float] = defaultdict(float)
    payoffs: defaultdict[Hand, float] = defaultdict(float)
    for hand, chance, payoff in rounds:
        chances[hand] += chance
        payoffs[hand] += chance * payoff
    return {hand: payoffs[hand] / chances[hand] for hand in chances}


def declining(game: SeatGame) -> Decide:
    """The best play, but for what is asked before it: insurance and early surrender are declined."""
    best = best_by(game)
    return lambda round_: {DECLINE: 1.0} if DECLINE in round_.options else best(round_)


def after(game: SeatGame, before: tuple[Decision, ...], then: Decision) -> dict[Hand, float]:
    """What a decision is worth with each first hand that comes to it after others; the best play follows."""
    play, wanted = declining(game), (*before, then)

    def decide(round_: Round) -> Chances:
        made = decisions_of(round_)
        is_on_the_way = len(made) < len(wanted) and made == wanted[: len(made)]
        if is_on_the_way and wanted[len(made)] in round_.options and DECLINE not in round_.options:
            return {wanted[len(made)]: 1.0}
        return play(round_)

    def rounds() -> Iterator[tuple[Hand, float, float]]:
        for paid in every_round(game.rules, game.shoe.counts, decide):
            if decisions_of(paid.round)[: len(wanted)] == wanted:
                yield hand_of(paid, 2 + len(before)), paid.chance, paid.payoff

    return means_of(rounds())


def decisions_of(round_: Round) -> tuple[Decision, ...]:
    """What has been decided in play."""
    taken = (record.decision for record in round_.records if isinstance(record, DecisionTaken))
    return tuple(decision for decision in taken if decision is not DECLINE)


def hand_of(paid: Paid, count: int) -> Hand:
    """The first so many cards of the seat, and the upcard."""
    cards = [record.card for record in paid.round.records if isinstance(record, CardDealt)]
    return tuple(map(value_of, cards[:count])), paid.upcard


@EACH_GAME
def test_the_options_of_hands_of_two_and_three_cards(number: int) -> None:
    game = a_game(number)
    allowed: defaultdict[Hand, set[Decision]] = defaultdict(set)
    for before, then in product(((), (HIT,)), (STAND, HIT, DOUBLE, SPLIT, SURRENDER)):
        found = after(game, before, then)
        for (cards, upcard), mean in found.items():
            assert game.options(cards, upcard)[then] == pytest.approx(mean, abs=TIGHT), (cards, upcard, then)
            allowed[cards, upcard].add(then)
        assert len(found) > 3 or then in (DOUBLE, SPLIT, SURRENDER)
    for hand, options in allowed.items():
        assert {*game.options(*hand)} == options, "nothing that a round does not allow has a value"


@pytest.mark.parametrize("number", first_of([each for each in GAMES if RULES[each].split > 1], 4))
def test_a_hand_of_a_split_has_the_options_of_the_same_cards_that_no_split_made(number: int) -> None:
    game = a_game(number)
    for cards, upcard in after(game, (), STAND):
        of_split, others = game.options(cards, upcard, is_split=True), game.options(cards, upcard)
        assert STAND in of_split and SURRENDER not in of_split
        assert (HIT in of_split) == (cards[0] != 11 or game.rules.split_aces is SplitAces.PLAY)
        assert (DOUBLE in of_split) == (
            HIT in of_split and DOUBLE in others and game.rules.double_after_split
        )
        for each in of_split if sum(cards) != 21 else ():
            if each is HIT and game.rules.double is Double.ALWAYS and not game.rules.double_after_split:
                assert of_split[each] <= others[each] + TIGHT, "a hand of a split is not doubled later"
            else:
                assert of_split[each] == pytest.approx(others[each], abs=TIGHT), (cards, upcard, each)


@pytest.mark.parametrize("number", first_of([7, *GAMES[:7]], COVERING + 1))
def test_what_is_asked_before_the_dealer_looks(number: int) -> None:
    """In the first of the games surrender is asked for then."""
    game = a_game(number)
    is_early = (game.rules.surrender, game.rules.hole_card) == (Surrender.EARLY, HoleCard.PEEK)
    played = list(every_round(game.rules, game.shoe.counts, declining(game)))
    worth = means_of((hand_of(paid, 2), paid.chance, paid.payoff) for paid in played)
    natural = means_of(
        (hand_of(paid, 2), paid.chance, paid.round.dealer is not None and paid.round.dealer.is_natural)
        for paid in played
    )
    for (cards, upcard), mean in worth.items():
        if cards == (11, 11) and game.rules.ace is Ace.ELEVEN:
            continue  # bust as dealt
        asked = game.before_peek(cards, upcard)
        if game.rules.insurance and upcard == 11:
            assert asked.pop(INSURE) == pytest.approx((3 * natural[cards, upcard] - 1) / 2, abs=TIGHT)
        is_paid = game.rules.naturals.is_ratio and sum(cards) == 21
        is_asked = is_early and upcard in (10, 11) and not is_paid
        assert asked == ({SURRENDER: -0.5, DECLINE: pytest.approx(mean, abs=TIGHT)} if is_asked else {})


def test_questions_that_nobody_is_asked() -> None:
    vegas, reno = seat_game(PRESETS["vegas"]), seat_game(rules_from({"preset": "reno", "split": "1"}))
    with pytest.raises(ValueError, match="expected two cards"):
        vegas.before_peek([3, 4, 5], 11)
    with pytest.raises(ValueError, match="takes one card only"):
        vegas.options([11, 5, 3], 6, is_split=True)
    with pytest.raises(ValueError, match="let no pair be split"):
        reno.options([8, 8], 6, is_split=True)
    aces_and_tens = seat_game(PRESETS["vegas"], Shoe((0,) * 8 + (40, 1), endless=False))
    with pytest.raises(ValueError, match="for certain"):
        aces_and_tens.options([10, 10], 11)


def test_a_natural_that_is_paid_at_a_ratio_may_only_stand() -> None:
    """Of 23 cards that are not seen 17 make a natural of the dealer's ace, which takes the 3:2 away."""
    paid = seat_game(PRESETS["europe"], Shoe(SHOES[0])).options([11, 10], 11)
    assert paid == {STAND: pytest.approx(1.5 * (1 - 17 / 23), abs=TIGHT)}


def test_the_second_hand_of_a_split_is_split_only_where_a_third_is_allowed() -> None:
    two, three = (seat_game(rules_from({"preset": "vegas", "split": hands})) for hands in "23")
    assert SPLIT not in two.options([8, 8], 6, is_split=True)
    assert SPLIT in three.options([8, 8], 6, is_split=True)
    assert SPLIT in two.options([8, 8], 6)


def test_nothing_taken_out_of_an_infinite_deck_leaves_it_infinite() -> None:
    assert Shoe((1,) * 10, endless=True).without([]).endless
