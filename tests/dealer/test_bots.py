"""The dealer's own players at tables of the whole game."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

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


EIGHTS: Final = "Eight of Spades, Eight of Hearts, Ace of Clubs"
ELEVEN: Final = "Five of Spades, Six of Hearts, Ten of Clubs"


def test_a_bot_named_basic_plays_the_chart_of_the_very_rules() -> None:
    """Published, for any number of decks: without a peek a double may lose twice to a natural."""
    for rules, decision in ((VEGAS, Decision.DOUBLE), (EUROPE, Decision.HIT)):
        assert first_decision(replace(rules, decks=1), f"{ELEVEN}, Seven of Clubs") is decision


@pytest.mark.check
def test_a_bot_named_basic_gives_up_eights_where_the_dealer_draws_on_a_soft_17() -> None:
    """Published: against an ace, where it may; else they are split."""
    assert first_decision(VEGAS, f"{EIGHTS}, Seven of Clubs") is Decision.SURRENDER
    without = replace(VEGAS, surrender=Surrender.NONE)
    assert first_decision(without, f"{EIGHTS}, Seven of Clubs") is Decision.SPLIT
