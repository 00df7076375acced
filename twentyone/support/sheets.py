"""The look of every page, the dealer's and those that commands write: its sheets, and what all pages have."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from typing import Final

SHEETS: Final = ("tokens.css", "base.css")
"""In this order: the second uses the colours of the first."""


def sheet(name: str) -> str:
    """The text of one of the sheets."""
    return (files("twentyone.support") / "web" / name).read_text(encoding="utf-8")


def shared_style() -> str:
    """All sheets together, for a page that stands in one file."""
    return "".join(map(sheet, SHEETS))


_TAG_OR_MINUS: Final = re.compile(r"<[^>]*>|(?<![\w.-])-(?=\.?\d)")


def with_minus(html: str) -> str:
    """HTML whose negative numbers have the sign for minus, as on all pages; tags stay as they are."""
    return _TAG_OR_MINUS.sub(lambda found: found[0] if found[0] != "-" else "\N{MINUS SIGN}", html)


def header(what: str) -> str:
    """The header of a page that stands in one file, which has no other pages to lead to.

    Args:
        what: the kind of page, such as `Tournament`.
    """
    return f'<header><p class="product">twentyone</p><p class="quiet">{escape(what)}</p></header>'


def rules_part(prose: str, words: str) -> str:
    """Rules as a page shows them: in prose, and as words of options behind a button.

    Args:
        prose: the rules as `cards.words` tells them.
        words: the same as options, such as `preset=vegas decks=6`.
    """
    return (
        f'<p class="rules">{escape(prose)}</p>\n'
        f"<details><summary>The rules as options</summary><p><code>{escape(words)}</code></p></details>"
    )
