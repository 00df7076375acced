"""The search for the best total-dependent policy, and for the best that cannot see softness."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from exact.game import CELLS, Game, Kind, game_of
from exact.hands import Bools, Floats

TIE: Final = 1e-12
"""Values closer than this, in initial bets, are equal up to rounding. Equal values mean STAND."""

_UPCARDS: Final = np.arange(10)
_BOTH: Final = np.arange(12, 22)
"""The totals that both hard and soft hands can have."""

_STARTS: Final = 32
"""How many of the infinite deck's best total-only policies, by upcard, the search for a finite shoe tries."""


@lru_cache(maxsize=64)
def best_policy(kind: Kind) -> Floats:
    """(22, 22): the best total-dependent policy found, 1 where it hits.

    The search begins with the optimum of an infinite deck, and changes the cell that gains most, one for each
    upcard at a time (upcards are independent of each other), until no change of a single cell helps. A round
    never reaches the same cell twice: with every ace counted low a hand only grows, and a cell is one such
    count. So the gain of a single change is exactly the chance of reaching the cell times the difference of
    its decisions.
    """
    endless = game_of(kind._replace(decks=None))
    wants = endless.best_values().hit > endless.stand + TIE
    policy = (endless.by_cell(wants.astype(np.float64)) > 0).astype(np.float64)
    game = game_of(kind)
    while True:
        plan = game.plan(policy)
        reach = game.reach(plan)
        gains = game.by_cell(reach * (game.values(plan).hit - game.stand))
        changes = _best_changes(gains, game.by_cell(reach), policy > 0)
        if not changes.any():
            return policy
        policy = np.where(changes, 1 - policy, policy)


def _best_changes(gains: Floats, reach: Floats, hits: Bools) -> Bools:
    """Of the cells whose change helps, the one that gains most for each upcard.

    Args:
        gains: (22, 22) what hitting gains over standing, in initial bets per round.
        reach: (22, 22) the chance per round of reaching the cell.
        hits: (22, 22) whether the policy hits there now.
    """
    helps = np.where(hits, gains <= TIE * reach, gains > TIE * reach) & (reach > 0)
    # The columns of an upcard, hard and soft, next to each other: (10, 44).
    size = np.where(helps, np.abs(gains), -1.0)[:, 2:].reshape(22, 2, 10).transpose(2, 0, 1).reshape(10, 44)
    total, soft = np.divmod(size.argmax(axis=1), 2)
    changes = np.zeros((22, 22), dtype=np.bool_)
    changes[total, _UPCARDS + 2 + 10 * soft] = size.max(axis=1) >= 0
    return changes


@lru_cache(maxsize=64)
def best_total_only(kind: Kind) -> Floats:
    """(22, 22): the best policy found that decides in the same way for hard and soft hands of a total.

    Only totals of 12 and more can be both hard and soft; below, a hand is played as in `best_policy`. With an
    infinite deck all 1,024 policies on those totals are evaluated, for each upcard. For a finite shoe the
    best of them are evaluated in turn, and the best one is changed, total by total, until no change of a
    single total helps; a round may reach the same total twice, so each change is evaluated.
    """
    base = _alike(best_policy(kind)[:, 2:12])
    endless, game = game_of(kind._replace(decks=None)), game_of(kind)
    if not endless.hands.soft.any():
        return base
    starts = iter(_ranked(endless, base))
    policy = next(starts)
    if kind.decks is None:
        return policy
    values = _values(game, policy)
    for start in starts:
        policy, values = _better(game, policy, values, start)
    return _improved(game, policy, values)


def _ranked(endless: Game, base: Floats) -> list[Floats]:
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


def _improved(game: Game, policy: Floats, values: Floats) -> Floats:
    """Change single totals, for each upcard on its own, until no change helps."""
    while True:
        before = policy
        for total in _BOTH:
            changed = policy.copy()
            changed[total, 2:] = 1 - changed[total, 2:]
            policy, values = _better(game, policy, values, changed)
        if policy is before:
            return policy


def _better(game: Game, policy: Floats, values: Floats, other: Floats) -> tuple[Floats, Floats]:
    """For each upcard, the columns and the value of the better policy; those of the first if equal."""
    challenge = _values(game, other)
    wins = challenge > values + TIE
    if not wins.any():
        return policy, values
    columns = np.concatenate([[False, False], wins, wins])
    return np.where(columns, other, policy), np.where(wins, challenge, values)


def _values(game: Game, policy: Floats) -> Floats:
    """(10,): the value of a policy by upcard."""
    return game.by_upcard(game.values(game.plan(policy)).followed)
