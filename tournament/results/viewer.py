"""The viewer of rounds for pages that need nothing else: script and style of the dealer's own page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from twentyone.support.bundles import bundles

_VIEWER: Final = "replay/replay_view.js"
"""The module whose exports `showRound` and `followLinks` a page may call; it says what they do."""

_FOLDERS: Final = ("replay", "shared")
"""The folders with the modules that it needs."""

_TEXTS: Final = "shared/texts.js"
_TABLE: Final = re.compile(r"(?<=^export const TEXTS = )\{\n.*?^\}(?=;$)", re.MULTILINE | re.DOTALL)
_AREAS: Final = ("card.", "decision.", "hand.", "outcome.", "replay.")
"""The texts that the viewer shows, by the beginnings of their keys."""

_PAGE_BEGINS: Final = "/* The page */"
"""In the style sheet: what follows is for the dealer's own page alone."""


def viewer_script() -> str:
    """A classic script that defines `showRound(element, line)` and `followLinks(element, lines)`.

    It may stand between `<script>` and `</script>`: it has no end tag in it, and needs no other file. A line
    is an object as `replay.history.lines` gives it; `followLinks` shows the one that `#round=TABLE.ROUND`
    names.
    """
    modules = dict(_modules())
    modules[_TEXTS] = _TABLE.sub(lambda table: _texts_needed(table[0]), modules[_TEXTS])
    whole, _, exported = bundles([_VIEWER], modules)[_VIEWER].rpartition("export ")
    return whole + exported


def viewer_style() -> str:
    """The rules of style sheets that the viewer needs, beside those that all pages share."""
    return _text("shared/cards.css") + _text("replay/replay.css").partition(_PAGE_BEGINS)[0]


def _modules() -> Iterator[tuple[str, str]]:
    for folder in _FOLDERS:
        for file in (files("dealer.web") / folder).iterdir():
            if file.name.endswith(".js"):
                yield f"{folder}/{file.name}", file.read_text(encoding="utf-8")


def _texts_needed(table: str) -> str:
    texts = {key: each for key, each in json.loads(table).items() if key.startswith(_AREAS)}
    return json.dumps(texts, ensure_ascii=False, indent=1)


def _text(name: str) -> str:
    return (files("dealer.web") / name).read_text(encoding="utf-8")
