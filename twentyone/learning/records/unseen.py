"""The gaps of records: the cells of a game that no decision was made in, and the actions never tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from cards import HIT_OR_STAND, Decision, Rules, asking
from twentyone.exact import solving
from twentyone.exact.report.grades import cell_name
from twentyone.policies.action_values import ACTIONS, Cell
from twentyone.policies.decisions import fresh
from twentyone.policies.hand_charts import hands_under, situations
from twentyone.policies.hands import UPCARDS
from twentyone.policies.qtable import dealer_column, is_by_hand
from twentyone.support.counts import counted
from twentyone.support.summary import columns

WORST: Final = 10
"""The number of them that the text lists."""

Costs = Mapping[Cell, float] | None
"""The cost of each cell's decision, in initial bets per round, where there is one; None if not known."""


class Gap(NamedTuple):
    """A cell that the records do not know wholly.

    Attributes:
        hand: the word of the hand (`twentyone.policies.hands`).
        upcard: the upcard, 2 to 11.
        actions: those that were never taken, though the rules allow them.
        is_new: whether none was taken.
        cost: what the decision in this cell costs, in initial bets per round; None if that is not known.
    """

    hand: str
    upcard: int
    actions: tuple[Decision, ...]
    is_new: bool
    cost: float | None

    def as_json(self) -> dict[str, Any]:
        """The cell as a member of a document."""
        return {
            "hand": self.hand,
            "upcard": self.upcard,
            "never_taken": [action.value for action in self.actions],
            "never_seen": self.is_new,
            "cost": self.cost,
        }


class Unseen(NamedTuple):
    """All that records do not know of a game.

    Attributes:
        cells: how many cells the game has.
        gaps: those that are not wholly known, the costliest first.
    """

    cells: int
    gaps: tuple[Gap, ...]

    @property
    def never_seen(self) -> int:
        """The cells in which nothing was decided."""
        return sum(gap.is_new for gap in self.gaps)

    def as_json(self) -> dict[str, Any]:
        """The key `unseen` of the document of `analysis learn --from`."""
        return {
            "cells": self.cells,
            "never_seen": self.never_seen,
            "partly_seen": len(self.gaps) - self.never_seen,
            "gaps": [gap.as_json() for gap in self.gaps],
        }

    def text(self) -> str:
        """The same for a person to read, within 80 columns."""
        if not self.gaps:
            return f"The records know every action in each of {counted(self.cells, 'cell')}."
        partly = len(self.gaps) - self.never_seen
        said = (
            f"Of {counted(self.cells, 'cell')}, the records never saw {self.never_seen}; in {partly} more an"
            " action was\nnever taken."
        )
        costs = [gap.cost for gap in self.gaps if gap.cost is not None]
        if costs:
            said += f" Together their decisions cost {sum(costs):z.6f} initial bets per round."
        heading = ("cell", "never taken", "initial bets per round")
        rows = [
            (
                cell_name(gap.hand, gap.upcard),
                "never seen" if gap.is_new else " ".join(action.value for action in gap.actions),
                "?" if gap.cost is None else f"{gap.cost:z.6f}",
            )
            for gap in self.gaps[:WORST]
        ]
        return f"{said}\n{columns([heading, *rows])}"


def unseen(rules: Rules, counts: Mapping[Cell, Mapping[Decision, int]], costs: Costs) -> Unseen:
    """The gaps of records.

    Args:
        rules: the rules.
        counts: how often each action was taken in each cell.
        costs: what the decision of each cell costs.
    """
    cells = cells_of(rules)
    gaps = []
    for (hand, upcard), actions in cells.items():
        known = counts.get((hand, upcard), {})
        missing = tuple(action for action in actions if not known.get(action))
        if missing:
            cost = None if costs is None else costs.get((hand, upcard), 0.0)
            gaps.append(Gap(hand, upcard, missing, not any(known.values()), cost))
    gaps.sort(key=lambda gap: (-(gap.cost or 0.0), not gap.is_new))
    return Unseen(len(cells), tuple(gaps))


def cells_of(rules: Rules) -> dict[Cell, tuple[Decision, ...]]:
    """The cells in which something can be decided, and all that may be allowed there."""
    return dict(_of_chart(rules) if is_by_hand(rules) else _reached(rules))


def _reached(rules: Rules) -> Iterator[tuple[Cell, tuple[Decision, ...]]]:
    """Those that play at random comes to."""
    reach = solving.evaluate(fresh(rules), np.full((22, 22), 0.5)).reach
    for hand in hands_under(rules):
        for upcard in UPCARDS:
            if reach[int(hand[1:]), dealer_column(upcard, hand[0] == "S")] > 0:
                yield (hand, upcard), HIT_OR_STAND


def _of_chart(rules: Rules) -> Iterator[tuple[Cell, tuple[Decision, ...]]]:
    """Those that a chart has. Two aces that may be split are a soft 12 for the question of insurance only."""
    are_aces_split = rules.split > 1 and not asking.is_played(rules, asking.ACE)
    for hand in hands_under(rules):
        for upcard in UPCARDS:
            allowed = {option for seen in situations(hand, upcard, rules) for option in seen.options}
            if hand == "S12" and are_aces_split:
                allowed &= {Decision.INSURE}
            if allowed:
                yield (hand, upcard), tuple(action for action in ACTIONS if action in allowed)
