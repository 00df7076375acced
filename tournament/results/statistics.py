"""The ranking, its certainty, and the rounds that would still be needed to tell a pair apart.

An interval of 95 % is the mean -+ t standard errors, with Student's t for the number of units (see
`tournament.results.deals`). Those of the differences hold together: with P pairs each leaves out its true
value with a chance of 0.05 / P (Bonferroni's inequality: Dunn, O. J. (1961), Multiple comparisons among
means, Journal of the American Statistical Association 56, 52-64). Where play stopped because the order was
certain, they are those of `tournament.results.sequential`, which hold whenever one stops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import ceil, floor, sqrt
from typing import Any, Final

import numpy as np

from tournament.results import sequential
from tournament.results.deals import ROUNDING, Deals, Sums, by_deal, payoffs_by_deal, unit_of
from tournament.results.quantiles import t_quantile
from tournament.results.unranked import Ended, Excess, ended, excesses, unranked
from tournament.rounds.costs import costs_for
from tournament.settings import FAULTS, NOT_PLAYED, Clocks, Results, Settings
from tournament.trust import Trust
from twentyone.support.natural import natural

ERROR: Final = 0.05
"""The chance that an interval leaves out what it estimates; for differences, that any of them does."""

FEWEST: Final = 30
"""Units below which no pair is called certain: payoffs are far from normal."""

BETS: Final = "initial bets"
CHIPS: Final = "chips"
"""The unit of payoffs."""

NEVER: Final = 10**9
"""So many rounds more, or further, are never played."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its interval of 95 %; `low` and `high` are None for fewer than two units."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of one entrant less that of another.

    Attributes:
        mean: the difference.
        low: the lower end of its interval, which holds together with those of all pairs; None if unknown.
        high: the upper end.
        is_certain: whether the interval leaves out 0.
        more: how many rounds more of each match would tell them apart, if the difference stays as it is: 0 if
            it is certain, None for never.
    """

    mean: float
    low: float | None
    high: float | None
    is_certain: bool
    more: int | None


@dataclass(frozen=True, slots=True)
class Times:
    """The seconds that an entrant took for a decision: the median, and the 99th of a hundred."""

    median: float
    percentile_99: float


@dataclass(frozen=True, slots=True)
class Row:
    """The results of an entrant.

    Attributes:
        name: its name.
        rounds: the rounds that it played, at all its tables.
        rank: 1 for the highest mean payoff; entrants of one rank cannot be told apart. None
            for those that are not ranked.
        payoff: its mean payoff in initial bets, or in chips where bets are asked.
        rank_by_lost: the same by EV lost; None without exact values, too.
        lost: its EV lost per round, in initial bets; None without exact values.
        times: how long it took; None if that is not known.
        faults: what went wrong and how often, by the kinds of `tournament.settings.FAULTS`.
        ended: how it ended, if it took no part to the end.
        better_than_possible: its figures, if it knew cards that were not dealt yet; then it is not ranked.
        played: the first and the last day (UTC) on which it played; None where all were there from the
            beginning.
        is_earlier: whether it is an earlier version of an entrant; then it is not ranked.
    """

    name: str
    rounds: int
    rank: int | None
    payoff: Interval
    rank_by_lost: int | None
    lost: Interval | None
    times: Times | None
    faults: Mapping[str, int]
    ended: Ended | None = None
    better_than_possible: Excess | None = None
    played: tuple[str, str] | None = None
    is_earlier: bool = False

    @property
    def mark(self) -> str:
        """Why it is not ranked, in a few words; no text if it is."""
        if self.is_earlier:
            return "an earlier version"
        if self.ended is not None and not self.ended.is_ranked:
            return self.ended.kind
        return "better than is possible" if self.better_than_possible is not None else ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entrants, by their numbers, and the first's less the second's."""

    first: int
    second: int
    payoff: Difference
    lost: Difference | None


