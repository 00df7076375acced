"""Suits and colours for a person at a terminal."""

from __future__ import annotations

import io

import pytest

from twentyone.support.paint import painted, printer_for


def test_a_terminal_gets_suits_and_colours() -> None:
    shown = painted("The dealer has the Ten of Clubs and the Nine of Hearts: 19.", has_symbols=True)
    assert shown.plain == "The dealer has the Ten of Clubs ♣ and the Nine of Hearts ♥: 19."
    assert [(shown.plain[span.start : span.end], str(span.style)) for span in shown.spans] == [
        ("Ten of Clubs ♣", "bold"),
        ("Nine of Hearts ♥", "bold red"),
    ]
    assert painted("the Ten of Clubs", has_symbols=False).plain == "the Ten of Clubs"


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_colours_only_where_the_terminal_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for term, plain, shown in (
        ("xterm-256color", None, "the \x1b[1;31mNine of Hearts ♥\x1b[0m|"),
        ("xterm-256color", "1", "the Nine of Hearts|"),
        ("dumb", None, "the Nine of Hearts|"),
    ):
        for name in ("COLORTERM", "FORCE_COLOR", "NO_COLOR"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("TERM", term)
        if plain:
            monkeypatch.setenv("NO_COLOR", plain)
        terminal = Terminal()
        printer_for(terminal)("the Nine of Hearts", "|")
        assert terminal.getvalue() == shown


def test_a_pipe_gets_the_text_as_it_is() -> None:
    pipe = io.StringIO()
    printer_for(pipe)("the Nine of Hearts", "\n")
    assert pipe.getvalue() == "the Nine of Hearts\n"
