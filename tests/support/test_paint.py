"""Suits and colours for a person at a terminal."""

from __future__ import annotations

import io

import pytest

from support.paint import painted, printer_for


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


@pytest.mark.parametrize(
    ("variables", "shown"),
    [
        ({"TERM": "xterm-256color"}, "the \x1b[1;31mNine of Hearts ♥\x1b[0m|"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "the Nine of Hearts|"),
        ({"TERM": "dumb"}, "the Nine of Hearts|"),
    ],
)
def test_colours_only_where_the_terminal_has_them(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], shown: str
) -> None:
    for name in ("NO_COLOR", "COLORTERM", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    terminal = Terminal()
    printer_for(terminal)("the Nine of Hearts", "|")
    assert terminal.getvalue() == shown


def test_a_pipe_gets_the_text_as_it_is() -> None:
    pipe = io.StringIO()
    printer_for(pipe)("the Nine of Hearts", "\n")
    assert pipe.getvalue() == "the Nine of Hearts\n"
