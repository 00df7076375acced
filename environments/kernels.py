"""The compiled kernel of many environments: each plays its own rounds from its own shoe, a card at a time.

It deals in the order of `cards.round` and shuffles as `cards.shoe` does, with the numbers of
`environments.chance`: so environment i deals what an environment alone deals under the same key. The rules
are the tables of `kernels.hand_tables`, which are made by asking `cards`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import Ace, Outcome, Rules
from environments.chance import HALF, U64
from kernels import splitmix
from kernels.hand_tables import RANKS, all_hands, full_shoe, hand_tables
from policies.policy import upcard_value
from support.compiling import compiled, part

number = part(splitmix.number)

OUTCOMES: Final = tuple(Outcome)
"""The outcomes in the order of their numbers."""

WIN: Final = OUTCOMES.index(Outcome.WIN)
LOSE: Final = OUTCOMES.index(Outcome.LOSE)
PUSH: Final = OUTCOMES.index(Outcome.PUSH)
BUST: Final = OUTCOMES.index(Outcome.BUST)
OPEN: Final = -1
"""The outcome of a round that is not over."""

TOTAL: Final = 0
UPCARD: Final = 1
SOFT: Final = 2
"""The rows of the observations."""


class Game(NamedTuple):
    """The rules as lookup tables; a hand is a number, 0 without cards.

    Attributes:
        after: uint8 (hands, 16): the hand that a card of each rank makes of it.
        strength: uint8 (hands,): 0 for a bust hand, else what decides between two hands.
        draws: bool (hands,): whether the dealer takes another card.
        totals: int64 (hands,): what it comes to; of a bust hand anything over 21, since they are all one.
        soft: int64 (hands,): 1 if it is soft, else 0.
        points: int64 (13,): what a card of each rank adds to a hand that it makes bust.
        upcards: int64 (13,): the value of each rank as the upcard.
        full: uint8 (cards,): the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards left before a round, the shoe is made fresh.
    """

    after: NDArray[np.uint8]
    strength: NDArray[np.uint8]
    draws: NDArray[np.bool_]
    totals: NDArray[np.int64]
    soft: NDArray[np.int64]
    points: NDArray[np.int64]
    upcards: NDArray[np.int64]
    full: NDArray[np.uint8]
    fewest: int


class Tables(NamedTuple):
    """Where every environment stands: the entry (or row) i of each array is that of environment i.

    Attributes:
        keys: uint64: the keys of their random numbers.
        drawn: uint64: how many numbers have been drawn.
        cards: uint8 (environments, cards): the ranks in the shoe; no columns for an infinite deck.
        dealt: int64: cards dealt since the shoe was fresh.
        start: int64: how many of them before this round.
        hands: uint8: the player's hand.
        player: int64: what it comes to.
        dealers: uint8: the dealer's hand.
        dealer: int64: what it comes to.
        upcards: uint8: the rank of the upcard.
        is_over: bool: whether the round is over, so that the next step deals one.
    """

    keys: NDArray[np.uint64]
    drawn: NDArray[np.uint64]
    cards: NDArray[np.uint8]
    dealt: NDArray[np.int64]
    start: NDArray[np.int64]
    hands: NDArray[np.uint8]
    player: NDArray[np.int64]
    dealers: NDArray[np.uint8]
    dealer: NDArray[np.int64]
    upcards: NDArray[np.uint8]
    is_over: NDArray[np.bool_]


def game_of(rules: Rules) -> Game:
    """The tables of rules with a dealer."""
    hands, tables = all_hands(rules), hand_tables(rules)
    ace = 11 if rules.ace is Ace.ELEVEN else 1  # a soft hand is never bust by one card
    return Game(
        after=tables.after,
        strength=tables.strength,
        draws=tables.draws,
        totals=np.array([hand.total for hand in hands], np.int64),
        soft=np.array([hand.is_soft for hand in hands], np.int64),
        points=np.array([ace if card.is_ace else card.points for card in RANKS], np.int64),
        upcards=np.array([upcard_value(card) for card in RANKS], np.int64),
        full=full_shoe(rules),
        fewest=rules.fewest_cards,
    )


def empty_tables(count: int, cards: int) -> Tables:
    """So many environments that have dealt nothing, with so many cards in each shoe."""
    return Tables(
        keys=np.zeros(count, np.uint64),
        drawn=np.zeros(count, np.uint64),
        cards=np.zeros((count, cards), np.uint8),
        dealt=np.zeros(count, np.int64),
        start=np.zeros(count, np.int64),
        hands=np.zeros(count, np.uint8),
        player=np.zeros(count, np.int64),
        dealers=np.zeros(count, np.uint8),
        dealer=np.zeros(count, np.int64),
        upcards=np.zeros(count, np.uint8),
        is_over=np.ones(count, np.bool_),
    )


@part
def draw_below(tables: Tables, i: int, n: int) -> np.uint64:
    """A number from 0 to n - 1."""
    bits = number(tables.keys[i], tables.drawn[i])
    tables.drawn[i] += U64(1)
    drawn: np.uint64 = ((bits >> HALF) * U64(n)) >> HALF
    return drawn


@part
def deal(tables: Tables, i: int) -> np.uint8:
    """The rank of the next card."""
    size = tables.cards.shape[1]
    if size == 0:
        return np.uint8(draw_below(tables, i, 52) % U64(13))
    if tables.dealt[i] == size:
        refill(tables, i)
    at = tables.dealt[i]
    picked = at + np.int64(draw_below(tables, i, size - at))
    card: np.uint8 = tables.cards[i, picked]
    tables.cards[i, picked] = tables.cards[i, at]
    tables.cards[i, at] = card
    tables.dealt[i] = at + 1
    return card


@part
def refill(tables: Tables, i: int) -> None:
    """Leave this round's cards on the table, at the dealt end, and take all others back.

    One round cannot use up a deck: its two hands end at 32 points or less.
    """
    start, size = tables.start[i], tables.cards.shape[1]
    # Turning both parts round, and then the whole, puts the second before the first.
    turn_round(tables, i, 0, start)
    turn_round(tables, i, start, size)
    turn_round(tables, i, 0, size)
    tables.dealt[i] = size - start
    tables.start[i] = 0


@part
def turn_round(tables: Tables, i: int, start: int, end: int) -> None:
    """Reverse the order of a part of the cards."""
    low, high = start, end - 1
    while low < high:
        card = tables.cards[i, low]
        tables.cards[i, low] = tables.cards[i, high]
        tables.cards[i, high] = card
        low += 1
        high -= 1


@part
def total_after(game: Game, hand: np.uint8, total: np.int64, rank: np.uint8) -> np.int64:
    """What a hand comes to with one more card; the tables do not tell bust hands apart."""
    longer = game.after[hand, rank]
    after: np.int64 = total + game.points[rank] if game.strength[longer] == 0 else game.totals[longer]
    return after


@part
def hit(game: Game, tables: Tables, i: int) -> None:
    """Deal the player a card."""
    rank = deal(tables, i)
    hand = tables.hands[i]
    tables.player[i] = total_after(game, hand, tables.player[i], rank)
    tables.hands[i] = game.after[hand, rank]


@part
def dealer_draws(game: Game, tables: Tables, i: int) -> np.uint8:
    """Deal the dealer a card; its rank."""
    rank = deal(tables, i)
    hand = tables.dealers[i]
    tables.dealer[i] = total_after(game, hand, tables.dealer[i], rank)
    tables.dealers[i] = game.after[hand, rank]
    return rank


@part
def begin(game: Game, tables: Tables, i: int) -> None:
    """Deal a round."""
    if tables.cards.shape[1] - tables.dealt[i] < game.fewest:
        tables.dealt[i] = 0
    tables.start[i] = tables.dealt[i]
    tables.hands[i], tables.player[i] = 0, 0
    tables.dealers[i], tables.dealer[i] = 0, 0
    hit(game, tables, i)
    hit(game, tables, i)
    tables.upcards[i] = dealer_draws(game, tables, i)
    dealer_draws(game, tables, i)
    tables.is_over[i] = False


@part
def settle(game: Game, tables: Tables, i: int) -> int:
    """Play the dealer's hand against one that stands; the number of the outcome."""
    while game.draws[tables.dealers[i]]:
        dealer_draws(game, tables, i)
    mine, theirs = game.strength[tables.hands[i]], game.strength[tables.dealers[i]]
    return WIN if mine > theirs else PUSH if mine == theirs else LOSE


