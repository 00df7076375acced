"""Why a policy loses to the best chart: each decision by exact values, what was learned of it, and a verdict.

The standard error of a learned value is the exact standard deviation of the payoff after that action, over
the root of its visits. That is what a mean of so many payoffs has; values that were learned from other values
(bootstrapped ones) may be further off.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import Enum, StrEnum
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from cards import Decision
from twentyone.exact import solving
from twentyone.exact.best.cell_options import OptionValue, values_of_options
from twentyone.exact.best.chart import BestChart, best_chart
from twentyone.exact.best.mixed import mixed_plan
from twentyone.exact.grading import Played, grade
from twentyone.exact.report.grades import Cell, Grade
from twentyone.exact.report.letters import UPCARDS
from twentyone.exact.report.policy_grades import INSURE
from twentyone.exact.values.game import SeatGame
from twentyone.learning.limits import limit_policies
from twentyone.learning.settings import method_of
from twentyone.policies.action_values import ActionValues, Row
from twentyone.policies.action_values import Cell as Place
from twentyone.policies.chances import MixedPolicy
from twentyone.policies.qtable import dealer_column

if TYPE_CHECKING:
    from twentyone.exact.values.compositions import Floats

CLOSE: Final = 0.005
"""Initial bets: decisions whose options differ by less are close."""

ERRORS: Final = 2.0
"""Standard errors by which few visits explain a difference."""

_DECISIONS: Final = {
    "H": Decision.HIT,
    "S": Decision.STAND,
    "D": Decision.DOUBLE,
    "P": Decision.SPLIT,
    "R": Decision.SURRENDER,
}


_BOTH: Final = (1, -1)
"""The signs of the action that is taken and of the better one, in their difference."""


class Verdict(StrEnum):
    """The reason for a mistake."""

    CLOSE = "close"
    LIMIT = "the method's limit"
    FEW = "few visits"
    WRONG = "wrong"


class Splits(Enum):
    """The splits whose deviation is worked out: for learned mistakes it decides between two verdicts."""

    NONE = 0
    MISTAKES = 1
    ALL = 2


class Option(NamedTuple):
    """An action in a cell.

    Attributes:
        exact: its exact value, followed by the best chart, in initial bets; None where none is known.
        deviation: the standard deviation of the payoff after it; None where it is not known.
        learned: the learned value, in initial bets; None without one.
        visits: how often it was visited while learning; None without a table.
        standard_error: that of the learned value; None without visits or deviation.
    """

    exact: float | None
    deviation: float | None
    learned: float | None
    visits: int | None
    standard_error: float | None


class Explained(NamedTuple):
    """A cell of a policy.

    Attributes:
        cell: what is done, what is better, and what that costs.
        options: what is known of each action.
        verdict: the reason for the mistake; None if it is none.
    """

    cell: Cell
    options: Mapping[Decision, Option]
    verdict: Verdict | None

    @property
    def margin(self) -> float:
        """The gain by the better decision, in initial bets; NaN where that is not known.

        It is what is lost each time that the cell is decided otherwise. With a pair that only a split makes,
        of which that number is not known, it is the difference of the exact values.
        """
        if self.cell.differs > 0:
            return self.cell.cost / self.cell.differs
        exact = [self.options[each].exact for each in _compared(self.cell) if each in self.options]
        own, better = exact if len(exact) == len(_BOTH) else (None, None)
        return float("nan") if own is None or better is None else better - own


class Explanation(NamedTuple):
    """All cells of a policy, explained.

    Attributes:
        grade: the value of the policy.
        cells: the cells, the costliest first.
        method: the learning method of its table; None without a table.
        has_limit: whether it is known where the method ends.
    """

    grade: Grade
    cells: tuple[Explained, ...]
    method: str | None
    has_limit: bool

    @property
    def mistakes(self) -> list[Explained]:
        """The cells where the difference from the best chart is worth something, the costliest first."""
        return [each for each in self.cells if each.verdict is not None]

    @property
    def sums(self) -> dict[Verdict, float]:
        """The cost of all mistakes with a verdict, in initial bets per round."""
        sums = dict.fromkeys(Verdict, 0.0)
        for each in self.cells:
            if each.verdict is not None:
                sums[each.verdict] += each.cell.cost
        return sums

    @property
    def rest(self) -> float:
        """The part of the gap that no cell has: insurance that pays with some hands of a total only."""
        return self.grade.gap - sum(self.sums.values())


def explained(
    game: SeatGame, play: Played, name: str, table: ActionValues | None, *, splits: Splits = Splits.MISTAKES
) -> Explanation:
    """Grade a policy, and explain it; `explain` says what the arguments are."""
    best = best_chart(game)
    return explain(game, grade(game, play, name, best), play.policy, best, table, splits=splits)


def explain(
    game: SeatGame,
    graded: Grade,
    policy: MixedPolicy,
    best: BestChart,
    table: ActionValues | None = None,
    *,
    splits: Splits = Splits.MISTAKES,
    done: Callable[[int], None] = lambda _: None,
) -> Explanation:
    """Explain a policy.

    Args:
        game: the game.
        graded: the grade of the policy.
        policy: the policy.
        best: the best chart of the game.
        table: the table that it was learned as, if it is one.
        splits: of which splits the deviation is worked out: up to a second for each.
        done: called after each upcard with 1.
    """
    learned = {} if table is None else table.rows
    has_visits = table is not None and bool(table.counts.any())
    limit = None if table is None else _limit(game, table)
    exact = _exact(game, policy, best, _worked_out(graded, learned, splits), done)
    cells = []
    for cell in graded.cells:
        rows = learned.get((cell.hand, cell.upcard), {})
        options = _insurance(cell, rows) if cell.is_insurance else _options(exact, cell, rows)
        verdict = None
        if cell.is_mistake:
            differs = limit is not None and _differs(limit, cell)
            verdict = _verdict(Explained(cell, options, None), differs, has_visits)
        cells.append(Explained(cell, options, verdict))
    cells.sort(key=lambda each: (each.verdict is None, -each.cell.cost))
    method = None if table is None else table.method
    return Explanation(graded, tuple(cells), method, limit is not None)


def _worked_out(graded: Grade, learned: Collection[Place], splits: Splits) -> set[Place]:
    """The cells of which the deviation of a split is worked out."""
    places = {(cell.hand, cell.upcard): cell.is_mistake for cell in graded.cells}
    if splits is Splits.MISTAKES:
        return {place for place, is_mistake in places.items() if is_mistake and place in learned}
    return {*places} if splits is Splits.ALL else set()


def _exact(
    game: SeatGame,
    policy: MixedPolicy,
    best: BestChart,
    splits: Collection[Place],
    done: Callable[[int], None],
) -> dict[Place, dict[Decision, OptionValue]]:
    """The exact values of the options of all cells, by hand and upcard; `splits` are worked out."""
    found = {}
    for at, upcard in enumerate(UPCARDS):
        if game.shoe.counts[at]:
            pairs = {hand for hand, shown in splits if shown == upcard}
            plan = mixed_plan(game, at, policy)
            for hand, options in values_of_options(game, at, plan, best.chart, pairs).items():
                found[hand, upcard] = options
        done(1)
    return found


def _options(
    exact: Mapping[Place, Mapping[Decision, OptionValue]], cell: Cell, rows: Mapping[Decision, Row]
) -> dict[Decision, Option]:
    known = exact.get((cell.hand, cell.upcard), {})
    return {each: _option(known.get(each), rows.get(each)) for each in Decision if each in {*known, *rows}}


def _insurance(cell: Cell, rows: Mapping[Decision, Row]) -> dict[Decision, Option]:
    """The bet on insurance: it pays 1 with the chance of the dealer's natural, and loses 1/2 otherwise."""
    bet = cell.cost / cell.differs if cell.differs else 0.0
    value = bet if cell.better == INSURE else -bet
    natural = (value + 0.5) / 1.5
    deviation = 1.5 * sqrt(max(natural * (1 - natural), 0.0))
    return {Decision.INSURE: _option(OptionValue(value, deviation), rows.get(Decision.INSURE))}


