"""Names of players: text of any letters, and how it is spelt in a message, as printable ASCII."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import category, normalize

MAX_NAME: Final = 32
"""Longest name, in characters: what fits into a column of a summary."""

MAX_WIRE_NAME: Final = 200
"""Longest name as it is spelt in a message: 32 letters of most alphabets, and a JOIN fits into a line."""

NAME_FORM: Final = f"1 to {MAX_NAME} printable characters, no blank at an end and no two in a row"
"""The description of a name, for sentences."""

PLAIN_NAME: Final = re.compile(r"[!-~]{1,32}")
"""A name of printable ASCII characters without blanks. It is spelt as it is."""

MAX_MARKS: Final = 3
"""Marks on one letter, as many as languages put there; more would cover the lines above and below."""

UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u2d7f\u3164\ufe00-\ufe0f\uffa0"
    "\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
"""Characters that are printable by their category but show nothing: fillers, joiners, selectors of variants
(those of Unicode's `Default_Ignorable_Code_Point`), and four more. They make one name look like another."""

_ESCAPE: Final = re.compile(r"%([0-9A-Fa-f]{2})")
_ESCAPED: Final = re.compile(r"[^!-~]|%(?=[0-9A-Fa-f]{2})")


def normal(text: str) -> str:
    """A text in Unicode's normal form C, in which each letter has one spelling."""
    return normalize("NFC", text)


def is_name(text: str) -> bool:
    """Whether a text is a name: what `str.isprintable` calls printable, in Unicode's normal form C."""
    return (
        1 <= len(text) <= MAX_NAME
        and text.isprintable()  # no control and format characters, no surrogates, and no blank but this one
        and text == text.strip(" ")
        and "  " not in text
        and UNSEEN.search(text) is None
        and _has_letters_for_marks(text)
        and text == normal(text)
        and len(wire_name(text)) <= MAX_WIRE_NAME
    )


def _has_letters_for_marks(text: str) -> bool:
    """Whether each combining mark has something to be on, and nothing has too many."""
    marks = 0
    before = " "
    for character in text:
        marks = marks + 1 if category(character).startswith("M") else 0
        if marks > MAX_MARKS or (marks == 1 and before == " "):
            return False
        before = character
    return True


def wire_name(text: str) -> str:
    """A name as it is spelt in a message: a blank, and what is not printable ASCII, as %XX of its bytes.

    A `%` before two hexadecimal digits is spelt so too, if it would be read as such a byte.
    """
    if PLAIN_NAME.fullmatch(text) and (_ESCAPE.search(text) is None or name_of(text) == text):
        return text
    return _ESCAPED.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), text)


def name_of(wire: str) -> str | None:
    """The name that is spelt so in a message; None if it is none.

    A word that is not the spelling of a name, such as `100%`, means itself.

    Args:
        wire: a word of a message.
    """
    if not wire.isascii() or len(wire) > MAX_WIRE_NAME:
        return None
    if "%" in wire:
        spelt = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), wire)
        try:
            text = normal(spelt.encode("latin-1").decode())
        except UnicodeDecodeError:
            text = ""
        if is_name(text):
            return text
    return wire if PLAIN_NAME.fullmatch(wire) else None
