"""Policies as tables of 22 x 22 chances: what exact values and compiled simulation take for a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Below, DealerStands, Decision, EveryRound, Rules
from player import qtable
from player.policies import Observation, Policy
from player.qtable import HIT, STAND, QTable, QTableError
from support.command import FAILED, USAGE, Failure, os_reason

NAMES: Final = (
    "basic, blind, course-limit, mimic, never-bust, random, threshold:N (N from 0 to 22) or qtable:FILE"
    " (or just the file)"
)

TOTALS: Final = np.arange(22)[:, np.newaxis]
"""The player's total in each cell, as a column."""

IS_SOFT: Final = np.array([False, True] + [False] * 10 + [True] * 10)
"""Whether the hand is soft, by dealer column (see `player.qtable.dealer_column`)."""


@dataclass(frozen=True, slots=True, eq=False)
class DecisionTable:
    """A policy on what a seat sees.

    Attributes:
        name: how it is spelt on a command line.
        hit: float64 of shape (22, 22): the chance of HIT, 0 to 1, by the player's total and dealer column.
    """

    name: str
    hit: NDArray[np.float64]


def threshold(total: int) -> DecisionTable:
    """Draw below a total, whatever the dealer shows and however soft the hand."""
    return _table(f"threshold:{total}", np.less(TOTALS, total))


def at_random() -> DecisionTable:
    """Hit or stand with equal chance, on 21 too."""
    return DecisionTable("random", np.full((22, 22), 0.5))


def never_bust() -> DecisionTable:
    """Draw only where no card busts the hand and there is something to gain: hard 11, soft 17 and below."""
    return _table("never-bust", np.where(IS_SOFT, TOTALS <= 17, TOTALS <= 11))


def mimic(rules: Rules) -> DecisionTable:
    """Draw as the dealer of these rules does; below 17 where there is none."""
    hard17 = rules.dealer_stands is DealerStands.HARD17
    return _table("mimic", (TOTALS < 17) | (IS_SOFT & (TOTALS == 17) & hard17))


def basic(rules: Rules) -> DecisionTable:
    """Basic strategy: the best total-dependent policy found for these rules.

    For a shoe with a cut card it is that of a fresh shoe of as many decks. Without a dealer it is a pair of
    stand thresholds for so many seats, see `analysis.showdown`.
    """
    if not rules.has_dealer:
        from analysis import showdown

        return DecisionTable("basic", showdown.pair_for(rules).hit)
    from analysis import exact

    return DecisionTable("basic", exact.solve(fresh(rules)).policy)


def blind(rules: Rules) -> DecisionTable:
    """The best policy found that cannot see softness; for a cut card as in `basic`.

    Raises:
        NoExactForm: for rules without a dealer.
    """
    from analysis import exact

    return DecisionTable("blind", exact.solve_blind(fresh(rules)))


def course_limit(rules: Rules) -> DecisionTable:
    """What the learning method `course` comes to with ever more rounds; for a cut card as in `basic`.

    It averages the payoffs of random play, so its values become those of random play, and greedy play by them
    is one step of policy improvement from there, and no more.

    Raises:
        NoExactForm: for rules without a dealer.
    """
    from analysis import exact

    values = exact.evaluate(fresh(rules), at_random().hit).action_values
    return _table("course-limit", values[:, :, HIT] > values[:, :, STAND])


def greedy(table: QTable, name: str) -> DecisionTable:
    """Play by a Q table: HIT where its value is greater, else STAND."""
    return _table(name, table.values[:, :, HIT] > table.values[:, :, STAND])


def fresh(rules: Rules) -> Rules:
    """The same rules with a fresh shoe every round, which have an exact form if there is a dealer."""
    return replace(rules, reshuffle=EveryRound())


def default_for(rules: Rules) -> str:
    """The name of the policy that goes with rules: their original's threshold, or basic strategy."""
    return _DEFAULTS.get(rules.preset, "basic")


def as_policy(table: DecisionTable, below: Below) -> Policy:
    """A table as a function of what a seat sees; `below` decides where the table leaves it to chance."""

    def policy(observation: Observation) -> Decision:
        column = qtable.dealer_column(observation.upcard, observation.is_soft)
        chance = table.hit[observation.total, column]
        is_hit = below(1 << 32) < chance * (1 << 32) if 0 < chance < 1 else chance == 1
        return Decision.HIT if is_hit else Decision.STAND

    return policy


def named(text: str, rules: Rules) -> DecisionTable:
    """The policy of a name, as typed on a command line.

    Raises:
        Failure: if there is none of that name, the rules have no such policy, or a file cannot be read.
    """
    from analysis.exact import NoExactForm

    kind, _, number = text.partition(":")
    if kind == "threshold" and re.fullmatch("[0-9]{1,2}", number) and int(number) <= 22:
        return threshold(int(number))
    if text in _BY_NAME:
        try:
            return _BY_NAME[text](rules)
        except NoExactForm as error:
            raise Failure(f"there is no policy {text} for these rules: {error}", USAGE) from None
    path = table_file(text)
    if path is not None:
        return greedy(load_table(path), text)
    raise Failure(f"there is no policy {text!r}: expected {NAMES}", USAGE)


def table_file(text: str) -> Path | None:
    """The file of a Q table that a policy's name means, or None for a policy that is no table."""
    kind, _, name = text.partition(":")
    if kind == "qtable" and name:
        return Path(name)
    return Path(text) if text not in _BY_NAME and kind != "threshold" and Path(text).is_file() else None


def load_table(path: Path) -> QTable:
    """A Q table from its file.

    Raises:
        Failure: if it is not there, or is none.
    """
    try:
        return qtable.load(path)
    except OSError as error:
        raise Failure(f"the table {path} cannot be read: {os_reason(error)}", FAILED) from None
    except QTableError as error:
        raise Failure(str(error), FAILED) from None


def _table(name: str, hits: NDArray[np.bool_]) -> DecisionTable:
    return DecisionTable(name, np.broadcast_to(hits, (22, 22)).astype(np.float64))


_DEFAULTS: Final = {"study": "threshold:16", "devs": "threshold:15", "showdown": "threshold:16"}

_BY_NAME: Final[Mapping[str, Callable[[Rules], DecisionTable]]] = {
    "basic": basic,
    "blind": blind,
    "course-limit": course_limit,
    "mimic": mimic,
    "never-bust": lambda _: never_bust(),
    "random": lambda _: at_random(),
}
