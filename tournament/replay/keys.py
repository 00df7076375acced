"""Going through steps on a terminal by keys, forth and back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from twentyone.support.terminal import say, tell

_NEXT: Final = (b"\r", b"\n", b" ", b"n", b"\x1b[C", b"\x1b[B")
_BACK: Final = (b"p", b"b", b"\x7f", b"\x1b[D", b"\x1b[A")
_QUIT: Final = (b"q", b"\x1b", b"\x04", b"")

_CLEAR: Final = "\x1b[2J\x1b[H"
_HINT: Final = "Enter or right: next   p or left: back   q: quit"


def can_ask() -> bool:
    """Whether there is a terminal on which keys can be pressed."""
    try:
        import termios  # noqa: F401 - is it there?
    except ImportError:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty()


def page(steps: Sequence[Sequence[str]]) -> None:
    """Show steps one after the other, forth and back, until somebody has seen the last or quits."""
    at = 0
    with _single_keys():
        while at < len(steps):
            print(_CLEAR, end="")
            for step in steps[: at + 1]:
                tell("\n".join(step))
            say(_HINT)
            sys.stdout.flush()
            key = os.read(sys.stdin.fileno(), 8)
            if key in _QUIT:
                return
            if key in _NEXT:
                at += 1
            elif key in _BACK:
                at = max(0, at - 1)


@contextmanager
def _single_keys() -> Iterator[None]:
    """Read keys as they are pressed, without showing them; Ctrl-C works as ever."""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
