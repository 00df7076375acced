"""Advice by the cards of a hand: the best of all that is allowed, and what each other decision costs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from cards import PRESETS, Bets, Decision, Double, EveryRound, Rules, SplitAces, Surrender, parse_card, seeded
from tests.helpers.played import played, rules_with_payoffs
from tests.helpers.tiers import first_of
from twentyone.exact.hand_advice import adviser_for
from twentyone.exact.values.game import seat_game
from twentyone.policies.decisions import fresh
from twentyone.policies.policy import Situation, situation_of, situations_of

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, DECLINE = Decision
ALL = (HIT, STAND, DOUBLE, SPLIT, SURRENDER)
VEGAS = PRESETS["vegas"]
EARLY = replace(VEGAS, surrender=Surrender.EARLY)


def test_a_situation_has_the_cards_in_ascending_order_and_the_ace_as_eleven() -> None:
    cards = [parse_card(name) for name in ("Ace of Spades", "King of Hearts", "Two of Clubs")]
    found = situation_of(cards, parse_card("Ace of Clubs"), True, (HIT, STAND))
    assert found == Situation((2, 10, 11), 11, True, (HIT, STAND))


@pytest.mark.parametrize(
    ("cards", "upcard", "options", "best", "second"),
    [
        ((8, 8), 10, ALL, SPLIT, SURRENDER),
        ((6, 10), 10, (*ALL[:3], SURRENDER), SURRENDER, HIT),
        ((6, 10), 10, ALL[:3], HIT, STAND),
        ((5, 6), 6, ALL[:3], DOUBLE, HIT),
        ((5, 6), 6, (HIT, STAND), HIT, STAND),  # nothing is left to double with
        ((7, 11), 6, ALL[:3], DOUBLE, STAND),
        ((6, 10), 11, (INSURE, DECLINE), DECLINE, INSURE),
    ],
)
def test_the_best_is_one_of_what_is_allowed_and_the_next_best_costs_the_difference(
    cards: tuple[int, ...], upcard: int, options: tuple[Decision, ...], best: Decision, second: Decision
) -> None:
    asked = Situation(cards, upcard, False, options)
    adviser = adviser_for(VEGAS)
    values = adviser.values(asked)
    assert tuple(values) == options
    assert adviser.advise(asked) == (best, values[best] - values[second])
    assert adviser.cost(asked, best) == 0
    assert adviser.cost(asked, second) == adviser.advise(asked).cost > 0
    game = seat_game(fresh(VEGAS))
    if INSURE in options:
        assert values == {INSURE: game.before_peek(cards, upcard)[INSURE], DECLINE: 0}
    else:
        known = game.options(cards, upcard)
        assert values == {decision: known[decision] for decision in options}


def test_insurance_of_a_deck_full_of_tens_is_worth_taking() -> None:
    # One deck, an ace showing: 16 of 49 unseen cards are tens if neither card in the hand is one, which pays
    # 2:1 on half the stake less than it costs; 14 of 49 with two tens in the hand, much less.
    adviser = adviser_for(PRESETS["reno"])
    few = adviser.values(Situation((2, 3), 11, False, (INSURE, DECLINE)))[INSURE]
    assert few == pytest.approx((3 * 16 / 49 - 1) / 2)
    assert few > adviser.values(Situation((10, 10), 11, False, (INSURE, DECLINE)))[INSURE]


def test_surrender_before_the_peek_is_compared_with_playing_on() -> None:
    asked = Situation((6, 10), 11, False, (SURRENDER, DECLINE))
    advice = adviser_for(EARLY).advise(asked)
    assert advice.decision is SURRENDER
    assert advice.cost == -0.5 - adviser_for(EARLY).values(asked)[DECLINE]
    assert 0.1 < advice.cost < 0.2  # 16 against an ace is worth about -0.66 before the peek
    insurance = adviser_for(EARLY).values(Situation((6, 10), 11, False, (INSURE, DECLINE)))
    assert insurance[DECLINE] == 0


def test_a_hand_of_a_split_is_no_natural_and_may_be_split_again() -> None:
    adviser = adviser_for(replace(VEGAS, split_aces=SplitAces.PLAY))
    ten = adviser.values(Situation((10, 11), 6, True, ALL[:3]))
    assert ten[STAND] < 1
    assert adviser.advise(Situation((8, 8), 6, True, ALL[:4])).decision is SPLIT
    aces = Situation((11, 11), 6, True, (STAND, SPLIT))
    assert adviser_for(VEGAS).advise(aces).decision is SPLIT


@pytest.mark.parametrize(
    "asked",
    [
        Situation((8, 9), 10, False, (HIT, STAND, SPLIT)),
        Situation((10, 10, 2), 10, False, (HIT, STAND)),
        Situation((2, 3, 4), 10, False, (HIT, STAND, DOUBLE)),
        Situation((2, 3), 6, False, (INSURE, DECLINE)),
        Situation((2,) * 8, 2, False, (HIT, STAND)),
    ],
)
def test_what_the_rules_do_not_allow_has_no_value(asked: Situation) -> None:
    rules = replace(VEGAS, decks=2) if len(asked.cards) == 8 else VEGAS
    with pytest.raises(ValueError, match=r"allow|hand of this shoe"):
        adviser_for(rules).values(asked)


def test_an_answer_that_was_not_allowed_has_no_cost() -> None:
    with pytest.raises(ValueError, match="SPLIT is not what these rules allow"):
        adviser_for(VEGAS).cost(Situation((8, 8), 10, False, (HIT, STAND)), SPLIT)


def test_the_same_adviser_serves_all_rules_that_make_no_difference() -> None:
    bets = replace(VEGAS, bets=Bets(10, 80), bankroll=500, seats=5, preset="mine")
    assert adviser_for(VEGAS) is adviser_for(bets) is adviser_for(replace(VEGAS, reshuffle=EveryRound()))
    assert adviser_for(VEGAS) is not adviser_for(EARLY)


def test_an_adviser_knows_an_upcard_once_it_has_learned_it() -> None:
    adviser = adviser_for(replace(VEGAS, decks=3))
    assert not adviser.knows(6)
    adviser.learn(6)
    assert adviser.knows(6) and not adviser.knows(7)
    unsplit = adviser_for(replace(PRESETS["course"], double=Double.ANY))
    unsplit.learn(6)
    assert unsplit.knows(6)


@pytest.mark.parametrize("number", first_of(range(6), 2))
def test_every_question_of_any_rules_has_a_value_for_every_answer(number: int) -> None:
    rules: Rules = rules_with_payoffs(Random(number))
    adviser, lots = adviser_for(rules), seeded(number)
    asked = 0
    for round_ in played(rules, lambda seen: seen.options[lots(len(seen.options))], 40, number):
        for seat in range(rules.seats):
            for situation, decision in situations_of(round_, seat):
                asked += 1
                assert adviser.cost(situation, decision) >= 0
    assert asked > 30
