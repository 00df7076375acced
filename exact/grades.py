"""How good a policy is: its exact value, its gap to the best policy, and the decisions that cost most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from cards import Rules
from exact import solving
from exact.chart import cell_name, letter
from policies.decisions import DecisionTable
from support.counts import counted
from support.summary import columns

WORST: Final = 5
"""How many of the costliest cells are listed."""

LEAST_COST: Final = 1e-12
"""Initial bets per round: a lower cost is a rounding error, not a mistake."""


def best_name(proved: bool) -> str:
    """What the best total-dependent policy is called where its value is shown."""
    return f"best total-dependent policy{'' if proved else ' found'}"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A cell whose decision is worse than the best policy's.

    Attributes:
        total: the player's total.
        column: the dealer column: the upcard, and whether the hand is soft.
        hit: the policy's chance of HIT there, 0 or 1 for a policy that leaves nothing to chance.
        best: the best policy's chance of HIT there, 0 or 1.
        reach: how often the policy decides there, per round.
        cost: what the decision costs, in initial bets per round.
    """

    total: int
    column: int
    hit: float
    best: float
    reach: float
    cost: float

    def as_json(self) -> dict[str, Any]:
        """The cell and its figures; decisions are H, S, or R for a random decision."""
        return {
            "hand": "soft" if self.column > 11 else "hard",
            "total": self.total,
            "upcard": self.column - 10 if self.column > 11 else self.column,
            "decision": letter(self.hit),
            "better": letter(self.best),
            "reach": self.reach,
            "cost": self.cost,
        }


@dataclass(frozen=True, slots=True)
class Grade:
    """The exact value of a policy and where it falls short; values in initial bets per round.

    Attributes:
        name: the name of the policy.
        rules: the rules under which it was graded.
        value: its expected value.
        best: the value of the best total-dependent policy.
        proved: whether that policy is proved best, see `exact.whole.certificate`.
        optimum: the value of the best play by all the cards that are seen (composition-dependent).
        reached: in how many cells it ever decides.
        differing: in how many of them it does not decide as the best policy does.
        mistakes: the cells that cost most, the worst first.
    """

    name: str
    rules: Rules
    value: float
    best: float
    proved: bool
    optimum: float
    reached: int
    differing: int
    mistakes: tuple[Mistake, ...]

    @property
    def gap(self) -> float:
        """What it loses to the best total-dependent policy."""
        return self.best - self.value

    def best_values(self) -> dict[str, float | bool]:
        """The values of the best play under the rules, as members of a document."""
        return {
            "total_dependent": self.best,
            "proved": self.proved,
            "composition_dependent": self.optimum,
        }

    def as_json(self) -> dict[str, Any]:
        """The figures of this policy alone, without those of the rules."""
        return {
            "name": self.name,
            "value": self.value,
            "gap": self.gap,
            "reachable_cells": self.reached,
            "differing_cells": self.differing,
            "costliest_cells": [mistake.as_json() for mistake in self.mistakes],
        }


def grade(rules: Rules, policy: DecisionTable, worst: int = WORST) -> Grade:
    """Grade a policy by exact values.

    Args:
        rules: the rules.
        policy: the policy.
        worst: how many of its costliest cells are listed at most.

    Raises:
        NoExactFormError: for rules without an exact form.
    """
    evaluation = solving.evaluate(rules, policy.hit)
    solution = solving.solve(rules)
    costs = solving.cell_costs(rules, policy.hit)
    is_reached = evaluation.reach > 0
    worst_first = [divmod(int(cell), 22) for cell in np.argsort(-costs, axis=None, kind="stable")[:worst]]
    return Grade(
        name=policy.name,
        rules=rules,
        value=evaluation.value,
        best=solution.value,
        proved=solution.proved,
        optimum=solution.optimum,
        reached=int(is_reached.sum()),
        differing=int((is_reached & (policy.hit != solution.policy)).sum()),
        mistakes=tuple(
            Mistake(
                total=total,
                column=column,
                hit=float(policy.hit[total, column]),
                best=float(solution.policy[total, column]),
                reach=float(evaluation.reach[total, column]),
                cost=float(costs[total, column]),
            )
            for total, column in worst_first
            if costs[total, column] > LEAST_COST
        ),
    )


def grade_text(grade: Grade, more: Sequence[tuple[str, str]] = ()) -> str:
    """A grade as a person reads it, within 80 columns.

    Args:
        grade: the grade.
        more: further figures to add below its own, with their names.
    """
    lines = columns(
        [
            ("expected value", "initial bets per round"),
            (grade.name, f"{grade.value:+z.10f}"),
            (best_name(grade.proved), f"{grade.best:+z.10f}"),
            ("composition-dependent optimum", f"{grade.optimum:+z.10f}"),
            ("gap to the best total-dependent policy", f"{grade.gap:z.10f}"),
            *more,
        ]
    )
    return f"{lines}\n\n{mistakes_text(grade)}"


def mistakes_text(grade: Grade) -> str:
    """How many cells differ from the best policy, and a line for each of the costliest."""
    reached = counted(grade.reached, "cell")
    if not grade.differing:
        return f"It decides as the best policy does in all of the {reached} that it reaches."
    verb = "differs" if grade.differing == 1 else "differ"
    said = f"{grade.differing} of the {reached} that it reaches {verb} from the best policy"
    if not grade.mistakes:
        return f"{said}, at no cost."
    heading = ("costliest cells", "decision", "better", "% of rounds", "initial bets per round")
    rows = [
        (
            cell_name(mistake.total, mistake.column),
            letter(mistake.hit),
            letter(mistake.best),
            f"{100 * mistake.reach:z.3f}",
            f"{mistake.cost:z.6f}",
        )
        for mistake in grade.mistakes
    ]
    return f"{said}.\n{columns([heading, *rows])}"


def comparison_text(grades: Sequence[Grade]) -> str:
    """Several policies under the same rules, a line for each, and the values of the best play."""
    heading = ("policy", "expected value", "gap to the best", "cells that differ")
    rows = [(g.name, f"{g.value:+z.10f}", f"{g.gap:z.10f}", f"{g.differing} of {g.reached}") for g in grades]
    best = columns(
        [
            (best_name(grades[0].proved), f"{grades[0].best:+z.10f}"),
            ("composition-dependent optimum", f"{grades[0].optimum:+z.10f}"),
        ]
    )
    return f"{columns([heading, *rows])}\n\n{best}\nValues are in initial bets per round."
