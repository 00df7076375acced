"""The method `model` from records: what followed each decision is noted, as in play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cards import Rules
from twentyone.learning.cells import size_of
from twentyone.learning.episodes import DOUBLE, HIT, INSURE, SPLIT, STAND, SURRENDER
from twentyone.learning.model import table_of
from twentyone.learning.notes import BUST, LOST, PAID, PLAYED, PUSHED, SLOTS, WON, card_between
from twentyone.learning.records.transitions import Transitions
from twentyone.policies.action_values import ACTIONS, ActionValues, Origin
from twentyone.policies.files import MODEL
from twentyone.policies.hands import HANDS, UPCARDS
from twentyone.policies.observation_tuples import INSURANCE, PLAY
from twentyone.policies.observation_tuples import SURRENDER as SURRENDER_FIRST
from twentyone.policies.qtable import is_by_hand

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_HIT_ALLOWED = 1 << HIT
_ONLY_STAND = 1 << STAND


def learn_model(transitions: Transitions, rules: Rules) -> ActionValues:
    """The table that follows from transitions of one set of rules, with its notes.

    Args:
        transitions: the transitions.
        rules: their rules.
    """
    by_hand = is_by_hand(rules)
    firsts = _firsts(transitions.observations.astype(np.int64), by_hand)
    size = size_of(rules)
    counts, notes = np.zeros(size, np.int64), np.zeros(size * (1 + SLOTS))
    question = transitions.observations[:, 5]
    is_decision = (transitions.masks != _ONLY_STAND) & (question == PLAY)
    at = firsts + transitions.actions
    np.add.at(counts, at[is_decision], 1)
    _note_hits(transitions, firsts, is_decision, notes, by_hand)
    _note_ends(transitions, at, is_decision, notes[size:])
    split = is_decision & (transitions.actions == SPLIT)
    leads = np.flatnonzero(split)[:, np.newaxis] + transitions.follows[split]
    goes_on = ((transitions.follows[split] > 0) & (transitions.masks[leads] & _HIT_ALLOWED > 0)).any(axis=1)
    np.add.at(notes[size:], at[split][goes_on] * SLOTS + PLAYED, 1.0)
    if by_hand:
        _note_means(transitions, firsts, notes, counts)
    return table_of(notes, counts, Origin(rules, MODEL, transitions.episodes))


def _firsts(seen: Ints, by_hand: bool) -> Ints:
    """The index of the first action value of each observation."""
    total, upcard, soft, pair = seen[:, :4].T
    if not by_hand:
        by_total: Ints = 2 * (np.minimum(total, 21) * 22 + upcard + 10 * (soft > 0))
        return by_total
    soft_row, pair_row = HANDS.index("S12") + total - 12, HANDS.index("PA") + pair - 1
    rows = np.where(pair > 0, pair_row, np.where(soft > 0, soft_row, total - 2))
    firsts: Ints = (np.clip(rows, 0, len(HANDS) - 1) * len(UPCARDS) + upcard - UPCARDS[0]) * len(ACTIONS)
    return firsts


def _note_hits(
    transitions: Transitions, firsts: Ints, is_decision: NDArray[np.bool_], notes: Floats, by_hand: bool
) -> None:
    size = len(notes) // (1 + SLOTS)
    hits = np.flatnonzero(is_decision & (transitions.actions == HIT))
    later = hits + transitions.follows[hits, 0]
    kinds, times = np.unique(
        np.stack([firsts[hits], np.where(transitions.follows[hits, 0] > 0, firsts[later], -1)]),
        axis=1,
        return_counts=True,
    )
    for first, made, number in zip(*kinds.tolist(), times.tolist(), strict=True):
        slot = BUST if made < 0 else card_between(first, made, by_hand) - 1
        notes[size + (first + HIT) * SLOTS + slot] += number


def _note_ends(transitions: Transitions, at: Ints, is_decision: NDArray[np.bool_], notes: Floats) -> None:
    ended = is_decision & np.isin(transitions.actions, (STAND, DOUBLE, SURRENDER))
    paid, places = transitions.credits[ended], at[ended] * SLOTS
    np.add.at(notes, places + PAID, paid)
    np.add.at(notes, places + np.where(paid > 0, WON, np.where(paid < 0, LOST, PUSHED)), 1.0)


def _note_means(transitions: Transitions, firsts: Ints, notes: Floats, counts: Ints) -> None:
    """The means of what insurance, and surrender before the peek, were paid (`textbook.learn_surrender`)."""
    question, actions = transitions.observations[:, 5], transitions.actions
    taken = (question == INSURANCE) & (actions == INSURE)
    declined = (question == SURRENDER_FIRST) & (actions != SURRENDER)
    is_over = transitions.follows[:, 0] == 0
    pairs = (
        (firsts[taken] + INSURE, transitions.credits[taken], np.ones(int(taken.sum()))),
        (firsts[declined] + SURRENDER, np.where(is_over, 0.5, -0.5)[declined], ~is_over[declined]),
    )
    for places, paid, visits in pairs:
        sums = np.bincount(places, paid, len(counts))
        times = np.bincount(places, visits, len(counts)).astype(np.int64)
        counts += times
        notes[: len(counts)] += sums / np.maximum(times, 1)
