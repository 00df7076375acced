"""The keywords of the environments: every rule is one, and what cannot be is refused in a sentence."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf, nan
from typing import Any

import gymnasium
import numpy as np
import pytest

from cards import PRESETS, Bets, Rules, RulesError
from tests.twentyone.environments.comparing import assert_same, plain
from tests.twentyone.environments.making import blackjack, vector
from twentyone.environments.blackjack import BlackjackEnv
from twentyone.environments.registration import BLACKJACK, REMOTE_BLACKJACK
from twentyone.environments.remote import RemoteBlackjackEnv
from twentyone.environments.vector import BlackjackVectorEnv

CHANGES: list[tuple[dict[str, Any], str, str]] = [
    ({}, "preset", "course"),
    ({"rules": "casino"}, "preset", "casino"),
    ({"rules": PRESETS["study"]}, "preset", "study"),
    ({"rules": PRESETS["study"], "ace": 11}, "ace", "11"),
    ({"rules": "study", "decks": 2}, "decks", "2"),
    ({"decks": "inf"}, "decks", "inf"),
    ({"reshuffle": "cutoff:20"}, "reshuffle", "cutoff:20"),
    ({"dealer_stands": "hard17"}, "dealer-stands", "hard17"),
    ({"naturals": "beat"}, "naturals", "beat"),
    ({"rules": "casino", "naturals": "equal"}, "naturals", "equal"),
    ({"rules": "vegas", "naturals": "6:5"}, "naturals", "6:5"),
    ({"rules": "vegas", "double": "always"}, "double", "always"),
    ({"rules": "vegas", "double_after_split": "no"}, "double-after-split", "no"),
    ({"rules": "vegas", "double_after_split": False}, "double-after-split", "no"),
    ({"rules": "reno", "double_after_split": True}, "double-after-split", "yes"),
    ({"rules": "vegas", "split": 2}, "split", "2"),
    ({"rules": "vegas", "split_aces": "play"}, "split-aces", "play"),
    ({"rules": "vegas", "surrender": "early"}, "surrender", "early"),
    ({"rules": "vegas", "insurance": False}, "insurance", "no"),
    ({"rules": "europe", "insurance": "yes"}, "insurance", "yes"),
    ({"rules": "vegas", "surrender": "none", "hole_card": "obo"}, "hole-card", "obo"),
    ({"rules": "vegas", "bets": 1}, "bets", "1"),
]
"""Keywords, and a rule that they make."""


def test_every_rule_is_a_keyword() -> None:
    for keywords, option, value in CHANGES:
        preset = keywords.get("rules", "course")
        before = preset if isinstance(preset, Rules) else PRESETS[preset]
        rules = blackjack(**keywords).rules
        old, new = (each.fields() | each.new_fields() for each in (before, rules))
        changed = {name for name, text in new.items() if old[name] != text}
        assert changed <= {name.replace("_", "-") for name in keywords} | {option}, keywords
        assert new[option] == value, keywords


def test_rules_that_lack_what_their_preset_has_stay_without_it() -> None:
    once: dict[str, Any] = {"split": 1, "double_after_split": False, "split_aces": Rules().split_aces}
    rules = replace(PRESETS["vegas"], insurance=False, **once)
    assert blackjack(rules=rules).rules == rules
    assert blackjack(rules=rules, decks=2).rules == replace(rules, decks=2)


def test_one_more_thing_to_ask_is_enough_for_six_actions() -> None:
    six = gymnasium.spaces.Discrete(6)
    assert blackjack(split=2).action_space == blackjack(double="any").action_space == six
    assert blackjack(naturals="3:2").action_space == gymnasium.spaces.Discrete(2)
    assert blackjack(rules="casino").action_space == gymnasium.spaces.Discrete(2)


REFUSED: list[tuple[dict[str, Any], str]] = [
    (
        {"rules": "poker"},
        "there are no rules 'poker': expected course, study, devs, casino, showdown, ",
    ),
    ({"rules": "showdown"}, "showdown has no dealer to play against: expected rules with a dealer"),
    ({"rules": replace(Rules(), seats=3)}, "seats is 3: expected 1, since an environment plays"),
    ({"decks": 9}, "decks is 9: expected 1 to 8, or inf"),
    ({"naturals": True}, "naturals is 'True': expected equal, beat"),
    (
        {"sab": True},
        "there is no field 'sab' of the rules: expected one of decks, reshuffle, ace, ",
    ),
    ({"rules": "vegas", "resplit": 1}, "there is no field 'resplit' of the rules: expected one of decks"),
    ({"decks": "inf", "reshuffle": "cutoff:9"}, "decks is inf, and an infinite deck never runs low"),
    ({"rules": "vegas", "bets": "10-80"}, "bets is 10-80: expected 1, since an environment stakes one unit"),
    ({"rules": "vegas", "bets": "1-1"}, "bets is 1-1: expected 1, since an environment stakes one unit"),
    (
        {"rules": replace(PRESETS["vegas"], bets=Bets(5, 50))},
        "bets is 5-50: expected 1, since an environ",
    ),
    ({"rules": "vegas", "bankroll": 100}, "a bankroll of 100 makes no sense where no bets are asked"),
    ({"rules": "vegas", "split": 5}, "split is 5: expected 1 to 4"),
    ({"rules": "vegas", "insurance": "maybe"}, "insurance is 'maybe': expected no or yes"),
    ({"surrender": "late"}, "under naturals equal there is no natural, so surrender late makes no sense"),
    ({"rules": "europe", "surrender": "late"}, "surrender late needs a dealer who looks first"),
]


@pytest.mark.parametrize("make", [blackjack, partial(vector, 3)], ids=["one", "thousands"])
def test_invalid_rules_are_refused_in_a_sentence(make: Callable[..., Any]) -> None:
    for keywords, sentence in REFUSED:
        with pytest.raises(RulesError) as error:
            make(**keywords)
        assert str(error.value).startswith(sentence), keywords


@pytest.mark.parametrize("make", [BlackjackEnv, RemoteBlackjackEnv, partial(BlackjackVectorEnv, 2)])
def test_other_forms_and_modes_are_refused_in_a_sentence(make: Any) -> None:
    with pytest.raises(ValueError, match=r"^observation is 'dict': expected tuple, discrete or box$"):
        make(observation="dict")
    modes = "None, ansi, human or rgb_array" if isinstance(make, type) else "None, the only one"
    with pytest.raises(ValueError, match=rf"^render_mode is 'gif': expected {modes}$"):
        make(render_mode="gif")
    assert isinstance(make, type) or make(render_mode=None).render_mode is None


def test_what_the_environment_at_a_dealer_is_told_is_checked_before_there_is_a_dealer() -> None:
    for keyword, value, sentence in (
        ("name", "two  blanks", "a name is 1 to 32 printable characters, no blank at an end and no two in a"),
        *(("timeout", one, f"timeout is {one}: expected seconds, more than 0") for one in (0, -1, nan, inf)),
        ("rules", "venice", "there are no rules 'venice'"),
    ):
        with pytest.raises((ValueError, RulesError)) as error:
            gymnasium.make(REMOTE_BLACKJACK, **{keyword: value})  # type: ignore[arg-type]
        assert str(error.value).startswith(sentence)


@pytest.mark.check
def test_its_spec_makes_it_again() -> None:
    env = gymnasium.make(BLACKJACK, rules="casino", naturals="equal", observation="box")
    assert env.spec is not None
    again = gymnasium.make(pickle.loads(pickle.dumps(env.spec)))
    assert again.unwrapped.rules == env.unwrapped.rules  # type: ignore[attr-defined]
    assert plain(again.reset(seed=4)) == plain(env.reset(seed=4))
    many = vector(3, rules="vegas", surrender="early", decks=2, render_mode=None)
    assert many.spec is not None
    more = gymnasium.make_vec(many.spec)
    assert more.unwrapped.rules == many.rules  # type: ignore[attr-defined]
    assert_same(more.reset(seed=4), many.reset(seed=4))
    remote = gymnasium.make(REMOTE_BLACKJACK, observation="box")
    assert remote.spec is not None
    box = gymnasium.spaces.Box(0.0, 1.0, (3,), np.float32)
    assert gymnasium.make(remote.spec).observation_space == box
