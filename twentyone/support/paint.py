"""Suits and colours for a person at a terminal; plain text in other places."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Print = Callable[[str, str], None]
"""Prints a text and how it ends."""

_CARD: Final = re.compile(r"\b[A-Z][a-z]+ of (Clubs|Diamonds|Hearts|Spades)\b")
_SYMBOLS: Final = {"Clubs": "♣", "Diamonds": "♦", "Hearts": "♥", "Spades": "♠"}
_RED: Final = ("Diamonds", "Hearts")


def printer_for(stream: TextIO) -> Print:
    """The printer for a stream: in colour, with the suits, if it is a terminal that has them.

    A pipe, a file, NO_COLOR and a terminal without colours get the text as it is.
    """
    if (console := _console_in_colour(stream)) is not None:
        has_symbols = console.encoding.startswith("utf")

        def print_painted(text: str, end: str) -> None:
            console.print(painted(text, has_symbols), end=end, soft_wrap=True)
            stream.flush()

        return print_painted

    def print_plain(text: str, end: str) -> None:
        print(text, end=end, file=stream, flush=True)

    return print_plain


def has_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours, and NO_COLOR is not set."""
    return _console_in_colour(stream) is not None


def _console_in_colour(stream: TextIO) -> Console | None:
    if not stream.isatty():
        return None
    from rich.console import Console

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    return None if console.color_system is None or console.no_color else console


def painted(text: str, has_symbols: bool) -> Text:
    """A text whose cards have their symbols and colours."""
    from rich.text import Text

    whole = Text()
    place = 0
    for card in _CARD.finditer(text):
        suit = card[1]
        whole.append(text[place : card.start()])
        shown = f"{card[0]} {_SYMBOLS[suit]}" if has_symbols else card[0]
        whole.append(shown, style="bold red" if suit in _RED else "bold")
        place = card.end()
    return whole.append(text[place:])
