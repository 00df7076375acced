"""Sessions of betting by the engine of one round, on the kernel's cards, with stakes in plain Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor

from analysis.studies.betting import Terms
from analysis.studies.staking import Edge
from cards import CARDS, Card, FiniteShoe, Outcome, Rules
from cards.records import CardDealt, DealerDrew, HoleCardRevealed, UpcardDealt
from cards.round import Round
from kernels.streams import key_of
from policies.decisions import DecisionTable
from tests.helpers.kernels import play_by_cards


class StreamShoe(FiniteShoe):
    """The shoe of `cards`, dealt by the random stream of a session, in plain Python (see `kernels.streams`).

    Attributes:
        number: the number of the shoe within the session; a new one when it is fresh, or has run empty.
    """

    def __init__(self, rules: Rules, seed: int, session: int) -> None:
        self.full = CARDS * (rules.decks or 0)
        self.fewest = max(rules.fewest_cards, 1)
        super().__init__([], self.below, self.fewest)
        self.key, self.session, self.number = int(key_of(seed)), session, -1
        self.has_begun = False

    def begin_round(self) -> bool:
        """Begin a round; once is enough until a card is dealt, so that the count before it can be taken."""
        if self.has_begun:
            return False
        self.has_begun = True
        if len(self) < self.fewest:
            super().__init__(self.full, self.below, self.fewest)
            self.next_stream()
        return super().begin_round()

    def deal(self, seat: int = -1, hand: int = 0) -> Card:
        self.has_begun = False
        return super().deal() if self.full else CARDS[self.below(13)]

    def deal_several(self, count: int) -> list[Card]:
        self.has_begun = False
        return super().deal_several(count)

    def _refill(self) -> None:
        super()._refill()
        self.next_stream()

    def next_stream(self) -> None:
        self.number += 1
        self.drawn = 0

    def below(self, n: int) -> int:
        """Two draws from each half of a random number of 64 bits: the second is the fraction of the first."""
        if self.drawn % 8 == 0:
            first, second = (self.random_bits(self.drawn // 4 + word) for word in (0, 1))
            self.halves = [first >> 32, first % 2**32, second >> 32, second % 2**32]
        half = self.drawn // 2 % 4
        self.drawn += 1
        drawn, self.halves[half] = divmod(self.halves[half] * n, 2**32)
        return drawn

    def random_bits(self, word: int) -> int:
        """SplitMix64 (Steele, Lea and Flood, 2014) at the index of a word, a session and a shoe."""
        x = (self.key + (word << 54 | self.session << 32 | self.number) * 0x9E3779B97F4A7C15) % 2**64
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
        return x ^ x >> 31


def seen_in(game: Round) -> Iterator[Card]:
    """The cards of a round that its player has seen."""
    for record in game.records:
        match record:
            case CardDealt(card=card) | UpcardDealt(card) | HoleCardRevealed(card) | DealerDrew(card):
                yield card


def high_low(cards: Sequence[Card]) -> int:
    """The running count by its definition: 2 to 6 are +1, tens and aces -1."""
    return sum(2 <= card.points <= 6 for card in cards) - sum(card.points in (1, 10) for card in cards)


def rounds_by_cards(
    rules: Rules, policy: DecisionTable, seed: int, session: int, rounds: int
) -> list[tuple[int, Outcome]]:
    """The true count before each round, by brute force over all cards seen, and the outcome of the round."""
    shoe = StreamShoe(rules, seed, session)
    played = []
    seen: list[Card] = []
    of_shoe = -1
    for _ in range(rounds):
        shoe.begin_round()
        if shoe.number != of_shoe:
            seen, of_shoe = [], shoe.number
        count = floor(Fraction(52 * high_low(seen), len(shoe))) if shoe.full else 0
        game = play_by_cards(rules, [policy], shoe)
        if shoe.number != of_shoe:  # it ran empty: the cards of the rounds before are in it again
            seen, of_shoe = [], shoe.number
        seen += seen_in(game)
        (outcome,) = game.outcomes
        assert outcome is not None
        played.append((max(-20, min(20, count)), outcome))
    return played


# Stakes in plain Python, from the definitions.


def staked(
    name: str, rounds: Sequence[tuple[int, Outcome]], terms: Terms, edge: Edge
) -> Iterator[tuple[int, int]]:
    """The stake of each round, and the bankroll after it, until the session is over."""
    bankroll, last, before = terms.bankroll, 0, None
    for count, outcome in rounds[: terms.rounds]:
        if bankroll < terms.minimum:
            return
        kind, _, spread = name.partition(":")
        if kind == "martingale" and before in (Outcome.LOSE, Outcome.BUST):
            stake = 2 * last
        elif kind == "martingale" and before is Outcome.PUSH:
            stake = last
        elif kind == "kelly":
            advantage = edge.at_zero.mean + edge.slope.mean * count
            stake = max(terms.minimum, floor(advantage / edge.variance * bankroll))
        elif kind == "hi-lo":
            units = 1 + (int(spread) - 1) * (min(max(count, 1), 5) - 1) / 4
            stake = floor(terms.minimum * units)
        else:
            stake = terms.minimum
        stake = min(stake, terms.maximum, bankroll)
        bankroll += stake * int(outcome.payoff)
        last, before = stake, outcome
        yield stake, bankroll
