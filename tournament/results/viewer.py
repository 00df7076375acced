"""The viewer of rounds for pages that need nothing else: script and style of the dealer's own page."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Final

_MODULES: Final = ("shared/cards.js", "replay/replay_view.js")
"""In this order, since the second imports the first and nothing else."""

_OFFERED: Final = ("showRound", "followLinks")
"""The functions that a page may call; `dealer/web/replay/replay_view.js` says what they do."""

_IMPORT: Final = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)", re.MULTILINE)

_PAGE_BEGINS: Final = "/* The page */"
"""In the style sheet: what follows is for the dealer's own page alone."""


def viewer_script() -> str:
    """A classic script that defines `showRound(element, line)` and `followLinks(element, lines)`.

    It may stand between `<script>` and `</script>`: it has no end tag in it, and needs no other file. A line
    is an object as `replay.history.lines` gives it; `followLinks` shows the one that `#round=TABLE.ROUND`
    names.
    """
    whole = "\n".join(_EXPORT.sub("", _IMPORT.sub("", _text(name))) for name in _MODULES)
    offered = f"{{ {', '.join(_OFFERED)} }}"
    return f"const {offered} = (() => {{\n{whole}\nreturn {offered};\n}})();\n"


def viewer_style() -> str:
    """The rules of a style sheet that the viewer needs, each for `.replay` or a class that begins so."""
    return _text("replay/replay.css").partition(_PAGE_BEGINS)[0]


def _text(name: str) -> str:
    return (files("dealer.web") / name).read_text(encoding="utf-8")