@dataclass(frozen=True, slots=True)
class Standing:
    """The result of a tournament, so far or at its end.

    Attributes:
        rows: every entrant, by number.
        pairs: every pair of them, the smaller number first; none with an earlier version.
        order: the numbers of the entrants, the highest mean payoff first, then those that are not ranked, and
            earlier versions last.
        rounds: the rounds of each match that count; where entrants come later, the most of any.
        asked: the rounds of each match that were asked for.
        seats: how many play at a table.
        is_paired: whether the differences are between rounds of the same cards.
        is_over: whether nothing is left to be played.
        sure_after: the rounds of each match after which the order was certain, if that stopped it.
        unit: what payoffs are in: `BETS` or `CHIPS`.
        clocks: the time that programs had; None where none played.
        trust: what was noted before the first round; None where nothing was.
        yardstick: the name of what EV lost is against, and its value; None without exact values.
        is_open: whether entrants may still come.
        waiting: the names of entrants that have not played yet.
    """

    rows: Sequence[Row]
    pairs: Sequence[Pair]
    order: Sequence[int]
    rounds: int
    asked: int
    seats: int
    is_paired: bool
    is_over: bool
    sure_after: int | None
    unit: str
    clocks: Clocks | None = None
    trust: Trust | None = None
    yardstick: tuple[str, float] | None = None
    is_open: bool = False
    waiting: Sequence[str] = ()

    @property
    def compared(self) -> list[int]:
        """The numbers of the entrants of which there are pairs, in order: all but earlier versions."""
        return [number for number in self.order if not self.rows[number].is_earlier]

    @property
    def has_lost(self) -> bool:
        """Whether EV lost is known."""
        return any(row.lost is not None for row in self.rows)

    @property
    def ranked(self) -> list[int]:
        """The numbers of the entrants that are ranked, in order."""
        return [number for number in self.order if self.rows[number].rank is not None]

    @property
    def unranked(self) -> list[Row]:
        """The others, in order; no earlier versions."""
        return [self.rows[number] for number in self.compared if self.rows[number].rank is None]

    def between(self, first: int, second: int) -> Pair:
        """A pair, in the order asked for."""
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair if pair.first == first else _turned(pair)
        raise KeyError((first, second))

    def _is_confined(self, name: str) -> bool | None:
        return None if self.trust is None else self.trust.confined.get(name)

    def as_json(self) -> dict[str, Any]:
        """The result as an object of JSON.

        Its keys: `rounds` of each match that count (the most of any where entrants come later);
        `rounds_asked`; `is_over`; `is_open`, and the names that are `waiting` to play;
        `sure_after` (rounds, or null);
        `is_paired` (same cards); `payoffs_in` ("initial bets" or "chips"); `clocks` of programs (`decision`,
        `bank`, `refill` in seconds), or null; `yardstick` of EV lost (`name` and `value`: the best chart, or
        the best play), or null; `error` (0.05); `ranking`, the best first, each with `rank`, `rank_by_lost`,
        `name`, `rounds`, `payoff` and `lost` (`mean`, `low`, `high`), `times` (`median` and `percentile_99`
        in seconds), `faults` (counts by kind), `confined` (whether its programs were; null for others),
        `ended` (`kind`, `round`, `why` and `errors`, the last lines; none while it is open), `played` (the
        first and the last day, null where all were there from the beginning), `is_earlier` (whether it is an
        earlier version) and `better_than_possible` (`mean` of payoff plus EV lost, `value` that this is for
        everybody in the long run, standard `error`, and `limit` of the mean); `seed_hash`, and at the end
        `seed` and `random_bits`, whose hash that is (null before); and `pairs`, each with the names `first`
        and `second`, and `payoff` and `lost`, the first's less the second's (`mean`, `low`, `high`,
        `is_certain`, and `more`: rounds, or null for never). Ranks are null for an entrant that is not
        ranked, `ended` for one that took part to the end, `better_than_possible` for one that is not marked,
        and `lost` without exact values.
        """
        return {
            "rounds": self.rounds,
            "rounds_asked": self.asked,
            "is_over": self.is_over,
            "is_open": self.is_open,
            "waiting": list(self.waiting),
            "sure_after": self.sure_after,
            "is_paired": self.is_paired,
            "payoffs_in": self.unit,
            "clocks": None if self.clocks is None else asdict(self.clocks),
            "yardstick": self.yardstick and dict(zip(("name", "value"), self.yardstick, strict=True)),
            "error": ERROR,
            **({} if self.trust is None else self.trust.as_json()),
            "ranking": [
                asdict(self.rows[number]) | {"confined": self._is_confined(self.rows[number].name)}
                for number in self.order
            ],
            "pairs": [
                asdict(pair) | {"first": self.rows[pair.first].name, "second": self.rows[pair.second].name}
                for pair in self.pairs
            ],
        }


