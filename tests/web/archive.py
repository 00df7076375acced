"""The rounds that a browser keeps: what tests read and write there without the page's help."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from tests.helpers.browser import Page
from tests.helpers.processes import command

ROUNDS: Final = 130
"""The rounds of a history: a list shows 100 at a time."""


def rounds_of_bots(folder: Path) -> list[dict[str, Any]]:
    """The history of a dealer of `vegas`, where two bots play at random."""
    table = "--rules vegas --seats 2 --bots 2 --bot-policy random --pause 0 --bot-delay 0 --seed 1 --quiet"
    done = command("dealer", 0, ROUNDS, *table.split(), "--history", "rounds.jsonl", cwd=folder)
    assert done.status == 0, done.err
    lines = (folder / "rounds.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == ROUNDS
    return [json.loads(line) for line in lines]


def as_yours(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same rounds as a page is told them whose player has the first seat."""
    return [
        {key: value for key, value in line.items() if key != "chain"}
        | {"you": 0, "your_round": line["round"]}
        for line in history
    ]


def in_archive(page: Page, expression: str, *arguments: object) -> Any:
    """The value of an expression with `archive` and what is `given`, once it is there."""
    return page.run(
        f"""const archive = await import(new URL("archive.js", one("script[src$='theme.js']").src));
        return await ({expression});""",
        *arguments,
    )


def kept_in(page: Page) -> list[dict[str, Any]]:
    """All rounds that are kept."""
    return list(in_archive(page, "archive.all()"))


def until_kept(page: Page, count: int) -> None:
    """Wait until so many rounds are kept."""
    page.run(
        """const { count } = await import(new URL("archive.js", one("script[src$='theme.js']").src));
        while (await count() < given[0]) await new Promise((done) => setTimeout(done, 5));""",
        count,
    )


def fill(page: Page, lines: list[dict[str, Any]], most: int = 20_000) -> int:
    """Keep these rounds; how many there are then."""
    return int(
        in_archive(
            page,
            "(async () => { for (const line of given[0]) await archive.add(line, given[1]);"
            " return archive.count(); })()",
            [json.dumps(line) for line in lines],
            most,
        )
    )
