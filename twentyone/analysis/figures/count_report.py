"""A study of counting as text and as a document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from textwrap import fill
from typing import Any, Final

from cards import Decision
from twentyone.analysis.figures import counted_report
from twentyone.analysis.studies.counting.indices import FURTHEST, Index, solved_counts
from twentyone.analysis.studies.counting.margins import WORDS, Play
from twentyone.analysis.studies.counting.solving import Solved
from twentyone.analysis.studies.counting.study import Played, Rated, Study
from twentyone.analysis.studies.estimate import Estimate
from twentyone.exact.report.letters import rules_in_short
from twentyone.policies.hands import UPCARDS
from twentyone.support.counts import counted
from twentyone.support.summary import columns

CARDS: Final = (*map(str, range(2, 11)), "A")
"""The cards by their places."""

WIDEST: Final = 8
"""True counts beyond this are shown in one row."""

LINE: Final = 96
"""The width of a line of text in characters."""

NONE: Final = "."
"""Stands in the table of indices where a play has none."""

HEADINGS: Final = {
    Decision.STAND: "stand rather than hit",
    Decision.DOUBLE: "double",
    Decision.SPLIT: "split",
    Decision.SURRENDER: "surrender",
}

Indices = Mapping[Play, Index]


def as_text(study: Study) -> str:
    """The study for a terminal."""
    return "\n\n".join(_parts(study))


def as_json(study: Study) -> dict[str, Any]:
    """The study as a document."""
    solved, system = study.solved, study.system
    document: dict[str, Any] = {
        "rules": study.rules.fields(),
        "system": {
            "name": system.name,
            "tags": dict(zip(CARDS, system.tags, strict=True)),
            "of_a_deck": system.of_a_deck,
        },
        "value": float(solved.value.full),
        "insurance": float(solved.insurance.full),
        "effects": {
            card: {"value": float(value), "insurance": float(insurance)}
            for card, value, insurance in zip(
                CARDS, solved.value.removed, solved.insurance.removed, strict=True
            )
        },
        "figures": solved.figures._asdict(),
        "published_game": solved.published._asdict(),
    }
    if solved.lines is not None:
        document["indices"] = [
            {
                "decision": play.decision.value,
                "hand": play.word or None,
                "upcard": play.upcard,
                "true_count": index.at,
                "index": index.number,
                "from": "up" if index.rises else "down",
            }
            for play, index in solved.lines.indices().items()
        ]
    if study.played is not None:
        document |= _played_as_json(study.played)
    if study.beside is not None:
        document |= counted_report.as_json(study)
    return document


def _played_as_json(played: Played) -> dict[str, Any]:
    found, terms = played.found, played.terms
    rows = zip(
        found.counts.tolist(),
        found.rounds.tolist(),
        found.shares.tolist(),
        found.means.tolist(),
        found.errors.tolist(),
        found.deviations.tolist(),
        played.by_spread.bets.tolist(),
        played.by_best.bets.tolist(),
        strict=True,
    )
    names = ("true_count", "rounds", "share", "mean", "standard_error", "deviation", "bet", "best_bet")
    return {
        "policy": played.policy,
        "seed": played.seed,
        "rounds": found.total,
        "bankroll": terms.bankroll,
        "risk": terms.risk,
        "true_counts": [
            {name: _finite(value) for name, value in zip(names, row, strict=True)} for row in rows if row[1]
        ],
        "bets": {"spread": str(terms.spread), **_rated_as_json(played.by_spread)},
        "best_bets": {"is_within_risk": played.best.is_within, **_rated_as_json(played.by_best)},
        **_within_as_json(played),
    }


def _within_as_json(played: Played) -> dict[str, Any]:
    within = played.within
    if within is None:
        return {}
    rated = (("bets", played.by_spread, within.by_spread), ("best_bets", played.by_best, within.by_best))
    return {
        "bankrolls": {"rounds": within.rounds, "number": within.by_spread.sessions}
        | {
            name: {
                "risk_of_ruin": _finite(bets.ruin_within(within.rounds)),
                "lost": {"count": lost.number, "share": lost.share, "interval": lost.interval()},
            }
            for name, bets, lost in rated
        }
    }


def _rated_as_json(rated: Rated) -> dict[str, Any]:
    winnings = rated.winnings
    return {
        "mean_bet": winnings.bet,
        "per_hundred": {
            "mean": winnings.per_hundred.mean,
            "standard_error": _finite(winnings.per_hundred.standard_error),
            "interval": winnings.per_hundred.interval() if winnings.variance else None,
        },
        "deviation_of_hundred": winnings.deviation_of_hundred,
        "n0": _finite(winnings.n0),
        "score": winnings.score,
        "risk_of_ruin": {"mean": _finite(rated.ruin), "interval": rated.ruin_interval},
        "bankroll_for_risk": _finite(rated.bankroll),
    }


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


# The text.


def _parts(study: Study) -> Iterator[str]:
    system, solved = study.system, study.solved
    added = system.of_a_deck
    balance = "balanced" if not added else f"not balanced: a deck adds {added:+d}"
    yield f"rules: {rules_in_short(study.rules)}\nsystem: {system.name}, {balance}"
    yield (
        "what a card's removal changes, in percent of the bet; of the stake on insurance, with an ace up\n"
        f"{_effects(study)}"
        if study.rules.insurance
        else f"what a card's removal changes, in percent of the bet\n{_effects(study)}"
    )
    yield f"how well the system sees it\n{_figures(solved)}"
    if solved.lines is not None:
        within = min(FURTHEST, solved_counts(study.rules, system)[-1])
        yield from _indices(solved.lines.indices(), within)
    if study.played is not None:
        yield from _played(study.played)
    if study.beside is not None:
        yield from counted_report.parts(study)


def _effects(study: Study) -> str:
    value, insurance = study.solved.value, study.solved.insurance
    rows = [
        ("card", *CARDS),
        ("tag", *(f"{tag:+d}" if tag else "0" for tag in study.system.tags)),
        (f"round {100 * float(value.full):+z.3f}", *(f"{100 * each:+z.3f}" for each in value.removed)),
    ]
    if study.rules.insurance:
        name = f"insurance {100 * float(insurance.full):+z.2f}"
        rows.append((name, *(f"{100 * each:+z.3f}" for each in insurance.removed)))
    return columns(rows)


def _figures(solved: Solved) -> str:
    rows = [("", "these rules", "published game *")]
    for name, own, published in zip(solved.figures._fields, solved.figures, solved.published, strict=True):
        rows.append((name.replace("_", " "), f"{own:z.3f}", f"{published:z.3f}"))
    return (
        f"{columns(rows)}\n* one deck, dealer stands on 17, doubling any two cards but not after a split,"
        " no surrender"
    )


def _indices(indices: Indices, within: int) -> Iterator[str]:
    yield (
        "indices: the true count, rounded down, from which on the play is better (with - after it: up to"
        f"\nwhich it is); {NONE} where none lies within {within}"
    )
    for play, index in indices.items():
        if play.decision is Decision.INSURE:
            yield f"insurance: {_number(index)}"
    for decision, heading in HEADINGS.items():
        rows = [(heading, *CARDS)]
        for word in WORDS:
            cells = [indices.get(Play(decision, word, upcard)) for upcard in UPCARDS]
            if any(cells):
                rows.append((word, *(_number(cell) if cell else NONE for cell in cells)))
        if len(rows) > 1:
            yield columns(rows)


def _number(index: Index) -> str:
    number = f"{index.number:+d}" if index.number else "0"
    return number if index.rises else f"{number}-"


def _played(played: Played) -> Iterator[str]:
    found, terms = played.found, played.terms
    yield (
        f"{found.total:,} {'round' if found.total == 1 else 'rounds'} by the true count before them;"
        f" policy {played.policy}; seed {played.seed}\n"
        f"{_counts(played)}"
    )
    yield f"in units of the least bet; bankroll {terms.bankroll:,}\n{_bets(played)}"
    if played.best.winnings.variance and not played.best.is_within:
        yield fill(
            f"No bets from {terms.spread.low} to {terms.spread.high} units have a risk of ruin of"
            f" {terms.risk:z.3g} or less with this bankroll; the best are then those with the least.",
            LINE,
        )


def _counts(played: Played) -> str:
    joined = played.found.within(WIDEST)
    bets = dict(zip(played.found.counts.tolist(), played.by_spread.bets.tolist(), strict=True))
    best = dict(zip(played.found.counts.tolist(), played.by_best.bets.tolist(), strict=True))
    rows = [("true count", "share", "mean payoff", "deviation", "bet", "best bet")]
    for count, rounds, share, mean, error, deviation in zip(
        joined.counts.tolist(),
        joined.rounds.tolist(),
        joined.shares.tolist(),
        joined.means.tolist(),
        joined.errors.tolist(),
        joined.deviations.tolist(),
        strict=True,
    ):
        if rounds > 1:
            name = f"{count:+d}" if count else "0"
            more = "" if abs(count) < WIDEST else " or less" if count < 0 else " or more"
            payoff = _signed(Estimate(mean, error), 4)
            rows.append(
                (
                    name + more,
                    f"{share:z.2%}",
                    payoff,
                    f"{deviation:z.3f}",
                    f"{bets[count]}",
                    f"{best[count]}",
                )
            )
    return columns(rows)


def _bets(played: Played) -> str:
    rated = (played.by_spread, played.by_best)
    safe = f"bankroll for a risk of {100 * played.terms.risk:z.3g} %"
    rows = [
        ("", str(played.terms.spread), "best"),
        ("mean bet", *(f"{each.winnings.bet:z.3f}" for each in rated)),
        ("won in 100 rounds", *(_signed(each.winnings.per_hundred, 2) for each in rated)),
        ("its standard deviation", *(f"{each.winnings.deviation_of_hundred:z.2f}" for each in rated)),
        ("N0, in rounds", *(_rounded(each.winnings.n0) for each in rated)),
        ("SCORE", *(f"{each.winnings.score:z.2f}" for each in rated)),
        ("risk of ruin", *(_part(each.ruin) for each in rated)),
        ("  95 % interval", *(_interval(each.ruin_interval) for each in rated)),
        (
            safe,
            *(_rounded(each.bankroll) for each in rated),
        ),
    ]
    if played.within is not None:
        rounds, *lost = played.within
        rows += [
            (f"ruin within {counted(rounds, 'round')}", *(_part(each.ruin_within(rounds)) for each in rated)),
            (f"  of {lost[0].sessions:,} bankrolls", *(f"{each.share:z.2%}" for each in lost)),
            ("  95 % interval", *(_interval(each.interval()) for each in lost)),
        ]
    return columns(rows)


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if isfinite(value) else "none"


def _part(value: float) -> str:
    return f"{value:z.2%}" if isfinite(value) else "none"


def _interval(ends: tuple[float, float] | None) -> str:
    return "none" if ends is None else "{:z.2%} to {:z.2%}".format(*ends)


def _signed(estimate: Estimate, digits: int) -> str:
    shown = f"{estimate.mean:+z.{digits}f}"
    if not isfinite(estimate.standard_error):
        return shown
    reach = estimate.interval()[1] - estimate.mean
    return f"{shown} \u00b1{reach:.{digits}f}"
