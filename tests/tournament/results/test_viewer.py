"""The viewer of rounds in a page that has nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cards import PRESETS
from tests.helpers.browser import Browser, NoBrowserError, Page, open_browser
from tests.helpers.patience import PATIENCE
from tests.tournament.replay.made import dealers_lines
from tournament.results.viewer import viewer_script, viewer_style

pytestmark = pytest.mark.check

ROUNDS = 10


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    try:
        with open_browser(tmp_path_factory.mktemp("chromium")) as started:
            yield started
    except NoBrowserError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def lines() -> list[dict[str, Any]]:
    return [json.loads(line) for line in dealers_lines([PRESETS["vegas"], PRESETS["casino"]], ROUNDS)]


@pytest.fixture
def page(browser: Browser, lines: list[dict[str, Any]], tmp_path: Path) -> Page:
    """A page of one file, opened from disk, as a report is."""
    told = json.dumps(lines).replace("<", "\\u003c")
    file = tmp_path / "report.html"
    file.write_text(
        f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>report</title>
        <style>{viewer_style()}</style><a href="#round=1.7">a round</a><div id="place"></div>
        <script type="application/json" id="rounds">{told}</script>
        <script>{viewer_script()}
        const rounds = JSON.parse(document.getElementById("rounds").textContent);
        followLinks(document.getElementById("place"), rounds);</script></html>""",
        encoding="utf-8",
    )
    opened = browser.blank()  # a page of a file has no connection to wait for
    opened.driver.get(file.as_uri())
    return opened


def test_a_link_or_the_address_shows_a_round_and_the_arrow_keys_play_it(
    page: Page, lines: list[dict[str, Any]]
) -> None:
    assert page.ask("all('.replay-text').length") == 0
    page.find("a").click()
    page.until_text(".replay-text", "Round 7:")
    page.driver.set_script_timeout(PATIENCE)
    page.ask("one('.replay-bar').lastElementChild.focus()")
    while page.ask("one('[aria-keyshortcuts=ArrowRight]').ariaDisabled") != "true":
        page.press("\ue014")  # the right arrow
    shown = page.ask("all('.replay-seat').map((seat) => all('.replay-hand', seat).map(cards))")
    assert shown == [[hand["cards"] for hand in seat["hands"]] for seat in lines[6]["seats"]]
    assert page.browser.errors() == []
    page.ask("void (location.hash = '#round=1.3')")
    page.until_text(".replay-text", "Round 3:")
    page.driver.refresh()
    page.until_text(".replay-text", "Round 3:")
    page.ask("void (location.hash = '#round=2.3')")
    page.until_text(".replay-text", "This page does not have that round.")
