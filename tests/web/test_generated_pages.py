"""Pages that commands write, opened from disk: nothing bars the way, in both themes and on phones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from cards import PRESETS, Rules
from cards.words import rules_in_words
from tests.helpers.browser import Browser
from tests.helpers.published import chart_of, closest
from tests.web.access import barriers
from tests.web.conftest import leave
from twentyone.exact.report.blocks import blocks_of
from twentyone.exact.report.page import page_of
from twentyone.learning import explained_page
from twentyone.learning.showing import TableView
from twentyone.policies.action_values import ActionValues, Origin
from twentyone.policies.qtable import SHAPE

pytestmark = pytest.mark.check


def chart_page() -> str:
    rules = PRESETS["vegas"]
    blocks = blocks_of(chart_of(closest(rules)), rules, merged=False)
    margins = {("H16", 10): 0.0123}
    figures = [("House edge", "0.4601 % of the initial bet"), ("Best chart", "-0.0046014443 initial bets")]
    told = rules_in_words(rules), str(rules)
    return page_of(blocks, "Basic strategy: vegas", told, figures, "Exact values.", margins)


def explained() -> str:
    """The page about a table that knows nothing, and so stands on everything."""
    pytest.importorskip("matplotlib")
    table = ActionValues(np.zeros(SHAPE), np.full(SHAPE, 9), Origin(Rules(), "qlearning", 1_000))
    view = TableView(table, Path("nothing.txt"))
    return explained_page.page_of(view.explained(), table.rules, view.figure([]))


@pytest.mark.parametrize("written", [chart_page, explained], ids=lambda written: written.__name__)
def test_nothing_bars_the_way(browser: Browser, axe: str, tmp_path: Path, written: Callable[[], str]) -> None:
    file = tmp_path / "page.html"
    file.write_text(written(), encoding="utf-8")
    page = browser.blank()
    page.driver.get(file.as_uri())
    page.ask("void all('details').forEach((details) => { details.open = true; })")
    assert barriers(page, axe, scrolls="pre") == []
    leave(browser)
