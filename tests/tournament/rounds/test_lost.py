"""What whole rounds have cost is what their decisions have, however often it is asked for."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from cards import PRESETS, Bets, EveryRound, QueuedShoe, Round, Rules
from tournament.rounds import lost
from tournament.rounds.costs import costs_for
from tournament.rounds.lost import Lost, lost_for

VEGAS = replace(PRESETS["vegas"], seats=1, reshuffle=EveryRound())
BETS = replace(VEGAS, bets=Bets(10, 200))


def played(rules: Rules, number: int, rand: random.Random) -> Round:
    """A round with any decisions, or a forfeit; with few chips some cannot be staked."""
    means = None if rules.bets is None else [rand.choice([1, 2, 100])]
    round_ = Round(rules, QueuedShoe(rules, 9, number), means=means)
    round_.deal()
    while round_.turn is not None:
        if rand.random() < 0.05:
            round_.forfeit(0)
        else:
            round_.decide(0, rand.choice(round_.options))
    return round_


@pytest.mark.parametrize("rules", [PRESETS["course"], BETS], ids=["course", "bets"])
def test_it_is_the_sum_of_the_costs_however_few_are_kept(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, costs, rand = lost_for(rules), costs_for(rules), random.Random(1)
    assert found is not None and costs is not None
    rounds = [played(rules, number % 150, rand) for number in range(500)]
    expected = [sum(costs.of(round_)) for round_ in rounds]
    assert [found.of(round_) for round_ in rounds] == expected
    monkeypatch.setattr(lost, "MOST_KEPT", 3)
    few = Lost(rules, costs)
    assert [few.of(round_) for round_ in rounds[:40] * 2] == expected[:40] * 2
    assert lost_for(PRESETS["showdown"]) is None