@part
def look(game: Game, tables: Tables, i: int, observations: NDArray[np.int64]) -> None:
    """Write what the player sees."""
    observations[TOTAL, i] = tables.player[i]
    observations[UPCARD, i] = game.upcards[tables.upcards[i]]
    observations[SOFT, i] = game.soft[tables.hands[i]]


@compiled
def begin_where(
    game: Game, tables: Tables, is_meant: NDArray[np.bool_], observations: NDArray[np.int64]
) -> None:
    """Deal a round in the environments that are meant, and look at all of them.

    Args:
        game: the rules.
        tables: the environments.
        is_meant: bool (environments,).
        observations: int64 (3, environments): is written.
    """
    for i in range(tables.keys.size):
        if is_meant[i]:
            begin(game, tables, i)
        look(game, tables, i, observations)


@compiled
def step_all(
    game: Game,
    tables: Tables,
    actions: NDArray[np.int64],
    observations: NDArray[np.int64],
    rewards: NDArray[np.float64],
    outcomes: NDArray[np.int64],
) -> None:
    """Take a step in every environment; where the round is over that deals the next, whatever the action.

    Args:
        game: the rules.
        tables: the environments.
        actions: int64 (environments,): 0 to hit, 1 to stand.
        observations: int64 (3, environments): is written.
        rewards: float64 (environments,): is written: the payoff if the round is over now, else 0.
        outcomes: int64 (environments,): is written: the number of the outcome if it is over now, else OPEN.
    """
    for i in range(tables.keys.size):
        rewards[i] = 0.0
        outcomes[i] = OPEN
        if tables.is_over[i]:
            begin(game, tables, i)
            look(game, tables, i, observations)
            continue
        outcome = OPEN
        if game.strength[tables.hands[i]] == 0:  # bust as dealt
            outcome = BUST
        elif actions[i] == 0:
            hit(game, tables, i)
            if game.strength[tables.hands[i]] == 0:
                outcome = BUST
        else:
            outcome = settle(game, tables, i)
        if outcome != OPEN:
            outcomes[i] = outcome
            rewards[i] = 1.0 if outcome == WIN else 0.0 if outcome == PUSH else -1.0
            tables.is_over[i] = True
        look(game, tables, i, observations)
