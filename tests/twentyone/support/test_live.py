"""Lines that are kept up to date on a terminal: they replace each other, and nothing of them stays."""

from __future__ import annotations

from pathlib import Path

from tests.helpers.terminals import on_screen
from tests.twentyone.support.terminals import shown
from twentyone.support.live import is_live

SHOWING = """
import sys
from twentyone.support.live import LiveText, is_live
from twentyone.support.terminal import say
live = LiveText()
live.show("one [bold]player\\n" + "x" * 200)
live.show("two players")
live.show("two players")
live.clear()
say("said")
live.show("three players\\n" + "\\n".join(map(str, range(100))))
live.clear()
live.clear()
print(is_live())
"""
GONE = """
import os
from twentyone.support.live import LiveText
live = LiveText()
live.show("one player")
os.close(2)
live.show("two players")
live.show("three players")
live.clear()
print("result")
"""


def test_texts_replace_each_other_and_nothing_of_them_stays(tmp_path: Path) -> None:
    text, printed = shown(tmp_path, SHOWING)
    assert text.count("two players") == 1  # the same again is not drawn
    assert "one [bold]player" in text  # which is no markup
    assert "x" * 80 in text
    assert "x" * 81 not in text  # as wide as the terminal
    assert "\n22" not in text.replace("\r", "")  # and as high
    assert [line for line in on_screen(text) if line] == ["said"]
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")  # the cursor is there again
    assert printed == "True\n"


def test_when_the_terminal_is_gone_nothing_more_is_shown(tmp_path: Path) -> None:
    text, printed = shown(tmp_path, GONE)
    assert "one player" in text
    assert "two players" not in text
    assert printed == "result\n"


def test_a_terminal_that_cannot_write_a_line_again_is_none_and_a_pipe_neither(tmp_path: Path) -> None:
    for terminal in ("dumb", "unknown"):
        ask = "from twentyone.support.live import is_live; print(is_live())"
        assert shown(tmp_path, ask, TERM=terminal) == ("", "False\n")
    assert not is_live()
