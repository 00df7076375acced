"""The colours of the pages in browsers that do not know `light-dark()`, such as Safari 17.4."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]

SHEETS: Final = [
    *sorted((ROOT / "dealer/web").rglob("*.css")),
    ROOT / "player/web/watch.css",
    ROOT / "twentyone/mancala/commands/page.css",
]

PAIR: Final = re.compile(r"light-dark\((#\w+), #\w+\)")
RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
OLD: Final = re.compile(r"@supports not \(color: light-dark\(#000, #fff\)\) \{\n((?:  .*\n)+)\}")


def values(text: str) -> dict[tuple[str, str], str]:
    """The values of the properties that are set, by selector and name."""
    return {
        (selector.split("*/")[-1].strip(), name): value
        for selector, body in RULE.findall(text)
        for name, value in re.findall(r"([\w-]+):\s*([^;]+);", body)
    }


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_what_depends_on_the_theme_has_its_light_colour_there(sheet: Path) -> None:
    """Elsewhere a property would be as if it had never been set, and a dialog transparent."""
    text = sheet.read_text(encoding="utf-8")
    old = values("".join(OLD.findall(text)))
    wanted = {
        key: pair[1] for key, value in values(OLD.sub("", text)).items() if (pair := PAIR.fullmatch(value))
    }
    assert len(wanted) == OLD.sub("", text).count("light-dark(#"), "each is the whole value of a property"
    assert {key: old.get(key) for key in wanted} == wanted
