"""One design: tokens stand out from each other, no sheet has other colours, and every page has one header."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dealer.web import site_for
from twentyone.exact.report.blocks import COLOURS
from twentyone.learning import explained_page
from twentyone.support.sheets import sheet, with_minus

ROOT: Final = Path(__file__).parents[2]
HERE: Final = ROOT / "twentyone/support/web"

PAIRS: Final = json.loads((HERE / "contrast.json").read_text(encoding="utf-8"))
LEAST: Final = {"text": 4.5, "other": 3.0}
"""The contrast that is asked for, by WCAG 2.2: 1.4.3 for text, 1.4.11 for what is not text."""

THEMES: Final = ("light", "dark")
TOKEN: Final = re.compile(r"^  --([\w-]+): ([^;]+);", re.MULTILINE)
BOTH: Final = re.compile(r"var\(--light, (#\w{6})\) var\(--dark, (#\w{6})\)")
COLOUR: Final = re.compile(
    r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b|\b(?:rgb|hsl|oklch|lab|lch)a?\("
)

OWN_COLOURS: Final = {
    "dealer/web/shared/cards.css": "the faces and the backs of cards",
    "dealer/web/table/chips.css": "the chips, by their values",
    "twentyone/support/web/tokens.css": "the tokens",
}
"""The sheets that have colours of their own."""

MAY_BE_FAINT: Final = {
    "from",  # of an animation
    '[data-state="surrendered"] > .cards',
    '.marble[data-hidden="true"]',
    ".others",  # lines of a plot
}
"""The rules with an opacity: none of them is of text or of a button."""


def colours(theme: str) -> dict[str, str]:
    """The colour of each token in a theme; those that are partly transparent are left out."""
    at = THEMES.index(theme)
    found = {}
    for name, value in TOKEN.findall(sheet("tokens.css")):
        if both := BOTH.fullmatch(value):
            found[name] = both.groups()[at]
        elif re.fullmatch(r"#\w{6}", value):
            found[name] = value
    return found


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def sheets() -> Iterator[tuple[str, str]]:
    for folder in ("dealer", "player", "tournament", "twentyone"):
        for path in sorted((ROOT / folder).rglob("*.css")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", THEMES)
def test_whatever_stands_on_something_stands_out_from_it(theme: str) -> None:
    tokens = colours(theme)
    faint = [
        f"{ink} on {ground}: {found:.2f}"
        for kind, least in LEAST.items()
        for ground, inks in PAIRS[kind].items()
        for ink in inks
        if (found := contrast(tokens[ground], tokens[ink])) < least
    ]
    assert faint == []


def test_every_colour_is_in_a_pair() -> None:
    """So none is used that was not looked at; lines between things need not stand out."""
    paired = {name for kind in PAIRS.values() for ground, inks in kind.items() for name in (ground, *inks)}
    assert colours("light").keys() - paired == {"line", "rail", "rail-deep", "card-back", "paper"}


def test_only_the_tokens_are_colours() -> None:
    own = {
        name: found
        for name, text in sheets()
        if name not in OWN_COLOURS
        and (
            found := COLOUR.findall(
                re.sub(r"dialog::backdrop \{[^}]*\}", "", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))
            )
        )
    }
    assert own == {}


def test_nothing_that_is_written_is_faint() -> None:
    """An opacity would take text below the contrast that its tokens have."""
    faint = {
        (name, rule.strip())
        for name, text in sheets()
        for rule, found in re.findall(
            r"([^{};]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        )
        if re.search(r"(?<![\w-])opacity:", found)
    }
    assert {rule for _, rule in faint} == MAY_BE_FAINT, faint


def test_every_token_that_is_used_exists() -> None:
    """A misspelt one would be as if the property had never been set."""
    texts = dict(sheets()) | {
        str(path): path.read_text(encoding="utf-8")
        for folder in ("dealer/web", "player/web", "twentyone/mancala")
        for path in (ROOT / folder).rglob("*.js")
    }
    set_somewhere = {name for text in texts.values() for name in re.findall(r"(--[\w-]+)[\":]", text)}
    used = {
        (name, where)
        for where, text in texts.items()
        for name, fallback in re.findall(r"var\((--[\w-]+)(,?)", text)
        if not fallback
    }
    assert {each for each in used if each[0] not in set_somewhere} == set()


def test_no_token_is_set_elsewhere() -> None:
    """It would mean something else there, such as a length; only the focus ring may differ on a felt."""
    tokens = {name for name, _ in TOKEN.findall(sheet("tokens.css"))} - {"focus"}
    texts = dict(sheets()) | {
        str(path): path.read_text(encoding="utf-8") for path in (ROOT / "dealer/web").rglob("*.js")
    }
    set_again = {
        (name, where)
        for where, text in texts.items()
        if not where.endswith("tokens.css")
        for name in re.findall(r"(?<![\w(])--([\w-]+)\s*[\":]", text)
    }
    assert {each for each in set_again if each[0] in tokens} == set()


def test_decisions_have_the_same_colours_in_charts_and_in_pictures() -> None:
    tokens = colours("light")
    names = {"H": "hit", "S": "stand", "D": "double", "P": "split", "R": "surrender"}
    assert {key: (tokens[f"on-{name}"], tokens[name]) for key, name in names.items()} == dict(COLOURS)


def test_every_page_of_the_dealer_has_the_same_header_which_marks_the_page() -> None:
    pages = site_for(frozenset()).pages
    names = {
        path.strip("/").removesuffix(".html") or "table": path
        for path in pages
        if path == "/" or path.endswith(".html")
    }
    headers = {
        name: re.findall(r"<header>.*?</header>", pages[path].body.decode(), re.DOTALL)
        for name, path in names.items()
    }
    assert set(headers) == {"table", "trainer", "hands", "replay"}
    for name, found in headers.items():
        assert len(found) == 1, name
        assert re.findall(r'data-page="(\w+)" aria-current="page"', found[0]) == [name]
    tools = re.compile(r'(?<=Replay</a>\n).*?(?= +<button id="help")', re.DOTALL)
    plain = {
        tools.sub("", found[0], count=1).replace(' aria-current="page"', "") for found in headers.values()
    }
    assert len(plain) == 1
    (header,) = plain
    links = re.findall(r"<(?:a|button)[^>]*>([^<]*?) ?<", header)
    assert links == ["twentyone", "☰", "Table", "Trainer", "Your hands", "Replay", "Help", "Settings"]


def test_pages_of_one_file_begin_with_the_name_and_what_they_are() -> None:
    for path in (
        "twentyone/exact/report/page.html",
        "tournament/results/page.html",
        "twentyone/mancala/commands/page.html",
    ):
        assert "<body>\nHEADER\n" in (ROOT / path).read_text(encoding="utf-8")
    assert "<body>\n{header}\n" in explained_page.PAGE


def test_negative_numbers_have_the_sign_for_minus() -> None:
    assert with_minus('<b title="-1">-1.5</b> 4-8 a-1 -.25 2026-02-03 --seed') == (
        '<b title="-1">\u22121.5</b> 4-8 a-1 \u2212.25 2026-02-03 --seed'
    )
