"""Plain English in every text that is shown: no docstring begins with a question, and no habit comes back.

A habit is a turn of phrase at which somebody who grew up with English stumbles. What is read here: the pages
of the repository and of the documentation, every text in the code (help, errors, notices, docstrings), the
pages of the dealer and the other JSON, HTML and JavaScript that is installed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

import pytest

from tests.helpers.imports import ROOT, files_of_the_project

QUESTION: Final = re.compile(r"(What|How|Who|Whose|Where)\b")

HABITS: Final = {
    "a sentence or a clause about a 'Who' that nothing precedes": re.compile(
        r"(?:^|[.;:] )Who [a-z][^.?]*(?:[.]|$)|[.;:] [Ww]hoever [a-z]"
    ),
    "but for, in place of except": re.compile(r"\bbut for (?!a |the moment)"),
    "in the mean, in place of on average": re.compile(r"\bin the mean\b(?! time)"),
    "anew": re.compile(r"\banew\b"),
    "likewise": re.compile(r"\blikewise\b", re.IGNORECASE),
    "in its stead, as yet, passed over": re.compile(
        r"\bin (?:the|its|his|her|their) stead\b|\bas yet\b|\bpassed over\b"
    ),
    "a program that is told": re.compile(
        r"\b(?:program|player|seat|bot|dealer|peer|client|watcher) (?:is|was|has been) told (?!apart)"
    ),
    "a 1 before a plural": re.compile(
        r"(?<![-\d.,:/=+~^*\w])(?<!\d )(?<!\bplayer )(?<!seed )1 "
        r"(?:rounds|pairs|bots|seats|players|hands|cards|decks|cells|entries|people|chips|units|bets|decisions|"
        r"rows|lines|files|games|boards|marbles|holes|moves|visits|workers|processes|seconds|tables|entrants)\b"
    ),
    "else, in place of otherwise": re.compile(
        r"(?:[,;(] |\bor |\band |\ball )else\b(?! ?[:{]| if\b)|\. Else [a-z]"
    ),
    "new rules, in place of payoffs": re.compile(
        r"\bnew rules\b|\bsimple rules\b|\bplain rules\b", re.IGNORECASE
    ),
}
"""Habits, and how each is found. Line breaks count as blanks."""

FENCE: Final = re.compile(r"^```(?!console|text).*?^```$", re.DOTALL | re.MULTILINE)
"""A block of a page that is code. What commands print is read."""

COMMENT: Final = re.compile(r"^ *(?:\*|//).*$|/\*.*?\*/", re.DOTALL | re.MULTILINE)

WEB: Final = (
    "dealer/web",
    "player/web",
    "tournament/results",
    "twentyone/exact/report",
    "twentyone/mancala/commands",
)
"""The folders that have pages."""


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Every text of a Python file with its line; in place of what is filled in, a text has `{}`."""
    tree = ast.parse(source)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(values=values):
                filled = (str(part.value) if isinstance(part, ast.Constant) else "{}" for part in values)
                yield node.lineno, "".join(filled)
            case ast.Constant(value=str(text)) if id(node) not in parts:
                yield node.lineno, text


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Every string that stands alone, in a module, a class or a function, with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def shown() -> Iterator[tuple[str, str]]:
    """Every text that somebody may be shown, with its place."""
    for path in files_of_the_project().values():
        for line, text in texts(path.read_text("utf-8")):
            yield f"{path.relative_to(ROOT)}:{line}", text
    pages = [*ROOT.glob("*.md"), *ROOT.glob("*/*.md"), *(ROOT / "docs").rglob("*.md")]
    for path in sorted({page for page in pages if "_build" not in page.parts and page.parts[-2] != ".git"}):
        yield str(path.relative_to(ROOT)), FENCE.sub("", path.read_text("utf-8"))
    for folder in WEB:
        for path in sorted(each for end in ("html", "js") for each in (ROOT / folder).rglob(f"*.{end}")):
            yield str(path.relative_to(ROOT)), COMMENT.sub("", path.read_text("utf-8"))
    for path in (ROOT / "docs" / "reference").glob("*.json"):
        yield str(path.relative_to(ROOT)), path.read_text("utf-8")


def habits_of(text: str) -> Iterator[str]:
    """The habits of a text, each with the words around it."""
    flat = " ".join(text.split())
    for habit, pattern in HABITS.items():
        for found in pattern.finditer(flat):
            yield f"{habit}: {flat[max(0, found.start() - 40) : found.end() + 40]}"


def test_no_docstring_begins_with_a_question() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text.splitlines()[0]}"
        for path in files_of_the_project().values()
        for line, text in docstrings(path.read_text("utf-8"))
        if QUESTION.match(text)
    ]
    assert found == []


def test_no_text_that_is_shown_has_a_habit() -> None:
    found = [f"{place}: {habit}" for place, text in shown() for habit in habits_of(text)]
    assert found == [], "\n".join(found)


@pytest.mark.parametrize(
    ("text", "has_habit"),
    [
        ("A card comes. Who cannot pay gets QUIT", True),
        ("Who cannot pay gets QUIT.", True),
        ("Who is at the table?", False),
        ("A player who cannot pay gets QUIT.", False),
        ("nothing but for\nthe cards", True),
        ("too high in the mean", True),
        ("in the mean time", False),
        ("a program is told so", True),
        ("two players cannot be told apart", False),
        ("3 bots for 1 seats", True),
        ("1 seat, 11 seats, 0.1 seconds", False),
        ("hit below 17, else stand", True),
        ("nothing else, or something else", False),
        ("it begins anew", True),
        ("under new rules", True),
    ],
)
def test_a_habit_is_found_and_a_plain_sentence_is_not(text: str, has_habit: bool) -> None:
    assert bool([*habits_of(text)]) == has_habit
