"""The same cards to the same hands give the same outcome: the DEVS game, `cards.Round`, and a real socket.

The model deals the challenger's whole hand first, a round deals two cards to each; so a shoe is stacked for
the round by what each hand got in the model.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

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


# The exact probability of each outcome, by enumerating the multisets of points that a hand can be.

POINTS = np.arange(1, 11)
FULL = np.array([4] * 9 + [16])

Hand = tuple[int, ...]
Floats = NDArray[np.float64]


def ends_of(stands: int, gone: NDArray[np.int64]) -> dict[int, Floats]:
    """The probability of each final total of a hand that draws below `stands`, for each row of `gone`.

    Args:
        stands: the total from which the hand stands.
        gone: the number of cards drawn before, by their points, shape (n, 10).
    """
    left = FULL - gone
    ends: dict[int, Floats] = {}
    layer: dict[Hand, Floats] = {(0,) * 10: np.ones(len(gone))}
    while layer:
        after: dict[Hand, Floats] = {}
        for hand, chance in layer.items():
            total = int(np.dot(hand, POINTS))
            if total >= stands:
                ends[total] = ends.get(total, 0) + chance
                continue
            cards = left.sum(axis=1) - sum(hand)
            for rank in range(10):
                drawn = tuple(count + (place == rank) for place, count in enumerate(hand))
                chances = chance * np.maximum(left[:, rank] - hand[rank], 0) / cards
                after[drawn] = after.get(drawn, 0) + chances
        layer = after
    return ends


def challengers() -> dict[Hand, float]:
    """Every final hand of the challenger, with its probability."""
    finals: dict[Hand, float] = {}
    layer: dict[Hand, float] = {(0,) * 10: 1.0}
    while layer:
        after: dict[Hand, float] = {}
        for hand, chance in layer.items():
            if np.dot(hand, POINTS) >= STANDS:
                finals[hand] = finals.get(hand, 0) + chance
                continue
            for rank, count in enumerate(FULL - np.array(hand)):
                if count > 0:
                    drawn = tuple(each + (place == rank) for place, each in enumerate(hand))
                    after[drawn] = after.get(drawn, 0) + chance * count / (52 - sum(hand))
        layer = after
    return finals


@pytest.fixture(scope="module")
def shares() -> dict[str, float]:
    """The exact probability of each outcome."""
    hands = challengers()
    gone, weights = np.array(list(hands)), np.array(list(hands.values()))
    totals = gone @ POINTS
    dealers = ends_of(17, gone)
    stands = totals <= 21
    ways = [
        (weights * of * stands, np.sign(totals - (total if total <= 21 else 0)))
        for total, of in dealers.items()
    ]
    wins, ties = (float(sum(chances @ (signs == sign) for chances, signs in ways)) for sign in (1, 0))
    return {"WIN": wins, "TIE": ties, "LOSE": 1 - wins - ties}


def test_the_enumeration_agrees_with_the_laboratory(shares: dict[str, float]) -> None:
    value = evaluate(RULES, named("threshold:15", RULES).hit).value
    assert shares["WIN"] - shares["LOSE"] == pytest.approx(value, abs=1e-12)


@pytest.mark.check
def test_outcomes_occur_as_often_as_they_should(shares: dict[str, float]) -> None:
    games = Games(Setup(shuffled=shuffled_by(2026)))
    counts: Counter[str] = Counter()
    for number in range(GAMES):
        games.reset(number)
        counts[games.play().outcome.value] += 1
    for outcome, share in shares.items():
        error = sqrt(share * (1 - share) / GAMES)
        assert abs(counts[outcome] / GAMES - share) <= 4 * error, (outcome, counts)
