"""The dealer's own players: what they decide with known cards."""

from __future__ import annotations

from dataclasses import replace

from cards import PRESETS, Decision, Round, StackedShoe, seeded
from dealer.lobby.bots import bot_for
from tests.helpers.house import stacked


def test_a_bot_named_basic_plays_the_chart_of_the_very_rules() -> None:
    """Published, for any number of decks: without a peek a double may lose twice to a natural."""
    eleven = "Five of Spades, Six of Hearts, Ten of Clubs, Seven of Clubs"
    for preset, decision in (("vegas", Decision.DOUBLE), ("europe", Decision.HIT)):
        rules = replace(PRESETS[preset], decks=1)
        round_ = Round(rules, StackedShoe(stacked(eleven)))
        round_.deal()
        assert bot_for("basic", rules, seeded(1))(round_, 0) is decision


def test_a_bot_draws_below_its_threshold_and_stands_at_it_with_its_own_hand() -> None:
    """At the second seat: 13, then 15 with the two and 16 with the ace. The first seat has 19."""
    rules = replace(PRESETS["casino"], seats=2)
    cards = "Ten of Spades, Nine of Spades, Ten of Hearts, Three of Hearts, Six of Clubs, Ten of Diamonds"
    round_ = Round(rules, StackedShoe(stacked(f"{cards}, Two of Clubs, Ace of Clubs, Five of Clubs")))
    round_.deal()
    bot = bot_for("threshold:16", rules, seeded(1))
    decided = []
    while (number := round_.turn) is not None:
        decided.append((number, bot(round_, number)))
        round_.decide(*decided[-1])
    assert decided == [(0, Decision.STAND), (1, Decision.HIT), (1, Decision.HIT), (1, Decision.STAND)]
