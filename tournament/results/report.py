"""The result of a tournament on a terminal: ranking, crosstable, faults and times, and notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Final

from tournament.results.certain import certain
from tournament.results.statistics import BETS, Difference, Interval, Pair, Row, Standing
from tournament.results.unranked import ERRORS
from tournament.settings import FAULTS
from twentyone.exact.yardsticks import SEES
from twentyone.support.cells import shortened
from twentyone.support.counts import counted
from twentyone.support.summary import columns

WIDTH: Final = 100
"""Columns of a terminal."""

WIDE: Final = 6
"""The most entrants whose differences are told as numbers: more do not fit into 100 columns."""

NAME: Final = 24
"""Columns of a name in a table that has to be narrow."""

BETTER, WORSE, EITHER = "+", "-", "="
"""The row's entrant is better for certain than the column's, is worse, or neither is certain."""


def text(standing: Standing) -> str:
    """The tables and sentences, at most 100 columns wide for up to 18 entrants."""
    said = "\n".join(fill(note, WIDTH) for note in notes(standing))
    sure = fill(" ".join(certain(standing)), WIDTH)
    parts = [ranking(standing), sure, unranked(standing), crosstable(standing), troubles(standing), said]
    return "\n\n".join(part for part in parts if part)


def ranking(standing: Standing) -> str:
    """A line for each entrant, the best first."""
    heads = ["entrant", "rank", "rounds", "mean payoff", "+-"]
    if standing.has_lost:
        heads += ["rank by EV lost", "EV lost", "+-"]
    if has_days(standing):
        heads += ["played"]
    return columns([heads, *(_ranked(standing.rows[number], standing) for number in standing.order)])


def _ranked(row: Row, standing: Standing) -> list[str]:
    rank = "-" if row.rank is None else str(row.rank)
    cells = [_short(row.name), rank, f"{row.rounds:,}", *estimate(row.payoff, signed=True)]
    if standing.has_lost:
        cells += ["-" if row.rank_by_lost is None else str(row.rank_by_lost)]
        cells += ["-", "-"] if row.lost is None else estimate(row.lost)
    return [*cells, played(row)] if has_days(standing) else cells


def has_days(standing: Standing) -> bool:
    """Whether it is said when each entrant played: where some came later than others."""
    return any(row.played is not None for row in standing.rows)


def played(row: Row) -> str:
    """The days on which an entrant played: `2026-11-03`, or `2026-11-03 to 2026-11-24`."""
    return "-" if row.played is None else " to ".join(dict.fromkeys(row.played))


def estimate(interval: Interval, *, signed: bool = False) -> list[str]:
    """A mean and half the width of its interval, with as many digits as that deserves."""
    mean = f"{interval.mean:+z.5f}" if signed else f"{interval.mean:z.5f}"
    return [mean, "-" if interval.high is None else f"{interval.high - interval.mean:z.5f}"]


def unranked(standing: Standing) -> str:
    """Why entrants are not ranked, or took no part to the end; no text if there are none of either."""
    told = []
    for row in (standing.rows[number] for number in standing.order):
        told += [fill(why, WIDTH) for why in reasons(row)]
        told += [f"    {line}" for line in last_errors(row)]
    return "\n".join(told)


def reasons(row: Row) -> list[str]:
    """Why an entrant is not ranked, or took no part to the end, a sentence for each reason."""
    said = []
    if (end := row.ended) is not None:
        how = "is out" if end.is_ranked else end.kind
        when = f" in round {end.round:,}" if end.round > 1 else ""
        rank = "" if end.is_ranked else ", and is not ranked"
        said.append(f"{row.name} {how}{when}{rank}: {end.why}.")
    if (excess := row.better_than_possible) is not None:
        errors = (excess.mean - excess.value) / excess.error
        said.append(
            f"{row.name} is better than is possible, and is not ranked: its mean payoff plus its EV lost is"
            f" {excess.mean:+z.5f} initial bets per round. In the long run this is {excess.value:+z.5f} for"
            " everybody who does not know cards before they are dealt. It is"
            f" {errors:,.1f} standard errors of {excess.error:.5f} above that, and more than {ERRORS} are not"
            " luck."
        )
    return said


def last_errors(row: Row) -> Sequence[str]:
    """The last lines of the errors of an entrant that took no part to the end."""
    return () if row.ended is None else row.ended.errors


def crosstable(standing: Standing) -> str:
    """Every entrant against every other: as numbers if there are few of them, otherwise as signs."""
    if len(standing.compared) > WIDE:
        tables = [_crossed(standing, _signs)]
    else:
        tables = [_crossed(standing, _payoffs), *([_crossed(standing, _lost)] if standing.has_lost else [])]
    return "\n\n".join([*tables, fill(_legend(standing), WIDTH)])


def _crossed(standing: Standing, told: Callable[[Pair], str]) -> str:
    order = standing.compared
    heads = ["row less column", *(str(place + 1) for place in range(len(order)))]
    rows = [
        [
            f"{place + 1:>2} {_short(standing.rows[number].name)}",
            *("" if other == number else told(standing.between(number, other)) for other in order),
        ]
        for place, number in enumerate(order)
    ]
    return columns([heads, *rows])


def _payoffs(pair: Pair) -> str:
    return _number(pair.payoff)


def _lost(pair: Pair) -> str:
    return "-" if pair.lost is None else _number(pair.lost)


def _number(found: Difference) -> str:
    return f"{found.mean:+z.4f}{'*' if found.is_certain else ' '}"


def _signs(pair: Pair) -> str:
    """A sign for the payoff, and one for EV lost where it is known."""
    signs = sign(pair.payoff)
    return signs if pair.lost is None else signs + sign(pair.lost, less_is_better=True)


def sign(found: Difference, *, less_is_better: bool = False) -> str:
    """Whether the first of a pair is better, worse, or neither for certain."""
    if not found.is_certain:
        return EITHER
    return BETTER if (found.mean > 0) != less_is_better else WORSE


def _legend(standing: Standing) -> str:
    if len(standing.compared) <= WIDE:
        which = "; then of EV lost, of which less is better" if standing.has_lost else ""
        return f"Differences of the mean payoff in {standing.unit}{which}. A star means certain."
    which = "; the first sign by payoff, the second by EV lost" if standing.has_lost else ", by payoff"
    return f"{BETTER} better for certain, {WORSE} worse for certain, {EITHER} not told apart yet{which}."


def troubles(standing: Standing) -> str:
    """Times and faults; no text if there is nothing of either."""
    kinds = [kind for kind in FAULTS if any(kind in row.faults for row in standing.rows)]
    is_timed = any(row.times is not None for row in standing.rows)
    if not kinds and not is_timed:
        return ""
    heads = ["entrant", *(["median ms", "99 % ms"] if is_timed else []), *kinds]
    rows = [
        [
            _short(row.name),
            *(_times(row) if is_timed else []),
            *(f"{row.faults.get(kind, 0):,}" for kind in kinds),
        ]
        for row in (standing.rows[number] for number in standing.order)
    ]
    said = [f"{kind}: {FAULTS[kind]}" for kind in kinds]
    return "\n\n".join([columns([heads, *rows]), *(["\n".join(said)] if said else [])])


def _times(row: Row) -> list[str]:
    if row.times is None:
        return ["-", "-"]
    return [f"{1000 * row.times.median:z.2f}", f"{1000 * row.times.percentile_99:z.2f}"]


def notes(standing: Standing) -> list[str]:
    """The notes for a reader, a sentence each."""
    pairs = len(standing.pairs)
    said = [
        f"Payoffs are in {standing.unit} per round, with intervals of 95 %. Entrants that share a rank"
        " cannot be told apart."
    ]
    if pairs > 1:
        said.append(f"The intervals of all {pairs} differences hold together with a chance of 95 %.")
    if not standing.is_paired:
        said.append("Shoes were kept, so the pairs did not have the same cards: their intervals are wider.")
    if standing.yardstick is not None:
        name, value = standing.yardstick
        said.append(
            "EV lost is the cost of decisions, in initial bets per round, by the exact values and against"
            f" the {name}, {SEES[name]}: it is worth {value:+z.7f}."
        )
    if standing.clocks is not None:
        clocks = standing.clocks
        said.append(
            f"A program had {clocks.decision:g} s for a decision, and then a bank of {clocks.bank:g} s, into"
            f" which each round put back {clocks.refill:g} s; what was later counted as STAND."
        )
    if standing.sure_after is not None:
        by = "EV lost" if standing.has_lost and standing.unit == BETS else "mean payoff"
        said.append(
            f"The order by {by} was certain after {counted(standing.sure_after, 'round')}, and play stopped"
            " there:"
            f" the intervals of the differences are those that hold whenever one stops."
        )
    elif not standing.is_open and standing.rounds < standing.asked:
        said.append(
            f"It is not over: {standing.rounds:,} of {counted(standing.asked, 'round')} count so far."
        )
    if standing.is_open:
        said += _open(standing)
    said += [] if standing.trust is None else standing.trust.notes()
    return said


def _open(standing: Standing) -> list[str]:
    """The notes for as long as entrants may come."""
    said = [
        "It is open: entrants may come, change and go, so neither the seed nor the cards of any round are"
        " shown. An entrant that was tuned on these cards has a better mean payoff than it deserves; EV lost"
        " hardly suffers from that."
    ]
    if standing.waiting:
        said.append(f"Not played yet: {', '.join(standing.waiting)}.")
    return said


def _short(name: str) -> str:
    """A name that fits; the end is kept too, since numbers stand there."""
    return shortened(name, NAME, end=8)
