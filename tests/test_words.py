"""Docstrings begin with a noun or a verb, and not with a question."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from tests.helpers.imports import ROOT, files_of_the_project

QUESTION: Final = re.compile(r"(What|How|Who|Whose|Where)\b")

TO_DO: Final = {
    "kernels",
}
"""Folders whose docstrings have not been gone through yet."""


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Every string that stands alone, in a module, a class or a function, with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, text


def test_no_docstring_begins_with_a_question() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text.splitlines()[0]}"
        for module, path in files_of_the_project().items()
        if module.split(".")[0] not in TO_DO
        for line, text in docstrings(path.read_text("utf-8"))
        if QUESTION.match(text)
    ]
    assert found == []
