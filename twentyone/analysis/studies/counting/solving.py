"""The exact part of a study of counting: shoes that are solved, as shards, and what follows from them.

Shoes of three games are needed: the rules as they are, the same with one deck for the playing efficiency, and
the game of the published figures, so that a system can be found again beside them. What was solved is kept in
the cache of the user: it serves other systems and other bets, and is not lost when the work is interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, prod
from typing import Final, NamedTuple

import numpy as np

from cards import Ace, Rules
from twentyone.analysis.studies.counting.effects import PLACES, Effects, effects_from, effects_of, shoes_of
from twentyone.analysis.studies.counting.efficiency import (
    betting_correlation,
    insurance_correlation,
    playing_efficiency,
)
from twentyone.analysis.studies.counting.indices import Lines, lines_from, shoes_for
from twentyone.analysis.studies.counting.margins import PLAYS, Margins, margins_of
from twentyone.analysis.studies.counting.plays import (
    FirstPlays,
    first_plays,
    insurance_value,
    one_deck,
    plays_from,
    published_game,
    round_value,
)
from twentyone.analysis.work.shards import HERE, Job
from twentyone.exact import cache
from twentyone.exact.values.compositions import Floats
from twentyone.exact.values.game import FIRST
from twentyone.exact.values.shoe import Shoe
from twentyone.policies.counting import System

GIVEN: Final = len(PLACES) + 1
"""The number of shoes in `shoes_of`."""

PAIRS: Final = len(PLACES) * (len(PLACES) + 1) // 2
"""The number of pairs of cards."""

FIELDS: Final = (
    "ace",
    "dealer-stands",
    "naturals",
    "double",
    "double-after-split",
    "split",
    "split-aces",
    "surrender",
    "insurance",
    "hole-card",
)
"""The fields of the rules that the figures of a shoe depend on."""

UNKNOWN: Final = 1e6
"""The number for NaN in the cache, and below 0 for -inf: it holds finite numbers only. No payoff is
as much as 10 bets."""


class Figures(NamedTuple):
    """The three figures of a system, each from 0 to 1 for a system that is any good."""

    betting_correlation: float
    playing_efficiency: float
    insurance_correlation: float


class Solved(NamedTuple):
    """The exact figures of a system.

    Attributes:
        value: the effects of removal on the value of a round without insurance.
        insurance: those on the value of insurance, for each unit staked on it, with an ace seen.
        figures: the figures for the rules.
        published: the figures for the game for which they are published.
        lines: the margins of all plays over the true count; None if they were not asked for.
    """

    value: Effects
    insurance: Effects
    figures: Figures
    published: Figures
    lines: Lines | None


class Task(NamedTuple):
    """A shoe to be solved.

    Attributes:
        rules: the rules.
        shoe: the cards before the deal.
        first: whether the first decisions are asked for.
        margins: whether the margins of all plays are.
    """

    rules: Rules
    shoe: Shoe
    first: bool = False
    margins: bool = False

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of the figures: the value of a round, then the fields of `FirstPlays` or `Margins`."""
        shapes: list[tuple[int, ...]] = [()]
        if self.first:
            hands = PAIRS - (self.rules.ace is Ace.ELEVEN)  # two such aces are bust: nothing is decided
            shapes += [(len(PLACES), hands), (len(PLACES), len(FIRST), hands)]
        if self.margins:
            shapes += [(len(PLAYS),), (len(PLAYS), len(PLACES))]
        return shapes

    @property
    def name(self) -> str:
        """The name under which the figures are kept."""
        fields = self.rules.fields() | self.rules.new_fields()
        rules = (fields[field].replace(":", "to") for field in FIELDS)
        parts = ["first"] * self.first + ["margins"] * self.margins
        return "-".join(("count", *rules, ".".join(map(str, self.shoe.counts)), *parts))


class Tasks(NamedTuple):
    """The shoes to be solved for a study of a system, of three games; some may be the same.

    Attributes:
        own: those of the rules: without one card each, and for the margins one for each true count.
        single: those of the rules with one deck, without one card each.
        published: those of the game of the published figures, in the same way.
    """

    own: list[Task]
    single: list[Task]
    published: list[Task]

    @property
    def by_name(self) -> dict[str, Task]:
        """All tasks by their names."""
        return {task.name: task for tasks in self for task in tasks}


