"""Where things are on the table's page: nothing overlaps, is cut off, or moves under the thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cards import PRESETS
from tests.helpers.browser import INSTANT, Page
from tests.web.access import LANDSCAPE, PORTRAIT, SIZES
from tests.web.conftest import Seated
from tests.web.evening import CASINO, VEGAS

pytestmark = pytest.mark.check

Box = list[float]
"""The left, top, right and bottom edges of something that is seen."""


def boxes(page: Page, css: str) -> list[Box]:
    found: list[Box] = page.ask(
        """all(arguments[0]).filter((one) => one.checkVisibility()).map((one) => {
          const { left, top, right, bottom } = one.getBoundingClientRect();
          return [left, top, right, bottom];
        })""",
        css,
    )
    return found


def boxes_at(page: Page, sizes: Sequence[tuple[int, int]], css: str) -> list[Box]:
    """The boxes in windows of all these sizes; the window is then of the first again."""
    found = []
    for size in sizes:
        page.resize(*size)
        found += boxes(page, css)
    page.resize(*sizes[0])
    return found


def about(places: list[Box]) -> list[Any]:
    """What other boxes are equal to, up to the rounding of a layout."""
    return [pytest.approx(box, abs=0.1) for box in places]


def overlap(one: Box, other: Box) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > 1 and down > 1


def small_texts(page: Page) -> list[Any]:
    """The texts that are smaller than 15 pixels."""
    shown: list[Any] = page.ask(
        """all("body *:not(svg *)").filter((one) => one.checkVisibility() && !one.closest(".unseen") &&
          [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
          parseFloat(getComputedStyle(one).fontSize) < 15)
        .map((one) => [one.className, one.textContent, getComputedStyle(one).fontSize])"""
    )
    return shown


def test_nine_seats_the_dealer_and_the_actions_share_the_window(seated: Seated) -> None:
    page = seated("TS 2S", rules=replace(PRESETS["casino"], seats=9), bots=8)
    page.until_asked()
    for size in SIZES:
        page.resize(*size)
        page.ask("scrollTo(0, 0)")
        hands = boxes(page, "#table .cards")
        assert len(hands) == 10
        for number, one in enumerate(hands):
            assert not [other for other in hands[:number] if overlap(one, other)], size
        for box in boxes(page, "#table .seat, #dealer, #actions, #buttons button"):
            assert min(box[:2]) >= -0.5 and box[2] <= size[0] + 0.5 and box[3] <= size[1] + 0.5, size
        (felt,), (actions,) = boxes(page, "#table"), boxes(page, "#actions")
        assert not overlap(felt, actions), size
    assert small_texts(page) == []  # on the largest screen


def test_no_button_moves_between_a_turn_and_its_result(seated: Seated) -> None:
    page = seated("TS 2S TH 7H TC 8C 6D", PORTRAIT, rules=CASINO, bots=2, practice=True)
    page.until_asked()
    turn = boxes(page, "#buttons button")
    page.tap("#stand")
    assert boxes(page, "#buttons button") == turn  # while others play
    page.until_results()
    assert boxes(page, "#buttons button") == turn
    page.ask("one('.seat .card').style.setProperty('transform', 'translateX(300px)')")  # as on its way
    assert page.ask("[innerWidth, document.documentElement.scrollWidth]") == [PORTRAIT[0], PORTRAIT[0]]


def test_no_button_moves_when_the_count_is_asked(seated: Seated) -> None:
    phones = (PORTRAIT, LANDSCAPE)
    page = seated("TS KS TC 9H", PORTRAIT, {**INSTANT, "count": "true"}, rules=VEGAS)
    page.until_asked()
    turn = boxes_at(page, phones, "#hit, #stand, #next")
    page.tap("#stand")
    page.until_results()
    page.until("isUsable(one('#count-panel button'))")
    assert boxes_at(page, phones, "#hit, #stand, #next") == about(turn)
    for size in phones:
        page.resize(*size)
        assert all(bottom <= size[1] for _, _, _, bottom in boxes(page, "#hit, #stand, #next"))
        (panel,) = boxes(page, "#count-panel")
        for other in boxes(page, "#buttons button, .hand .card, #dealer .card"):
            assert not overlap(panel, other), size
    page.write("#count-panel label:nth-child(1) input", "-3")
    page.write("#count-panel label:nth-child(2) input", "0")
    page.click("#count-panel button")
    page.until("text('#count-panel [role=status]').startsWith('Running')")
    assert boxes_at(page, phones, "#hit, #stand, #next") == about(turn)


def test_no_button_moves_when_a_hint_comes(seated: Seated) -> None:
    page = seated("8S 8H 6D TD", rules=VEGAS, practice=True)
    page.until_asked()
    turn = boxes_at(page, SIZES, "#buttons button")
    page.click("#hint")
    page.until_text("#advice", "Split.")
    assert boxes_at(page, SIZES, "#buttons button") == about(turn)
    for size in SIZES:
        page.resize(*size)
        assert page.ask("all('#buttons button').filter((one) => one.scrollWidth > one.clientWidth)") == []
        (advice,) = boxes(page, "#advice")
        for button in boxes(page, "#buttons button"):
            assert not overlap(advice, button), size
