"""The reference by itself: rounds that were played by hand, each beside the rule that it shows."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cards import Card, Rank, Suit, card_of
from tests.helpers.reference import FORFEIT, Action, Event, Options, Played, is_legal, play

HALF = Fraction(1, 2)

RANKS = dict(zip("A23456789TJQK", Rank, strict=True))


def cards_of(text: str) -> list[Card]:
    """Cards of clubs, by the character of their rank."""
    return [card_of(RANKS[rank], Suit.CLUBS) for rank in text.split()]


def round_of(
    cards: str,
    answers: str = "",
    *,
    seats: int = 1,
    means: list[Fraction | int | None] | None = None,
    plain: tuple[int, ...] = (),
    rules: str = "",
) -> Played:
    """Play a round in which every card is dealt and every answer is asked for.

    An answer that is a digit is a forfeit of that seat. Rules are
    written as elsewhere: `split=4 double=any`.
    """
    left = answers.split()

    def act(seat: int, hand: int, options: Options) -> Action:
        answer = left.pop(0)
        return (FORFEIT, int(answer)) if answer.isdigit() else answer

    fields = dict(rule.split("=") for rule in rules.split())
    assert is_legal(fields)
    deck = cards_of(cards)
    played = play(fields, seats, deck, act, means, plain)
    assert (left, played.dealt) == ([], len(deck)), "every answer was asked for, and every card dealt"
    return played


def asked(played: Played) -> list[str]:
    """The questions of a round, in order."""
    questions = [event[3] for event in played.events if event[0] == "asked"]
    return [" ".join(options) for options in questions if isinstance(options, tuple)]


def events_after_the_deal(played: Played) -> list[Event]:
    """What happened once the hole card lay on the table."""
    return played.events[[event[0] for event in played.events].index("hole card") + 1 :]


def hand_payoffs(played: Played) -> list[object]:
    """What each hand has won, after a split."""
    return [event[4] for event in played.events if event[0] == "hand settled"]


def settled(played: Played) -> list[tuple[object, object]]:
    """The word and the payoff of each seat."""
    return [(seat.outcome, seat.payoff) for seat in played.seats]


# A table without new rules


def test_without_new_rules_a_bust_is_settled_at_once_and_the_hole_card_stays_down() -> None:
    played = round_of("T 6 5 5 K", "HIT")
    king = cards_of("K")[0]
    assert events_after_the_deal(played) == [
        ("asked", 0, 0, ("HIT", "STAND")),
        ("decided", 0, 0, "HIT"),
        ("card", 0, 0, king),
        ("settled", 0, "BUST", None),
    ]
    assert played.payoffs == [-1]


def test_without_new_rules_a_natural_is_asked() -> None:
    assert asked(round_of("A K 7 7 7", "STAND")) == ["HIT STAND"]
    assert round_of("A K 7 7 7", "STAND").payoffs == [0]
    assert round_of("A K 7 7 7", "STAND", rules="naturals=beat").payoffs == [1]


# Naturals


@pytest.mark.parametrize(
    ("naturals", "payoff"), [("1:1", 1), ("6:5", Fraction(6, 5)), ("3:2", Fraction(3, 2)), ("2:1", 2)]
)
def test_a_natural_at_a_ratio_is_asked_nothing_and_the_dealer_does_not_draw(
    naturals: str, payoff: Fraction | int
) -> None:
    played = round_of("A K 9 6", rules=f"naturals={naturals}")
    assert [event[0] for event in events_after_the_deal(played)] == ["revealed", "settled"]
    assert settled(played) == [("WIN", payoff)]


def test_a_natural_beats_a_21_that_the_dealer_draws_to() -> None:
    played = round_of("A K 9 8 7 7 7", "STAND", seats=2, rules="naturals=3:2")
    assert played.payoffs == [Fraction(3, 2), -1]


def test_two_naturals_push() -> None:
    played = round_of("A K A K", rules="naturals=3:2")
    assert settled(played) == [("PUSH", 0)]


def test_a_21_of_a_split_hand_is_no_natural() -> None:
    played = round_of("A A 7 7 K K 7", "SPLIT", rules="naturals=3:2 split=2")
    assert settled(played) == [("PUSH", 0)]


def test_a_natural_that_beats_is_asked_like_any_other_hand() -> None:
    played = round_of("A K 7 7 5 7", "DOUBLE", rules="naturals=beat double=any")
    assert asked(played) == ["HIT STAND DOUBLE"]
    assert played.payoffs == [-2]
    assert round_of("A K 7 7 7", "STAND", rules="naturals=beat double=any").payoffs == [1]


def test_a_hand_over_21_as_dealt_is_asked_nothing_and_settled_at_the_end() -> None:
    played = round_of("A A A 6", rules="ace=11 naturals=3:2 insurance=yes hole-card=peek surrender=early")
    assert [event[0] for event in events_after_the_deal(played)] == ["peeked", "revealed", "settled"]
    assert settled(played) == [("BUST", -1)]


# Doubling


@pytest.mark.parametrize(
    ("double", "hands"),
    [
        ("any", {"2 3", "2 6", "2 7", "4 6", "5 6", "5 7", "A 8", "A K"}),
        ("9-11", {"2 7", "4 6", "5 6"}),
        ("10-11", {"4 6", "5 6"}),
        ("none", set()),
    ],
)
def test_the_first_two_cards_that_may_be_doubled(double: str, hands: set[str]) -> None:
    for hand in ("2 3", "2 6", "2 7", "4 6", "5 6", "5 7", "A 8", "A K"):
        played = round_of(f"{hand} T 7", "STAND", rules=f"double={double} surrender=early")
        assert asked(played) == [f"HIT STAND{' DOUBLE' * (hand in hands)} SURRENDER"]


@pytest.mark.parametrize("double", ["any", "9-11", "10-11"])
def test_three_cards_may_not_be_doubled(double: str) -> None:
    assert asked(round_of("2 3 T 7 5", "HIT STAND", rules=f"double={double}"))[1] == "HIT STAND"


def test_any_number_of_cards_may_be_doubled_always() -> None:
    played = round_of("2 3 T 7 5 T", "HIT DOUBLE", rules="double=always")
    assert asked(played) == ["HIT STAND DOUBLE"] * 2
    assert settled(played) == [("WIN", 2)]


def test_an_ace_that_only_counts_1_is_doubled_as_a_hard_9() -> None:
    assert asked(round_of("A 8 T 7", "STAND", rules="double=9-11 ace=1")) == ["HIT STAND DOUBLE"]


def test_a_doubled_hand_gets_one_card_and_may_bust_for_two() -> None:
    played = round_of("T 6 T 7 9", "DOUBLE", rules="double=any")
    assert settled(played) == [("BUST", -2)]


# Splitting


def test_a_pair_is_split_to_four_hands_with_a_double_in_one_of_them() -> None:
    played = round_of(
        "8 8 6 T  8 3 T  8 T  T  T T 2",
        "SPLIT SPLIT DOUBLE  SPLIT STAND STAND  HIT",
        rules="split=4 double=any double-after-split=yes",
    )
    eight, three, ten, two = cards_of("8 3 T 2")
    assert events_after_the_deal(played) == [
        ("asked", 0, 0, ("HIT", "STAND", "DOUBLE", "SPLIT")),
        ("decided", 0, 0, "SPLIT"),
        ("hand", 0, 0, 2),
        ("card", 0, 0, eight),
        ("asked", 0, 0, ("HIT", "STAND", "DOUBLE", "SPLIT")),
        ("decided", 0, 0, "SPLIT"),
        ("hand", 0, 0, 3),
        ("card", 0, 0, three),
        ("asked", 0, 0, ("HIT", "STAND", "DOUBLE")),
        ("decided", 0, 0, "DOUBLE"),
        ("card", 0, 0, ten),
        ("hand", 0, 1, 3),
        ("card", 0, 1, eight),
        ("asked", 0, 1, ("HIT", "STAND", "DOUBLE", "SPLIT")),
        ("decided", 0, 1, "SPLIT"),
        ("hand", 0, 1, 4),
        ("card", 0, 1, ten),
        ("asked", 0, 1, ("HIT", "STAND", "DOUBLE")),
        ("decided", 0, 1, "STAND"),
        ("hand", 0, 2, 4),
        ("card", 0, 2, ten),
        ("asked", 0, 2, ("HIT", "STAND", "DOUBLE")),
        ("decided", 0, 2, "STAND"),
        ("hand", 0, 3, 4),
        ("card", 0, 3, ten),
        ("asked", 0, 3, ("HIT", "STAND", "DOUBLE")),
        ("decided", 0, 3, "HIT"),
        ("card", 0, 3, ten),
        ("revealed", ten),
        ("drew", two),
        ("hand settled", 0, 0, "WIN", 2),
        ("hand settled", 0, 1, "PUSH", 0),
        ("hand settled", 0, 2, "PUSH", 0),
        ("hand settled", 0, 3, "BUST", -1),
        ("settled", 0, "WIN", 1),
    ]


def test_king_and_queen_are_a_pair_and_no_more_hands_are_made_than_the_rules_say() -> None:
    played = round_of("K Q T 7 K J", "SPLIT STAND STAND", rules="split=2")
    assert asked(played) == ["HIT STAND SPLIT", "HIT STAND", "HIT STAND"]


def test_a_hand_of_a_split_is_not_doubled_without_the_rule_and_never_surrendered() -> None:
    played = round_of("8 8 T 7 3 T", "SPLIT STAND STAND", rules="split=2 double=always surrender=early")
    assert asked(played) == ["HIT STAND DOUBLE SPLIT SURRENDER", "HIT STAND", "HIT STAND"]


def test_split_aces_get_one_card_each() -> None:
    played = round_of("A A T 7 A 9", "SPLIT", rules="split=4 double=always double-after-split=yes")
    assert asked(played) == ["HIT STAND DOUBLE SPLIT"]
    assert hand_payoffs(played) == [-1, 1]


def test_split_aces_may_be_split_again() -> None:
    played = round_of("A A T 7 A 9 A 5", "SPLIT SPLIT HIT", rules="split=4 split-aces=again")
    assert asked(played) == ["HIT STAND SPLIT", "STAND SPLIT", "STAND SPLIT"]
    assert ("decided", 0, 1, "STAND") in played.events, "HIT is taken as STAND"
    assert hand_payoffs(played) == [1, -1, -1]


def test_split_aces_are_over_when_no_more_hands_are_allowed() -> None:
    played = round_of("A A T 7 A A", "SPLIT", rules="split=2 split-aces=again")
    assert asked(played) == ["HIT STAND SPLIT"]


def test_split_aces_that_are_hands_like_any_other() -> None:
    played = round_of(
        "A A T 7 A 9 5 3 6 2",
        "SPLIT SPLIT STAND HIT STAND DOUBLE",
        rules="split=3 split-aces=play double=any double-after-split=yes",
    )
    assert asked(played) == ["HIT STAND DOUBLE SPLIT"] * 2 + [
        "HIT STAND DOUBLE",
        "HIT STAND DOUBLE",
        "HIT STAND",
        "HIT STAND DOUBLE",
    ]


def test_tens_that_are_split_get_another_card_each_when_their_turn_comes() -> None:
    played = round_of("T T 5 6 A 2 T T", "SPLIT STAND HIT", rules="split=4 naturals=3:2")
    assert [[card.points for card in hand.cards] for hand in played.seats[0].hands] == [[10, 1], [10, 2, 10]]
    assert hand_payoffs(played) == [0, -1]


# Surrender and insurance

PEEK = "naturals=3:2 hole-card=peek"


def test_late_surrender_is_too_late_against_a_natural() -> None:
    played = round_of("T 6 T A", rules=f"surrender=late {PEEK}")
    assert [event[0] for event in events_after_the_deal(played)] == ["peeked", "revealed", "settled"]
    assert played.payoffs == [-1]


def test_late_surrender_is_the_first_decision_and_gives_up_half() -> None:
    played = round_of("T 6 T 6", "SURRENDER", rules=f"surrender=late {PEEK}")
    assert asked(played) == ["HIT STAND SURRENDER"]
    assert settled(played) == [("SURRENDER", -HALF)]
    assert asked(round_of("T 2 T 7 2", "HIT STAND", rules=f"surrender=late {PEEK}"))[1] == "HIT STAND"


@pytest.mark.parametrize(("upcard", "hole_card"), ["AT", "TA"])
def test_early_surrender_loses_half_against_a_natural(upcard: str, hole_card: str) -> None:
    played = round_of(
        f"T 6 T 7 {upcard} {hole_card}", "SURRENDER HIT", seats=2, rules=f"surrender=early {PEEK}"
    )
    assert asked(played) == ["SURRENDER DECLINE"] * 2
    assert ("decided", 1, 0, "DECLINE") in played.events, "HIT is taken as DECLINE"
    assert settled(played) == [("SURRENDER", -HALF), ("LOSE", -1)]


def test_early_surrender_is_offered_once() -> None:
    played = round_of("T 6 T 7", "DECLINE STAND", rules=f"surrender=early {PEEK}")
    assert asked(played) == ["SURRENDER DECLINE", "HIT STAND"]


def test_early_surrender_is_an_ordinary_decision_where_the_dealer_does_not_peek() -> None:
    assert asked(round_of("T 6 9 8", "SURRENDER", rules=f"surrender=early {PEEK}")) == ["HIT STAND SURRENDER"]
    for hole_card in ("last", "obo"):
        played = round_of("T 6 A T", "SURRENDER", rules=f"surrender=early naturals=3:2 hole-card={hole_card}")
        assert asked(played) == ["HIT STAND SURRENDER"]
        assert settled(played) == [("SURRENDER", -HALF)]


def test_a_natural_at_a_ratio_is_not_asked_to_surrender_but_one_that_beats_is() -> None:
    assert asked(round_of("A K T 7", rules=f"surrender=early {PEEK}")) == []
    played = round_of("A K T 7", "SURRENDER", rules="surrender=early naturals=beat hole-card=peek")
    assert asked(played) == ["SURRENDER DECLINE"]


@pytest.mark.parametrize(
    ("cards", "payoff"), [("T 9 A T", 0), ("T 9 A 7", HALF), ("T 8 A 7", -HALF), ("T 7 A 7", -3 * HALF)]
)
@pytest.mark.parametrize("hole_card", ["last", "peek", "obo"])
def test_insurance_pays_two_to_one(cards: str, payoff: Fraction, hole_card: str) -> None:
    peeks = hole_card == "peek" and cards.endswith("T")
    answers = "INSURE" if peeks else "INSURE STAND"
    played = round_of(cards, answers, rules=f"naturals=3:2 hole-card={hole_card} insurance=yes")
    assert asked(played)[0] == "INSURE DECLINE"
    assert played.payoffs == [payoff]


@pytest.mark.parametrize("hole", ["T", "9"])
def test_an_insured_natural_is_even_money(hole: str) -> None:
    played = round_of(f"A K A {hole}", "INSURE", rules=f"insurance=yes {PEEK}")
    assert settled(played) == [("WIN", 1)]


def test_a_seat_that_busts_and_wins_its_insurance_is_bust_and_loses_nothing() -> None:
    played = round_of("T 6 A T T", "INSURE HIT", rules="insurance=yes naturals=3:2")
    assert settled(played) == [("BUST", 0)]


def test_insurance_is_asked_before_surrender_and_both_are_paid() -> None:
    played = round_of("T 6 A T", "INSURE SURRENDER", rules=f"insurance=yes surrender=early {PEEK}")
    assert asked(played) == ["INSURE DECLINE", "SURRENDER DECLINE"]
    assert settled(played) == [("SURRENDER", HALF)]


def test_there_is_no_insurance_against_a_ten() -> None:
    assert asked(round_of("T 7 T 7", "STAND", rules=f"insurance=yes {PEEK}")) == ["HIT STAND"]


# The hole card

SPLIT_AND_DOUBLE = "split=2 double=any double-after-split=yes"


def test_a_natural_that_is_looked_at_last_takes_every_stake() -> None:
    played = round_of(
        "8 8 T A 3 T T T", "SPLIT DOUBLE HIT", rules=f"naturals=3:2 hole-card=last {SPLIT_AND_DOUBLE}"
    )
    assert settled(played) == [("LOSE", -3)]


def test_a_natural_takes_the_original_bet_only() -> None:
    played = round_of(
        "8 8 T A 3 T T T", "SPLIT DOUBLE HIT", rules=f"naturals=3:2 hole-card=obo {SPLIT_AND_DOUBLE}"
    )
    of_hands = [event for event in played.events if event[0] == "hand settled"]
    assert of_hands == [("hand settled", 0, 0, "LOSE", -1), ("hand settled", 0, 1, "BUST", 0)]
    assert settled(played) == [("LOSE", -1)]


def test_without_a_natural_the_original_bet_only_is_like_any_other_round() -> None:
    played = round_of(
        "8 8 T 7 3 T T T", "SPLIT DOUBLE HIT", rules=f"naturals=3:2 hole-card=obo {SPLIT_AND_DOUBLE}"
    )
    assert settled(played) == [("WIN", 1)]


@pytest.mark.parametrize("naturals", ["beat", "3:2"])
def test_under_obo_a_natural_pushes_a_natural(naturals: str) -> None:
    answers = "STAND" if naturals == "beat" else ""
    assert round_of("A K T A", answers, rules=f"naturals={naturals} hole-card=obo").payoffs == [0]


def test_where_the_dealer_does_not_peek_it_is_not_told_of_a_natural() -> None:
    for hole_card in ("last", "obo"):
        played = round_of("T 9 A T", "STAND", rules=f"naturals=3:2 hole-card={hole_card}")
        assert "peeked" not in [event[0] for event in played.events]


def test_the_dealer_turns_its_card_in_every_round_and_draws_only_against_a_hand_that_stands() -> None:
    bust = round_of("T 6 5 5 T", "HIT", rules="surrender=early")
    given_up = round_of("T 6 5 5", "SURRENDER", rules="surrender=early")
    stands = round_of("T 6 5 5 T", "STAND", rules="surrender=early")
    assert [event[0] for event in events_after_the_deal(bust)][-2:] == ["revealed", "settled"]
    assert [event[0] for event in events_after_the_deal(given_up)][-2:] == ["revealed", "settled"]
    assert [event[0] for event in events_after_the_deal(stands)][-3:] == ["revealed", "drew", "settled"]


# Forfeits


def test_a_forfeit_in_the_middle_of_split_hands_costs_the_stakes_on_the_table() -> None:
    played = round_of("8 8 T 7 3 T T", "SPLIT DOUBLE 0", rules=SPLIT_AND_DOUBLE)
    assert events_after_the_deal(played)[-5:] == [
        ("forfeited", 0),
        ("hand settled", 0, 0, "LOSE", -2),
        ("hand settled", 0, 1, "LOSE", -1),
        ("settled", 0, "LOSE", -3),
        ("revealed", cards_of("7")[0]),
    ]


def test_insurance_is_forfeited_with_the_hand() -> None:
    played = round_of("T 9 A 7", "INSURE 0", rules=f"insurance=yes {PEEK}")
    assert settled(played) == [("LOSE", -3 * HALF)]


def test_a_hand_that_has_been_given_up_is_forfeited_for_half() -> None:
    played = round_of("T 6 T 7 T 7", "SURRENDER 0 STAND", seats=2, rules="surrender=early")
    assert settled(played) == [("LOSE", -HALF), ("PUSH", 0)]


def test_a_seat_that_is_bust_may_forfeit_until_it_is_settled() -> None:
    played = round_of("T 6 T 7 T 7 T", "HIT 0 STAND", seats=2, rules="surrender=early")
    assert settled(played) == [("LOSE", -1), ("PUSH", 0)]


def test_who_has_forfeited_is_asked_nothing_more() -> None:
    played = round_of(
        "T 6 T 7 A 7", "1 DECLINE DECLINE STAND", seats=2, rules=f"insurance=yes surrender=early {PEEK}"
    )
    assert [event[1] for event in played.events if event[0] == "asked"] == [0, 0, 0]


# What a seat can pay, and what it understands


@pytest.mark.parametrize(
    ("means", "questions"),
    [
        (1, ["HIT STAND"]),
        (Fraction(3, 2), ["INSURE DECLINE", "HIT STAND"]),
        (2, ["INSURE DECLINE", "HIT STAND"]),
        (Fraction(5, 2), ["INSURE DECLINE", "HIT STAND DOUBLE SPLIT"]),
        (None, ["INSURE DECLINE", "HIT STAND DOUBLE SPLIT"]),
    ],
)
def test_nothing_is_offered_that_is_not_covered(means: Fraction | int | None, questions: list[str]) -> None:
    answers = "STAND" if means == 1 else "INSURE STAND"
    played = round_of(
        "8 8 A 7", answers, means=[means], rules="insurance=yes naturals=3:2 split=4 double=any"
    )
    assert asked(played) == questions


def test_a_split_ace_that_is_not_covered_is_over() -> None:
    played = round_of("A A T 7 A A", "SPLIT", means=[2], rules="split=4 split-aces=again")
    assert asked(played) == ["HIT STAND SPLIT"]


def test_a_plain_seat_is_offered_hit_and_stand_only() -> None:
    everything = f"insurance=yes surrender=early split=4 double=always {PEEK}"
    played = round_of("8 8 A 7", "STAND", plain=(0,), rules=everything)
    assert asked(played) == ["HIT STAND"]


# Rules that mean nothing


@pytest.mark.parametrize(
    "fields",
    [
        {"hole-card": "peek"},
        {"naturals": "beat", "ace": "1", "hole-card": "obo"},
        {"insurance": "yes"},
        {"naturals": "beat", "surrender": "late"},
        {"naturals": "3:2", "ace": "1"},
        {"double-after-split": "yes", "double": "any"},
        {"double-after-split": "yes", "split": "4"},
        {"split-aces": "play"},
    ],
)
def test_rules_that_mean_nothing_are_not_legal(fields: dict[str, str]) -> None:
    assert not is_legal(fields)
