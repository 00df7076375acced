"""Whole decks: values that another program has computed (see the source in the file), and the best charts."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

import pytest

from cards import PRESETS, Decision, EveryRound, Rules, rules_from
from tests.helpers.published import published_basic
from tests.helpers.tiers import first_of
from twentyone.exact.best.cells import cell_values
from twentyone.exact.best.chart import best_chart
from twentyone.exact.values.charts import evaluate
from twentyone.exact.values.game import seat_game
from twentyone.exact.values.shoe import Shoe
from twentyone.policies.chart import ENTRIES
from twentyone.policies.table_files import load, save

KNOWN: Final = json.loads((Path(__file__).parent / "data" / "casino_values.json").read_text())

EVERY: Final = 1 if os.environ.get("EVERY_GAME") else 7
"""Every seventh of the 90 sets of rules, with all numbers of decks; all with EVERY_GAME (`make long`)."""

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


@pytest.mark.parametrize("number", first_of(range(0, len(KNOWN["rules"]), EVERY), 2))
def test_composition_dependent_values(number: int) -> None:
    known = KNOWN["rules"][number]
    values = seat_game(rules_of(known)).best_play()
    assert values.value == pytest.approx(known["expected_value"], abs=1e-9)
    assert values.insurance == 0
    ace, *others = known["by_upcard"]
    assert values.by_upcard == pytest.approx([*others, ace], abs=1e-9)


def test_every_option_of_every_hand_of_two_cards() -> None:
    # The file has nine digits of these.
    known = KNOWN["two_card_hands"]
    game = seat_game(rules_of(known["rules"]))
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


@pytest.mark.check
def test_what_taking_out_a_card_does() -> None:
    known = KNOWN["effect_of_removing_one_card"]
    rules = rules_of(known["rules"])
    for card, value in known["one deck"].items():
        shoe = Shoe.of(rules) if card == "full" else Shoe.of(rules).without([value_of(card)])
        assert seat_game(rules, shoe).best_play().value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(
    ("preset", "value"),
    first_of([("reno", -0.0042850077), ("vegas", -0.0045900139), ("europe", -0.0066118983)]),
)
def test_the_best_chart_lies_between_the_published_one_and_the_best_play(preset: str, value: float) -> None:
    """The published one is for several numbers of decks, by two cards only: it loses a few thousandths."""
    game = seat_game(PRESETS[preset])
    assert game.best_play().value == pytest.approx(value, abs=5e-11)
    best = best_chart(game)
    assert best.proved
    assert best.values.value == pytest.approx(best.bound, abs=1e-12)
    assert best.values.value < game.best_play().value
    published = evaluate(game, published_basic(PRESETS[preset]))
    assert 0 <= best.values.value - published.value < 2e-4


def test_the_chart_of_an_infinite_deck_is_proved_best() -> None:
    rules = rules_from({"preset": "vegas", "decks": "inf", "reshuffle": "round"})
    game = seat_game(rules)
    best = best_chart(game)
    assert best.proved
    assert best.values.value == pytest.approx(game.best_play().value, abs=1e-12)


def test_a_kept_shoe_counts_as_a_fresh_one() -> None:
    assert seat_game(PRESETS["vegas"]).rules.reshuffle == EveryRound()


# A chart as a table of exact action values by hand.


@pytest.mark.parametrize(
    "fields",
    first_of(
        [
            {"preset": "reno", "double": "always", "split-aces": "play"},
            {"preset": "vegas"},
            {"preset": "europe"},
            {"preset": "vegas", "surrender": "early"},
            {"preset": "reno", "hole-card": "obo"},
        ]
    ),
)
def test_what_is_best_in_each_cell_is_what_the_best_chart_does(
    fields: dict[str, str], tmp_path: Path
) -> None:
    game = seat_game(rules_from(fields))
    chart = best_chart(game).chart
    values = cell_values(game, chart)
    assert len(values.rows) > 300
    for (word, upcard), row in values.rows.items():
        best = max(row, key=lambda decision: row[decision].value)
        entry = chart.row(word)[upcard - 2]
        assert best is next(decision for decision in ENTRIES[entry] if decision in row), (word, upcard)
    # It is kept as a table that players load.
    save(values, tmp_path / "values.txt")
    assert load(tmp_path / "values.txt").rows.keys() == values.rows.keys()


def test_a_cell_of_one_hand_has_the_values_of_that_hand() -> None:
    game = seat_game(PRESETS["reno"])
    rows = cell_values(game, best_chart(game).chart).rows
    # A pair of fives is one hand, and the chart doubles it: its values are those of the hand.
    of_fives, options = rows["P5", 6], game.options([5, 5], 6)
    assert of_fives[Decision.STAND].value == pytest.approx(options[Decision.STAND], abs=1e-12)
    assert of_fives[Decision.DOUBLE].value == pytest.approx(options[Decision.DOUBLE], abs=1e-12)
    # The chart that follows is not the best play for the very cards: it can only be worth less.
    assert options[Decision.SPLIT] - 1e-3 < of_fives[Decision.SPLIT].value <= options[Decision.SPLIT]
