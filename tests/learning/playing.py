"""Rounds that are learned from by the pure rules, with the cards and random numbers of the compiled loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from cards import CARDS, Card, Decision, HoleCard, Naturals, Outcome, Round, Rules
from cards.shoe import Shoe
from kernels.shoe import CHOICES, SHARD
from kernels.shoe import SHOE as STREAM
from kernels.streams import key_of
from kernels.whole.counting import Count
from learning import textbook, whole
from learning.cells import first_of, size_of
from learning.episodes import (
    INSURE,
    SURRENDER,
    Counts,
    Episode,
    Steps,
    Values,
    add_step,
    bits_of,
    new_room,
    new_steps,
)
from learning.kernel import SHARD_ROUNDS
from learning.textbook import PICKS, Kind, Knobs
from policies.action_values import ACTIONS
from policies.policy import Observation, observation
from tests.kernels.whole.kernel_shoe import KernelShoe

MASK: Final = (1 << 64) - 1
FIRST_CHOICE: Final = 512
"""The word of a stream that the first choice is made with."""


def bits(key: int, word: int, shard: int, stream: int) -> int:
    """The 64 random bits of a word of a stream, as `kernels.streams` says how they are made."""
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

    def deal(self) -> Card:
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

    def choice(self) -> int:
        """The random word of the next choice, which the compiled loop takes from the stream of the shoe."""
        at = self.shoe.at
        at[CHOICES] += 1
        word = FIRST_CHOICE + int(at[CHOICES]) - 1
        return bits(int(self.shoe.words[4]), word, int(at[SHARD]), int(at[STREAM]))


@dataclass
class PureLearner:
    """Learns by the pure rules, on lists.

    Attributes:
        knobs: the settings of a method of the textbooks; None for the project's own.
        values: the action values.
        others: those of the other table in double Q-learning; else the same list.
        counts: the visits.
        games: the rounds that it has learned from.
    """

    knobs: Knobs | None
    values: Values
    others: Values
    counts: Counts
    games: list[Round] = field(default_factory=list)

    def choose(self, first: int, allowed: int, is_start: bool, word: int) -> int:
        """The action to learn from."""
        chance, pick = divided(word)
        if self.knobs is None:
            return whole.choose(self.values, self.counts, first, allowed, pick)
        return textbook.choose(
            self.values, self.others, self.counts, self.knobs, first, allowed, is_start, chance, pick
        )

    def insures(self, index: int, word: int) -> bool:
        """Whether to insure."""
        if self.knobs is None:
            return whole.chooses_to_insure(self.values, self.counts, index)
        return textbook.chooses_to_insure(self.values, self.counts, self.knobs, index, *divided(word))

    def surrenders(self, first: int, word: int) -> bool:
        """Whether to surrender before the peek."""
        if self.knobs is None:
            return whole.chooses_to_surrender(self.values, self.counts, first)
        return textbook.chooses_to_surrender(self.values, self.counts, self.knobs, first, *divided(word))

    def learn_before_play(self, episode: Episode) -> None:
        """Learn from what was asked before play."""
        values, counts, knobs = self.values, self.counts, self.knobs
        if episode.insured >= 0 and knobs is None:
            whole.learn_insurance(values, counts, episode.insured, episode.insurance)
        elif episode.insured >= 0 and knobs is not None:
            textbook.learn_insurance(values, counts, knobs, episode.insured, episode.insurance)
            self.others[episode.insured] = values[episode.insured]
        if episode.declined >= 0 and knobs is None:
            whole.learn_surrender(values, counts, episode.declined, episode.ended_at_peek)
        elif episode.declined >= 0 and knobs is not None:
            textbook.learn_surrender(values, counts, knobs, episode.declined, episode.ended_at_peek)
            self.others[episode.declined + SURRENDER] = values[episode.declined + SURRENDER]

    def learn(self, episode: Episode, word: int) -> None:
        """Learn from the decisions about the hands; in double Q-learning the word's last bit is the coin."""
        steps, payoffs, counts = episode.steps, episode.payoffs, self.counts
        taken, hands, room = len(steps.firsts), len(payoffs), new_room()
        if self.knobs is None:
            whole.learn(self.values, counts, steps, taken, payoffs, hands, episode.returned, room)
            return
        values, others = (self.others, self.values) if word & 1 else (self.values, self.others)
        textbook.learn(
            values, others, counts, self.knobs, steps, taken, payoffs, hands, episode.returned, room
        )


def divided(word: int) -> tuple[float, int]:
    """A random word as the chance to explore, and as what picks an action."""
    return (word >> 40) * 2.0**-24, word % PICKS


def pure_learner(rules: Rules, knobs: Knobs | None, layers: int = 1) -> PureLearner:
    """Nothing learned yet."""
    size = size_of(rules) * layers
    values: Values = [0.0 if knobs is None else knobs.initial] * size
    is_double = knobs is not None and knobs.kind == Kind.CROSSED
    return PureLearner(knobs, values, values[:] if is_double else values, [0] * size)


Layer = Callable[[], int]
"""Which layer of the table holds now."""


def play(rules: Rules, shoe: Shoe, learner: PureLearner, choice: Callable[[], int], layer: Layer) -> None:
    """Play a round by `cards` and learn from it; its records are seen to agree with what is learned from."""
    game = Round(rules, shoe)
    game.deal()
    steps, insured, declined = new_steps(), -1, -1
    while game.turn == 0:
        seen = observation(game, 0)
        first = first_of(seen, is_whole=rules.is_whole) + size_of(rules) * layer()
        decision, word = Decision.DECLINE, choice()
        if Decision.INSURE in seen.options:
            if learner.insures(first + INSURE, word):
                decision, insured = Decision.INSURE, first + INSURE
        elif Decision.DECLINE in seen.options:
            if learner.surrenders(first, word):
                decision = Decision.SURRENDER
            else:
                declined = first
        else:
            decision = _step(learner, steps, first, seen, game.turn_hand, word)
        game.decide(0, decision)
    episode = _episode(game, steps, insured, declined)
    learner.learn_before_play(episode)
    if steps.firsts:
        learner.learn(episode, choice())
    learner.games.append(game)


def _step(
    learner: PureLearner, steps: Steps, first: int, seen: Observation, place: int, word: int
) -> Decision:
    allowed = bits_of(seen.options)
    action = learner.choose(first, allowed, not steps.firsts, word)
    assert ACTIONS[action] in seen.options
    add_step(steps, first, allowed, action, place)
    return ACTIONS[action]


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


def true_count(rules: Rules, count: Count, seen: list[Card]) -> int:
    """The place of the true count after some cards, of a count that divides by the cards not seen."""
    running = count.first + sum(count.tags[9 if card.is_ace else card.points - 2] for card in seen)
    now = running * 52 // max(1, 52 * (rules.decks or 0) - len(seen))
    return min(max(now, count.lowest), count.highest) - count.lowest
