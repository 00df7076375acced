"""The README and every page of the documentation: each console block, run in order in an empty folder.

What a command prints is compared line by line, with every number masked. A command that ends in & runs on while the others
do, as in another terminal.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest

from tests import pages
from tests.pages import PAGES, README, ROOT

NOT_RUN: Final = {
    "make play",
    "make test",
}
"""The commands in `sh` blocks: those that install something, or open a browser."""


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in PAGES if pages.steps(page)], ids=name_of)
def test_the_console_blocks_of_a_page_print_what_it_says(page: Path, tmp_path: Path) -> None:
    steps = pages.steps(page)
    if shutil.which("node") is None and any(step.command.startswith("node ") for step in steps):
        pytest.skip(f"{name_of(page)} runs node, which is not installed")
    with pages.terminal_of(page, tmp_path) as terminal:
        for step in steps:
            printed = terminal.run(step.command, len(step.output))
            assert pages.masked(printed) == pages.masked(step.output), (
                f"{name_of(page)}, line {step.line}: {step.command}\n" + "\n".join(printed)
            )


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_command_of_a_page_is_left_out(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(pages.steps(page)) == text.count("\n$ ")
    commands = [line.split("#")[0].strip() for block in pages.blocks(page, "sh") for line in block.lines]
    assert [command for command in commands if command and command not in NOT_RUN] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_file_that_a_page_shows_is_run_there(page: Path) -> None:
    shown = [name for name, _ in pages.files(page)]
    commands = " ".join(step.command for step in pages.steps(page))
    assert [name for name in shown if name not in commands] == []
    assert len(pages.blocks(page, "python")) == sum(name.endswith(".py") for name in shown)
