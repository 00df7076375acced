"""Scripts: a round as text, and back."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import PRESETS, Bets, Decision, QueuedShoe, StackedShoe, parse_card
from tests.tournament.replay.playing import play, rules_drawn
from tournament.rounds.scripts import (
    DECISIONS,
    ScriptError,
    bets_and_decisions,
    payoffs_of,
    play_forfeited,
    play_script,
    script_of,
    timed,
)
from twentyone.support.letters import LETTERS

VEGAS = replace(PRESETS["vegas"], seats=1)
WITH_BETS = replace(VEGAS, bets=Bets(5, 100))


def stacked(ranks: str) -> StackedShoe:
    """A shoe of clubs, by words such as "Ace Ten"."""
    return StackedShoe([parse_card(f"{rank} of Clubs") for rank in ranks.split()])


@given(st.integers(0, 2**32), st.booleans())
def test_a_script_gives_the_round_again(seed: int, has_bets: bool) -> None:
    """The same records, by any rules, with forfeits in turn and out of turn, late decisions and bets."""
    random = Random(seed)
    rules = rules_drawn(random)
    if has_bets and rules.has_dealer:
        rules = replace(rules, bets=Bets(10, 500))
    number = random.randrange(10**6)
    played = play(rules, random, QueuedShoe(rules, 5, number))
    script = script_of(played.round, played.bets, played.late)
    again = play_script(rules, QueuedShoe(rules, 5, number), script, played.bankrolls)
    assert again.records == played.round.records
    assert again.payoffs == played.round.payoffs
    assert bets_and_decisions(script)[0] == played.bets
    assert sum(letter.islower() for letter in script) == len(played.late)
    late = frozenset(
        nth
        for nth, letter in enumerate(filter(str.isalpha, script.replace("F", "").lstrip("B0123456789")))
        if letter.islower()
    )
    assert late == played.late


def test_every_decision_has_a_letter() -> None:
    """And only what a clock decides has a small one."""
    assert {LETTERS[decision] for decision in Decision} == set(filter(str.isupper, DECISIONS))
    assert {letter for letter in DECISIONS if letter.islower()} == {"s", "n"}


def test_the_parts_of_a_script() -> None:
    """Bets, then decisions and forfeits; a forfeit takes no time."""
    assert (bets_and_decisions("-"), timed("-")) == (((), ""), 0)
    assert (bets_and_decisions("B10B25HS"), timed("B10B25HS")) == (((10, 25), "HS"), 4)
    assert (bets_and_decisions("F0"), timed("F0")) == (((), "F0"), 0)
    assert (bets_and_decisions("HF1s"), timed("HF1s")) == (((), "HF1s"), 2)


def test_what_is_no_script() -> None:
    for script in ("", "B10", "X", "h", "F", "F9", "HS-", "B0S", "B1", "S B1"):
        with pytest.raises(ScriptError, match="is not a script: expected bets"):
            bets_and_decisions(script)


def test_a_script_that_does_not_fit() -> None:
    """A hand of 11 against a five: no insurance."""
    for rules, script, sentence in (
        (VEGAS, "-", "ends early: seat 0 is still asked"),
        (VEGAS, "SS", "goes on where the round is over"),
        (VEGAS, "I", "at place 1 it says INSURE, but seat 0 was offered HIT or STAND or DOUBLE"),
        (VEGAS, "SF0", "seat 0 is settled"),
        (VEGAS, "F3", "seat 3, which is not there"),
        (VEGAS, "B10S", "no bets are asked"),
        (WITH_BETS, "S", "has 0 bets: expected 1"),
        (WITH_BETS, "B4S", "a bet of 4 chips: expected 5-100"),
    ):
        with pytest.raises(ScriptError, match=sentence):
            play_script(rules, stacked("Six Five Five Ten Ten"), script)
    with pytest.raises(ScriptError, match="seat 0 staked 10 chips, but had 9"):
        play_script(WITH_BETS, stacked("Six Five Five Ten Ten"), "B10S", ["9"])


def test_payoffs_in_tenths() -> None:
    """A natural pays 3:2, or 6:5 of the chips staked; insurance half."""
    natural = play_script(VEGAS, stacked("Ace Ten Five Ten"), "-")
    assert payoffs_of(natural) == [15]
    short = replace(WITH_BETS, naturals=PRESETS["vegas"].naturals.SIX_TO_FIVE)
    natural = play_script(short, stacked("Ace Ten Five Ten"), "B15-")
    assert payoffs_of(natural, (15,)) == [180]
    insured = play_script(VEGAS, stacked("Ten Nine Ace Nine"), "IS")
    assert payoffs_of(insured) == [-15]


def test_who_is_out_forfeits_at_once() -> None:
    """But for a natural, which is settled as dealt."""
    assert script_of(play_forfeited(VEGAS, stacked("Six Five Five Ten Ten"))) == "F0"
    assert payoffs_of(play_forfeited(VEGAS, stacked("Six Five Five Ten Ten"))) == [-10]
    assert script_of(play_forfeited(VEGAS, stacked("Ace Ten Five Ten"))) == "-"
    showdown = play_forfeited(PRESETS["showdown"], QueuedShoe(PRESETS["showdown"], 1), [1])
    assert not showdown.is_over
    assert script_of(showdown) == "F1"
