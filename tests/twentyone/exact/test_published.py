"""Published charts: what they print, and what counts as a difference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards import PRESETS, Decision, EveryRound, Rules
from twentyone.exact.published import LATER_HANDS, OTHER_REASON, changed, differences, published_for
from twentyone.policies.chart import policy_of
from twentyone.policies.policy import Observation

COMPARED = ("vegas", "reno", "europe")


@pytest.mark.parametrize("name", COMPARED)
def test_each_of_three_presets_has_two_published_charts_however_it_shuffles(name: str) -> None:
    rules = PRESETS[name]
    charts = published_for(rules)
    assert len({each.source for each in charts}) == 2
    assert published_for(replace(rules, reshuffle=EveryRound())) == charts


def test_rules_of_no_published_chart_have_none() -> None:
    assert published_for(Rules()) == ()
    assert published_for(replace(PRESETS["vegas"], decks=2)) == ()


def test_the_charts_say_what_is_known_of_their_rules() -> None:
    """16 against 10 is given up, otherwise hit (K. Smith, "16vT: RS WTF?!", says so of most charts).

    Where the dealer hits soft 17, soft 18 and 19 double once more (Wizard of Odds, 4 to 8 decks). Without a
    hole card nothing is doubled or split against a ten or an ace, apart from aces against a ten (Wikipedia).
    """
    vegas, reno, europe = ([each.chart for each in published_for(PRESETS[name])] for name in COMPARED)
    for chart in vegas:
        assert chart.row("H16")[7:] == ("Rh", "Rh", "Rh")
        assert (chart.row("S18")[0], chart.row("S19")[4], chart.row("H11")[9]) == ("Ds", "Ds", "Dh")
    for chart in europe:
        assert chart.row("H11")[8:] == ("H", "H")
        assert chart.row("P8")[8:] == ("H", "H")
        assert chart.row("PA")[8:] == ("P", "H")
    seen = Observation(8, False, 5, 4, (Decision.HIT, Decision.STAND, Decision.SPLIT))
    for chart in reno:
        assert policy_of(chart, PRESETS["reno"])(seen) is Decision.HIT, "no doubling after a split"


def test_a_difference_is_one_of_play_and_not_of_letters() -> None:
    rules, (published, _) = PRESETS["vegas"], published_for(PRESETS["vegas"])
    chart = published.chart
    assert differences(chart, chart, rules) == []
    assert differences(changed(chart, {"P2": {2: "P"}}), chart, rules) == [], "Ph is P: split hands double"
    later, other = differences(changed(chart, {"H16": {10: "Rs"}, "S18": {2: "S"}}), chart, rules)
    assert later == ("H16", 10, "Rs", "Rh", LATER_HANDS)
    assert other == ("S18", 2, "S", "Ds", OTHER_REASON)
    reno = PRESETS["reno"]
    soft = changed(chart, {"S18": {2: "S"}})
    assert differences(soft, chart, reno) == [], "no soft hand doubles there"
