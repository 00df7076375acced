"""The style sheets of every page, the dealer's and those that commands write: one look for all of them."""

from __future__ import annotations

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
