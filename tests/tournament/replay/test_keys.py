"""Steps that are paged through on a terminal, without a process."""

from __future__ import annotations

import os
import pty
import sys
import termios
from collections.abc import Iterator
from typing import TextIO

import pytest

from tournament.replay import keys

STEPS = [["first"], ["second", "and more"], ["third"]]
CLEAR = "\x1b[2J\x1b[H"


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """A terminal, from which this process reads."""
    person, handle = pty.openpty()
    try:
        with os.fdopen(handle) as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            yield stdin
    finally:
        os.close(person)


def test_keys_lead_forth_and_back_and_no_further_than_the_first_step(
    terminal: TextIO, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page has all steps so far; behind the last it ends, and the terminal is as it was."""
    before = termios.tcgetattr(terminal)
    cases: list[tuple[tuple[bytes, ...], tuple[int, ...]]] = [
        ((b"\r", b"\x1b[D", b"p", b"x", b"n", b" ", b"\x1b[C"), (1, 2, 1, 1, 1, 2, 3)),
        ((b"\x1b[B", b"\x1b[A", b"\n", b"\x7f", b"\n", b"b", b"q"), (1, 2, 1, 2, 1, 2, 1)),
        *(((key,), (1,)) for key in (b"q", b"\x1b", b"\x04", b"")),
    ]
    for pressed, pages in cases:
        left = iter(pressed)
        with monkeypatch.context() as patch:
            patch.setattr(os, "read", lambda *_, left=left: next(left))
            keys.page(STEPS)
        assert list(left) == [], pressed
        shown, hints = capsys.readouterr()
        texts = ["".join(f"{line}\n" for step in STEPS[:count] for line in step) for count in pages]
        assert shown.split(CLEAR) == ["", *texts], pressed
        assert hints == "Enter or right: next   p or left: back   q: quit\n" * len(pages)
        assert termios.tcgetattr(terminal) == before


def test_nothing_can_be_asked_where_either_end_is_no_terminal(terminal: TextIO) -> None:
    assert terminal.isatty() and not keys.can_ask()  # what is printed goes to a file here
