"""Whole games for the tests: decks, and games played with them."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from twentyone.devs.blackjack import Setup
from twentyone.devs.games import Games, Hands, Result, stacked
from twentyone.devs.values import ORDERED_DECK, Card

DATA: Final = Path(__file__).with_name("data")
TRACES: Final[list[dict[str, Any]]] = json.loads((DATA / "traces.json").read_text(encoding="utf-8"))["traces"]


def trace(model: str, name: str) -> dict[str, Any]:
    """The recorded run of that name."""
    return next(each for each in TRACES if (each["model"], each["name"]) == (model, name))


def random_deck(seed: int) -> tuple[Card, ...]:
    """52 cards in any order."""
    cards = list(ORDERED_DECK)
    random.Random(seed).shuffle(cards)
    return tuple(cards)


def played(deck: Sequence[Card], **options: Any) -> tuple[Result, Hands]:
    """A game with a deck, drawn from its end."""
    games = Games(Setup(shuffled=stacked(deck), **options))
    games.reset(0)
    return games.play(), games.hands()
