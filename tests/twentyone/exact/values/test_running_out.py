"""Whether a round may want more cards than a small shoe has."""

from __future__ import annotations

from random import Random

import pytest

from cards import Decision, Round, Rules, rules_from
from tests.helpers.tiers import first_of
from tests.twentyone.exact.games import Given, Left, NoCardError
from twentyone.exact.values.running_out import can_run_out
from twentyone.exact.values.shoe import Shoe


def drawn_shoes(count: int) -> list[Left]:
    """Small shoes of two or three ranks."""
    random, shoes = Random(5), []
    for _ in range(count):
        cards = [0] * 10
        for card in random.sample(range(10), random.choice((2, 3))):
            cards[card] = random.randint(2, 7)
        shoes.append(tuple(cards))
    return shoes


def runs_out(rules: Rules, shoe: Left, random: Random) -> bool:
    """Whether a card is missing in a round with the cards in some order, decided at random."""
    values = [value for value, count in enumerate(shoe, 2) for _ in range(count)]
    random.shuffle(values)

    round_ = Round(rules, Given(tuple(values)))
    try:
        round_.deal()
        while not round_.is_over:
            # More cards are wanted by who hits and splits.
            weights = [5 if option in (Decision.HIT, Decision.SPLIT) else 1 for option in round_.options]
            round_.decide(0, random.choices(round_.options, weights)[0])
    except NoCardError:
        return True
    return False


TWO_HANDS = {"preset": "vegas", "split": "2", "reshuffle": "round"}


@pytest.mark.parametrize("fields", first_of([TWO_HANDS, {"preset": "course"}]))
def test_rounds_of_shoes_that_are_judged_to_suffice_never_want_a_card(fields: dict[str, str]) -> None:
    rules, random = rules_from(fields), Random(1)
    enough = [shoe for shoe in drawn_shoes(300) if not can_run_out(rules, Shoe(shoe))]
    by_search = [shoe for shoe in enough if sum(shoe) < Shoe(shoe).most_needed(rules.split)]
    assert len(by_search) > 10
    assert not any(runs_out(rules, shoe, random) for shoe in enough for _ in range(10))


@pytest.mark.check
def test_rounds_of_shoes_that_are_judged_too_small_want_a_card_sooner_or_later() -> None:
    rules, random = rules_from({"preset": "course"}), Random(2)
    too_small = [shoe for shoe in drawn_shoes(100) if can_run_out(rules, Shoe(shoe))]
    found = [any(runs_out(rules, shoe, random) for _ in range(2000)) for shoe in too_small]
    assert len(found) > 20
    assert all(found)


def test_eight_low_cards_suffice_for_one_hand() -> None:
    """Five fours and three sevens, and one four less is too few."""
    rules = rules_from({"preset": "course"})
    assert not can_run_out(rules, Shoe((0, 0, 5, 0, 0, 3, 0, 0, 0, 0)))
    assert can_run_out(rules, Shoe((0, 0, 4, 0, 0, 3, 0, 0, 0, 0)))


def test_what_would_take_too_long_to_search_is_judged_by_its_points() -> None:
    rules = rules_from(TWO_HANDS)
    assert can_run_out(rules, Shoe((3, 3, 3, 3, 2, 2, 0, 0, 0, 3)))
    assert not can_run_out(rules, Shoe((4, 4, 4, 4, 4, 4, 4, 4, 16, 4)))
