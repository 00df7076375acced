"""The progress of long work, on standard error: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final

from twentyone.support.terminal import forget_stream, say

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

REDRAW_EVERY: Final = 0.1
LOG_EVERY: Final = 10.0


class Progress:
    """Shows the progress of some work, as a context manager.

    Args:
        what: the work, in a word or two.
        total: the number of units; None if it is not known.
        unit: the name of a unit, in the plural.
    """

    def __init__(self, what: str, total: int | None, unit: str) -> None:
        self._what = what
        self._total = total
        self._unit = unit
        self._bar: RichProgress | None = None
        self._started = self._shown = time.monotonic()
        self._before = 0

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            self._bar = self._rich_bar()
            self._bar.start()
            self._task = self._bar.add_task(self._what, total=self._total, rate="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._draw(lambda bar: bar.stop())

    def go_on_from(self, done: int) -> None:
        """Exclude units that an earlier run has done from the speed."""
        self._before = done
        self._draw(lambda bar: bar.reset(self._task, completed=done, rate=""))

    def show(self, done: int, note: str = "") -> None:
        """Show how many units are done. It may be called any number of times; most calls print nothing."""
        now = time.monotonic()
        if now - self._shown < (LOG_EVERY if self._bar is None else REDRAW_EVERY) and done != self._total:
            return
        self._shown = now
        pace = self._pace(done, now)
        if self._bar is not None:
            text = f"{pace} {note}".strip()
            self._draw(lambda bar: bar.update(self._task, completed=done, rate=text, refresh=True))
        elif done != self._total:
            of = "" if self._total is None else f" of {self._total:,}"
            so_far = f"{self._what}: {done:,}{of} {self._unit}"
            say(f"{so_far}, {pace} {note}".rstrip() if pace else f"{so_far} {note}".rstrip())

    def _pace(self, done: int, now: float) -> str:
        """The units a second; below two the seconds that are left, as far as they are known."""
        rate = (done - self._before) / max(now - self._started, 1e-9)
        if rate >= 1.5:  # which is shown as two, in the plural
            return f"{rate:,.0f} {self._unit}/s"
        if rate == 0:
            return ""
        if self._total is None:
            return f"{1 / rate:,.0f} s each"
        return f"about {max(self._total - done, 0) / rate:,.0f} s left"

    def _draw(self, change: Callable[[RichProgress], object]) -> None:
        """Change the bar, if there is one; the work goes on when its terminal is gone."""
        if self._bar is None:
            return
        try:
            change(self._bar)
        except OSError:
            forget_stream(2)
            self._bar = None

    @staticmethod
    def _rich_bar() -> RichProgress:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
        )
        return RichProgress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
