"""The same cards to the same hands give the same outcome: the DEVS game, `cards.Round`, and a real socket.

The model deals the challenger's whole hand first, a round deals two cards to each; so a shoe is stacked for
the round by what each hand got in the model.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import mean, pstdev

import pytest

from cards import CARDS, PRESETS, Card, Decision, Outcome, Round, StackedShoe, parse_card
from devs.blackjack import Setup
from devs.games import Games, Hands, shuffled_by
from devs.values import Card as Drawn
from devs.values import Outcome as Ending
from exact.named import named
from exact.solving import evaluate
from tests.helpers.house import open_house
from tests.helpers.peer import BlockingPeer

RULES = PRESETS["devs"]
GAMES = 10_000
SOCKET_GAMES = 30
STANDS = 15

SAME = {
    Outcome.WIN: Ending.WIN,
    Outcome.PUSH: Ending.TIE,
    Outcome.LOSE: Ending.LOSE,
    Outcome.BUST: Ending.LOSE,
}


PAYOFFS = {Ending.WIN: 1, Ending.TIE: 0, Ending.LOSE: -1}
ON_THE_WIRE = {"WIN": Ending.WIN, "PUSH": Ending.TIE, "LOOSE": Ending.LOSE, "BUST": Ending.LOSE}


def deck(seed: int) -> list[Card]:
    """52 cards in any order; they are drawn from the end."""
    return random.Random(seed).sample(CARDS, k=52)


def in_model(card: Card) -> Drawn:
    return Drawn[card.rank.name]


def by_devs(count: int) -> Iterator[tuple[Ending, Hands, list[Card]]]:
    """Games of the model: the outcome, the hands, and the deck from the end that is drawn first."""
    decks = [deck(seed) for seed in range(count)]
    games = Games(Setup(shuffled=lambda number, _: tuple(map(in_model, decks[number]))))
    for number in range(count):
        games.reset(number)
        yield games.play().outcome, games.hands(), decks[number][::-1]


def dealt(hands: Hands, cards: list[Card]) -> list[Card]:
    """The same hands in the order of a round: two cards each, then the player's others, then the dealer's."""
    k = len(hands.challenger)
    own, dealers = cards[:k], cards[k : k + max(2, len(hands.dealer))]
    return [*own[:2], *dealers[:2], *own[2:], *(dealers[2:] if hands.dealer else [])]


def by_round(cards: Sequence[Card]) -> Outcome | None:
    game = Round(RULES, StackedShoe(cards))
    game.deal()
    while game.turn is not None:
        game.decide(0, Decision.HIT if game.hands[0].total < STANDS else Decision.STAND)
    return game.outcomes[0]


@pytest.mark.parametrize("games", [500, pytest.param(GAMES, marks=pytest.mark.check)])
def test_the_model_and_a_round_agree_on_every_deck(games: int) -> None:
    for ending, hands, cards in by_devs(games):
        outcome = by_round(dealt(hands, cards))
        assert outcome is not None
        assert SAME[outcome] is ending, (hands, outcome)


def test_the_model_and_a_real_socket_agree() -> None:
    played = list(by_devs(SOCKET_GAMES))
    shoe = [card for _, hands, cards in played for card in dealt(hands, cards)]
    with open_house(rounds=SOCKET_GAMES, rules=RULES) as house:
        house.server.shoes = lambda _, __: StackedShoe(shoe)
        results = list(results_of(house.join("JOIN challenger")))
    assert [ON_THE_WIRE[word] for word in results] == [ending for ending, _, _ in played]


def results_of(peer: BlockingPeer) -> Iterator[str]:
    """The results of a player that stands on 15, to the end."""
    total = 0
    while line := peer.hear():
        kind, _, rest = line.partition(" ")
        if kind == "BEGIN":
            total = 0
        elif kind == "CARD":
            total += parse_card(rest).points
        elif kind == "DECISION":
            peer.say("HIT" if total < STANDS else "STAND")
        elif kind == "RESULT":
            yield rest.split()[0]


@pytest.mark.parametrize("games", [1000, pytest.param(GAMES, marks=pytest.mark.check)])
def test_shuffled_games_are_worth_what_the_laboratory_computes(games: int) -> None:
    value = evaluate(RULES, named("threshold:15", RULES).hit).value
    model = Games(Setup(shuffled=shuffled_by(2026)))
    payoffs = []
    for number in range(games):
        model.reset(number)
        payoffs.append(PAYOFFS[model.play().outcome])
    assert abs(mean(payoffs) - value) <= 4 * pstdev(payoffs) / sqrt(games)
