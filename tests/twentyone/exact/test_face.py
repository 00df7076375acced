"""`solve`, `evaluate` and `hand`: known values, every kind of policy, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from cards import PRESETS, Decision, EveryRound, Rules
from twentyone.exact import evaluate, hand, solve, solving
from twentyone.exact.report.hand_values import HandError
from twentyone.exact.report.qtables import as_qtable
from twentyone.exact.typed_hands import CardError
from twentyone.exact.values.game import NoExactFormError
from twentyone.policies.qtable import is_by_hand
from twentyone.support.command import CommandError

ENDLESS = Rules(decks=None)
BEST = -4270734816729607628605293193 / 91733330193268616658399616009
"""The best value from an infinite deck, where hands are hit or stood: an exact fraction."""

CHANCES = {2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 4, 11: 1}
"""Of 13 cards."""


def test_the_best_from_an_infinite_deck_has_its_known_value() -> None:
    best = solve(ENDLESS)
    assert best.value == pytest.approx(BEST, abs=1e-12)
    assert best.best_play == pytest.approx(BEST, abs=1e-12), "cards that are out change nothing there"
    assert (best.proved, best.house_edge) == (True, -best.value)
    mean = sum(CHANCES[upcard] * value for upcard, value in best.by_upcard.items()) / 13
    assert mean == pytest.approx(best.value, abs=1e-12)
    sixteen = best.options["H16", 10]
    assert sixteen[Decision.HIT] - sixteen[Decision.STAND] == pytest.approx(0.00647, abs=5e-6)
    assert best.chart.row("H16")[8] == "H"


def test_the_proof_and_the_standard_deviation_are_worked_out_when_they_are_asked_for() -> None:
    best = solve(ENDLESS)
    assert not {"proof", "standard_deviation"} & {*vars(best)}
    assert [each["upcard"] for each in best.proof] == [*range(2, 12)]
    deviation = best.standard_deviation
    assert (best.standard_deviation, 0.9 < deviation < 1) == (deviation, True), "payoffs are -1, 0 and 1"
    with pytest.raises(FrozenInstanceError):
        best.value = 0.0  # type: ignore[misc]


def test_a_policy_of_every_kind_has_its_value() -> None:
    """Drawing below 15 or 16, and never going bust, from an infinite deck: figures by exact fractions."""
    assert evaluate(ENDLESS, "never-bust").value == pytest.approx(-0.0854748205, abs=1e-10)
    ones = replace(PRESETS["devs"], decks=None)
    assert evaluate(ones, "threshold:15").value == pytest.approx(-0.0740007634, abs=1e-10)
    best = solve(ENDLESS)
    table = as_qtable(solving.solve(ENDLESS))

    def by_chart(observation: tuple[int, int, bool]) -> int:
        total, upcard, soft = observation
        return int(best.chart.row(f"{'S' if soft else 'H'}{total}")[upcard - 2] == "S")

    policies: dict[str, Any] = {
        "a name": "basic",
        "a chart": best.chart,
        "a table": table,
        "an array": table.values,
        "a function": by_chart,
    }
    for kind, policy in policies.items():
        found = evaluate(ENDLESS, policy)
        assert (found.value, found.gap) == pytest.approx((BEST, 0), abs=1e-12), kind
        assert found.mistakes == [], kind


def test_mistakes_come_with_their_costs_which_add_up_to_the_gap() -> None:
    found = evaluate(ENDLESS, "mimic")
    costs = [each.cost for each in found.mistakes]
    assert costs == sorted(costs, reverse=True)
    assert sum(costs) == pytest.approx(found.gap, abs=1e-12)
    assert found.gap == pytest.approx(BEST - found.value, abs=1e-12)


def test_a_hand_may_be_written_in_any_way_under_any_rules() -> None:
    """E. Farmer's analyzer, 7.6: two aces against an ace, given that the dealer has no natural."""
    rules = replace(
        PRESETS["vegas"],
        reshuffle=EveryRound(),
        dealer_stands=PRESETS["europe"].dealer_stands,
        split_aces=PRESETS["europe"].split_aces,
        insurance=False,
    )
    assert is_by_hand(rules)
    for written, upcard in (("A A", "A"), ("AsAh", 11), ("ace ace", "Ace of Spades")):
        found = hand(rules, written, upcard)
        assert found.options[Decision.SPLIT] == pytest.approx(0.127143796, abs=1e-9)
        assert found.best is Decision.SPLIT


def test_what_cannot_be_asked_is_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="there is no preset 'las vegas': expected one of course, "):
        solve("las vegas")
    with pytest.raises(TypeError, match="rules are of the type int: expected Rules, or the name of a preset"):
        solve(5)  # type: ignore[arg-type]
    with pytest.raises(CommandError, match="the policy is of the type int: expected a function"):
        evaluate("course", 5)  # type: ignore[arg-type]
    asked: list[Callable[[str], object]] = [
        solve,
        lambda rules: evaluate(rules, "basic"),
        lambda rules: hand(rules, "88", 6),
    ]
    for ask in asked:
        with pytest.raises(NoExactFormError, match="showdown has no short exact form"):
            ask("showdown")
    with pytest.raises(CardError, match="'8x' is no card"):
        hand("course", "8x", 6)
    with pytest.raises(HandError, match="expected two or more"):
        hand("course", "8", 6)
