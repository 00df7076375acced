"""Beside the felt: the chart by a key, mistakes told at once, standing on 21 by itself, and the ranking."""

from __future__ import annotations

from dataclasses import replace

import pytest
from selenium.webdriver import Keys

from tests.helpers.browser import INSTANT
from tests.web import evening
from tests.web.conftest import Seated
from tests.web.evening import CHIPS, VEGAS

pytestmark = pytest.mark.check


def test_the_chart_marks_the_hand_mistakes_are_told_and_21_stands(seated: Seated) -> None:
    page = seated("9S 3H 6D TD 2S 7H KC", rules=VEGAS)
    evening.until_asked_or_over(page)
    page.press("g")
    page.until("all('#table-chart td:not(:empty)').length === 330")
    assert page.ask("all('[data-marked=true]').map(({ dataset }) => [dataset.hand, dataset.upcard])") == [
        ["hard 12", "6"]
    ]
    page.press(Keys.ESCAPE, "h")
    page.until_text("#status", "you have 14")
    page.until_text("#advice", "A mistake: Stand was better (costs 0.")  # before the next decision
    assert page.statistics["Mistakes"] == "0 of 0"
    page.press("h")
    page.until_results()  # with 21, which nobody was asked about
    assert "21: hit or stand?" not in page.text("#announcer")
    assert page.log[-4:] == [
        "ada stands on 21",
        "The dealer turns over Ten of Diamonds: 16",
        "The dealer draws King of Clubs: 26, bust",
        "ada wins with 21: +1",
    ]
    page.until("text('#statistics').includes('2 of 3')")


def test_whoever_wants_to_be_asked_is_and_hears_of_no_mistake(seated: Seated) -> None:
    page = seated("9S 3H 6D TD 2S 7H KC", rules=VEGAS, chosen={**INSTANT, "stand": "off", "mistakes": "off"})
    evening.answer(page, "HHS")
    page.until("text('#statistics').includes('2 of 3')")
    assert page.text("#advice") == ""


def test_the_ranking_goes_by_chips(seated: Seated) -> None:
    page = seated("TS 9H TH 8H 6D TD KC", rules=replace(CHIPS, seats=2), bots=1)
    evening.bet(page, 20)
    evening.answer(page, "S")
    page.until_results()
    page.until_text("#ranking li", "ada (you)520 chips")
