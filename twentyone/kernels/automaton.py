"""A round for one seat against the dealer as a finite automaton, up to its end or to a split.

A state and the rank of a card give the next state. Every question is answered while the states are found, so
a round is a series of lookups in one table. After a split too much would have to be remembered: such a round
leaves the automaton, and is finished hand by hand. The rules are those of `twentyone.kernels.rounds`, whose
functions are called here as they are written.

The next card of a shuffled shoe has the same distribution whether or not a card was dealt face down before
it. So the hole card is dealt here when the dealer plays, unless the dealer peeks at it. Then no state has to
remember it, and a third to a sixth as many states are left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import EveryRound, Rules
from cards.asking import MAY_SPLIT
from twentyone.kernels import rounds
from twentyone.kernels.decisions import (
    DOUBLE,
    EARLY_SURRENDER,
    HIT,
    INSURANCE,
    INSURE,
    QUESTIONS,
    SPLIT,
    STAND,
    SURRENDER,
    UPCARDS,
)
from twentyone.kernels.rounds import TEN
from twentyone.kernels.tables import (
    BUST_HAND,
    EMPTY,
    FIRST_PAIR,
    NATURAL,
    RANKS,
    ROWS,
    WIDTH,
    RuleTables,
    rule_tables,
)

# An end of the automaton, as columns of an array.
OUTCOME: Final = 0  # the outcome; -1 for a split
PAYOFF: Final = 1  # the payoff, in tenths
PAIR: Final = 2  # of a split: the points of the pair
UPCARD: Final = 3  # the place of the upcard
DEALER: Final = 4  # of a split: the dealer's hand, without a hole card at which the dealer has not peeked
INSURED: Final = 5  # whether the seat is insured
COLUMNS: Final = 6

IS_SPLIT: Final = -1

BELOW_ANY_DEALER: Final = 16
"""A hand of 16 is worth as much as a weaker one, since a dealer that is not bust has 17 or more."""

State = tuple[Any, ...]
"""A phase and what is known in it; see `_Builder.following`. An end is the row of `Automaton.ends`."""

START: Final[State] = ("first card",)

# A function that is compiled can also be called as it is written.
_question_of: Final[Any] = rounds.question_of.py_func  # type: ignore[attr-defined]
_is_playing: Final[Any] = rounds.is_playing.py_func  # type: ignore[attr-defined]
_peeks_at: Final[Any] = rounds.peeks_at.py_func  # type: ignore[attr-defined]
_offers_surrender: Final[Any] = rounds.offers_surrender.py_func  # type: ignore[attr-defined]
_draws_against: Final[Any] = rounds.draws_against.py_func  # type: ignore[attr-defined]
_settle: Final[Any] = rounds.settle.py_func  # type: ignore[attr-defined]


class Automaton(NamedTuple):
    """The table of a round.

    Attributes:
        after: uint16 (states x 16,): the state that follows each state, by the rank of the card. The ends
            come first, and in any of them the next round begins; then a state that leads only to itself, and
            then the one in which the first round begins.
        ends: int64 (ends, 6): each end, see above; splits come first.
    """

    after: NDArray[np.uint16]
    ends: NDArray[np.int64]


@lru_cache(maxsize=16)
def automaton_of(rules: Rules, decisions: bytes) -> Automaton:
    """The automaton of a round, kept for the shards of a run.

    Args:
        rules: the rules.
        decisions: the bytes of the policy's decisions.
    """
    decide = np.frombuffer(decisions, np.int32).reshape(QUESTIONS, ROWS, UPCARDS)
    return round_automaton(rule_tables(rules), decide, is_kept=rules.reshuffle != EveryRound())


def round_automaton(tables: RuleTables, decide: NDArray[np.int32], *, is_kept: bool) -> Automaton:
    """The automaton of a round.

    Args:
        tables: the rules.
        decide: int32 (questions, rows, upcards): the policy, which leaves nothing to chance.
        is_kept: whether the shoe is kept for the next round: the hole card is dealt then even if it decides
            nothing.
    """
    return _Builder(tables, decide, is_kept).build()


class Facts(NamedTuple):
    """Facts that stay the same while a seat plays.

    Attributes:
        upcard: the place of the upcard.
        dealer: the dealer's hand: the upcard, and the hole card if the dealer has peeked at it.
        insured: whether the seat is insured.
    """

    upcard: int
    dealer: int
    insured: bool


@dataclass
class _Builder:
    """Finds the states by following each one, and numbers them in the order in which they are found."""

    tables: RuleTables
    decide: NDArray[np.int32]
    is_kept: bool

    def __post_init__(self) -> None:
        # Lookups in lists take a fraction of those in arrays.
        self.after: list[list[int]] = self.tables.after.tolist()
        self.strength: list[int] = self.tables.strength.tolist()
        self.points: list[int] = self.tables.points.tolist()
        self.row: list[int] = self.tables.row.tolist()
        self.draws: list[bool] = self.tables.draws.tolist()
        self.answers: list[list[list[int]]] = self.decide.tolist()

    def build(self) -> Automaton:
        rows: dict[State, list[State]] = {}
        pending = [START]
        known, found = {START}, []
        while pending:
            state = pending.pop(0)
            rows[state] = following = list(self.following(state))
            for each in following:
                if each not in known:
                    known.add(each)
                    if each[0] == "end":
                        found.append(each)
                    else:
                        pending.append(each)
        ends = sorted(found, key=lambda end: end[1] != IS_SPLIT)
        over = len(ends)
        numbers = {end: index for index, end in enumerate(ends)}
        numbers |= {state: over + 1 + index for index, state in enumerate(rows)}
        after = np.full((len(numbers) + 1, WIDTH), over, np.uint16)
        for state, following in rows.items():
            after[numbers[state], : len(RANKS)] = [numbers[each] for each in following]
        after[:over] = after[numbers[START]]
        return Automaton(after.ravel(), np.array([end[1:] for end in ends], np.int64))

    def following(self, state: State) -> Iterator[State]:
        """The next state for a card of each rank."""
        phase, *known = state
        for rank in range(len(RANKS)):
            card = min(rank, TEN)
            match phase, known:
                case "first card", []:
                    yield "second card", self.after[EMPTY][card], self.points[card]
                case "second card", [hand, points]:
                    yield "upcard", self.after[hand][card], points if points == self.points[card] else 0
                case "upcard", [hand, pair]:
                    yield self.upcard(hand, pair, card)
                case "peek", [hand, pair, upcard]:
                    yield self.before_play(hand, pair, upcard, self.after[self.after[EMPTY][upcard]][card])
                case "hit", [hand, facts]:
                    yield self.play(self.after[hand][card], 0, 1, False, facts)
                case "double", [hand, facts]:
                    yield self.over(self.strength[self.after[hand][card]], 2, 1, facts)
                case "hole card", [dealer, *mine]:
                    yield self.against(self.after[dealer][card], *mine)
                case _, [dealer, mine, stake, insured]:
                    yield self.dealer(self.after[dealer][card], mine, stake, insured)

    def upcard(self, hand: int, pair: int, upcard: int) -> State:
        """The state after the upcard: the hole card comes next if the dealer peeks at it."""
        if _peeks_at(self.tables, upcard):
            return "peek", hand, pair, upcard
        return self.before_play(hand, pair, upcard, self.after[EMPTY][upcard])

    def before_play(self, hand: int, pair: int, upcard: int, dealer: int) -> State:
        """The state after the deal, the questions before play, and the first decision."""
        tables, insured = self.tables, False
        row = self.row[hand]
        if tables.insures and upcard == 0 and hand != BUST_HAND:
            insured = self.answers[INSURANCE][row][upcard] == INSURE
        is_peek_due = _peeks_at(tables, upcard)
        is_playing = _is_playing(tables, hand)
        if is_peek_due and tables.is_early and is_playing:
            row = FIRST_PAIR + pair - 1 if pair and tables.most_hands > 1 else row
            if self.answers[EARLY_SURRENDER][row][upcard] == SURRENDER:
                return self.over(0, 1, 0, Facts(upcard, dealer, insured))
        facts = Facts(upcard, dealer, insured)
        if not is_playing or (is_peek_due and self.natural_or(dealer) == NATURAL):
            return self.over(self.natural_or(hand), 1, 1, facts)
        return self.play(hand, pair, 0, _offers_surrender(tables, upcard), facts)

    def play(self, hand: int, pair: int, more: int, surrenders: bool, facts: Facts) -> State:
        """The state after the next decision about a hand."""
        if hand == BUST_HAND:
            return self.over(0, 1, 1, facts)
        question = _question_of(self.tables, hand, pair > 0, more, 1, 0, surrenders)
        row = FIRST_PAIR + pair - 1 if question & MAY_SPLIT else self.row[hand]
        decision = self.answers[question][row][facts.upcard]
        if decision == STAND:
            return self.over(self.strength[hand] if more else self.natural_or(hand), 1, 1, facts)
        if decision == SURRENDER:
            return self.over(0, 1, 0, facts)
        if decision == SPLIT:
            return "end", IS_SPLIT, 0, pair, *facts
        if decision == DOUBLE:
            return "double", hand, facts
        assert decision == HIT, "a policy that leaves nothing to chance"
        return "hit", hand, facts

    def over(self, mine: int, stake: int, hands: int, facts: Facts) -> State:
        """The state after a hand is over, by its strength, which is 0 if it was given up."""
        if _draws_against(self.tables, mine):
            mine = max(mine, BELOW_ANY_DEALER)
        if _peeks_at(self.tables, facts.upcard):
            return self.against(facts.dealer, mine, stake, hands, facts.insured)
        takes_part = self.tables.takes_one and stake > 1  # of the stake of a hand that is bust
        if mine or takes_part or facts.insured or self.is_kept:
            return "hole card", facts.dealer, mine, stake, hands, facts.insured
        return self.end(mine, stake, hands, 0, facts.insured)

    def against(self, dealer: int, mine: int, stake: int, hands: int, insured: bool) -> State:
        """The state after a hand is over, if the dealer's two cards are known."""
        if self.natural_or(dealer) == NATURAL or not _draws_against(self.tables, mine):
            return self.end(mine, stake, hands, self.natural_or(dealer), insured)
        return self.dealer(dealer, mine, stake, insured)

    def dealer(self, dealer: int, mine: int, stake: int, insured: bool) -> State:
        """The state in which the dealer plays against a strength, or the end if it stands."""
        if self.draws[dealer]:
            return "dealer", dealer, mine, stake, insured
        return self.end(mine, stake, 1, self.strength[dealer], insured)

    def end(self, mine: int, stake: int, hands: int, theirs: int, insured: bool) -> State:
        """The end of a round for one hand, or for none where it was given up."""
        outcome, payoff = _settle(self.tables, [mine], [stake], hands, insured, theirs)
        return "end", outcome, payoff, 0, 0, 0, False

    def natural_or(self, hand: int) -> int:
        """The strength of a hand of two cards that no split has made."""
        strength = self.strength[hand]
        return NATURAL if self.tables.beats and strength == NATURAL - 1 else strength