def standing(results: Results) -> Standing:
    """The standing after the results of a tournament. At least one round has been played."""
    settings = results.settings
    payoffs = payoffs_by_deal(settings, results.payoffs)
    lost = None if results.lost is None else by_deal(settings, results.lost)
    pairs = _pairs(results, payoffs, lost)
    numbers = range(len(settings.entrants))
    means = [_interval(payoffs.of(number)) for number in numbers]
    ends, marked = ended(results), excesses(results)
    without = unranked(results)
    order = _sorted(settings, numbers, [(-each.mean, -(each.low or 0)) for each in means])
    ranked = [number for number in order if number not in without]
    places = ranks(ranked, {(pair.first, pair.second) for pair in pairs if pair.payoff.is_certain})
    costs = None if lost is None else [_interval(lost.of(number)) for number in numbers]
    exact = costs_for(settings.rules)
    places_by_lost = {}
    if costs is not None:
        apart = {(pair.first, pair.second) for pair in pairs if pair.lost and pair.lost.is_certain}
        places_by_lost = ranks(
            _sorted(settings, ranked, [(each.mean, each.high or 0) for each in costs]), apart
        )
    rows = [
        Row(
            name=settings.entrants[number].name,
            rounds=int(payoffs.of(number).sizes.sum()),
            rank=places.get(number),
            payoff=means[number],
            rank_by_lost=places_by_lost.get(number),
            lost=None if costs is None else costs[number],
            times=_times(results, number),
            faults=_faults(results, number),
            ended=ends.get(number),
            better_than_possible=marked.get(number),
            played=results.days[number] if results.days else None,
            is_earlier=settings.entrants[number].former_of is not None,
        )
        for number in numbers
    ]
    return Standing(
        rows=rows,
        pairs=pairs,
        order=[*ranked, *(number for number in order if number not in places)],
        rounds=results.rounds,
        asked=settings.rounds,
        seats=settings.rules.seats,
        is_paired=_is_paired(results),
        is_over=results.is_over,
        sure_after=results.sure_after,
        unit=BETS if settings.rules.bets is None else CHIPS,
        clocks=settings.clocks if _has_clocks(settings) else None,
        trust=results.trust,
        yardstick=None if lost is None or exact is None else (exact.yardstick, exact.best),
        is_open=settings.is_open,
        waiting=results.waiting,
    )


def _sorted(settings: Settings, numbers: Iterable[int], values: Sequence[tuple[float, float]]) -> list[int]:
    """Numbers of entrants by their values, and by name where these are equal; earlier versions last."""

    def key(number: int) -> tuple[Any, ...]:
        each = settings.entrants[number]
        if each.former_of is not None:
            return True, [], natural(each.name)
        return False, [round(value / ROUNDING) for value in values[number]], natural(each.name)

    return sorted(numbers, key=key)


def _has_clocks(settings: Settings) -> bool:
    """Whether a clock ran: policies have none, but at a table without a dealer they play as programs."""
    return not settings.rules.has_dealer or any(each.policy is None for each in settings.entrants)


def _is_paired(results: Results) -> bool:
    """Whether a pair has the same cards: not where a shoe is kept, and each has its own copy of it."""
    return not results.settings.kept_shoe or not results.settings.rules.has_dealer


