"""Sessions of betting by the engine of one round, on the kernel's cards, with stakes in plain Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor

from cards import CARDS, Card, Rules
from cards.records import CardDealt, DealerDrew, HoleCardRevealed, UpcardDealt
from cards.round import Round
from tests.helpers.kernel_shoe import KernelShoe
from tests.helpers.kernels import play_by_cards
from twentyone.analysis.studies.betting import Terms
from twentyone.analysis.studies.staking import Edge
from twentyone.kernels.draws import deal_paired
from twentyone.kernels.shoe import DEALT, SHOE
from twentyone.policies.decisions import DecisionTable


class SessionShoe(KernelShoe):
    """The shoe of a session; it is shuffled again within a round in which it runs empty."""

    has_begun = False

    @property
    def number(self) -> int:
        """Of the shoe within the session: a new one when it is fresh, or has run empty."""
        return int(self.shoe.at[SHOE])

    def __len__(self) -> int:
        return int(self.full.size - self.shoe.at[DEALT])

    def begin_round(self) -> bool:
        """Begin a round; once is enough until a card is dealt, so that the count before it can be taken."""
        if self.has_begun:
            return False
        self.has_begun = True
        return super().begin_round()

    def deal(self, seat: int = -1, hand: int = 0) -> Card:
        self.has_begun = False
        return CARDS[int(deal_paired(self.shoe))]


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
) -> list[tuple[int, int]]:
    """The true count before each round, by brute force over all cards seen, and the payoff of the round."""
    shoe = SessionShoe(rules, seed, session)
    played = []
    seen: list[Card] = []
    of_shoe = -1
    for _ in range(rounds):
        shoe.begin_round()
        if shoe.number != of_shoe:
            seen, of_shoe = [], shoe.number
        count = floor(Fraction(52 * high_low(seen), len(shoe))) if shoe.full.size else 0
        game = play_by_cards(rules, [policy], shoe)
        if shoe.number != of_shoe:  # it ran empty: the cards of the rounds before are in it again
            seen, of_shoe = [], shoe.number
        seen += seen_in(game)
        (outcome,) = game.outcomes
        assert outcome is not None
        played.append((max(-20, min(20, count)), int(outcome.payoff)))
    return played


def staked(
    name: str, rounds: Sequence[tuple[int, int]], terms: Terms, edge: Edge, parts: int = 1
) -> Iterator[tuple[int, int]]:
    """The stake of each round, and the bankroll after it, until the session is over.

    The rounds are true counts and payoffs; these and the bankroll are in parts of a unit of money.
    """
    bankroll, pending = parts * terms.bankroll, 0
    kind, _, spread = name.partition(":")
    for count, payoff in rounds[: terms.rounds]:
        if bankroll < parts * terms.minimum:
            return
        wanted = terms.minimum
        if kind == "martingale":
            wanted = max(wanted, pending)
        elif kind == "kelly":
            advantage = edge.at_zero.mean + edge.slope.mean * count
            wanted = max(wanted, floor(advantage / edge.variance * (bankroll // parts)))
        elif kind == "hi-lo":
            wanted = floor(wanted * (1 + (int(spread) - 1) * (min(max(count, 1), 5) - 1) / 4))
        stake = min(wanted, terms.maximum, bankroll // parts)
        bankroll += stake * payoff
        pending = 2 * stake if payoff < 0 else stake if payoff == 0 else 0
        yield stake, bankroll
