"""Policies as lookup tables, made by asking each policy once about all that it can see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cards import Ace, Card, Decision, Rules, asking
from twentyone.kernels.tables import RANKS, ROWS, pair_of, pair_row, row_of
from twentyone.policies.chances import allowed
from twentyone.policies.decisions import DecisionTable
from twentyone.policies.policy import Observation, Policy, upcard_value
from twentyone.policies.qtable import dealer_column

DECISIONS: Final = tuple(Decision)
"""The decisions in the order of their numbers."""

HIT: Final = DECISIONS.index(Decision.HIT)
STAND: Final = DECISIONS.index(Decision.STAND)
DOUBLE: Final = DECISIONS.index(Decision.DOUBLE)
SPLIT: Final = DECISIONS.index(Decision.SPLIT)
SURRENDER: Final = DECISIONS.index(Decision.SURRENDER)
INSURE: Final = DECISIONS.index(Decision.INSURE)
DECLINE: Final = DECISIONS.index(Decision.DECLINE)
NEVER: Final = len(DECISIONS)
"""Stands where a policy is never asked."""

CHANCES: Final = 1 << 31
"""A chance of HIT rather than STAND is written as a negative number, in units of 1 / `CHANCES`."""

EITHER: Final = -CHANCES // 2
"""HIT or STAND with equal chance."""

# What a player may be asked: in play, the number of `asking.IN_PLAY`.
STAND_OR_SPLIT: Final = 8  # a split ace that may only be split again
INSURANCE: Final = 9
EARLY_SURRENDER: Final = 10
QUESTIONS: Final = 11

UPCARDS: Final = 10
"""Upcards by their points, an ace first. Without a dealer all of them say the same."""

Table = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class CompiledPolicy:
    """A policy as a table.

    Attributes:
        name: its name, as typed on a command line.
        decisions: int32 (questions, rows, upcards): the number of the decision, or a chance of HIT; see
            `twentyone.kernels.tables` for the rows.
    """

    name: str
    decisions: Table


def compile_policy(policy: Policy, rules: Rules, name: str = "") -> CompiledPolicy:
    """The table of a policy that leaves nothing to chance.

    HIT and STAND decline what is asked before play, and HIT stands where a split ace may only be split again,
    as in `cards.Round`.

    Raises:
        ValueError: if it does something that is not allowed.
    """
    return _compiled(lambda seen: DECISIONS.index(allowed(policy(seen), seen)), rules, name)


def compile_table(table: DecisionTable, rules: Rules) -> CompiledPolicy:
    """A table of chances of HIT; it declines whatever else is asked.

    The chances are rounded to multiples of 2^-31.
    """
    hit = table.hit.tolist()

    def code(seen: Observation) -> int:
        if Decision.HIT not in seen.options:
            return DECISIONS.index(allowed(Decision.STAND, seen))
        chance = round(hit[seen.total][dealer_column(seen.upcard, seen.is_soft)] * CHANCES)
        return HIT if chance == CHANCES else -chance or STAND

    return _compiled(code, rules, table.name)


def _compiled(code: Callable[[Observation], int], rules: Rules, name: str) -> CompiledPolicy:
    """The table of what answers each observation by a number."""
    table = np.full((QUESTIONS, ROWS, UPCARDS), NEVER, np.int32)
    for question, options in questions_of(rules):
        for row, seen in _situations(rules, options):
            if not rules.has_dealer:
                table[question, row] = code(seen)
                continue
            for upcard, card in enumerate(RANKS[:UPCARDS]):
                table[question, row, upcard] = code(seen._replace(upcard=upcard_value(card)))
    return CompiledPolicy(name, table)


def by_chance(policy: CompiledPolicy) -> CompiledPolicy:
    """The same policy, but where it hits, it hits or stands with equal chance."""
    return CompiledPolicy(policy.name, np.where(policy.decisions == HIT, np.int32(EITHER), policy.decisions))


def is_sure(table: Table) -> bool:
    """Whether a policy leaves nothing to chance."""
    return not bool(np.any(table < 0))


def is_for(policy: CompiledPolicy, rules: Rules) -> bool:
    """Whether a policy has an answer wherever it may be asked under some rules."""
    return all(
        (policy.decisions[question, row] != NEVER).all()
        for question, options in questions_of(rules)
        for row, _ in _situations(rules, options)
    )


def questions_of(rules: Rules) -> Iterator[tuple[int, tuple[Decision, ...]]]:
    """The questions that may be asked under some rules: the number of each, and what is allowed."""
    most = asking.most_in_play(rules)
    for question, options in enumerate(asking.IN_PLAY):
        if not question & ~most:
            yield question, options
    if most & asking.MAY_SPLIT:
        yield STAND_OR_SPLIT, asking.STAND_OR_SPLIT
    if rules.insurance:
        yield INSURANCE, asking.INSURE_OR_NOT
    if asking.is_surrender_early(rules):
        yield EARLY_SURRENDER, asking.SURRENDER_OR_NOT


def _situations(rules: Rules, options: tuple[Decision, ...]) -> Iterator[tuple[int, Observation]]:
    """The rows in which something may be allowed, each with all that is seen except the upcard."""
    may_split = Decision.SPLIT in options
    is_early = options == (Decision.SURRENDER, Decision.DECLINE)
    if not may_split:
        for total in range(2, 22):
            for is_soft in (False, True) if rules.ace is Ace.EITHER and total >= 12 else (False,):
                yield row_of(total, is_soft), Observation(total, is_soft, None, 0, options)
    if may_split or (is_early and rules.split > 1):
        for points in (1,) if options[0] is Decision.STAND else range(1, 11):
            pair = pair_of(rules, points)
            if not pair.is_bust:
                yield pair_row(points), Observation(pair.total, pair.is_soft, None, points, options)


def shown(card: Card) -> int:
    """The place of an upcard in a table."""
    return card.points - 1
