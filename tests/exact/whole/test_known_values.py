"""Values of the whole game that another program has computed, see the source in the file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from cards import PRESETS, Decision, EveryRound, Rules, rules_from
from exact.whole.best import best_chart
from exact.whole.charts import evaluate
from exact.whole.game import whole_game
from exact.whole.shoe import Shoe
from policies.chart import Chart
from tests.helpers.published import published_basic

KNOWN: Final = json.loads((Path(__file__).parent / "data" / "casino_values.json").read_text())

EVERY: Final = 1 if os.environ.get("EVERY_GAME") else 7
"""Every seventh of the 90 sets of rules, which has all numbers of decks; all with EVERY_GAME (make fuzz)."""

_DOUBLE: Final = {
    "any two cards": "any",
    "any number of cards": "always",
    "9 to 11, hard": "9-11",
    "10 and 11, hard": "10-11",
}
_NATURALS: Final = {1.0: "1:1", 1.2: "6:5", 1.5: "3:2", 2.0: "2:1"}
_DECISIONS: Final = {
    "stand": Decision.STAND,
    "hit": Decision.HIT,
    "double": Decision.DOUBLE,
    "split": Decision.SPLIT,
}


def rules_of(known: dict[str, Any]) -> Rules:
    """The rules in our words."""
    return rules_from(
        {
            "decks": str(known.get("decks", 1)),
            "dealer-stands": "hard17" if known["soft17"] == "hit" else "all17",
            "double": _DOUBLE[known["double"]],
            "double-after-split": "yes" if known["das"] else "no",
            "split": str(known["hands"]),
            "split-aces": "again" if known["resplit_aces"] else "once",
            "surrender": known["surrender"],
            "naturals": _NATURALS[known["blackjack"]],
            "hole-card": "peek",
        }
    )


def value_of(card: str) -> int:
    """The value of a card that is given by its points, an ace as 1."""
    return 11 if card == "1" else int(card)


@pytest.mark.parametrize("number", range(0, len(KNOWN["rules"]), EVERY))
def test_composition_dependent_values(number: int) -> None:
    known = KNOWN["rules"][number]
    values = whole_game(rules_of(known)).optimum()
    assert values.value == pytest.approx(known["expected_value"], abs=1e-9)
    assert values.insurance == 0
    ace, *others = known["by_upcard"]
    assert values.by_upcard == pytest.approx([*others, ace], abs=1e-9)


def test_every_option_of_every_hand_of_two_cards() -> None:
    # The file has nine digits of these.
    known = KNOWN["two_card_hands"]
    game = whole_game(rules_of(known["rules"]))
    compared = 0
    for hand, by_upcard in known["values"].items():
        cards = [value_of(card) for card in hand.split("-")]
        for upcard, values in by_upcard.items():
            options = game.options(cards, value_of(upcard))
            if sorted(cards) == [10, 11]:
                assert [*options] == [Decision.STAND]
                continue
            assert {_DECISIONS[name] for name in values} == {*options} - {Decision.SURRENDER}
            for name, value in values.items():
                assert options[_DECISIONS[name]] == pytest.approx(value, abs=1e-9)
                compared += 1
    assert compared > 1700


def test_what_taking_out_a_card_does() -> None:
    known = KNOWN["effect_of_removing_one_card"]
    rules = rules_of(known["rules"])
    for card, value in known["one deck"].items():
        shoe = Shoe.of(rules) if card == "full" else Shoe.of(rules).without([value_of(card)])
        assert whole_game(rules, shoe).optimum().value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(
    ("preset", "value"), [("vegas", -0.0045900139), ("reno", -0.0042850077), ("europe", -0.0066118983)]
)
def test_the_presets(preset: str, value: float) -> None:
    game = whole_game(PRESETS[preset])
    assert game.optimum().value == pytest.approx(value, abs=5e-11)
    best = best_chart(game)
    assert best.values.value < game.optimum().value <= best.bound + 1e-12
    assert not best.proved


@pytest.mark.parametrize("preset", ["vegas", "reno", "europe"])
def test_no_published_chart_is_better_than_the_one_that_is_found(preset: str) -> None:
    # They are made for 4 to 8 decks together, by two cards only, so they lose at most a few thousandths.
    rules = PRESETS[preset]
    game = whole_game(rules)
    published, found = evaluate(game, published_basic(rules)), best_chart(game).values
    assert 0 <= found.value - published.value < 2e-4


def test_the_chart_of_an_infinite_deck_is_proved_best() -> None:
    rules = rules_from({"preset": "vegas", "decks": "inf", "reshuffle": "round"})
    game = whole_game(rules)
    best = best_chart(game)
    assert best.proved
    assert best.values.value == pytest.approx(game.optimum().value, abs=1e-12)


def test_no_change_of_one_entry_makes_the_chart_better() -> None:
    rules = PRESETS["reno"]
    game = whole_game(rules)
    best = best_chart(game)
    random = np.random.default_rng(1)
    for word in random.permutation([*best.chart.rows])[:12].tolist():
        for column in random.permutation(10)[:3].tolist():
            for entry in ("H", "S", "Dh", "Ds", "P") if word[0] == "P" else ("H", "S", "Dh", "Ds"):
                row = [*best.chart.rows[word]]
                row[column] = entry
                changed = Chart("changed", {**best.chart.rows, word: tuple(row)})
                assert evaluate(game, changed).value <= best.values.value + 1e-13


def test_a_kept_shoe_counts_as_a_fresh_one() -> None:
    rules = PRESETS["vegas"]
    assert whole_game(rules).rules.reshuffle == EveryRound()
