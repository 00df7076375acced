"""Results of tournaments that were not played: their payoffs are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np

from cards import PRESETS
from tournament.settings import Entrant, Fault, Results, Settings


def settings_of(entrants: int, rounds: int, *, seats: int = 1, kept_shoe: bool = False) -> Settings:
    """A tournament of so many entrants, against a dealer or at tables of some seats."""
    rules = PRESETS["course"] if seats == 1 else replace(PRESETS["showdown"], seats=seats)
    named = tuple(Entrant(f"player{number}", policy="basic") for number in range(entrants))
    return Settings(rules, rounds, 1, named, kept_shoe=kept_shoe)


def results_of(
    payoffs: Any,
    lost: Any = None,
    *,
    entrants: int | None = None,
    faults: Sequence[Fault] = (),
    thinking: Sequence[Any] | None = None,
    **changes: Any,
) -> Results:
    """Results with these payoffs in tenths, for each match of shape (rounds, places), or (rounds,).

    As many entrants as matches, unless it is said; the EV lost is given likewise, thinking in seconds for
    each entrant. Changes are `kept_shoe` of the settings, and fields of `Results`.
    """
    shaped = [_columns(each).astype(np.int32) for each in payoffs]
    count, rounds, seats = entrants or len(shaped), len(shaped[0]), shaped[0].shape[1]
    assert len(shaped) == comb(count, seats)
    made = Results(
        settings=settings_of(count, rounds, seats=seats, kept_shoe=changes.pop("kept_shoe", False)),
        rounds=rounds,
        payoffs=shaped,
        lost=None if lost is None else [_columns(each).astype(np.float64) for each in lost],
        thinking=[np.zeros(0, np.float32)] * count if thinking is None else thinking,
        faults=faults,
        is_over=True,
        sure_after=None,
        blocks=lambda _: (),
    )
    return replace(made, **changes)


def _columns(values: Any) -> Any:
    array = np.asarray(values)
    return array[:, None] if array.ndim == 1 else array
