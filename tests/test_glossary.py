"""The glossary explains each word that a command prints beside a figure, as the documentation shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from typing import Final

from cards import Rules
from cards.presets import PRESETS
from tests.helpers import pages
from tests.helpers.pages import COMMANDS, PAGES, ROOT, Step
from twentyone.policies.files import METHODS
from twentyone.policies.names import DESCRIPTIONS

GLOSSARY: Final = ROOT / "docs" / "reference" / "glossary.md"

FIGURE: Final = re.compile(r"[+-]?[\d,]*\.?\d[\d,]*(\.\d+)?( ?%| s)?( to .*| ±.*|\*|: .*)?|-")
"""A cell of a table that is a figure, or the mark for one that does not exist."""

NAMED: Final = {
    "name",
    "policy",
    "entrant",
    "strategy",
    "rules",
    "cell",
    "costliest entries",
    "what each rule changes",
    "row less column",
    "theorem",
    "first move",
    "line",
    "card",
    "bets",
    "stand rather than hit",
}
"""The first columns whose rows are named by a reader, by the rules or by the cards."""

HAND: Final = re.compile(r"(hard|soft) \d+ against|[2-9AJQK]|10|H\d+")

RULE: Final = {field.name.replace("_", "-") for field in fields(Rules)} | {"decks", "ace", "naturals"}


def cells(line: str) -> list[str]:
    """The cells of a line: what two blanks or more divide."""
    return re.split(r"\s{2,}", line.strip())


def is_figure(cell: str) -> bool:
    return FIGURE.fullmatch(cell) is not None


def is_of_a_table(line: str) -> bool:
    return any(map(is_figure, cells(line)[1:]))


def is_header(line: str, following: str) -> bool:
    words = cells(line)
    return len(words) > 1 and not any(map(is_figure, words)) and is_of_a_table(following)


def plain(word: str) -> str:
    """A word without its unit, the mark of a note, and the figure beside it in a row of figures."""
    return re.sub(r"( \*|, %| [+-]\d[\d.]*)$", "", word)


def is_name(word: str) -> bool:
    """Whether it is the name of a policy, of rules, of a card or of a hand, or a figure."""
    first = word.split(" ")[0]
    known = {*PRESETS, *METHODS, *DESCRIPTIONS}
    return bool(
        re.search(r"[=:/.]|^\d", first)
        or HAND.match(word)
        or first in known | RULE
        or is_figure(word)
        or word in "*>"
    )


def words_beside_figures(lines: list[str]) -> Iterator[str]:
    """The words in the headers of tables, and those before the figures of a row."""
    is_naming = False
    for line, following in pairwise([*lines, ""]):
        if is_header(line, following):
            is_naming = cells(line)[0] in NAMED
            yield from map(plain, cells(line))
        elif is_of_a_table(line):
            if not is_naming:
                yield plain(cells(line)[0])
        elif not line.strip():
            is_naming = False


def steps_of_commands() -> Iterator[tuple[str, Step]]:
    for page in PAGES:
        for step in pages.steps(page):
            if COMMANDS & set(re.findall(r"[\w-]+", step.command)):
                yield f"{page.relative_to(ROOT)}:{step.line}", step


def terms() -> set[str]:
    """The words of the glossary: the first cells of its tables, each word of a list by itself."""
    rows = re.findall(r"^\| (.+?) \| ", GLOSSARY.read_text("utf-8"), re.MULTILINE)
    return {word for row in rows for part in row.split("; ") for word in (part, *part.split(", "))}


def test_each_word_beside_a_figure_is_in_the_glossary() -> None:
    known = terms()
    missing = [
        f"{place}: {word}"
        for place, step in steps_of_commands()
        for word in words_beside_figures(step.output)
        if not is_name(word) and not any(word == term or word.startswith(f"{term} of ") for term in known)
    ]
    assert missing == []


def test_words_are_found_in_headers_and_before_figures() -> None:
    table = ["name  rounds  payoff", "ada       20  +0.0500", "", "gap to it   0.0057", "H  hit"]
    assert list(words_beside_figures(table)) == ["name", "rounds", "payoff", "gap to it"]
