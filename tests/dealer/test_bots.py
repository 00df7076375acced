"""The dealer's own players at tables of the whole game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards import PRESETS, Decision, Round, Rules, StackedShoe, Surrender, seeded
from dealer.lobby.bots import bot_for
from tests.helpers.house import stacked

VEGAS = PRESETS["vegas"]
EUROPE = PRESETS["europe"]


def first_decision(rules: Rules, cards: str) -> Decision:
    """What a bot named basic does first with these cards, declining what is asked before."""
    round_ = Round(rules, StackedShoe(stacked(cards)))
    round_.deal()
    bot = bot_for("basic", rules, seeded(1))
    decision = bot(round_, 0)
    while decision is Decision.DECLINE:
        round_.decide(0, decision)
        decision = bot(round_, 0)
    return decision


@pytest.mark.parametrize(
    ("rules", "cards", "decision"),
    [
        # Published: against an ace eights are given up where the dealer draws on a soft 17, else split.
        (VEGAS, "Eight of Spades, Eight of Hearts, Ace of Clubs", Decision.SURRENDER),
        (
            replace(VEGAS, surrender=Surrender.NONE),
            "Eight of Spades, Eight of Hearts, Ace of Clubs",
            Decision.SPLIT,
        ),
        # Without a peek a double may lose twice to a natural.
        (VEGAS, "Five of Spades, Six of Hearts, Ten of Clubs", Decision.DOUBLE),
        (EUROPE, "Five of Spades, Six of Hearts, Ten of Clubs", Decision.HIT),
    ],
)
def test_a_bot_named_basic_plays_the_chart_of_the_very_rules(
    rules: Rules, cards: str, decision: Decision
) -> None:
    assert first_decision(rules, f"{cards}, Seven of Clubs") is decision
