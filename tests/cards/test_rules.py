"""Rules as fields, the presets, invalid rules, when the dealer draws, and the settlement of hands."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import (
    PRESETS,
    Ace,
    Card,
    Cutoff,
    DealerStands,
    Decision,
    Hand,
    Naturals,
    Outcome,
    Penetration,
    Rules,
    RulesError,
    parse_card,
    rules_from,
    rules_stated,
    settle,
    settle_showdown,
)
from tests.helpers.reference import VALUES
from tests.helpers.strategies import hands_of_cards, is_soft_by_force, total_by_force

WIN, LOSE, PUSH, BUST = Outcome.WIN, Outcome.LOSE, Outcome.PUSH, Outcome.BUST
EQUAL, BEAT = Naturals.EQUAL, Naturals.BEAT

NATURAL = ("Ace", "King")
SLOW_21 = ("Seven", "Seven", "Seven")
TWENTY = ("King", "Queen")
NINETEEN = ("King", "Nine")
OVER = ("King", "Queen", "Two")


FIELDS: Final = {**VALUES, "preset": tuple(PRESETS), "bankroll": ("5", "500")}
"""Every value of every rule, and for chips some of each kind."""

FIRST: Final = {
    **{"double": "none", "double-after-split": "no", "split": "1", "split-aces": "once"},
    **{"surrender": "none", "insurance": "no", "hole-card": "last", "bets": "1"},
}
"""The values that are not written."""

fields = st.fixed_dictionaries({}, optional={name: st.sampled_from(texts) for name, texts in FIELDS.items()})


def hand(*ranks: str) -> Hand:
    """A hand of hearts, an ace being 1 or 11."""
    return Hand(Ace.EITHER, [parse_card(f"{rank} of Hearts") for rank in ranks])


def test_a_field_changes_its_preset_and_nothing_else() -> None:
    assert rules_from({"preset": "study", "decks": "8"}) == replace(PRESETS["study"], decks=8)
    assert rules_from({"decks": "inf"}) == replace(PRESETS["course"], decks=None)
    assert rules_from({"ace": "11"}) == replace(PRESETS["course"], ace=Ace.ELEVEN)
    assert rules_from({"dealer-stands": "hard17"}) == Rules(dealer_stands=DealerStands.HARD17)
    assert rules_from({"preset": "casino", "seats": "9"}) == replace(PRESETS["casino"], seats=9)


def test_names_that_are_no_field_are_ignored() -> None:
    assert rules_from({"side-bets": "late", "naturals": "beat"}) == Rules(naturals=BEAT)


@settings(max_examples=200)
@given(fields)
def test_only_what_is_not_at_its_first_value_is_written_and_it_reads_back(given: dict[str, str]) -> None:
    try:
        rules = rules_from(given)
    except RulesError as error:
        assert len(str(error)) > 20 and "\n" not in str(error)
        return
    written = rules.fields()
    assert rules_stated(written) == rules
    assert not [name for name, text in FIRST.items() if written.get(name) == text]
    assert rules.tells_payoffs == (bool(set(written) & {*FIRST, "bankroll"}) or ":" in written["naturals"])


def test_a_preset_reads_back_where_a_field_is_at_its_first_value() -> None:
    rules = rules_from({"preset": "vegas", "insurance": "no"})
    assert "insurance" not in rules.fields()
    assert rules_stated(rules.fields()) == rules != PRESETS["vegas"]


SIX_DECKS: Final = "decks=6 reshuffle=penetration:0.75 ace=either"
PRESET_TEXTS: Final = {
    "course": "decks=1 reshuffle=round ace=either dealer-stands=all17 naturals=equal seats=1",
    "study": "decks=1 reshuffle=cutoff:26 ace=1 dealer-stands=all17 naturals=equal seats=1",
    "devs": "decks=1 reshuffle=round ace=1 dealer-stands=all17 naturals=equal seats=1",
    "casino": "decks=4 reshuffle=penetration:0.75 ace=either dealer-stands=all17 naturals=beat seats=1",
    "showdown": "decks=1 reshuffle=round ace=either dealer-stands=none naturals=beat seats=2",
    "textbook": "decks=inf reshuffle=round ace=either dealer-stands=all17 naturals=player seats=1",
    "vegas": f"{SIX_DECKS} dealer-stands=hard17 naturals=3:2 seats=1 double=any double-after-split=yes"
    " split=4 split-aces=again surrender=late insurance=yes hole-card=peek",
    "reno": "decks=1 reshuffle=cutoff:26 ace=either dealer-stands=hard17 naturals=3:2 seats=1"
    " double=10-11 split=4 insurance=yes hole-card=peek",
    "europe": f"{SIX_DECKS} dealer-stands=all17 naturals=3:2 seats=1 double=9-11"
    " double-after-split=yes split=2",
}


def test_the_presets() -> None:
    for name, text in PRESET_TEXTS.items():
        assert str(PRESETS[name]) == f"preset={name} {text}"
    assert list(PRESETS) == list(PRESET_TEXTS)
    assert [name for name, rules in PRESETS.items() if rules.tells_payoffs] == ["vegas", "reno", "europe"]
    assert Rules() == PRESETS["course"] == rules_from({})


def test_what_a_natural_is_paid() -> None:
    ones = dict.fromkeys(("equal", "beat", "player", "1:1"), 1)
    payoffs = {**ones, "6:5": Fraction(6, 5), "3:2": Fraction(3, 2), "2:1": 2}
    assert {each.value: each.payoff for each in Naturals} == payoffs
    assert all(each.is_ratio == (":" in each.value) for each in Naturals)


def test_what_a_player_sits_down_with() -> None:
    assert rules_from({}).first_bankroll == 0
    assert rules_from({"bets": "10-80"}).first_bankroll == 1000
    assert rules_from({"bets": "10-80", "bankroll": "10"}).first_bankroll == 10


@pytest.mark.parametrize(
    ("given", "usual", "sentence"),
    [
        (
            {"naturals": "3:2"},
            "study",
            r"naturals 3:2 .* \(ace 1: from study, the preset where none is named\)",
        ),
        ({"preset": "study", "naturals": "3:2"}, "course", r"\(ace 1: from the preset study\)"),
        ({"insurance": "yes"}, "course", r"\(naturals equal: from course, the preset where none is named\)"),
        ({"preset": "study", "decks": "inf"}, "course", r"\(reshuffle cutoff:26: from the preset study\)"),
        ({"preset": "casino", "surrender": "late"}, "course", r"\(hole-card last: from the preset casino\)"),
        ({"preset": "course", "double-after-split": "yes"}, "study", r"\(double none and split 1: from"),
        ({"preset": "course", "naturals": "3:2", "ace": "1"}, "study", "expected equal or beat$"),
    ],
)
def test_a_refusal_says_which_part_of_a_contradiction_comes_from_the_preset(
    given: dict[str, str], usual: str, sentence: str
) -> None:
    with pytest.raises(RulesError, match=sentence):
        rules_from(given, usual)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"preset": "poker"}, "there are no rules 'poker': expected course, study, devs, casino, showdown,"),
        ({"decks": "0"}, "decks is 0: expected 1 to 8, or inf"),
        ({"decks": "9"}, "decks is 9: expected 1 to 8, or inf"),
        ({"decks": "-1"}, "decks is '-1': expected 1 to 8, or inf"),
        ({"decks": "٣"}, "decks is '٣': expected 1 to 8, or inf"),
        ({"decks": "1" * 5000}, "': expected 1 to 8, or inf"),
        ({"ace": "one"}, "ace is 'one': expected 1, 11 or either"),
        ({"dealer-stands": "soft17"}, "dealer-stands is 'soft17': expected all17 or hard17"),
        ({"naturals": "3:4"}, "naturals is '3:4': expected equal, beat, player, 1:1, 6:5, 3:2 or 2:1"),
        ({"reshuffle": "never"}, "reshuffle is 'never': expected round, cutoff:N"),
        ({"reshuffle": "round:1"}, "reshuffle is 'round:1': expected round, cutoff:N"),
        ({"reshuffle": "cutoff:2.5"}, "reshuffle is 'cutoff:2.5': expected round, cutoff:N"),
        ({"reshuffle": "penetration:most"}, "reshuffle is 'penetration:most': expected round, cutoff:N"),
        ({"reshuffle": "cutoff:0"}, "a cutoff of 0 cards does not fit a shoe of 52: expected 1 to 52"),
        ({"reshuffle": "cutoff:53"}, "a cutoff of 53 cards does not fit a shoe of 52: expected 1 to 52"),
        ({"reshuffle": "penetration:0"}, "the penetration is 0.0: expected more than 0 and less than 1"),
        ({"reshuffle": "penetration:1"}, "the penetration is 1.0: expected more than 0 and less than 1"),
        ({"reshuffle": "penetration:nan"}, "or penetration:F"),
        ({"reshuffle": "penetration:inf"}, "or penetration:F"),
        ({"decks": "inf", "reshuffle": "cutoff:26"}, "an infinite deck never runs low"),
        ({"decks": "inf", "reshuffle": "penetration:0.5"}, "an infinite deck never runs low"),
        ({"preset": "study", "decks": "inf"}, "an infinite deck never runs low"),
        ({"seats": "0"}, "seats is 0: expected 1 to 9"),
        ({"seats": "10"}, "seats is 10: expected 1 to 9"),
        ({"preset": "showdown", "seats": "1"}, "seats is 1: expected 2 to 9, since showdown has no dealer"),
        ({"preset": "showdown", "dealer-stands": "all17"}, "showdown has no dealer"),
        ({"dealer-stands": "none"}, "dealer-stands is 'none', but course has a dealer: expected all17 or"),
        ({"hole-card": "peek"}, "under naturals equal there is no natural, so hole-card peek makes no sense"),
        ({"insurance": "yes"}, "under naturals equal there is no natural, so insurance yes makes no sense"),
        ({"surrender": "late"}, "under naturals equal there is no natural, so surrender late makes no sense"),
        (
            {"naturals": "player", "hole-card": "peek"},
            "under naturals player a dealer's natural is like any other 21, so hole-card peek makes no sense",
        ),
        ({"naturals": "player", "hole-card": "obo"}, "like any other 21, so hole-card obo makes no sense"),
        ({"naturals": "player", "insurance": "yes"}, "like any other 21, so insurance yes makes no sense"),
        ({"naturals": "player", "surrender": "late"}, "like any other 21, so surrender late makes no sense"),
        ({"preset": "showdown", "naturals": "player"}, "no dealer, so naturals player makes no sense there"),
        (
            {"naturals": "beat", "ace": "1", "insurance": "yes"},
            "with ace 1 there is no natural, so insurance",
        ),
        ({"naturals": "3:2", "ace": "1"}, "with ace 1 there is no natural, so naturals 3:2 makes no sense"),
        ({"naturals": "beat", "surrender": "late"}, "hole-card is last: expected hole-card peek"),
        ({"naturals": "beat", "surrender": "late", "hole-card": "obo"}, "hole-card is obo: expected"),
        ({"split": "2", "double-after-split": "yes"}, "double is none and split is 2"),
        ({"double": "any", "double-after-split": "yes"}, "double is any and split is 1"),
        ({"split-aces": "play"}, "split-aces play makes no sense without splitting: split is 1"),
        ({"split": "0"}, "split is 0: expected 1 to 4 hands"),
        ({"split": "5"}, "split is 5: expected 1 to 4 hands, where 1 means never"),
        ({"split": "two"}, "split is 'two': expected 1 to 4 hands"),
        ({"double": "9-10"}, "double is '9-10': expected none, any, 9-11, 10-11 or always"),
        ({"double-after-split": "maybe"}, "double-after-split is 'maybe': expected no or yes"),
        ({"insurance": "1"}, "insurance is '1': expected no or yes"),
        ({"bets": "80-10"}, "bets is 80-10: expected MIN-MAX, where 1 <= MIN <= MAX"),
        ({"bets": "0-10"}, "bets is '0-10': expected 1, or MIN-MAX in whole chips"),
        ({"bets": "10"}, "bets is '10': expected 1, or MIN-MAX in whole chips"),
        ({"bets": "1-" + "9" * 300}, "expected 1, or MIN-MAX in whole chips"),
        ({"bets": "1-1000000000001"}, "expected MIN-MAX, where 1 <= MIN <= MAX <= 1000000000000"),
        ({"bets": "10-80", "bankroll": "9"}, "a bankroll of 9 does not fit bets of 10-80"),
        ({"bets": "10-80", "bankroll": "1e3"}, "bankroll is '1e3': expected a whole number of chips"),
        ({"bankroll": "100"}, "a bankroll of 100 makes no sense where no bets are asked"),
        ({"preset": "showdown", "naturals": "3:2"}, "showdown has no dealer, so naturals 3:2 makes no sense"),
        ({"preset": "showdown", "split": "2"}, "showdown has no dealer, so split 2 makes no sense there"),
        ({"preset": "showdown", "bets": "1-9"}, "showdown has no dealer, so bets 1-9 makes no sense there"),
    ],
)
def test_invalid_rules_are_refused_with_a_sentence(fields: dict[str, str], sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_from(fields)
    assert sentence in str(caught.value)


def test_these_need_no_natural() -> None:
    for name, value in (("surrender", "early"), ("double", "always"), ("split", "2")):
        assert rules_from({name: value}).tells_payoffs
        assert rules_from({"ace": "1", name: value}) != Rules()


@given(
    st.dictionaries(
        st.sampled_from(["preset", "decks", "reshuffle", "ace", "dealer-stands", "naturals", "seats"]),
        st.text() | st.sampled_from(["showdown", "casino", "inf", "1", "9", "cutoff:9", "none", "beat"]),
    )
)
def test_any_text_gives_rules_or_a_rules_error(fields: dict[str, str]) -> None:
    try:
        rules = rules_from(fields)
    except RulesError as error:
        assert "\n" not in str(error)
    else:
        assert rules_from(rules.fields()) == rules


def test_no_invalid_rules_can_be_constructed() -> None:
    invalid: list[dict[str, Any]] = [{"decks": 9}, {"decks": None, "reshuffle": Cutoff(26)}]
    invalid += [{"decks": 2, "reshuffle": Cutoff(105)}, {"dealer_stands": None, "seats": 1}]
    for fields in invalid:
        with pytest.raises(RulesError):
            Rules(**fields)


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(Rules(), "decks", 2)  # noqa: B010


def test_the_number_of_cards_below_which_the_shoe_is_made_fresh() -> None:
    assert [Rules(decks=decks).fewest_cards for decks in (1, 8, None)] == [52, 416, 0]
    assert Rules(reshuffle=Cutoff(26)).fewest_cards == 26
    assert Rules(decks=4, reshuffle=Penetration(0.75)).fewest_cards == 53


def test_a_penetration_is_reached_when_its_part_has_been_dealt() -> None:
    """Counted in whole cards, so that no rounding of the fraction decides: 260 * (1 - 0.9) is below 26."""
    for decks, per_mille in product(range(1, 9), range(1, 1000)):
        rules = Rules(decks=decks, reshuffle=Penetration(per_mille / 1000))
        most_left = 52 * decks - -(-52 * decks * per_mille // 1000)
        assert rules.fewest_cards == most_left + 1, (decks, per_mille)


@given(hands_of_cards, st.sampled_from(Ace), st.sampled_from(DealerStands))
def test_the_dealer_draws_below_17_and_to_a_soft_17_if_it_stands_on_a_hard_one(
    cards: list[Card], ace: Ace, stands: DealerStands
) -> None:
    total, is_soft = total_by_force(cards, ace), is_soft_by_force(cards, ace)
    draws_on_17 = stands is DealerStands.HARD17 and is_soft
    rules = Rules(ace=ace, dealer_stands=stands)
    assert rules.dealer_draws(Hand(ace, cards)) == (total < 17 or (total == 17 and draws_on_17))


def test_rules_are_the_same_game_whatever_preset_they_come_from() -> None:
    assert PRESETS["devs"].plays_like(Rules(ace=Ace.ONE))
    assert not PRESETS["devs"].plays_like(PRESETS["course"])
    assert not PRESETS["devs"].plays_like(PRESETS["study"])
    assert Rules(seats=3).plays_like(Rules()) and Rules().plays_like(Rules(seats=3))
    assert not PRESETS["showdown"].plays_like(replace(PRESETS["showdown"], seats=3))
    assert not PRESETS["showdown"].plays_like(Rules(seats=2))


def test_the_payoffs_are_in_initial_bets() -> None:
    assert [outcome.payoff for outcome in (WIN, PUSH, LOSE, BUST)] == [1, 0, -1, -1]


def test_a_member_is_found_as_a_key_by_its_value() -> None:
    """They hash by identity, so each member must exist only once, also after pickling."""
    for member in (*Outcome, *Decision):
        assert {member: 1}[type(member)[member.name]] == 1
        assert pickle.loads(pickle.dumps(member)) is member


@pytest.mark.parametrize(
    ("player", "dealer", "equal", "beat", "textbook"),
    [
        (TWENTY, NINETEEN, WIN, WIN, WIN),
        (NINETEEN, TWENTY, LOSE, LOSE, LOSE),
        (NINETEEN, NINETEEN, PUSH, PUSH, PUSH),
        (OVER, NINETEEN, BUST, BUST, BUST),
        (OVER, OVER, BUST, BUST, BUST),
        (NINETEEN, OVER, WIN, WIN, WIN),
        (NATURAL, OVER, WIN, WIN, WIN),
        (NATURAL, TWENTY, WIN, WIN, WIN),
        (SLOW_21, SLOW_21, PUSH, PUSH, PUSH),
        # A natural beats every other 21; a dealer's natural is pushed only by a natural, or by any 21.
        (NATURAL, NATURAL, PUSH, PUSH, PUSH),
        (NATURAL, SLOW_21, PUSH, WIN, WIN),
        (SLOW_21, NATURAL, PUSH, LOSE, PUSH),
        (TWENTY, NATURAL, LOSE, LOSE, LOSE),
    ],
)
def test_a_hand_against_the_dealer(
    player: tuple[str, ...], dealer: tuple[str, ...], equal: Outcome, beat: Outcome, textbook: Outcome
) -> None:
    for naturals, outcome in ((EQUAL, equal), (BEAT, beat), (Naturals.PLAYER, textbook)):
        assert settle(hand(*player), hand(*dealer), naturals) is outcome


@pytest.mark.parametrize(
    ("hands", "equal", "beat"),
    [
        ([TWENTY, NINETEEN], [WIN, LOSE], [WIN, LOSE]),
        ([TWENTY, TWENTY, NINETEEN], [PUSH, PUSH, LOSE], [PUSH, PUSH, LOSE]),
        ([OVER, NINETEEN], [BUST, WIN], [BUST, WIN]),
        ([OVER, OVER], [BUST, BUST], [BUST, BUST]),
        ([OVER, NINETEEN, NINETEEN], [BUST, PUSH, PUSH], [BUST, PUSH, PUSH]),
        ([NATURAL, SLOW_21], [PUSH, PUSH], [WIN, LOSE]),
        ([NATURAL, NATURAL, SLOW_21], [PUSH, PUSH, PUSH], [PUSH, PUSH, LOSE]),
        ([NATURAL, TWENTY, OVER], [WIN, LOSE, BUST], [WIN, LOSE, BUST]),
    ],
)
def test_hands_against_each_other(
    hands: list[tuple[str, ...]], equal: list[Outcome], beat: list[Outcome]
) -> None:
    held = [hand(*ranks) for ranks in hands]
    assert settle_showdown(held, EQUAL) == equal
    assert settle_showdown(held, BEAT) == beat
