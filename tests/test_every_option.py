"""Every option of the rules, alone, at each other value: what commands and messages do with it.

Presets change many options at once, so that what one of them needs is mostly there. Here it is the only one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest

from cards import PRESETS, EveryRound, Round, Rules, RulesError, rules_from
from cards.presets import rules_stated
from dealer.lobby import charts
from player.chosen import chosen_policy
from player.score import Record, grade_play
from tests.helpers.recorded import gathered_at_random, line_of, rounds_at_random
from tests.helpers.tiers import first_of
from tournament.replay.verify import verify_lines
from tournament.rounds.costs import costs_for
from twentyone.analysis.cli import main as analysis
from twentyone.analysis.studies.counting.solving import Task, found_in, solve_shoe
from twentyone.exact import advice
from twentyone.exact.hand_advice import adviser_for
from twentyone.exact.named import basic
from twentyone.exact.values.shoe import Shoe
from twentyone.policies.chart import Chart
from twentyone.policies.policy import situations_of

VALUES: Final = {
    "decks": ("1", "2", "8", "inf"),
    "reshuffle": ("round", "cutoff:26", "penetration:0.75"),
    "ace": ("1", "11", "either"),
    "dealer-stands": ("all17", "hard17"),
    "naturals": ("equal", "beat", "player", "1:1", "6:5", "3:2", "2:1"),
    "seats": ("2", "9"),
    "double": ("any", "9-11", "10-11", "always"),
    "double-after-split": ("yes",),
    "split": ("2", "3", "4"),
    "split-aces": ("again", "play"),
    "surrender": ("late", "early"),
    "insurance": ("yes",),
    "hole-card": ("peek", "obo"),
    "bets": ("1-1", "10-80"),
    "bankroll": ("500",),
}

CASES: Final = [
    (preset, option, value)
    for option, values in VALUES.items()
    for value in values
    for preset in ("course", "study", "casino")
    if PRESETS[preset].fields().get(option) != value
]

ROUNDS: Final = 25
"""Of each, by chance: every question that is common."""


OFTEN: Final = CASES[::16]
"""Those that are tried before every commit."""


COMMANDS: Final = (
    "simulate 200 --seed 1 --json",
    "compare 2000 --batch 100 --seed 1 --policy basic --policy mimic --json",
    "hand 8 8 --upcard 6 --json",
    "betting --sessions 2 --rounds 20 --measure 1000 --seed 1 --json",
    "dealer --json",
    "games 2 --seed 1 --json",
    "value basic mimic --json",
    "variability --games 10,20 --repeats 10 --policy basic --seed 1 --json",
)
"""Of the laboratory, each with little to do."""


@pytest.mark.parametrize(
    ("preset", "option", "value"), first_of(OFTEN + [case for case in CASES if case not in OFTEN], len(OFTEN))
)
def test_an_option_alone_is_right_everywhere_or_refused_by_its_name(
    preset: str, option: str, value: str
) -> None:
    try:
        rules = rules_from({"preset": preset, "decks": "1"} | {option: value})
    except RulesError as error:
        assert option.removesuffix("s") in str(error)  # "an infinite deck" is of `decks inf`
        return
    assert rules_stated(rules.fields()) == rules  # on the wire, and in files
    rounds = rounds_at_random(rules, ROUNDS, 1)
    verdict = verify_lines(line_of(round_) for round_ in rounds)
    assert (verdict.rounds, verdict.faults) == (ROUNDS, [])
    if rules.tells_payoffs:
        check_decided(rules, rounds)
    else:
        check_plain(rules, rounds)
    values = charted(rules)
    assert all(abs(value) <= 2 for each in values for value in each)
    costs_for(replace(rules, seats=1, reshuffle=EveryRound()))
    if rules.decks is not None:  # what counting asks of a shoe, in its shapes
        task = Task(rules, Shoe.of(rules), first=True)
        chances, _ = found_in(task, solve_shoe(task)).others
        assert 0.98 < chances.sum() <= 1 + 1e-12  # without two aces of 11, which are bust
    if rules.seats == 1:
        assert len(gathered_at_random(rules, ROUNDS, 1)) > 0


@pytest.mark.parametrize(
    ("preset", "option", "value"), first_of(OFTEN + [case for case in CASES if case not in OFTEN], len(OFTEN))
)
def test_a_command_knows_an_option_alone_or_refuses_it_by_its_name(
    preset: str,
    option: str,
    value: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    decks = [] if option == "decks" else ["--decks", "1"]
    for command in COMMANDS:
        words = ["analysis", *command.split(), "--rules", preset, *decks, f"--{option}", value]
        monkeypatch.setattr(sys, "argv", words)
        with pytest.raises(SystemExit) as ended:
            analysis()
        out, err = capsys.readouterr()
        if ended.value.code == 0:
            assert json.loads(out), words
        else:
            assert (ended.value.code, out, err.count("\n")) == (2, "", 1), (words, err)
            assert option in err, (words, err)


def check_decided(rules: Rules, rounds: Sequence[Round]) -> None:
    """Hints, reviews, and what a player is told at the end."""
    adviser, record = adviser_for(rules), Record()
    for round_ in rounds:
        for seat in range(rules.seats):
            decided = situations_of(round_, seat)
            record.add_decided(decided)
            for asked, decision in decided:
                best, _ = adviser.advise(asked)
                assert adviser.cost(asked, best) == 0 <= adviser.cost(asked, decision)
    policy = basic(rules)
    assert isinstance(policy, Chart)
    assert grade_play(rules, "basic", policy, record).members["ev_lost"]["rounds"] == ROUNDS * rules.seats


def check_plain(rules: Rules, rounds: Sequence[Round]) -> None:
    """The same at tables of HIT and STAND."""
    record = Record()
    for round_ in rounds:
        for hand in round_.hands:
            record.add(round_.upcard, hand)
    chosen = chosen_policy("basic", None, rules, None)
    assert chosen is not None
    policy = chosen.played(rules) if rules.has_dealer else None
    told = grade_play(rules, "basic", policy, record).members
    has_exact_value = rules.has_dealer
    assert (told["exact"] is not None, told["no_exact_value"] is None) == (has_exact_value, has_exact_value)


def charted(rules: Rules) -> list[list[float]]:
    """The values of all hands against a six, as CHART and the pages have them."""
    if rules.tells_payoffs:
        adviser = adviser_for(rules)
        adviser.learn(6)
        found = charts.values_of(adviser, rules, 6)
    else:
        found = charts.values_of(advice.adviser_for(rules), rules, 6)
    return [list(each.values()) for each in found.values()]
