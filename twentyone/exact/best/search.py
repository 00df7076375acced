"""The search for the best policy that cannot see softness."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from cards import Ace, Rules
from twentyone.exact.best.certificate import ROUNDING
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.tables import CELLS, TableGame, table_game

_BOTH: Final = np.arange(12, 22)
"""The totals that both hard and soft hands can have."""

_STARTS: Final = 32
"""By upcard, the number of the infinite deck's best total-only policies that the search for a
finite shoe tries."""


def best_total_only(rules: Rules, best: Floats) -> Floats:
    """(22, 22): the best policy found that decides in the same way for hard and soft hands of a total.

    Only totals of 12 and more can be both hard and soft; below, a hand is played as in the best
    chart. With an infinite deck all 1,024 policies on those totals are evaluated, for each
    upcard. For a finite shoe the best of them are evaluated in turn, and the best one is changed, total by
    total, until no change of a single total helps; a round may reach the same total twice, so each change is
    evaluated.

    Args:
        rules: the rules of HIT and STAND, with a fresh shoe every round.
        best: (22, 22) the best chart.
    """
    base = _alike(best[:, 2:12])
    if rules.ace is not Ace.EITHER:
        return base
    endless, game = table_game(replace(rules, decks=None)), table_game(rules)
    starts = iter(_ranked(endless, base))
    policy = next(starts)
    if rules.decks is None:
        return policy
    values = _values(game, policy)
    for start in starts:
        policy, values = _better(game, policy, values, start)
    return _improved(game, policy, values)


def _ranked(endless: TableGame, base: Floats) -> list[Floats]:
    """The best total-only policies for an infinite deck, best first by upcard; below 12 as in `base`."""
    size = len(_BOTH)
    choices = np.indices([2] * size).reshape(size, -1).astype(np.float64)
    tables = np.repeat(base[:, :, np.newaxis], choices.shape[1], axis=2)
    tables[_BOTH, 2:] = choices[:, np.newaxis]
    followed = endless.values(tables.reshape(CELLS, -1)[endless.cells]).followed
    order = np.argsort(-endless.by_upcard(followed), axis=1, kind="stable")
    ranked = []
    for place in range(_STARTS):
        hard = base[:, 2:12].copy()
        hard[_BOTH] = choices[:, order[:, place]]
        ranked.append(_alike(hard))
    return ranked


def _alike(hard: Floats) -> Floats:
    """A table that plays soft hands as hard ones, from its ten hard columns."""
    return np.concatenate([np.zeros((22, 2)), hard, hard], axis=1)


def _improved(game: TableGame, policy: Floats, values: Floats) -> Floats:
    """Change single totals, for each upcard on its own, until no change helps."""
    while True:
        before = policy
        for total in _BOTH:
            changed = policy.copy()
            changed[total, 2:] = 1 - changed[total, 2:]
            policy, values = _better(game, policy, values, changed)
        if policy is before:
            return policy


def _better(game: TableGame, policy: Floats, values: Floats, other: Floats) -> tuple[Floats, Floats]:
    """For each upcard, the columns and the value of the better policy; those of the first if equal."""
    challenge = _values(game, other)
    wins = challenge > values + ROUNDING
    if not wins.any():
        return policy, values
    columns = np.concatenate([[False, False], wins, wins])
    return np.where(columns, other, policy), np.where(wins, challenge, values)


def _values(game: TableGame, policy: Floats) -> Floats:
    """(10,): the value of a policy by upcard."""
    return game.by_upcard(game.values(game.plan(policy)).followed)
