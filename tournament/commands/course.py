"""The course of a tournament while it is played: how fast, how long still, and on a terminal who is ahead."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tournament.commands.options import notice
from tournament.results.store import Store
from tournament.settings import UNITS, Block
from twentyone.support.live import LiveText, is_live
from twentyone.support.progress import LOG_EVERY
from twentyone.support.summary import columns
from twentyone.support.terminal import printable

REDRAW_EVERY: Final = 0.25
TOP: Final = 12
"""Entrants that are shown."""


class Course:
    """Shows where a tournament stands, as a context manager: in a pipe by a line every ten seconds.

    Args:
        store: the results so far.
        clock: the time in seconds.
    """

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = store.settings
        self._live = LiveText() if is_live() else None
        self._clock = clock
        self._sums = np.zeros((len(self._settings.entrants), 3))
        for match in self._settings.matches:
            for payoffs in store.payoffs_of(match):
                self._count(match.entrants, payoffs)
        self._before = self._sums[:, 0].sum()
        self._started = self._shown = clock()

    def __enter__(self) -> Course:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.clear()

    def notice(self, sentence: str) -> None:
        """Say a sentence above what is shown."""
        if self._live is not None:
            self._live.clear()
        notice(sentence)

    def show(self, block: Block | None) -> None:
        """Count a block, and show how things stand now."""
        if block is not None:
            self._count(self._settings.matches[block.match].entrants, block.payoffs)
        now = self._clock()
        if now - self._shown < (LOG_EVERY if self._live is None else REDRAW_EVERY):
            return
        self._shown = now
        if self._live is None:
            notice(self._line(now - self._started))
        else:
            self._live.show(self._text(now - self._started))

    def _count(self, entrants: tuple[int, ...], payoffs: NDArray[np.int32]) -> None:
        own = payoffs.astype(np.float64) / UNITS
        self._sums[list(entrants)] += np.stack(
            [np.full(len(entrants), len(own)), own.sum(axis=0), (own * own).sum(axis=0)], axis=1
        )

    def _text(self, seconds: float) -> str:
        return f"{self._line(seconds)}\n{columns(self._rows())}"

    def _line(self, seconds: float) -> str:
        played = self._sums[:, 0].sum()
        total = self._settings.rounds * sum(len(match.entrants) for match in self._settings.matches)
        rate = (played - self._before) / max(seconds, 1e-9)
        left = f", {_time((total - played) / rate)} left" if rate > 0 else ""
        return f"{played:,.0f} of {total:,} rounds of all entrants, {rate:,.0f} rounds/s{left}"

    def _rows(self) -> list[tuple[str, ...]]:
        count = np.maximum(self._sums[:, 0], 1)
        means = self._sums[:, 1] / count
        spread = np.maximum(self._sums[:, 2] / count - means**2, 0)
        reach = 1.96 * np.sqrt(spread / count)
        order = sorted(range(len(means)), key=lambda each: (self._sums[each, 0] == 0, -means[each]))
        rows: list[tuple[str, ...]] = [("", "rounds", "mean payoff", "95 %")]
        for each in order[:TOP]:
            name, rounds = printable(self._settings.entrants[each].name), self._sums[each, 0]
            shown = (f"{means[each]:+z.4f}", f"+- {reach[each]:z.4f}") if rounds > 1 else ("", "")
            rows.append((name, f"{rounds:,.0f}", *shown))
        return rows


def _time(seconds: float) -> str:
    """A time as `1:02:03` or `2:03`."""
    minutes, rest = divmod(int(seconds) + 1, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
