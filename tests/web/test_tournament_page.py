"""The page of a tournament's result, opened from disk in a real browser."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Final

import pytest
from selenium.webdriver import Keys

from tests.helpers.browser import Browser, Page
from tests.helpers.tournaments import played
from tests.web.access import barriers
from tournament.results.page import page as page_of
from tournament.results.statistics import standing

pytestmark = pytest.mark.check

LINK: Final = "one('a[href^=\"#round=\"]')"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = played("course", 2_000, "basic", "mimic", "threshold:12", "random")
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page_of(results, standing(results), "cup", date(2026, 2, 3)), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Browser, written: Path) -> Page:
    page = browser.blank()
    page.driver.get(written.as_uri())
    return page


def test_its_own_rules_stop_nothing_that_it_needs(page: Page) -> None:
    assert page.ask("getComputedStyle(one('.unseen')).position") == "absolute"
    assert page.browser.errors() == []


def test_arrow_keys_go_through_the_pairs_and_their_numbers_are_told(page: Page) -> None:
    page.ask("one('table.cross td[tabindex=\"0\"]').focus()")
    told = "one('#told-payoff').textContent"
    first = page.ask(told)
    assert first.startswith("basic less ")
    page.press(Keys.ARROW_RIGHT)
    assert page.ask(told).startswith("basic less ")
    assert page.ask(told) != first
    page.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_UP)
    assert page.ask(told) == ""  # an entrant beside itself


def test_a_link_plays_its_round_and_nothing_bars_the_way(page: Page, axe: str) -> None:
    assert not page.is_seen("#viewer")
    page.ask(f"{LINK}.click()")
    page.until("one('#viewer').checkVisibility()")
    assert "random" in page.text("#viewer")
    costs = page.ask("all('#viewer .dear').map((one) => Number(one.textContent.match(/[0-9.]+/)[0]))")
    wanted = page.ask(f"Number(text('td:last-child', {LINK}.closest('tr')))")
    assert costs and max(costs) <= wanted + 1e-4 and "which costs" in page.text("#viewer .replay-text")
    assert not page.is_seen("#steps")
    page.ask("all('details').forEach((each) => { each.open = true; })")
    assert barriers(page, axe, scrolls=".scroll") == []


def test_without_scripts_a_link_leads_to_the_steps_of_its_round(page: Page, written: Path) -> None:
    page.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.driver.get("about:blank")
        page.driver.get(written.as_uri())
        page.find("a[href^='#round=']").click()
        assert page.find("ol.steps:target li").is_displayed()
    finally:
        page.command("Emulation.setScriptExecutionDisabled", value=False)