def tasks_for(rules: Rules, system: System, *, indices: bool) -> Tasks:
    """The shoes to be solved."""
    single, published = one_deck(rules), published_game()
    shoes = shoes_for(rules, system) if indices else shoes_of(Shoe.of(rules))
    is_single = rules.decks == single.decks and not indices
    return Tasks(
        [Task(rules, shoe, first=is_single, margins=indices) for shoe in shoes],
        [Task(single, shoe, first=True) for shoe in shoes_of(Shoe.of(single))],
        [Task(published, shoe, first=True) for shoe in shoes_of(Shoe.of(published))],
    )


def solve_shoe(task: Task) -> list[float]:
    """The figures of a shoe in the order of `Task.shapes`: solved, or found in the cache of the user."""
    kept = cache.load(task.name, (sum(map(prod, task.shapes)),))
    if kept is None:
        kept = np.nan_to_num(_solved(task), nan=UNKNOWN, neginf=-UNKNOWN)
        cache.keep(task.name, kept)
    figures: list[float] = kept.tolist()
    return figures


def _solved(task: Task) -> Floats:
    parts: list[Floats] = [np.array([round_value(task.rules, task.shoe)])]
    if task.first:
        parts += first_plays(task.rules, task.shoe)
    if task.margins:
        parts += margins_of(task.rules, task.shoe)
    return np.concatenate([part.ravel() for part in parts])


class Found(NamedTuple):
    """The figures of a shoe.

    Attributes:
        value: the value of a round, without insurance.
        others: the fields of `FirstPlays` or of `Margins`.
    """

    value: float
    others: list[Floats]


def found_in(task: Task, figures: Sequence[float]) -> Found:
    """The figures of `solve_shoe` in their shapes."""
    flat = np.array(figures)
    flat = np.where(flat == UNKNOWN, np.nan, np.where(flat == -UNKNOWN, -inf, flat))
    ends = np.cumsum([prod(shape) for shape in task.shapes])[:-1]
    value, *others = np.split(flat, ends)
    shapes = task.shapes[1:]
    return Found(float(value[0]), [part.reshape(shape) for part, shape in zip(others, shapes, strict=True)])


def solve(
    rules: Rules,
    system: System,
    job: Job = HERE,
    *,
    indices: bool = False,
) -> Solved:
    """Solve all shoes that a study of a system needs.

    Args:
        rules: the rules, with a dealer and a finite shoe.
        system: how it is counted.
        job: where the work is done, and who is told how far it is.
        indices: whether the margins over the true count are asked for.

    Raises:
        NoExactFormError: for rules whose shoe can run out in a round.
    """
    tasks = tasks_for(rules, system, indices=indices)
    distinct = list(tasks.by_name.values())
    results = job.run(solve_shoe, distinct, {"work": "count"}, lambda _: 1)
    figures = dict(zip(tasks.by_name, results, strict=True))
    own, single, published = ([found_in(task, figures[task.name]) for task in part] for part in tasks)
    shoe = Shoe.of(rules)
    value = effects_from(shoe, [each.value for each in own[:GIVEN]])
    insurance = effects_of(insurance_value, shoe)
    return Solved(
        value,
        insurance,
        _figures(system, one_deck(rules), single)._replace(
            betting_correlation=betting_correlation(system, value),
            insurance_correlation=insurance_correlation(system, insurance),
        ),
        _figures(system, published_game(), published),
        lines_from(rules, system, [Margins(*each.others) for each in own]) if indices else None,
    )


def _figures(system: System, rules: Rules, results: Sequence[Found]) -> Figures:
    """The figures of a system for rules with one deck."""
    shoe = Shoe.of(rules)
    first = [FirstPlays(*each.others) for each in results]
    return Figures(
        betting_correlation(system, effects_from(shoe, [each.value for each in results])),
        playing_efficiency(system, plays_from(shoe, first, insurance=rules.insurance)),
        insurance_correlation(system, effects_of(insurance_value, shoe)),
    )
