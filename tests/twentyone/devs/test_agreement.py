"""The same cards to the same hands give the same outcome: the DEVS game and `cards.Round`.

The model deals the challenger's whole hand first, a round deals two cards to each.
"""

from __future__ import annotations

import random
from math import sqrt
from statistics import mean, pstdev

import pytest

from cards import CARDS, PRESETS, Card, Decision, Outcome, Round, StackedShoe
from twentyone.devs.blackjack import Setup
from twentyone.devs.games import Games, Hands, shuffled_by
from twentyone.devs.values import Card as Drawn
from twentyone.devs.values import Outcome as Ending
from twentyone.exact.named import named
from twentyone.exact.solving import evaluate

RULES = PRESETS["devs"]
GAMES = 10_000
STANDS = 15

PAYOFFS = {Ending.WIN: 1, Ending.TIE: 0, Ending.LOSE: -1}


def dealt(hands: Hands, cards: list[Card]) -> list[Card]:
    """The same hands in the order of a round: two cards each, then the player's others, then the dealer's."""
    k = len(hands.challenger)
    own, dealers = cards[:k], cards[k : k + max(2, len(hands.dealer))]
    return [*own[:2], *dealers[:2], *own[2:], *(dealers[2:] if hands.dealer else [])]


def by_round(cards: list[Card]) -> Outcome | None:
    game = Round(RULES, StackedShoe(cards))
    game.deal()
    while game.turn is not None:
        game.decide(0, Decision.HIT if game.hands[0].total < STANDS else Decision.STAND)
    return game.outcomes[0]


@pytest.mark.parametrize("games", [500, pytest.param(GAMES, marks=pytest.mark.check)])
def test_the_model_and_a_round_agree_on_every_deck(games: int) -> None:
    decks = [random.Random(seed).sample(CARDS, k=52) for seed in range(games)]  # drawn from the end
    model = Games(Setup(shuffled=lambda number, _: tuple(Drawn[card.rank.name] for card in decks[number])))
    for number, deck in enumerate(decks):
        model.reset(number)
        ending, hands = model.play().outcome, model.hands()
        outcome = by_round(dealt(hands, deck[::-1]))
        assert outcome is not None
        assert outcome.payoff == PAYOFFS[ending], (hands, outcome)


@pytest.mark.parametrize("games", [1000, pytest.param(GAMES, marks=pytest.mark.check)])
def test_shuffled_games_are_worth_what_the_laboratory_computes(games: int) -> None:
    value = evaluate(RULES, named("threshold:15", RULES).hit).value
    model = Games(Setup(shuffled=shuffled_by(2026)))
    payoffs = []
    for number in range(games):
        model.reset(number)
        payoffs.append(PAYOFFS[model.play().outcome])
    assert abs(mean(payoffs) - value) <= 4 * pstdev(payoffs) / sqrt(games)
