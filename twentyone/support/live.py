"""A few lines at the bottom of a terminal that are kept up to date while a command runs."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from twentyone.support.terminal import forget_stream

if TYPE_CHECKING:
    from rich.live import Live


def is_live() -> bool:
    """Whether standard error is a terminal on which lines can be written again."""
    return sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


class LiveText:
    """Lines on standard error that are replaced by newer ones; nothing of them stays at the end.

    Lines that do not fit are cut, at the right and at the bottom. When the terminal is gone, nothing more is
    shown.
    """

    def __init__(self) -> None:
        from rich.console import Console  # nothing of it is loaded where nothing is shown

        self._console = Console(stderr=True, force_terminal=True, highlight=False)
        self._live: Live | None = None
        self._text = ""
        self._is_lost = False

    def show(self, text: str) -> None:
        """Show this in place of what was there; if that is the same, do nothing."""
        if self._is_lost or text == self._text:
            return
        self._text = text
        try:
            self._draw(text)
        except OSError:
            self._lose()

    def clear(self) -> None:
        """Clear the lines, so that another text can be printed; they come back with the next text."""
        live, self._live = self._live, None
        self._text = ""
        if live is None or self._is_lost:
            return
        try:
            live.update("")
            live.stop()
        except OSError:
            self._lose()

    def _draw(self, text: str) -> None:
        from rich.live import Live
        from rich.text import Text

        if self._live is None:
            self._live = Live(
                console=self._console,
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        # At its end rich draws all lines once more, even those that do not fit.
        lines = text.split("\n")[: self._console.height - 1]
        self._live.update(Text("\n".join(lines), no_wrap=True, overflow="crop"), refresh=True)

    def _lose(self) -> None:
        self._is_lost = True
        forget_stream(2)
