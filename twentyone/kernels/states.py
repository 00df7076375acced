"""The state of many tables between two steps, and the rules as those steps take them.

A hand is a number as in `twentyone.kernels.tables`. Hands that wait after a split have one card of the same
points each, so nothing has to be kept of them before their turn.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Decision, Hand, Rules
from cards.rules import MAX_HANDS
from twentyone.kernels.decisions import QUESTIONS, questions_of
from twentyone.kernels.shoe import FEWEST, PLACES, Shoe
from twentyone.kernels.tables import HANDS as HAND_NUMBERS
from twentyone.kernels.tables import RANKS, WIDTH, RuleTables, full_shoe, hands_of, rule_tables
from twentyone.policies.action_values import ACTIONS
from twentyone.policies.policy import upcard_value
from twentyone.support.compiling import inlined

NOTHING: Final = QUESTIONS
"""In place of the number of a question: there is none any more."""

# Places in the state of a round.
ASKED: Final = 0  # the number of the question, see `twentyone.kernels.decisions`; or NOTHING
TURN: Final = 1  # the hand that is asked about, or was last
PLACE: Final = 2  # the hand that is played; as many as there are hands if all are over
HANDS: Final = 3  # how many there are: all of two or more were made by splits
FIRST: Final = 4  # the points of the first card of each
HAS_SURRENDERED: Final = 5
IS_INSURED: Final = 6
UPCARD: Final = 7  # its rank
DEALER: Final = 8  # the number of the dealer's hand
DEALER_TOTAL: Final = 9
HAS_NATURAL: Final = 10  # whether the dealer has one that beats every other 21
IS_OVER: Final = 11
ROUND_PLACES: Final = 12

# Places in the state of the hands, each with an entry for each of them.
NUMBER: Final = 0
TOTAL: Final = 1  # also that of a hand that is bust
HELD: Final = 2  # how many cards: 1, 2, or 3 for more
IS_PAIR: Final = 3  # whether it is a pair that may be split, as far as aces go
STRENGTH: Final = 4  # once the hand is over, see `twentyone.kernels.rounds.Seats`
STAKE: Final = 5
HAND_PLACES: Final = 6


class SteppingRules(NamedTuple):
    """The rules of one seat against a dealer, as the kernel takes them.

    Attributes:
        game: the rules of a round.
        totals: uint8 (hands, 16): the total of the hand that a card of each rank makes of one, bust or not.
        upcards: int64 (13,): the value of each rank as the upcard.
        options: int8 (questions + 1, actions): 1 for each action that is an answer, otherwise 0. STAND always
            is: it declines what is asked before play, and goes on where nothing is asked.
        full: uint8 (cards,): the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards left before a round, the shoe is made fresh.
    """

    game: RuleTables
    totals: NDArray[np.uint8]
    upcards: NDArray[np.int64]
    options: NDArray[np.int8]
    full: NDArray[np.uint8]
    fewest: int


class Tables(NamedTuple):
    """The state of all tables: the entry (or row) i of each array is that of table i.

    Attributes:
        cards: uint8 (tables, cards): the ranks in the shoe; no columns for an infinite deck.
        at: int64 (tables, PLACES): the state of the shoe, see `twentyone.kernels.shoe`.
        words: uint64 (tables, 1): what its random numbers are drawn from: the state of the generator.
        rounds: uint8 (tables, ROUND_PLACES): the state of the round, see above.
        hands: uint8 (tables, HAND_PLACES, MAX_HANDS): that of the player's hands.
    """

    cards: NDArray[np.uint8]
    at: NDArray[np.int64]
    words: NDArray[np.uint64]
    rounds: NDArray[np.uint8]
    hands: NDArray[np.uint8]


def stepping_rules(rules: Rules) -> SteppingRules:
    """The rules of one seat against a dealer, as the kernel takes them."""
    return SteppingRules(
        game=rule_tables(rules),
        totals=_totals(rules),
        upcards=np.array([upcard_value(card) for card in RANKS], np.int64),
        options=_options(rules),
        full=full_shoe(rules),
        fewest=rules.fewest_cards,
    )


def _totals(rules: Rules) -> NDArray[np.uint8]:
    totals = np.zeros((HAND_NUMBERS, WIDTH), np.uint8)
    for number, hand in hands_of(rules).items():
        for rank, card in enumerate(RANKS):
            totals[number, rank] = Hand(rules.ace, [*hand.cards, card]).total
    return totals


def _options(rules: Rules) -> NDArray[np.int8]:
    allowed = np.zeros((QUESTIONS + 1, len(ACTIONS)), np.int8)
    allowed[:, ACTIONS.index(Decision.STAND)] = 1
    for question, options in questions_of(rules):
        for number, action in enumerate(ACTIONS):
            allowed[question, number] |= action in options
    return allowed


def empty_tables(count: int, rules: SteppingRules) -> Tables:
    """A number of tables that have dealt nothing."""
    rounds = np.zeros((count, ROUND_PLACES), np.uint8)
    rounds[:, IS_OVER] = True
    return Tables(
        cards=np.zeros((count, rules.full.size), np.uint8),
        at=np.zeros((count, PLACES), np.int64),
        words=np.zeros((count, 1), np.uint64),
        rounds=rounds,
        hands=np.zeros((count, HAND_PLACES, MAX_HANDS), np.uint8),
    )


def start_shoes(
    rules: SteppingRules, tables: Tables, places: NDArray[np.int64], keys: NDArray[np.uint64]
) -> None:
    """Give some tables a fresh shoe, with random numbers by new keys.

    Args:
        rules: the rules.
        tables: all tables.
        places: int64 (n,): the indices of those tables.
        keys: uint64 (n,): their keys.
    """
    tables.words[places, 0] = keys
    tables.cards[places] = rules.full
    tables.at[places] = 0
    tables.at[places, FEWEST] = max(rules.fewest, 1)


@inlined
def shoe_of(tables: Tables, i: int) -> Shoe:
    """The shoe of a table."""
    return Shoe(tables.cards[i], tables.at[i], tables.words[i])
