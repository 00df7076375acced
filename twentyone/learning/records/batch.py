"""Learning from transitions alone: no card is dealt, and nothing is tried.

The method is certainty equivalence: the transitions of each cell are taken for the game itself, and that
game is solved (model-based batch learning: Lange, Gabel and Riedmiller, "Batch Reinforcement Learning", 2012,
section 2.2; Sutton and Barto, 2018, section 6.3, of batch updating). The value of an action is the mean of
what followed it in the records: what was paid, and the best value of what was seen next. It does not matter
who played, or how well, as long as each action was tried.

After a split the value is the sum of the two hands', each by its own payoff, and of what comes back where a
dealer's natural takes one bet only. Splitting into the second hand, into the third and into the fourth are
actions of their own, so that no hand leads back to its own cell: the values are exact after as many sweeps as
the longest hand has decisions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Decision, Rules
from twentyone.learning.records.transitions import Transitions
from twentyone.learning.records.watching import INSURE, SPLIT, STAND, SURRENDER
from twentyone.policies.action_values import ACTIONS, ActionValues, Origin, Row, of_rows
from twentyone.policies.hands import HANDS
from twentyone.policies.observation_tuples import INSURANCE, PLAY
from twentyone.policies.observation_tuples import SURRENDER as SURRENDER_FIRST
from twentyone.policies.qtable import HIT, SHAPE

BATCH: Final = "batch"
"""The name of the method in the header of a table."""

UNSEEN: Final = -2.0
"""Initial bets: the value of an action that the records do not have, in a cell where they have the other.
No payoff of HIT or STAND is as low, so greedy play does not choose it."""

SPLIT_AGAIN: Final = len(ACTIONS)
"""Splitting into the third hand, and after it into the fourth."""

KEEP: Final = SPLIT_AGAIN + 2
"""Not surrendering before the peek: what the hand is worth then."""

KINDS: Final = KEEP + 1
"""The actions, with these."""

_TOTALS: Final = 22
_UPCARDS: Final = 12
_SWEEPS: Final = 256
"""More than the decisions of any hand."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class BatchError(Exception):
    """Transitions from which nothing can be learned, in one sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class CellValues:
    """The learned values, by the word of the hand, the upcard and the action.

    Attributes:
        values: float64 (hands of `twentyone.policies.hands.HANDS`, 12, `KINDS`): in initial bets; -inf where
            an action was never seen.
        counts: int64 of the same shape: how often it was.
    """

    values: Floats
    counts: Ints


def learn_cells(transitions: Transitions) -> CellValues:
    """The values of all that was done, from the transitions of one set of rules.

    Raises:
        BatchError: if they are no transitions of blackjack.
    """
    cells, kinds, masks, is_used = _decisions(transitions)
    situations = np.where(is_used, cells << KINDS | masks, -1)
    distinct, which = np.unique(situations, return_inverse=True)
    rows = np.flatnonzero(is_used)
    leads = rows[:, np.newaxis] + transitions.follows[rows]
    follows = transitions.follows[rows] > 0
    if np.any(follows & ~is_used[leads]):
        raise BatchError("a decision leads to a step at which nothing was asked")
    later = np.where(follows, which[leads], len(distinct))
    pairs = cells[rows] * KINDS + kinds[rows]
    shape = (len(HANDS), _UPCARDS, KINDS)
    size = int(np.prod(shape))
    counts = np.bincount(pairs, minlength=size)
    paid = np.bincount(pairs, transitions.credits[rows], size).astype(np.float64)
    values = _solved(pairs, later, distinct, counts, paid)
    return CellValues(values.reshape(shape), counts.reshape(shape))


def _solved(pairs: Ints, later: Ints, distinct: Ints, counts: Ints, paid: Floats) -> Floats:
    """Sweep over the values until they do not change, which ends at the last decisions of the longest hand.

    Args:
        pairs: (m,) the cell and action of each step, as one number.
        later: (m, 2) the situations that follow it, as places in `distinct`; its length where none does.
        distinct: (s,) the situations: a cell, and what is allowed.
        counts: the steps of each pair.
        paid: the sum of the credits of each pair.
    """
    groups, of_group = np.unique(
        (pairs * (len(distinct) + 1) + later[:, 0]) * (len(distinct) + 1) + later[:, 1], return_inverse=True
    )
    weights = np.bincount(of_group)
    rest, second = np.divmod(groups, len(distinct) + 1)
    pair, first = np.divmod(rest, len(distinct) + 1)
    allowed = (distinct[:, np.newaxis] >> np.arange(KINDS) & 1).astype(np.bool_)
    places = (distinct >> KINDS)[:, np.newaxis] * KINDS + np.arange(KINDS)
    visited = counts > 0
    values = np.where(visited, 0.0, -np.inf)
    for _ in range(_SWEEPS):
        best = np.where(allowed, values[np.maximum(places, 0)], -np.inf).max(axis=1, initial=-np.inf)
        worth = np.append(np.where(np.isfinite(best), best, 0.0), 0.0)
        sums = paid + np.bincount(pair, weights * (worth[first] + worth[second]), len(counts))
        new = np.where(visited, sums / np.maximum(counts, 1), -np.inf)
        if np.array_equal(new, values):
            return values
        values = new
    raise BatchError("a hand leads back to its own cell: expected rounds of blackjack")


def _decisions(transitions: Transitions) -> tuple[Ints, Ints, Ints, Flags]:
    """Each step's cell, action and mask as numbers, and whether it is a decision that has a value.

    It is none where the cards as dealt decide, or where insurance is declined, which pays nothing.
    """
    seen = transitions.observations.astype(np.int64)
    total, upcard, soft, pair, hands, question = seen.T
    words = np.where(
        pair > 0, _FIRST_PAIR + pair - 1, np.where(soft > 0, _FIRST_SOFT + total - 12, total - 2)
    )
    is_used = (transitions.masks != 1 << STAND) & (total < _TOTALS) & ((soft == 0) | (total >= 12))
    kinds = transitions.actions.astype(np.int64)
    is_used &= (question != INSURANCE) | (kinds == INSURE)
    kinds = np.where((question == SURRENDER_FIRST) & (kinds == STAND), KEEP, kinds)
    splits = np.where(hands > 1, SPLIT_AGAIN + hands - 2, SPLIT)
    kinds = np.where(kinds == SPLIT, np.minimum(splits, KEEP - 1), kinds)
    masks = transitions.masks.astype(np.int64)
    may_split = masks >> SPLIT & 1
    masks = (masks & ~(1 << SPLIT)) | may_split << np.minimum(splits, KEEP - 1)
    masks = np.where(question == PLAY, masks, masks & (1 << SURRENDER) | 1 << KEEP)
    return np.where(is_used, words * _UPCARDS + upcard, 0), kinds, masks, is_used


_FIRST_SOFT: Final = HANDS.index("S12")
_FIRST_PAIR: Final = HANDS.index("PA")


def q_table(learned: CellValues, rules: Rules, episodes: int) -> ActionValues:
    """The 22 x 22 x 2 table of a game of HIT and STAND.

    An action that the records do not have has the value `UNSEEN` and the count 0, if they have the other one
    of its cell; a cell that they do not have is 0.
    """
    values, counts = np.zeros(SHAPE), np.zeros(SHAPE, np.int64)
    for place, word in enumerate(HANDS[:_FIRST_PAIR]):
        shift = 10 if word[0] == "S" else 0
        here = int(word[1:]), slice(2 + shift, 12 + shift)
        values[here] = learned.values[place, 2:, : len((HIT, STAND))]
        counts[here] = learned.counts[place, 2:, : len((HIT, STAND))]
    is_known = (counts > 0).any(axis=2, keepdims=True)
    values = np.where(counts > 0, values, np.where(is_known, UNSEEN, 0.0))
    return ActionValues(values, counts, Origin(rules, BATCH, episodes))


def action_values(learned: CellValues, rules: Rules, episodes: int) -> ActionValues:
    """The table by hand. What the records do not have has no row."""
    rows = {}
    for place, word in enumerate(HANDS):
        for upcard in range(2, _UPCARDS):
            known = _rows(learned.values[place, upcard], learned.counts[place, upcard])
            if known:
                rows[word, upcard] = known
    return of_rows(rows, Origin(rules, BATCH, episodes))


def _rows(values: Floats, counts: Ints) -> dict[Decision, Row]:
    """The rows of a cell.

    Before the peek, surrender is compared with what the hand is worth with the dealer's natural still
    possible; the rows of a cell are of the time after it. So the value of surrender is given as far above
    or below the best of these as it is above or below keeping the hand.
    """
    known = {
        decision: Row(float(values[number]), int(counts[number]))
        for number, decision in enumerate(ACTIONS)
        if counts[number]
    }
    surrender = ACTIONS[SURRENDER]
    if counts[KEEP] and counts[SURRENDER]:
        others = [
            each.value for decision, each in known.items() if decision not in (surrender, ACTIONS[INSURE])
        ]
        if others:
            gain = float(values[SURRENDER] - values[KEEP])
            known[surrender] = Row(max(others) + gain, int(counts[SURRENDER]))
    return known
