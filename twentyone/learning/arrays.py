"""The arrays of compiled learning: the rules, the table, and the notes of a round."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cards import EveryRound, Rules
from cards.rules import MAX_HANDS
from twentyone.kernels.decisions import QUESTIONS, questions_of
from twentyone.kernels.rounds import MOST_TENTHS, OUTCOMES
from twentyone.kernels.tables import RuleTables, full_shoe, rule_tables
from twentyone.learning.episodes import MOST_AHEAD, MOST_STEPS, bits_of

SHARD_ROUNDS: Final = 1 << 20
"""Rounds of a shard of the random numbers. A shoe that is kept over rounds is made fresh with each shard."""

# Places in the state of a round that is learned from.
TAKEN: Final = 0  # how many steps
INSURED: Final = 1  # the index of the value of an insurance that was taken; otherwise -1
DECLINED: Final = 2  # the same of a surrender before the peek that was declined
ROUND_PLACES: Final = 3


class Game(NamedTuple):
    """The rules of one seat against a dealer, and the states of its table, as the kernels take them.

    Attributes:
        tables: the rules of a round.
        full: the ranks of a full shoe; none for an infinite deck.
        fewest: with fewer cards than this left before a round, the shoe is made fresh.
        is_fresh: whether it is made fresh before every round.
        cells: int64 (rows, 10): the index of the value of the first action of a state, by the row of the
            hand and the place of the upcard (see `twentyone.kernels.tables` and `.decisions`).
        layer: how many action values there are for each true count.
        allowed: int64 (questions,): what each question allows, see `twentyone.learning.episodes.Steps`.
    """

    tables: RuleTables
    full: NDArray[np.uint8]
    fewest: int
    is_fresh: bool
    cells: NDArray[np.int64]
    layer: int
    allowed: NDArray[np.int64]


class Learned(NamedTuple):
    """The learned values.

    Attributes:
        values: float64 (values,): the action values.
        others: float64 (values,): those of the other table in double Q-learning; the notes of the method
            `model` (`twentyone.learning.notes`); otherwise the same array.
        counts: int64 (values,): the visits.
        endings: int64 (5, 2 x `MOST_TENTHS` + 1): rounds by outcome and payoff, in tenths, from the lowest
            up.
    """

    values: NDArray[np.float64]
    others: NDArray[np.float64]
    counts: NDArray[np.int64]
    endings: NDArray[np.int64]


class StepArrays(NamedTuple):
    """`twentyone.learning.episodes.Steps` as arrays, each int64 (MOST_STEPS,)."""

    firsts: NDArray[np.int64]
    allowed: NDArray[np.int64]
    actions: NDArray[np.int64]
    places: NDArray[np.int64]


class RoomArrays(NamedTuple):
    """`twentyone.learning.episodes.Room` as arrays of float64."""

    ahead: NDArray[np.float64]
    waiting: NDArray[np.float64]


class Log(NamedTuple):
    """The notes of a round.

    Attributes:
        steps: its decisions.
        at: int64 (ROUND_PLACES,): see above.
        room: room for returns.
        payoffs: float64 (4,): what each hand was paid.
    """

    steps: StepArrays
    at: NDArray[np.int64]
    room: RoomArrays
    payoffs: NDArray[np.float64]


def game_for(rules: Rules, cells: NDArray[np.int64], layer: int) -> Game:
    """The rules as the kernels take them; `cells` and `layer` are as in `Game`."""
    allowed = np.zeros(QUESTIONS, np.int64)
    for question, options in questions_of(rules):
        allowed[question] = bits_of(options)
    is_fresh = rules.decks is None or rules.reshuffle == EveryRound()
    return Game(rule_tables(rules), full_shoe(rules), rules.fewest_cards, is_fresh, cells, layer, allowed)


def begin_with(
    values: NDArray[np.float64], counts: NDArray[np.int64], others: NDArray[np.float64] | None = None
) -> Learned:
    """Begin with these action values and visits; all are written.

    Args:
        values: float64 (values,): the action values.
        counts: int64 (values,): the visits.
        others: those of the other table, or notes; None where there are none.
    """
    endings = np.zeros((len(OUTCOMES), 2 * MOST_TENTHS + 1), np.int64)
    return Learned(values, values if others is None else others, counts, endings)


def new_log() -> Log:
    """Room for a round."""
    return Log(
        StepArrays(
            np.zeros(MOST_STEPS, np.int64),
            np.zeros(MOST_STEPS, np.int64),
            np.zeros(MOST_STEPS, np.int64),
            np.zeros(MOST_STEPS, np.int64),
        ),
        np.zeros(ROUND_PLACES, np.int64),
        RoomArrays(np.zeros(MOST_AHEAD), np.zeros(MOST_AHEAD * MAX_HANDS)),
        np.zeros(MAX_HANDS),
    )
