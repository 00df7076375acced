"""Rules as fields, and the presets; what means nothing is refused in a sentence."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards import PRESETS, Naturals, Rules, RulesError, rules_from, rules_stated
from tests.helpers.reference import VALUES

FIELDS: Final = {**VALUES, "preset": tuple(PRESETS), "bankroll": ("5", "500")}
"""Every value of every rule, and for chips some of each kind."""

FIRST: Final = {
    **{"double": "none", "double-after-split": "no", "split": "1", "split-aces": "once"},
    **{"surrender": "none", "insurance": "no", "hole-card": "last", "bets": "1"},
}
"""What is not written."""

fields = st.fixed_dictionaries({}, optional={name: st.sampled_from(texts) for name, texts in FIELDS.items()})


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
    assert rules.is_whole == (bool(set(written) & {*FIRST, "bankroll"}) or ":" in written["naturals"])


def test_a_preset_of_the_whole_game_reads_back_where_a_field_is_at_its_first_value() -> None:
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
    assert [name for name, rules in PRESETS.items() if rules.is_whole] == ["vegas", "reno", "europe"]
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
    ("given", "sentence"),
    [
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
def test_what_means_nothing_is_refused(given: dict[str, str], sentence: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_from(given)
    assert sentence in str(caught.value)


def test_these_need_no_natural() -> None:
    for name, value in (("surrender", "early"), ("double", "always"), ("split", "2")):
        assert rules_from({name: value}).is_whole
        assert rules_from({"ace": "1", name: value}) != Rules()
