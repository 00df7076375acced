"""The viewer of rounds for pages that need nothing else: script and style of the dealer's own page."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from posixpath import dirname, join, normpath
from typing import Final

_FIRST: Final = "replay/replay_view.js"
_OFFERED: Final = ("showRound", "followLinks")
"""The functions of this module that a page may call; it says what they do."""

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|const|class)\b)", re.MULTILINE)
_EXPORTED: Final = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.MULTILINE)

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
    modules: dict[str, str] = {}
    _add(_FIRST, modules)
    whole = "".join(f"modules[{json.dumps(name)}] = {text};\n" for name, text in modules.items())
    return (
        f"const {{ {', '.join(_OFFERED)} }} = (() => {{\nconst modules = {{}};\n{whole}"
        f"return modules[{json.dumps(_FIRST)}];\n}})();\n"
    )


def viewer_style() -> str:
    """The rules of style sheets that the viewer needs, beside those that all pages share."""
    return _text("shared/cards.css") + _text("replay/replay.css").partition(_PAGE_BEGINS)[0]


def _add(name: str, modules: dict[str, str]) -> None:
    """Add a module, as a function that is called at once, and before it those that it imports."""
    text = _text(name)
    if table := _TABLE.search(text):
        texts = {key: each for key, each in json.loads(table[0]).items() if key.startswith(_AREAS)}
        text = text.replace(table[0], json.dumps(texts, ensure_ascii=False, indent=1))
    imports = [(names, normpath(join(dirname(name), path))) for names, path in _IMPORT.findall(text)]
    for _, path in imports:
        if path not in modules:
            _add(path, modules)
    known = "".join(
        f"const {{{names.replace(' as ', ': ')}}} = modules[{json.dumps(path)}];\n" for names, path in imports
    )
    exported = ", ".join(_EXPORTED.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub("", text))
    modules[name] = f"(() => {{\n{known}{body}return {{ {exported} }};\n}})()"


def _text(name: str) -> str:
    return (files("dealer.web") / name).read_text(encoding="utf-8")