def _option(exact: OptionValue | None, row: Row | None) -> Option:
    value = None if exact is None else exact.value
    deviation = None if exact is None or exact.deviation != exact.deviation else exact.deviation
    if row is None:
        return Option(value, deviation, None, None, None)
    error = deviation / sqrt(row.visits) if row.visits and deviation is not None else None
    return Option(value, deviation, row.value if row.visits or row.value else None, row.visits, error)


def _verdict(mistake: Explained, differs_at_the_limit: bool, has_visits: bool) -> Verdict:
    """The first verdict that holds."""
    if mistake.margin < CLOSE:
        return Verdict.CLOSE
    if differs_at_the_limit:
        return Verdict.LIMIT
    return Verdict.FEW if has_visits and _has_few_visits(mistake) else Verdict.WRONG


def _has_few_visits(mistake: Explained) -> bool:
    """Whether the learned and the exact difference are within two standard errors, or nothing was taken."""
    cell, nothing, never = mistake.cell, Option(0.0, 0.0, 0.0, 1, 0.0), Option(None, None, None, 0, None)
    if cell.is_insurance:
        pair = [mistake.options[Decision.INSURE], nothing]
    else:
        pair = [mistake.options.get(each, never) for each in _compared(cell)]
    if len(pair) != len(_BOTH):
        return False
    if any(not each.visits for each in pair):
        return True
    exact, learned, variance = 0.0, 0.0, 0.0
    for each, sign in zip(pair, _BOTH, strict=True):
        if each.exact is None or each.learned is None or each.standard_error is None:
            return False
        exact, learned = exact + sign * each.exact, learned + sign * each.learned
        variance += each.standard_error**2
    return abs(learned - exact) <= ERRORS * sqrt(variance)


def _compared(cell: Cell) -> tuple[Decision, ...]:
    """The action that is taken and the better one: the first in which the two entries differ."""
    for one, other in zip(decisions_of(cell.entry), decisions_of(cell.better), strict=False):
        if one is not other:
            return one, other
    return ()


def decisions_of(entry: str) -> list[Decision]:
    """The decisions of an entry, the first and what is done where that is not allowed; none of chances."""
    letters = entry.upper().ljust(2, entry[-1:].upper())
    return [_DECISIONS[each] for each in letters] if len(letters) == 2 and {*letters} <= {*_DECISIONS} else []


def _limit(game: SeatGame, table: ActionValues) -> list[Floats] | None:
    """(22, 22) each: the cells where what the method ends with is not the best; None if that is not known."""
    if not table.is_by_total or not game.rules.plays_like(table.rules):
        return None
    try:
        policies = limit_policies(table.rules, *method_of(table.method))
    except ValueError:  # a table of another program: its method is not one of ours
        return None
    if policies is None:
        return None
    best = solving.solve(table.rules).policy
    return [hit != best for hit in policies]


def _differs(limit: list[Floats], cell: Cell) -> bool:
    if cell.hand[0] == "P" or cell.is_insurance:
        return False
    at = int(cell.hand[1:]), dealer_column(cell.upcard, cell.hand[0] == "S")
    return any(bool(differs[at]) for differs in limit)
