"""The value of a policy, and what its decisions cost against the best chart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from twentyone.exact.report.letters import UPCARDS, short, upcard_name
from twentyone.exact.values.game import Values
from twentyone.exact.yardsticks import Yardsticks
from twentyone.support.summary import columns

LEAST: Final = 1e-12
"""Initial bets per round: a difference that costs less is none."""

WORST: Final = 5
"""The number of costliest entries that are listed."""


class Cell(NamedTuple):
    """A decision of a policy, beside that of the best chart.

    Attributes:
        hand: the word of the hand (`twentyone.policies.hands`).
        upcard: the upcard, 2 to 11.
        entry: what the policy does.
        better: what the best chart does.
        cost: what the difference loses, in initial bets per round (`twentyone.exact.best.mixed_costs`).
        reach: how often per round it is decided here, after splits too.
        differs: how often it is decided otherwise than the best chart does.
        is_insurance: whether it is about insurance alone.
    """

    hand: str
    upcard: int
    entry: str
    better: str
    cost: float
    reach: float
    differs: float
    is_insurance: bool = False

    @property
    def is_mistake(self) -> bool:
        """Whether the difference from the best chart is worth anything."""
        return abs(self.cost) > LEAST


class Grade(NamedTuple):
    """The value of a policy beside that of the best chart.

    Attributes:
        name: what it is called.
        values: what it is worth.
        gap: what it loses to the best chart, in initial bets per round.
        cells: all that it decides, by hand and upcard. Their costs add up to the gap, except for insurance
            that pays with some hands of a total only.
        insures: whether it decides on insurance itself, so that its own bets are in the value.
    """

    name: str
    values: Values
    gap: float
    cells: tuple[Cell, ...]
    insures: bool = False

    @property
    def mistakes(self) -> list[Cell]:
        """The cells where the difference from the best chart is worth something, the costliest first."""
        return sorted((cell for cell in self.cells if cell.is_mistake), key=lambda each: -each.cost)

    def as_json(self) -> dict[str, Any]:
        """The keys that the help of `analysis value` lists."""
        mistakes = self.mistakes
        keys = ("hand", "upcard", "entry", "better", "cost")
        return {
            "name": self.name,
            "value": self.values.value,
            "gap": self.gap,
            "insurance": self.values.insurance,
            "value_by_upcard": numbers_of(self.values.by_upcard),
            "differing_cells": len(mistakes),
            "costliest_cells": [{key: getattr(each, key) for key in keys} for each in mistakes[:WORST]],
        }


def grade_text(grade: Grade, yardsticks: Yardsticks, more: Sequence[tuple[str, str]] = ()) -> str:
    """A grade as a person reads it, within 80 columns.

    Args:
        grade: the grade.
        yardsticks: what it is compared with.
        more: further figures to add below its own, with their names.
    """
    rows = [
        ("expected value", "initial bets per round"),
        (grade.name, f"{grade.values.value:+z.10f}"),
        *yardsticks.rows(),
        (f"gap to the {yardsticks.chart_name}", f"{grade.gap:z.10f}"),
        ("house edge", percent(-grade.values.value)),
    ]
    if grade.values.insurance:
        rows.append((f"of the value, {_bets(grade)}", f"{grade.values.insurance:+z.10f}"))
    by_upcard = upcard_rows({"value": grade.values.by_upcard})
    return f"{columns([*rows, *more])}\n\n{by_upcard}\n\n{_mistakes_text(grade)}"


def _mistakes_text(grade: Grade) -> str:
    """The number of entries that differ, and a line for each of the costliest."""
    if not grade.mistakes:
        return "It is worth what the best chart is."
    heading = ("costliest entries", "entry", "better", "initial bets per round")
    rows = [
        (cell_name(each.hand, each.upcard), each.entry, each.better, f"{each.cost:z.8f}")
        for each in grade.mistakes[:WORST]
    ]
    number = len(grade.mistakes)
    counted = f"{number} {'entry differs' if number == 1 else 'entries differ'} from the best chart's."
    return f"{counted}\n{columns([heading, *rows])}"


def grades_text(grades: Sequence[Grade], yardsticks: Yardsticks) -> str:
    """Policies side by side: a line for each, what they are compared with, and all by upcard."""
    heading = ("policy", "expected value", "gap to the best chart", "entries that differ")
    rows = [
        (each.name, f"{each.values.value:+z.10f}", f"{each.gap:z.10f}", f"{len(each.mistakes)}")
        for each in grades
    ]
    names = [each.name for each in grades] if len(grades) > 1 else ["value"]
    by_upcard = {name: each.values.by_upcard for name, each in zip(names, grades, strict=True)}
    insurance = [
        (f"of the value of {each.name}, {_bets(each)}", f"{each.values.insurance:+z.10f}")
        for each in grades
        if each.values.insurance
    ]
    compared = columns([*yardsticks.rows(), *insurance])
    note = "Values are in initial bets per round; by upcard they are given that upcard."
    return "\n\n".join([columns([heading, *rows]), compared, upcard_rows(by_upcard)]) + f"\n{note}"


def _bets(grade: Grade) -> str:
    return "its own bets on insurance" if grade.insures else "insurance where it pays"


def upcard_rows(values: Mapping[str, Sequence[float]]) -> str:
    """Values by upcard, a line for each name."""
    rows = [
        (name, *("-" if math.isnan(value) else short(value) for value in by_upcard))
        for name, by_upcard in values.items()
    ]
    return columns([("upcard", *map(upcard_name, UPCARDS)), *rows])


def cell_name(hand: str, upcard: int) -> str:
    """A hand and an upcard in words: `hard 16 against 10`, `8,8 against A`."""
    return f"{hand_name(hand)} against {upcard_name(upcard)}"


def hand_name(hand: str) -> str:
    """A hand in words: `hard 16`, `8,8`."""
    kind, points = hand[0], hand[1:]
    return f"{points},{points}" if kind == "P" else f"{'soft' if kind == 'S' else 'hard'} {points}"


def percent(edge: float) -> str:
    """A house edge, in percent of the initial bet."""
    return f"{100 * edge + 0.0:z.4f} %"


def numbers_of(values: Sequence[float]) -> list[float | None]:
    """Values for a document: null where there is none."""
    return [None if math.isnan(value) else value for value in values]
