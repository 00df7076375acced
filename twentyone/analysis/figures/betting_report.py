"""A study of betting as text, as a document and as rows: each figure with its 95 % interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any, Final

import numpy as np

from twentyone.analysis.studies import policies
from twentyone.analysis.studies.betting import PERCENTILES, Sessions, Share, Study
from twentyone.analysis.studies.estimate import Estimate
from twentyone.analysis.studies.staking import MOST_COUNT, TRUE_COUNTS, moments_of
from twentyone.exact.report.letters import rules_in_short
from twentyone.support.counts import counted
from twentyone.support.summary import columns

WIDEST: Final = 5
"""True counts beyond this are shown in one row."""

LINE: Final = 96
"""The width of a line of text in characters, that of the tables."""

RESULTS: Final = ("mean_stake", "per_round", "per_unit_bet", "per_initial_bet")
SHARES: Final = ("ruined", "ahead", "ahead_with_fewer_wins_than_losses")


def exact_value(study: Study) -> float | None:
    """The exact value of the policy with a fresh shoe every round, in initial bets; None if it has none."""
    return policies.exact_value(study.policy, study.rules)


def as_text(study: Study) -> str:
    """The study for a terminal: tables, followed by sentences that sum them up."""
    return "\n\n".join("\n".join(part) for part in _parts(study))


def as_json(study: Study) -> dict[str, Any]:
    """The study as a document."""
    terms, edge = study.terms, study.edge
    return {
        "rules": study.rules.fields(),
        "policy": study.policy.name,
        "seed": study.seed,
        "bankroll": terms.bankroll,
        "min": terms.minimum,
        "max": terms.maximum,
        "rounds": terms.rounds,
        "sessions": len(study.sessions[0].figures),
        "edge": {
            "at_zero": _estimate(edge.at_zero),
            "slope": _estimate(edge.slope),
            "variance": edge.variance,
            "first_count_with_edge": first_with_edge(study),
        },
        "true_counts": list(_by_count(study)),
        "strategies": [_strategy(each, study.sessions[0]) for each in study.sessions],
        "fresh_shoe": {
            "exact_value": exact_value(study),
            "strategies": [_results(each, study.fresh[0]) for each in study.fresh],
        },
    }


def as_rows(study: Study) -> list[tuple[object, ...]]:
    """The figures in long form: shoe, strategy, figure, value, and the 95 % interval."""
    rows: list[tuple[object, ...]] = [("shoe", "strategy", "figure", "value", "low", "high")]
    kept = [("kept", study.sessions)] if study.keeps_shoe else []
    for shoe, part in [*kept, ("fresh", study.fresh)]:
        for each in part:
            for figure, value, low, high in _figures(each):
                rows.append((shoe, str(each.strategy), figure, value, low, high))
    return rows


def first_with_edge(study: Study) -> int | None:
    """The least true count at which the measured line gives the player an edge, or None if there is none."""
    counts = TRUE_COUNTS[study.edge.at(TRUE_COUNTS) > 0]
    return int(counts[0]) if counts.size else None


def result_of(sessions: Sessions, name: str) -> Estimate:
    """One of RESULTS."""
    ratios = (sessions.stake, sessions.per_round, sessions.per_unit_bet, sessions.per_initial_bet)
    return ratios[RESULTS.index(name)].estimate


def share_of(sessions: Sessions, name: str) -> Share:
    """One of SHARES."""
    return (sessions.ruined, sessions.ahead, sessions.ahead_by_stakes)[SHARES.index(name)]


# The document.


def _by_count(study: Study) -> Iterator[dict[str, Any]]:
    """The rounds by true count, and what they paid."""
    moments = moments_of(study.payoffs)
    for count, (lost, pushed, won, *_), rounds, payoffs in zip(
        TRUE_COUNTS.tolist(),
        study.payoffs.tolist(),
        moments.rounds.tolist(),
        moments.sums.tolist(),
        strict=True,
    ):
        if rounds:
            found = {"true_count": count, "lost": lost, "pushed": pushed, "won": won}
            yield found | {"mean_payoff": payoffs / rounds}


def _estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "mean": estimate.mean,
        "standard_error": estimate.standard_error,
        "interval": estimate.interval(),
    }


def _results(sessions: Sessions, first: Sessions) -> dict[str, Any]:
    return {
        "name": str(sessions.strategy),
        **{name: _estimate(result_of(sessions, name)) for name in RESULTS},
        "per_unit_bet_less_first": _estimate(sessions.per_unit_bet.less(first.per_unit_bet)),
    }


def _strategy(sessions: Sessions, first: Sessions) -> dict[str, Any]:
    shares = {name: share_of(sessions, name) for name in SHARES}
    return {
        **_results(sessions, first),
        **{
            name: {"count": share.number, "share": share.share, "interval": share.interval()}
            for name, share in shares.items()
        },
        "final_bankroll": {
            "mean": _estimate(sessions.mean_final),
            "percentiles": [
                {"percent": percent, "value": found.value, "interval": [found.low, found.high]}
                for percent, found in zip(PERCENTILES, sessions.final_percentiles(), strict=True)
            ],
        },
        "path": {
            "rounds": sessions.terms.marks.tolist(),
            "percentiles": {
                str(percent): values
                for percent, values in zip(PERCENTILES, sessions.path_percentiles().tolist(), strict=True)
            },
        },
    }


def _figures(sessions: Sessions) -> Iterator[tuple[str, float, float, float]]:
    for name in RESULTS:
        estimate = result_of(sessions, name)
        yield name, estimate.mean, *estimate.interval()
    for name in SHARES:
        share = share_of(sessions, name)
        yield name, share.share, *share.interval()
    for percent, found in zip(PERCENTILES, sessions.final_percentiles(), strict=True):
        yield f"final_bankroll_percentile_{percent}", *found


# The text.


def _parts(study: Study) -> Iterator[list[str]]:
    terms = study.terms
    yield [
        f"rules: {rules_in_short(study.rules)}",
        f"policy: {study.policy.name}; seed {study.seed}",
        f"{counted(len(study.sessions[0].figures), 'session')} of at most {counted(terms.rounds, 'round')};"
        f" bankroll {terms.bankroll:,}, stakes {terms.minimum:,} to {terms.maximum:,}",
        "won per round played, per unit of money staked, and per initial bet; \u00b1 is a 95 % interval",
    ]
    if study.keeps_shoe:
        yield [f"the shoe kept over rounds, {study.rules.reshuffle}", _result_table(study.sessions)]
    yield ["a fresh shoe every round", _result_table(study.fresh)]
    which = "the shoe kept over rounds" if study.keeps_shoe else "a fresh shoe every round"
    yield [f"sessions, {which}", _share_table(study.sessions)]
    yield [f"bankroll at the end, {which}", _final_table(study.sessions)]
    if study.keeps_shoe:
        yield [
            f"{counted(moments_of(study.payoffs).rounds.sum(), 'round')} by the true count before them",
            _count_table(study),
        ]
    yield [fill(sentence, LINE) for sentence in _sentences(study)]


def _result_table(part: Sequence[Sessions]) -> str:
    first = part[0]
    results = ("mean stake", "per round", "per unit bet", f"less {first.strategy}", "per initial bet")
    rows = [("strategy", *results)]
    for each in part:
        less = each.per_unit_bet.less(first.per_unit_bet)
        rows.append(
            (
                str(each.strategy),
                f"{result_of(each, 'mean_stake').mean:z.2f}",
                _signed(result_of(each, "per_round")),
                _signed(result_of(each, "per_unit_bet")),
                "" if each is first else _signed(less),
                _signed(result_of(each, "per_initial_bet")),
            )
        )
    return columns(rows)


def _share_table(part: Sequence[Sessions]) -> str:
    headings = (heading for name in ("ruined", "ahead", "*") for heading in (name, "95 % interval"))
    rows: list[tuple[str, ...]] = [("strategy", *headings)]
    for each in part:
        cells: list[str] = []
        for name in SHARES:
            share = share_of(each, name)
            low, high = share.interval()
            cells += [f"{share.share:z.2%}", f"{low:z.2%} to {high:z.2%}"]
        rows.append((str(each.strategy), *cells))
    return f"{columns(rows)}\n* ahead with fewer wins than losses"


def _final_table(part: Sequence[Sessions]) -> str:
    rows: list[tuple[str, ...]] = [("strategy", "mean", *(f"{percent} %" for percent in PERCENTILES))]
    for each in part:
        mean = each.mean_final
        reach = mean.interval()[1] - mean.mean
        values = (f"{found.value:,}" for found in each.final_percentiles())
        rows.append((str(each.strategy), f"{mean.mean:,.1f} \u00b1{reach:,.1f}", *values))
    return columns(rows)


def _count_table(study: Study) -> str:
    rows = [("true count", "rounds", "share", "mean payoff")]
    shown = np.clip(TRUE_COUNTS, -WIDEST, WIDEST)
    moments = moments_of(study.payoffs)
    total = int(moments.rounds.sum())
    for count in range(-WIDEST, WIDEST + 1):
        rounds, payoffs, squares = (each[shown == count].sum().item() for each in moments)
        if rounds:
            name = f"{count:+d}" if count else "0"
            more = "" if abs(count) < WIDEST else " or less" if count < 0 else " or more"
            payoff = _signed(_mean_payoff(rounds, payoffs, squares)) if rounds > 1 else ""
            rows.append((name + more, f"{rounds:,}", f"{rounds / total:z.1%}", payoff))
    return columns(rows)


def _mean_payoff(rounds: int, payoffs: float, squares: float) -> Estimate:
    mean = payoffs / rounds
    return Estimate(mean, ((squares / rounds - mean**2) / (rounds - 1)) ** 0.5)


def _signed(estimate: Estimate) -> str:
    return f"{estimate.mean:+z.4f} \u00b1{estimate.interval()[1] - estimate.mean:z.4f}"


def _sentences(study: Study) -> Iterator[str]:
    """The findings of the tables; each statement depends on the figures."""
    exact = exact_value(study)
    intervals = [each.per_unit_bet.estimate.interval() for each in study.fresh]
    if exact is not None:
        covered = sum(low <= exact <= high for low, high in intervals)
        yield (
            "With a fresh shoe every round no strategy changes the value of a unit bet: it is the exact value"
            f" of the policy, {exact:+z.6f}, and {covered} of the {len(intervals)} intervals contain it (19"
            " in 20 do in the long run)."
        )
    if study.keeps_shoe:
        for each in study.sessions[1:]:
            yield _sentence_on_a_strategy(each, study.sessions[0])
        yield _sentence_on_the_edge(study)
    else:
        yield "There is nothing to count: the true count is 0 before every round."


def _sentence_on_a_strategy(sessions: Sessions, first: Sessions) -> str:
    """The effect of a strategy with a kept shoe, compared with the first one."""
    name, other = str(sessions.strategy), str(first.strategy)
    if (sessions.figures == first.figures).all():
        return f"With a kept shoe, {name} has exactly the same results as {other}."
    less = sessions.per_unit_bet.less(first.per_unit_bet)
    low, high = less.interval()
    how = "it stakes by the count" if sessions.strategy.is_counting else "it does not count"
    verdict = "which chance explains" if low <= 0 <= high else "more than chance explains"
    stakes = result_of(sessions, "mean_stake").mean / result_of(first, "mean_stake").mean
    rounds = [result_of(each, "per_round").mean for each in (sessions, first)]
    return (
        f"With a kept shoe, {name} ({how}) differs from {other} by {_signed(less)} per unit bet, {verdict};"
        f" per round it has {rounds[0]:+z.4f} against {rounds[1]:+z.4f}, with {stakes:z.2f} times the stakes."
    )


def _sentence_on_the_edge(study: Study) -> str:
    edge, count = study.edge, first_with_edge(study)
    line = (
        f"The value of a round is {_signed(edge.at_zero)}, and {_signed(edge.slope)} more for each unit of"
        " the true count"
    )
    if count is None:
        return f"{line}: by this line the player has no edge at any true count up to {MOST_COUNT}."
    rounds = moments_of(study.payoffs).rounds
    share = float(rounds[count <= TRUE_COUNTS].sum() / rounds.sum())
    return (
        f"{line}: by this line the player has an edge from a true count of {count:+d} on, before"
        f" {share:z.3%} of all rounds."
    )
