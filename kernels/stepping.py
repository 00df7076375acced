"""Many rounds side by side, each from its own shoe, a decision at a time: the kernel of environments.

Table i deals what a single environment deals under the same key: `cards.Round` from `cards.shoe_for`, with
the numbers of `environments.chance`.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from kernels.draws import deal_counted
from kernels.hand_tables import RANKS, HandTables, all_hands, full_shoe, hand_tables
from kernels.rounds import BUST, compile_deal_two, compile_play_dealer, outcome_of, payoff_of
from kernels.shoe import FEWEST, PLACES, Shoe, begin_round
from policies.policy import upcard_value
from support.compiling import compiled, inlined, part

OPEN: Final = -1
"""The outcome of a round that is not over."""

PLAYER: Final = 0
DEALER: Final = 1
"""The columns of the hands."""

TOTAL: Final = 0
UPCARD: Final = 1
SOFT: Final = 2
ROWS: Final = 3
"""The rows of the observations, and how many there are."""

deal_two = compile_deal_two(deal_counted)
play_dealer = compile_play_dealer(deal_counted)


class SteppingRules(NamedTuple):
    """The rules of one seat against a dealer, as the kernel takes them.

    Attributes:
        tables: the hands, with a bust hand for each total.
        totals: int64 (hands,): the total of each.
        soft: int64 (hands,): 1 if it is soft, else 0.
        upcards: int64 (13,): the value of each rank as the upcard.
        full: uint8 (cards,): the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards left before a round, the shoe is made fresh.
    """

    tables: HandTables
    totals: NDArray[np.int64]
    soft: NDArray[np.int64]
    upcards: NDArray[np.int64]
    full: NDArray[np.uint8]
    fewest: int


class Tables(NamedTuple):
    """The state of all tables: the entry (or row) i of each array is that of table i.

    Attributes:
        cards: uint8 (tables, cards): the ranks in the shoe; no columns for an infinite deck.
        at: int64 (tables, PLACES): the state of the shoe, see `kernels.shoe`.
        words: uint64 (tables, 1): what its random numbers are drawn from: the state of the generator.
        hands: uint8 (tables, 2): the player's hand and the dealer's.
        upcards: uint8 (tables,): the rank of the upcard.
        is_over: bool (tables,): whether the round is over, so that the next step deals one.
    """

    cards: NDArray[np.uint8]
    at: NDArray[np.int64]
    words: NDArray[np.uint64]
    hands: NDArray[np.uint8]
    upcards: NDArray[np.uint8]
    is_over: NDArray[np.bool_]


class Shoes(Protocol):
    """What there is of the shoes of all tables, here and in the whole game: see `Tables`."""

    @property
    def cards(self) -> NDArray[np.uint8]:
        """The ranks in them."""

    @property
    def at(self) -> NDArray[np.int64]:
        """Their states."""

    @property
    def words(self) -> NDArray[np.uint64]:
        """What their random numbers are drawn from."""


class ShoeRules(Protocol):
    """What the rules say of them: see `SteppingRules`."""

    @property
    def full(self) -> NDArray[np.uint8]:
        """The ranks of a full shoe."""

    @property
    def fewest(self) -> int:
        """With fewer cards left before a round, a shoe is made fresh."""


def stepping_rules(rules: Rules) -> SteppingRules:
    """The rules of one seat against a dealer, as the kernel takes them."""
    hands = all_hands(rules, by_bust_total=True)
    return SteppingRules(
        tables=hand_tables(rules, by_bust_total=True),
        totals=np.array([hand.total for hand in hands], np.int64),
        soft=np.array([hand.is_soft for hand in hands], np.int64),
        upcards=np.array([upcard_value(card) for card in RANKS], np.int64),
        full=full_shoe(rules),
        fewest=rules.fewest_cards,
    )


def empty_tables(count: int, rules: SteppingRules) -> Tables:
    """A number of tables that have dealt nothing."""
    return Tables(
        cards=np.zeros((count, rules.full.size), np.uint8),
        at=np.zeros((count, PLACES), np.int64),
        words=np.zeros((count, 1), np.uint64),
        hands=np.zeros((count, 2), np.uint8),
        upcards=np.zeros(count, np.uint8),
        is_over=np.ones(count, np.bool_),
    )


def start_shoes(rules: ShoeRules, tables: Shoes, places: NDArray[np.int64], keys: NDArray[np.uint64]) -> None:
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
def shoe_of(tables: Shoes, i: int) -> Shoe:
    """The shoe of a table."""
    return Shoe(tables.cards[i], tables.at[i], tables.words[i])


@part
def begin(rules: SteppingRules, tables: Tables, i: int) -> None:
    """Deal a round."""
    shoe, hands = shoe_of(tables, i), tables.hands[i]
    begin_round(shoe)
    hands[PLAYER], _ = deal_two(rules.tables.after, shoe)
    hands[DEALER], tables.upcards[i] = deal_two(rules.tables.after, shoe)
    tables.is_over[i] = False


@part
def act(rules: SteppingRules, tables: Tables, i: int, action: int) -> int:
    """Hit (0) or stand (1) in a round that is open; return the number of its outcome, or OPEN."""
    shoe, hands, strengths = shoe_of(tables, i), tables.hands[i], rules.tables.strength
    if strengths[hands[PLAYER]] == 0:  # bust as dealt: there is nothing to decide
        return BUST
    if action == 0:
        hands[PLAYER] = rules.tables.after[hands[PLAYER], deal_counted(shoe)]
        return BUST if strengths[hands[PLAYER]] == 0 else OPEN
    hands[DEALER] = play_dealer(rules.tables, shoe, hands[DEALER])
    return outcome_of(strengths[hands[PLAYER]], strengths[hands[DEALER]])


@part
def observe(rules: SteppingRules, tables: Tables, i: int, observations: NDArray[np.int64]) -> None:
    """Write what the player sees at a table."""
    hand = tables.hands[i, PLAYER]
    observations[TOTAL, i] = rules.totals[hand]
    observations[UPCARD, i] = rules.upcards[tables.upcards[i]]
    observations[SOFT, i] = rules.soft[hand]


@compiled
def begin_where(
    rules: SteppingRules, tables: Tables, is_chosen: NDArray[np.bool_], observations: NDArray[np.int64]
) -> None:
    """Deal a round at the chosen tables, and write what the players see at all of them.

    Args:
        rules: the rules.
        tables: the tables. Is written.
        is_chosen: bool (tables,).
        observations: int64 (3, tables): is written.
    """
    for i in range(tables.is_over.size):
        if is_chosen[i]:
            begin(rules, tables, i)
        observe(rules, tables, i, observations)


@compiled
def step_all(
    rules: SteppingRules,
    tables: Tables,
    actions: NDArray[np.int64],
    observations: NDArray[np.int64],
    rewards: NDArray[np.float64],
    outcomes: NDArray[np.int64],
    dealers: NDArray[np.int64],
) -> None:
    """Take a step at every table; where the round is over, it deals the next one and ignores the action.

    Args:
        rules: the rules.
        tables: the tables. Is written.
        actions: int64 (tables,): 0 to hit, 1 to stand.
        observations: int64 (3, tables): is written.
        rewards: float64 (tables,): is written: the payoff if the round is over now, else 0.
        outcomes: int64 (tables,): is written: the number of the outcome if it is over now, else OPEN.
        dealers: int64 (tables,): is written: the total of the dealer's hand if the round is over now, else 0.
    """
    for i in range(tables.is_over.size):
        rewards[i] = 0.0
        outcomes[i] = OPEN
        dealers[i] = 0
        if tables.is_over[i]:
            begin(rules, tables, i)
        else:
            outcome = act(rules, tables, i, actions[i])
            if outcome != OPEN:
                outcomes[i] = outcome
                rewards[i] = payoff_of(outcome)
                dealers[i] = rules.totals[tables.hands[i, DEALER]]
                tables.is_over[i] = True
        observe(rules, tables, i, observations)
