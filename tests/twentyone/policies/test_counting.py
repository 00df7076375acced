"""Systems of counting, the true count and spreads."""

from __future__ import annotations

import pytest

from cards import CARDS
from twentyone.policies.counting import HI_LO, SYSTEMS, Spread, System, spread_in, system_named
from twentyone.support.command import CommandError

KO = SYSTEMS["ko"]


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=str)
def test_the_tags_of_a_deck_add_up_to_what_a_system_says(system: System) -> None:
    assert sum(map(system.tag, CARDS)) == system.of_a_deck


def test_a_deck_has_four_cards_of_a_rank_and_sixteen_that_count_ten() -> None:
    assert system_named("tags:1,1,1,1,1,1,1,1,1,0").of_a_deck == 9 * 4
    assert system_named("tags:0,0,0,0,0,0,0,0,0,1").of_a_deck == 16


def test_ko_alone_is_not_balanced() -> None:
    # Vancura and Fuchs, "Knock-Out Blackjack" (1998): the count of a deck ends at +4.
    assert {name: system.of_a_deck for name, system in SYSTEMS.items() if system.of_a_deck} == {"ko": 4}


def test_tags_are_typed_from_the_ace_to_the_ten() -> None:
    assert system_named("tags:-1,1,1,1,1,1,0,0,0,-1").tags == HI_LO.tags
    assert system_named("HI-LO") is system_named("Hi-Lo") is HI_LO
    assert system_named("tags:0,+1,1,2,2,1,1,0,0,-2").tags == SYSTEMS["hi-opt-2"].tags


@pytest.mark.parametrize(
    "text",
    [
        *("", "hilo", "tags:", "tags:1,2", "tags:1,1,1,1,1,1,1,1,1,10"),
        *("tags:-1,1,1,1,1,1,0,0,0,-.5", "tags:-1,1,1,1,1,1,0,0,0,-1,0"),
    ],
)
def test_what_is_no_system_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(CommandError, match=r"^there is no system .* expected hi-lo, ko, .* or tags:A,2,"):
        system_named(text)


@pytest.mark.parametrize("tag", ["0", "3", "-9"])
def test_tags_that_are_all_equal_are_refused(tag: str) -> None:
    text = f"tags:{','.join([tag] * 10)}"
    with pytest.raises(CommandError, match=f"^all tags of {text} are equal, .* expected tags that differ"):
        system_named(text)


def test_the_true_count_is_rounded_down() -> None:
    assert HI_LO.true_count(5, 52, 260) == 1
    assert HI_LO.true_count(-1, 52, 260) == -1
    assert HI_LO.true_count(3, 312, 0) == 0


def test_what_an_unbalanced_system_adds_on_the_average_is_taken_away_first() -> None:
    # After two of six decks KO's running count is +8 on the average, and the true count then 0. At its pivot,
    # the running count of all six decks, the true count is 4 however many are left.
    assert KO.true_count(8, 104, 208) == 0
    assert [KO.true_count(24, 52 * decks, 52 * (6 - decks)) for decks in range(6)] == [4] * 6


def test_a_spread_is_a_straight_line_from_a_true_count_of_1_to_5() -> None:
    assert [Spread(1, 8).units(count) for count in range(-1, 8)] == [1, 1, 1, 2, 4, 6, 8, 8, 8]
    assert [Spread(5, 5).units(count) for count in (-9, 3, 9)] == [5, 5, 5]


def test_a_spread_is_read_as_it_is_written() -> None:
    assert spread_in("count:1-8") == Spread(1, 8)
    assert str(Spread(1, 8)) == "count:1-8"
    assert [spread_in(text) for text in ("count:8-1", "count:0-4", "count:1-1001", "8", "")] == [None] * 5
