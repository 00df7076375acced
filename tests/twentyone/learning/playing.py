"""Rounds that learners without compiled code play, with the cards and random numbers of the compiled loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Protocol

import pytest

from cards import CARDS, Card, Decision, HoleCard, Naturals, Outcome, Round, Rules
from tests.helpers.kernel_shoe import KernelShoe
from twentyone.kernels.counting import Count
from twentyone.kernels.shoe import CHOICES, SHARD
from twentyone.kernels.shoe import SHOE as STREAM
from twentyone.kernels.streams import key_of
from twentyone.learning import learners
from twentyone.learning.arrays import SHARD_ROUNDS
from twentyone.learning.cells import first_of, size_of
from twentyone.learning.episodes import INSURE, Episode, Steps, add_step, bits_of, new_steps
from twentyone.learning.learners import Learner, TableLearner
from twentyone.learning.textbook import Knobs
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.policy import Observation, observation
from twentyone.policies.qtable import is_by_hand

MASK: Final = (1 << 64) - 1
FIRST_CHOICE: Final = 512
"""The word of a stream that the first choice is made with."""


def bits(key: int, word: int, shard: int, stream: int) -> int:
    """The 64 random bits of a word of a stream, as `twentyone.kernels.streams` says how they are made."""
    x = (key + (word << 54 | shard << 32 | stream) * 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class FreshShoe:
    """A shoe that is fresh every round: round n has the random numbers of stream n, a word for each card."""

    def __init__(self, rules: Rules, seed: int, number: int) -> None:
        self.key = int(key_of(seed))
        self.full = [card.index % 13 for card in CARDS] * (rules.decks or 0)
        self.number = number - 1
        self.ranks: list[int] = []
        self.out = self.choices = 0

    def begin_round(self) -> bool:
        """As `FiniteShoe`."""
        self.number += 1
        self.ranks, self.out, self.choices = self.full[:], 0, 0
        return True

    def word(self, number: int) -> int:
        """A word of the stream of the round."""
        return bits(self.key, number, self.number // SHARD_ROUNDS, self.number % SHARD_ROUNDS)

    def deal(self, seat: int = -1, hand: int = 0) -> Card:
        """As `FiniteShoe`; the suit makes no difference."""
        fraction, here = self.word(self.out) >> 32, self.out
        self.out += 1
        if not self.ranks:
            return CARDS[fraction * 13 >> 32]
        picked = here + (fraction * (len(self.ranks) - here) >> 32)
        self.ranks[here], self.ranks[picked] = self.ranks[picked], self.ranks[here]
        return CARDS[self.ranks[here]]

    def deal_several(self, count: int) -> list[Card]:
        """As `FiniteShoe`."""
        return [self.deal() for _ in range(count)]

    def choice(self) -> int:
        """The random word of the next choice."""
        self.choices += 1
        return self.word(FIRST_CHOICE + self.choices - 1)


class KeptShoe(KernelShoe):
    """A shoe that is kept: it deals as the kernels do."""

    def __init__(self, rules: Rules, seed: int, shard: int = 0) -> None:
        super().__init__(rules, seed, shard)
        self.hidden: list[Card] = []  # the hole cards of earlier rounds that nobody turned over

    def ended(self, game: Round) -> None:
        """Note a hole card that stays hidden: at a table of HIT and STAND, if every hand is bust."""
        if self.start == 0:
            self.hidden.clear()
        if not game.rules.tells_payoffs and game.outcomes[0] is Outcome.BUST and game.dealer is not None:
            self.hidden.append(game.dealer.cards[1])

    def choice(self) -> int:
        """The random word of the next choice, which the compiled loop takes from the stream of the shoe."""
        at = self.shoe.at
        at[CHOICES] += 1
        word = FIRST_CHOICE + int(at[CHOICES]) - 1
        return bits(int(self.shoe.words[4]), word, int(at[SHARD]), int(at[STREAM]))


class Words:
    """The random numbers that a learner asks for: all come of one word of the compiled loop, until the next.

    Args:
        choice: gives the next word.
    """

    def __init__(self, choice: Callable[[], int]) -> None:
        self._choice, self._word = choice, 0

    def turn(self) -> None:
        """Take the next word."""
        self._word = self._choice()

    def __call__(self, bound: int) -> int:
        """As `cards.RandBelow`."""
        return self._word % bound


def pure_learner(rules: Rules, knobs: Knobs | None) -> Learner:
    """A learner of `twentyone.learning.learners` with these settings; without them `qlearning`."""
    if knobs is None:
        return TableLearner("qlearning", Knobs(), rules)
    return TableLearner("sarsa", knobs, rules)  # what it is called makes no difference to what it does


class Cell(Protocol):
    """As `twentyone.learning.cells.first_of`."""

    def __call__(self, seen: Observation, *, by_hand: bool) -> int: ...


@contextmanager
def layered(rules: Rules, count: Count, shoe: KeptShoe) -> Iterator[Cell]:
    """Let learners that are made and asked within this have a layer of the table for each true count.

    Those of `twentyone.learning.learners` do not count. What is learned is the same but for where a state
    stands, which this gives.
    """

    def counted(seen: Observation, *, by_hand: bool) -> int:
        cards = shoe.dealt()
        del cards[shoe.start + 3]  # the hole card is not seen
        hidden = shoe.hidden if shoe.start else []
        return first_of(seen, by_hand=by_hand) + size_of(rules) * true_count(rules, count, cards, hidden)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learners, "size_of", lambda rules: size_of(rules) * len(count.counts))
        yield counted


def play(rules: Rules, shoe: FreshShoe | KeptShoe, learner: Learner, cell: Cell = first_of) -> Round:
    """Play a round by `cards` and learn from it; its records are seen to agree with what is learned from."""
    game, words = Round(rules, shoe), Words(shoe.choice)
    game.deal()
    steps, insured, declined = new_steps(), -1, -1
    while game.turn == 0:
        seen = observation(game, 0)
        first = cell(seen, by_hand=is_by_hand(rules))
        words.turn()
        decision = learner.choose(first, seen.options, words, is_start=not steps.firsts)
        if decision is Decision.INSURE:
            insured = first + INSURE
        elif Decision.DECLINE not in seen.options:
            assert decision in seen.options
            add_step(steps, first, bits_of(seen.options), ACTIONS.index(decision), game.turn_hand)
        elif decision is Decision.DECLINE and Decision.SURRENDER in seen.options:
            declined = first
        game.decide(0, decision)
    if steps.firsts:
        words.turn()
    learner.learn(_episode(game, steps, insured, declined), words)
    if isinstance(shoe, KeptShoe):
        shoe.ended(game)
    return game


def _episode(game: Round, steps: Steps, insured: int, declined: int) -> Episode:
    """What a round teaches; the sum of all that is in it is seen to be what the round has paid."""
    dealer, hands = game.dealer, game.hands_of(0)
    assert dealer is not None
    (payoff,) = game.payoffs
    assert payoff is not None
    rules = game.rules
    has_natural = dealer.is_natural and rules.naturals is not Naturals.EQUAL
    takes_one = has_natural and rules.hole_card is HoleCard.OBO
    insurance = 0.0 if insured < 0 else 1.0 if has_natural else -0.5
    if game.outcomes[0] is Outcome.SURRENDER:
        payoffs = [-0.5]
    elif takes_one:
        payoffs = [0.0 if hand.is_natural else -1.0 for hand in hands]
    else:
        payoffs = [float(hand.payoff) for hand in hands if hand.payoff is not None]
    returned = 1.0 if takes_one else 0.0
    splits = len(payoffs) - 1
    assert sum(payoffs) + returned * splits + insurance == float(payoff)
    return Episode(steps, payoffs, returned, insured, insurance, declined, has_natural)


def true_count(rules: Rules, count: Count, out: list[Card], hidden: list[Card]) -> int:
    """The place of the true count after some cards, of which some were not seen; it divides by those left."""
    tags, unseen = (
        sum(count.tags[9 if card.is_ace else card.points - 2] for card in cards) for cards in (out, hidden)
    )
    now = (count.first + tags - unseen) * 52 // max(1, 52 * (rules.decks or 0) - len(out))
    return min(max(now, count.lowest), count.highest) - count.lowest
