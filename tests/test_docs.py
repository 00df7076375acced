"""The README and every page of the documentation: each console block, run in order in an empty folder.

What a command prints is compared line by line, every figure but times and rates. A command that ends in &
goes on running, as in another terminal. The site is built strictly, and read for what it would load from
elsewhere.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest

from tests.helpers import pages
from tests.helpers.pages import PAGES, README, ROOT
from twentyone.policies.files import METHODS

NOT_RUN: Final = {
    ". .venv/bin/activate",
    ". ~/twentyone/bin/activate",
    "dask scheduler",
    "dask worker tcp://scheduler:8786",
    "dealer 8088 0 --rules vegas --host 0.0.0.0 --lobby --practice --pause 3 --log visits.jsonl"
    " --max-tables-per-address 60",
    "dealer 8088 0 --rules casino --seats 5 --bots 2 --pause 3 --host 0.0.0.0 --lobby",
    "make play",
    "make table",
    "make test",
    "TWENTYONE_COMPILE=1 pip install --no-build-isolation --no-deps --force-reinstall .",
    "pip install setuptools mypy '.[all]'",
    "pipx install '.[analysis,plot]'",
    "python3 -m venv ~/twentyone && ~/twentyone/bin/pip install '.[analysis,plot]'",
}
"""The commands of `sh` blocks, which no test runs: they install something, or need other machines."""

INTERNET: Final = ROOT / "docs" / "how-to" / "run-on-the-internet.md"
"""Its commands and files are run by tests/proxies/."""

LANGUAGES: Final = {
    "console",
    "sh",
    "text",
    "python",
    "bash",
    "js",
    "c",
    "mermaid",
    "toml",
    "nginx",
    "yaml",
    "promql",
}

LOADED: Final = re.compile(
    r"""<(?:script|img|iframe|source|audio|video)\b[^>]*\bsrc="([^"]*)"|<link\b[^>]*\bhref="([^"]*)"|url\(([^)]*)\)"""
)
"""What a browser loads for a page without being asked."""

LINK: Final = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.check
@pytest.mark.parametrize("page", [page for page in PAGES if pages.steps(page)], ids=name_of)
def test_the_console_blocks_of_a_page_print_what_it_says(page: Path, tmp_path: Path) -> None:
    steps = pages.steps(page)
    for program in ("node", "cc", "nc"):
        is_run = any(re.search(rf"(^|\| ){program} ", step.command) for step in steps)
        if is_run and shutil.which(program) is None:
            pytest.skip(f"{name_of(page)} runs {program}, which is not installed")
    with pages.terminal_of(page, tmp_path) as terminal:
        for step in steps:
            printed = terminal.run(step.command, len(step.output))
            assert pages.comparable(printed) == pages.comparable(step.output), (
                f"{name_of(page)}, line {step.line}: {step.command}\n" + "\n".join(printed)
            )


def test_only_times_and_rates_are_free() -> None:
    for line, other, is_same in (
        ("1,000 rounds in 0.1 s (10,231 rounds/s)", "1,000 rounds in 12.5 s (80 rounds/s)", True),
        ("ends    holds  0.09 s  every board", "ends    holds  10.29 s  every board", True),
        ("28 lemmas, 0.23 s", "28 lemmas, 1.57 s", True),
        ("28 lemmas, 0.23 s", "22 lemmas, 0.23 s", False),
        ("1,000 rounds in 0.1 s", "1,001 rounds in 0.1 s", False),
        ("WIN at 26.2 s: challenger 18", "WIN at 26.3 s: challenger 18", False),
        ("gap  0.0026", "gap  0.0027", False),
        ("gap  0.0026", "gap  -0.0026", False),
    ):
        assert (pages.comparable([line]) == pages.comparable([other])) == is_same, (line, other)


def test_the_digits_of_a_port_in_a_figure_are_not_the_port(tmp_path: Path) -> None:
    terminal = pages.Terminal(tmp_path)
    terminal.ports = {"8088": "46227"}
    assert terminal.run("echo dealer 127.0.0.1:8088, http://127.0.0.1:8088/") == [
        "dealer 127.0.0.1:8088, http://127.0.0.1:8088/"
    ]
    assert terminal.run("echo nc 127.0.0.1 8088. 80880 | sed s/8088./x/") == ["nc 127.0.0.1 x 80880"]
    assert terminal.run("echo 0.0424622758 1,46227 46227.5 462271") == ["0.0424622758 1,46227 46227.5 462271"]
    assert terminal.run("echo 46227") == ["8088"]


def test_nothing_that_a_page_shows_is_left_out() -> None:
    for page in PAGES:
        steps = pages.steps(page)
        assert len(steps) == page.read_text(encoding="utf-8").count("\n$ "), page
        shown = [name for name, _ in pages.files(page)]
        commands = " ".join(step.command for step in steps)
        assert [name for name in shown if name not in commands] == [], page
        for block in pages.blocks(page):
            assert block.language.startswith("{") or block.language in LANGUAGES, (page, block)
        assert len(pages.blocks(page, "python")) == sum(name.endswith(".py") for name in shown), page


def test_every_command_that_no_test_runs_is_known() -> None:
    lines = [
        line
        for page in PAGES
        if page != INTERNET
        for block in pages.blocks(page, "sh")
        for line in block.lines
    ]
    assert {line.split(" #")[0].strip() for line in lines} == NOT_RUN
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\n{target}:" in makefile for target in ("play", "test", "table", "docs"))


def test_the_links_of_the_pages_of_the_repository_lead_somewhere() -> None:
    for page in (README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
        assert [link for link in links if not (page.parent / unquote(link)).exists()] == [], page


def test_every_learning_method_has_a_page_with_its_rule_its_source_and_its_curve() -> None:
    folder = ROOT / "docs" / "explanation" / "methods"
    index = (folder / "index.md").read_text(encoding="utf-8")
    for method in METHODS:
        text = (folder / f"{method}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {method}\n")
        assert "Q(s, a)  <-  " in text, method
        assert re.search(r"\b(19|20)\d\d\b", text), f"a source of {method} has a year"
        assert "\n## Where it ends\n" in text, method
        assert f"/method_{method.replace('-', '_')}.png)" in text, method
        assert f"| [`{method}`]({method}.md)" in index, method


@pytest.mark.check
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    build = ["sphinx", "--builder=html", "--fail-on-warning", "--keep-going", "--quiet", "docs"]
    done = subprocess.run(
        [sys.executable, "-m", *build, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
    built = {page.relative_to(tmp_path).with_suffix(".md") for page in tmp_path.rglob("*.html")}
    assert {page.relative_to(ROOT / "docs") for page in PAGES if page != README} <= built
    loaded = [
        (file.name, part)
        for file in [*tmp_path.rglob("*.html"), *tmp_path.rglob("*.css")]
        for parts in LOADED.findall(file.read_text(encoding="utf-8"))
        for part in parts
    ]
    assert len(loaded) > len(built)
    assert [each for each in loaded if re.match(r"""["']?(\w+:)?//""", each[1])] == []
