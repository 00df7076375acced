"""Policies as charts: the same decisions in every situation that comes, or none."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from cards import PRESETS, Ace, Decision, Round, Rules, seeded, shoe_for
from tests.helpers.played import rules_with_payoffs
from tests.helpers.published import chart_of, closest
from twentyone.exact.named import MAKERS
from twentyone.policies import action_values, chart, names
from twentyone.policies.action_values import Origin, Row, of_rows
from twentyone.policies.chart import Chart
from twentyone.policies.hand_charts import hand_chart, situations
from twentyone.policies.hands import HANDS, UPCARDS, hand_of
from twentyone.policies.makers import policy_of
from twentyone.policies.policy import Observation, Policy, hit_or_stand, observation, threshold


def policy(name: str, rules: Rules) -> Policy:
    return policy_of(names.parse(name), rules, MAKERS, Random(1).randrange)


@pytest.mark.parametrize("name", ["chart", "threshold:15"])
def test_a_policy_is_written_as_a_chart_that_decides_alike(name: str) -> None:
    """Under the rules of the presets, and under some by chance."""
    presets = [PRESETS[preset] for preset in ("vegas", "reno", "europe")]
    for rules in [*presets, *(rules_with_payoffs(Random(seed)) for seed in range(12))]:
        known = chart.policy_of(chart_of(closest(rules)), rules) if name == "chart" else policy(name, rules)
        found = hand_chart(known, rules, "found")
        assert found is not None and found.rules == rules
        for hand in found.rows:
            for upcard in UPCARDS:
                for seen in situations(hand, upcard, rules):
                    assert found.decide(seen, rules) is known(seen), (rules, hand, seen)


@pytest.mark.parametrize("name", ["threshold:16", "mimic", "never-bust", "threshold:0", "threshold:22"])
def test_policies_of_hit_and_stand_are_charts(name: str) -> None:
    rules = PRESETS["vegas"]
    found = hand_chart(policy(name, rules), rules, name)
    assert found is not None
    assert {entry for row in found.rows.values() for entry in row} <= {"H", "S"}
    wanted = "S" if name == "threshold:0" else "H"
    assert found.rows["H8"] == (wanted,) * 10


def test_every_situation_of_a_round_is_known() -> None:
    """Whatever a seat is asked in rounds by chance is among the situations of its hand."""
    for seed in range(20):
        rules, random = rules_with_payoffs(Random(100 + seed)), Random(seed)
        shoe = shoe_for(rules, seeded(seed))
        for _ in range(100):
            round_ = Round(rules, shoe)
            round_.deal()
            while round_.turn is not None:
                seen = observation(round_, round_.turn)
                assert seen.upcard is not None
                assert seen in [*situations(hand_of(seen), seen.upcard, rules)], (rules, seen)
                round_.decide(round_.turn, random.choice(round_.options))


def by_hand(rows: dict[str, dict[str, float]], rules: Rules) -> Policy:
    """A table that has the same values against every upcard."""
    known = {
        (hand, upcard): {Decision(action): Row(value, 1) for action, value in values.items()}
        for hand, values in rows.items()
        for upcard in UPCARDS
    }
    return action_values.policy_of(of_rows(known, Origin(rules, "exact", 0)))


def test_action_values_are_a_chart_where_entries_say_the_same() -> None:
    values = {
        "H8": {"HIT": 0.1},
        "H11": {"HIT": 0.1, "STAND": -0.5, "DOUBLE": 0.3},
        "S18": {"HIT": 0.1, "STAND": 0.2, "DOUBLE": 0.3},
        "H16": {"HIT": -0.54, "STAND": -0.55, "SURRENDER": -0.5},
        "P8": {"SPLIT": -0.52, "SURRENDER": -0.5},
    }
    found = hand_chart(by_hand(values, PRESETS["vegas"]), PRESETS["vegas"], "table")
    assert isinstance(found, Chart)
    cells = {hand: found.rows[hand][0] for hand in ("H8", "H9", "H11", "S18", "H16", "P8")}
    assert cells == {"H8": "H", "H9": "S", "H11": "Dh", "S18": "Ds", "H16": "Rh", "P8": "Rp"}


@pytest.mark.parametrize(
    ("hand", "values"),
    [
        ("H11", {"SURRENDER": 0.3, "DOUBLE": 0.2, "HIT": 0.1}),  # after a split it doubles, and Rh does not
        ("H16", {"INSURE": 0.1, "STAND": 0.0}),  # a chart never insures
        ("PA", {"HIT": 0.3, "SPLIT": 0.2}),  # a split ace that may not hit is split again, not so by H
    ],
)
def test_what_no_entry_says_is_no_chart(hand: str, values: dict[str, float]) -> None:
    rules = PRESETS["vegas"]
    assert hand_chart(by_hand({hand: values}, rules), rules, "table") is None
    assert hand_chart(by_hand({hand: {"HIT": 0.1}}, rules), rules, "table") is not None


@pytest.mark.parametrize("ace", [Ace.ONE, Ace.ELEVEN])
def test_without_soft_hands_every_hard_total_has_a_row(ace: Ace) -> None:
    rules = replace(PRESETS["course"], ace=ace)
    found = hand_chart(hit_or_stand(threshold(16)), rules, "threshold")
    assert found is not None
    lowest = 2 if ace is Ace.ONE else 4
    assert [hand for hand in HANDS if hand in found.rows] == [*(f"H{n}" for n in range(lowest, 22)), "S21"]
    assert found.decide(Observation(lowest, False, 10), rules) is Decision.HIT
