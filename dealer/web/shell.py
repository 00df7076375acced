"""The part that all pages have in common: the sheets, which reports have too, and one header."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Final

from twentyone.support.sheets import SHEETS, sheet

_HEADER: Final = re.compile(r"\{\{#header (\w+)\}\}\n(.*?)\{\{/header\}\}\n", re.DOTALL)
"""The place of the header in a file: the page that it is on, and the buttons that only this page has."""


def shared_sheets() -> dict[str, str]:
    """The sheets of every page, by their paths from the folder of the pages."""
    return {f"shared/{name}": sheet(name) for name in SHEETS}


def with_header(html: str) -> str:
    """A page with the header, where the link to this page is marked. Its texts are still `{{key}}`."""
    fragment = (files("dealer.web") / "shared/header.fragment").read_text(encoding="utf-8")

    def header(found: re.Match[str]) -> str:
        page, tools = found.groups()
        marked = fragment.replace(f'data-page="{page}"', f'data-page="{page}" aria-current="page"')
        return marked.replace("TOOLS", tools)

    return _HEADER.sub(header, html)
