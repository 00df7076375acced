"""The page of a tournament's result, opened from disk in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from tests.helpers.browser import NARROW, WIDE, Browser
from tests.helpers.patience import PATIENCE
from tests.helpers.tournaments import played
from tests.web.test_page import axe as axe  # a fixture
from tournament.results.page import page
from tournament.results.statistics import standing

BARRIERS: Final = """
const done = arguments[0];
axe.run(document, { resultTypes: ["violations"] }).then(
  ({ violations }) => done(violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact} ${id} ${target.join(" ")} ${failureSummary}`))),
  (error) => done([`axe does not run: ${error}`]),
);
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = played("course", 2_000, "basic", "mimic", "threshold:12", "random")
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(page(results, standing(results)), encoding="utf-8")
    return path


@pytest.fixture
def driver(browser: Browser, written: Path) -> Chrome:
    browser.errors()
    browser.driver.get("about:blank")
    browser.driver.get(written.as_uri())
    return browser.driver


def resize(driver: Chrome, width: int, height: int) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def show_as(driver: Chrome, colours: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": colours}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def test_its_own_rules_stop_nothing_that_it_needs(browser: Browser, driver: Chrome) -> None:
    assert (
        driver.execute_script("return getComputedStyle(document.querySelector('.unseen')).position")
        == "absolute"
    )
    assert browser.errors() == []


def test_arrow_keys_go_through_the_pairs_and_their_numbers_are_told(driver: Chrome) -> None:
    driver.execute_script("document.querySelector('table.cross td[tabindex=\"0\"]').focus()")
    told = "return document.getElementById('told-payoff').textContent"
    assert driver.execute_script(told).startswith("basic less ")
    first = driver.execute_script(told)
    ActionChains(driver).send_keys(Keys.ARROW_RIGHT).perform()
    assert driver.execute_script(told).startswith("basic less ")
    assert driver.execute_script(told) != first
    ActionChains(driver).send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_UP).perform()
    assert driver.execute_script(told) == ""  # an entrant beside itself


def test_a_link_plays_its_round(browser: Browser, driver: Chrome) -> None:
    link = "document.querySelector('a[href^=\"#round=\"]')"
    shown = "return document.getElementById('viewer').checkVisibility()"
    assert not driver.execute_script(shown)
    driver.execute_script(f"{link}.click()")
    WebDriverWait(driver, PATIENCE).until(lambda _: driver.execute_script(shown))
    assert "random" in driver.execute_script("return document.getElementById('viewer').textContent")
    assert not driver.execute_script("return document.getElementById('steps').checkVisibility()")
    assert browser.errors() == []


def test_without_scripts_a_link_leads_to_the_steps_of_its_round(browser: Browser, written: Path) -> None:
    driver = browser.driver
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        driver.get("about:blank")
        driver.get(written.as_uri())
        driver.find_element(By.CSS_SELECTOR, "a[href^='#round=']").click()
        assert driver.find_element(By.CSS_SELECTOR, "ol.steps:target li").is_displayed()
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_a_phone_moves_tables_and_not_the_page(driver: Chrome) -> None:
    resize(driver, 390, 800)
    try:
        wide = "return document.documentElement.scrollWidth"
        assert driver.execute_script(wide) <= 390
    finally:
        resize(driver, *WIDE)


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_no_barriers(driver: Chrome, axe: str, size: tuple[int, int], colours: str) -> None:
    resize(driver, *size)
    show_as(driver, colours)
    try:
        driver.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
        driver.execute_script("document.querySelector('a[href^=\"#round=\"]').click()")
        driver.execute_script(axe)
        assert driver.execute_async_script(BARRIERS) == []
    finally:
        resize(driver, *WIDE)
        show_as(driver, "")
