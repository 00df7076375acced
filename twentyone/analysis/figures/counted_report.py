"""The contents of a table of true counts, as text and as a document: parts of a study of counting."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

import numpy as np

from twentyone.analysis.studies.counting.indices import Index
from twentyone.analysis.studies.counting.learned import borrowed_in, indices_of
from twentyone.analysis.studies.counting.margins import INSURANCE, PLAYS, Play
from twentyone.analysis.studies.counting.published import PUBLISHED
from twentyone.analysis.studies.counting.study import Beside, Study
from twentyone.analysis.studies.counting.winnings import HUNDRED, bets_of, winnings_of
from twentyone.analysis.studies.estimate import Estimate
from twentyone.exact.values.compositions import Ints
from twentyone.policies.action_values import TRUSTED
from twentyone.policies.counting import HI_LO
from twentyone.support.counts import counted
from twentyone.support.summary import columns

NO_INDEX = "never"
"""Stands for the index of a play that is not better at any true count."""


def parts(study: Study) -> Iterator[str]:
    """The parts of the text."""
    assert study.beside is not None, "the study is of a table"
    if study.played is not None and study.beside.pairs is not None:
        yield (
            f"by the table and by {study.beside.plain}, from the same shoes: what 100 rounds win, in units\n"
            f"{_beside(study)}"
        )
    yield f"index numbers: the true count, rounded down, from which on a play is better\n{_indices(study)}"
    origin, borrowed = study.beside.table.origin, borrowed_in(study.beside.table)
    yield (
        f"The table has {origin.method}, {counted(origin.rounds, 'round')}. Of the"
        f" {counted(borrowed.met, 'hand')} that it met, by upcard and\ntrue count,"
        f" {borrowed.hands:,} have fewer than {TRUSTED:,} visits: they are played as nearer to 0."
        f" They were {borrowed.share:z.2%}\nof all."
    )


def as_json(study: Study) -> dict[str, Any]:
    """The keys of the document."""
    beside = study.beside
    assert beside is not None, "the study is of a table"
    borrowed = borrowed_in(beside.table)
    computed, published = computed_indices(study), published_indices(study)
    document: dict[str, Any] = {
        "learned": {
            "method": beside.table.origin.method,
            "rounds": beside.table.origin.rounds,
            "hands": borrowed.met,
            "seldom": borrowed.hands,
            "seldom_share": borrowed.share,
            "indices": [
                {
                    "decision": play.decision.value,
                    "hand": play.word or None,
                    "upcard": play.upcard,
                    "learned": learned.number,
                    "is_trusted": learned.is_trusted,
                    "computed": computed.get(play),
                    "published": published.get(play),
                }
                for play, learned in indices_of(beside.table, PLAYS).items()
            ],
        }
    }
    if beside.pairs is not None:
        document["beside"] = {
            "policy": beside.plain,
            "bets": [
                {
                    "bets": name,
                    "table": _estimate(own),
                    "plain": _estimate(plain),
                    "difference": _estimate(difference),
                }
                for name, own, plain, difference in _won(study, beside)
            ],
        }
    return document


def _estimate(estimate: Estimate) -> dict[str, Any]:
    error = estimate.standard_error
    return {"per_hundred": estimate.mean, "standard_error": error if isfinite(error) else None}


def _won(study: Study, beside: Beside) -> Iterator[tuple[str, Estimate, Estimate, Estimate]]:
    """The winnings in 100 rounds by the table, by the other policy, and their difference, by bets."""
    assert study.played is not None and beside.pairs is not None
    own, plain = beside.pairs.by_count
    spread = study.played.terms.spread
    bets: dict[str, Ints] = {
        "one unit": np.ones(len(own.counts), np.int64),
        str(spread): bets_of(spread, own.counts),
    }
    for name, each in bets.items():
        mean, error = beside.pairs.difference(each).mean, beside.pairs.difference(each).standard_error
        difference = Estimate(HUNDRED * mean, HUNDRED * error)
        yield name, winnings_of(own, each).per_hundred, winnings_of(plain, each).per_hundred, difference


def _beside(study: Study) -> str:
    beside = study.beside
    assert beside is not None
    rows: list[tuple[str, ...]] = [("bets", "the table", beside.plain, "difference")]
    rows += [(name, *map(_signed, estimates)) for name, *estimates in _won(study, beside)]
    return columns(rows)


def _signed(estimate: Estimate) -> str:
    if not isfinite(estimate.standard_error):
        return f"{estimate.mean:+z.3f}"
    return f"{estimate.mean:+z.3f} \u00b1{estimate.interval()[1] - estimate.mean:z.3f}"


def _indices(study: Study) -> str:
    """The published plays, or those that are for other systems too: learned, and where known the others."""
    assert study.beside is not None
    computed, published = computed_indices(study), published_indices(study)
    rows = [("play", "learned", *(["computed"] if computed else []), *(["published"] if published else []))]
    seldom = False
    for play, learned in indices_of(study.beside.table, [*PUBLISHED]).items():
        mark = "" if learned.is_trusted else "?"
        seldom = seldom or bool(mark)
        cells = [f"{_number(learned.number)}{mark}"]
        cells += [_number(computed.get(play))] if computed else []
        cells += [_number(published.get(play))] if published else []
        rows.append((name_of(play), *cells))
    note = f"\n? fewer than {TRUSTED:,} visits of one of the actions, there or one below" if seldom else ""
    return f"{columns(rows)}{note}"


def name_of(play: Play) -> str:
    """A play in words: `H16 against 10: stand`."""
    if play.word == INSURANCE:
        return "insurance"
    upcard = "A" if play.upcard == 11 else str(play.upcard)
    return f"{play.word} against {upcard}: {play.decision.value.lower()}"


def _number(index: int | None) -> str:
    return NO_INDEX if index is None else f"{index:+d}" if index else "0"


def computed_indices(study: Study) -> dict[Play, int]:
    """The computed indices, if they were asked for, of plays that are better from them up."""
    found: dict[Play, Index] = {} if study.solved.lines is None else study.solved.lines.indices()
    return {play: index.number for play, index in found.items() if index.rises}


def published_indices(study: Study) -> dict[Play, int]:
    """The published indices, if the system is that of which they are."""
    return dict(PUBLISHED) if study.system.tags == HI_LO.tags else {}