def ranks(order: Sequence[int], apart: Collection[tuple[int, int]]) -> dict[int, int]:
    """The rank of each entrant: the place of the first who has it.

    Being told apart is not handed on, so who cannot be told apart does not always share a rank. Each shares
    the rank of the one before it, unless it is told apart from anybody who has this rank.

    Args:
        order: the numbers of the entrants, the best first.
        apart: the pairs that are told apart, the smaller number first.
    """
    ranks: dict[int, int] = {}
    sharing: list[int] = []
    for place, number in enumerate(order, 1):
        if any((min(number, other), max(number, other)) in apart for other in sharing):
            sharing = []
        sharing.append(number)
        ranks[number] = place - len(sharing) + 1
    return ranks


def _interval(sums: Sums) -> Interval:
    error = sums.standard_error
    if error is None:
        return Interval(sums.mean, None, None)
    reach = t_quantile(ERROR, len(sums.sums) - 1) * error
    return Interval(sums.mean, sums.mean - reach, sums.mean + reach)


def _pairs(results: Results, payoffs: Deals, lost: Deals | None) -> list[Pair]:
    numbers = list(combinations(results.settings.current, 2))
    error = ERROR / max(len(numbers), 1)
    return [
        Pair(
            first,
            second,
            _difference(results, payoffs, first, second, error),
            None if lost is None else _difference(results, lost, first, second, error),
        )
        for first, second in numbers
    ]


def _difference(results: Results, deals: Deals, first: int, second: int, error: float) -> Difference:
    sums = deals.difference(first, second)
    units, mean = len(sums.sums), sums.mean
    standard_error = sums.standard_error
    if standard_error is None:
        return Difference(mean, None, None, is_certain=False, more=None)
    if results.sure_after is not None:
        reach = sequential.reach(units, standard_error * sqrt(units), error)
    elif _is_paired(results):
        reach = t_quantile(error, units - 1) * standard_error
    else:
        standard_error, freedom = welch(deals.of(first), deals.of(second))
        reach = t_quantile(error, freedom) * standard_error
    is_certain = units >= FEWEST and abs(mean) > reach
    more = 0 if is_certain else _more(units, mean, reach)
    return Difference(
        mean, mean - reach, mean + reach, is_certain, None if more is None else more * unit_of(deals.settings)
    )


def welch(first: Sums, second: Sums) -> tuple[float, int]:
    """The standard error of the difference of two independent means, and its degrees of freedom.

    Welch, B. L. (1947), The generalization of "Student's" problem when several different population variances
    are involved, Biometrika 34, 28-35. The degrees of freedom are rounded down, which makes intervals wider.
    """
    parts = [(each.standard_error or 0.0) ** 2 for each in (first, second)]
    spread = sum(part**2 / (len(each.sums) - 1) for part, each in zip(parts, (first, second), strict=True))
    freedom = sum(parts) ** 2 / spread if spread else len(first.sums) - 1
    return sqrt(sum(parts)), max(floor(freedom), 1)


def _more(units: int, mean: float, reach: float) -> int | None:
    """The further units that make the interval narrow enough: its width falls with their square root."""
    if mean == 0:
        return None
    needed = units * (reach / abs(mean)) ** 2
    if needed - units > NEVER:
        return None
    return max(ceil(needed), FEWEST, units + 1) - units


def _times(results: Results, number: int) -> Times | None:
    seconds = results.thinking[number]
    seconds = seconds[np.isfinite(seconds)]
    if len(seconds) == 0:
        return None
    median, late = np.percentile(seconds, [50, 99]).tolist()
    return Times(median, late)


def _faults(results: Results, number: int) -> dict[str, int]:
    """The count of each kind of fault; of some, the rounds that were not played after it."""
    counts: Counter[str] = Counter()
    for fault in results.faults:
        if fault.entrant == number:
            left = len(results.payoffs[fault.match]) - fault.round
            counts[fault.kind] += left if fault.kind in NOT_PLAYED else 1
    return {kind: counts[kind] for kind in FAULTS if counts[kind]}


def _turned(pair: Pair) -> Pair:
    lost = None if pair.lost is None else _negative(pair.lost)
    return Pair(pair.second, pair.first, _negative(pair.payoff), lost)


def _negative(found: Difference) -> Difference:
    low, high = (None if end is None else -end for end in (found.high, found.low))
    return Difference(-found.mean, low, high, found.is_certain, found.more)
