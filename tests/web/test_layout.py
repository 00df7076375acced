"""Where things are on the table's page: nothing overlaps, is cut off, or moves under the thumb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from selenium.webdriver import Keys

from cards import PRESETS
from tests.helpers.browser import INSTANT, Browser, Page
from tests.helpers.peer import LOCALHOST
from tests.web.access import LANDSCAPE, LAPTOP, PORTRAIT, SIZES
from tests.web.conftest import Open, Seated
from tests.web.evening import CASINO, VEGAS
from tests.web.sweep import faults, looks, open_table, show

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


def are_at(found: list[Box], wanted: list[Box]) -> bool:
    """Whether boxes are where they should be, up to the rounding of a layout."""
    pairs = zip(found, wanted, strict=True)
    return all(abs(one - other) <= 0.1 for box, place in pairs for one, other in zip(box, place, strict=True))


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


def test_on_the_largest_screen_no_text_of_nine_seats_is_small(seated: Seated) -> None:
    page = seated("TS 2S", (1920, 1080), rules=replace(PRESETS["casino"], seats=9), bots=8)
    page.until_asked()
    assert small_texts(page) == []


def test_next_takes_the_place_of_hit_and_stand_and_no_button_moves(seated: Seated) -> None:
    page = seated("TS 2S TH 7H TC 8C 6D", PORTRAIT, rules=CASINO, bots=2, practice=True)
    page.until_asked()
    hit, stand = boxes(page, "#hit, #stand")
    page.tap("#stand")
    page.until_results()
    page.until("one('#stand').hidden")  # what has the focus goes with the next picture
    assert boxes(page, "#hit, #stand") == []
    assert are_at(boxes(page, "#next"), [[*hit[:2], *stand[2:]]])
    page.ask("one('.seat .card').style.setProperty('transform', 'translateX(300px)')")  # as on its way
    assert page.ask("[innerWidth, document.documentElement.scrollWidth]") == [PORTRAIT[0], PORTRAIT[0]]


@pytest.mark.parametrize(("size", "letters"), [((1366, 768), "200%"), ((390, 664), "200%"), ((320, 256), "")])
def test_very_large_letters_scroll_down_only(
    opened: Open, browser: Browser, size: tuple[int, int], letters: str
) -> None:
    """Text at 200 %, and a laptop at 400 %: one's hand and the actions are in sight together."""
    page = browser.blank()
    page.begin_with(INSTANT)
    open_table(page, f"http://{LOCALHOST}:{opened().port}/")
    if letters:
        page.ask("Object.assign(document.documentElement.style, { fontSize: arguments[0] })", letters)
        page.ask("void (document.documentElement.dataset.letters = 'large')")
    assert faults(page, [size], list(looks(5, chips=True))) == []


def test_a_lone_player_is_not_hurried(opened: Open, browser: Browser) -> None:
    """The clock of somebody for whom nobody waits is shown once it is short."""
    page = browser.blank()
    page.begin_with(INSTANT)
    open_table(page, f"http://{LOCALHOST}:{opened().port}/")
    (long,) = [look for look in looks(1, chips=True) if look.name == "turn"]
    show(page, long)
    assert not page.is_seen("#clock")
    show(page, replace(long, lines=(long.lines[-1].replace('"clock": 600.0', '"clock": 20.0'),)))
    page.until("one('#clock').checkVisibility()")


def test_forced_colours_show_whose_turn_it_is(opened: Open, browser: Browser) -> None:
    page = browser.blank()
    page.begin_with(INSTANT)
    open_table(page, f"http://{LOCALHOST}:{opened().port}/")
    (turn,) = [look for look in looks(3, chips=False) if look.name == "turn"]
    page.media(forced_colors="active")
    show(page, turn)
    framed = "all('.seat').map((seat) => getComputedStyle(seat).outlineStyle)"
    assert page.ask(framed) == ["solid", "none", "none"]
    assert page.ask("all('.seat').map((seat) => getComputedStyle(seat).borderTopWidth)") == ["0px"] * 3


@pytest.mark.parametrize("size", [PORTRAIT, LANDSCAPE, LAPTOP])
def test_the_header_opens_and_closes_by_keyboard(seated: Seated, size: tuple[int, int]) -> None:
    page = seated("TS 2S TH 7H", size, rules=VEGAS)
    page.until_asked()
    if not page.is_seen(".fold"):
        assert page.is_seen("#help")
        return
    assert not page.is_seen("#help")
    page.ask("one('.fold').focus()")
    page.press(Keys.ENTER)
    page.until("one('#help').checkVisibility()")
    assert page.ask("one('.fold').getAttribute('aria-expanded')") == "true"
    for box in boxes(page, "header nav > :is(a, button)"):
        assert box[0] >= 0 and box[2] <= size[0] and box[3] <= size[1]
        assert box[3] - box[1] >= 43.5
    page.press(Keys.TAB)
    assert page.ask("document.activeElement.closest('nav') !== null")
    page.press(Keys.ESCAPE)
    assert not page.is_seen("#help")
    assert page.ask("document.activeElement.className") == "fold"


def test_no_button_moves_when_the_count_is_asked(seated: Seated) -> None:
    phones = (PORTRAIT, LANDSCAPE)
    page = seated("TS KS TC 9H", PORTRAIT, {**INSTANT, "count": "true"}, rules=VEGAS)
    page.until_asked()
    turn = boxes_at(page, phones, "#hit")
    page.tap("#stand")
    page.until_results()
    page.until("isUsable(one('#count-panel button'))")
    corner = [place[:2] for place in turn]
    asked = [place[:2] for place in boxes_at(page, phones, "#next")]
    assert are_at(asked, corner)
    for size in phones:
        page.resize(*size)
        assert all(bottom <= size[1] for _, _, _, bottom in boxes(page, "#next"))
        (panel,) = boxes(page, "#count-panel")
        for other in boxes(page, "#buttons button, .hand .card, #dealer .card"):
            assert not overlap(panel, other), size
    page.write("#count-panel label:nth-child(1) input", "-3")
    page.write("#count-panel label:nth-child(2) input", "0")
    page.click("#count-panel button")
    page.until("text('#count-panel [role=status]').startsWith('Running')")
    assert are_at([place[:2] for place in boxes_at(page, phones, "#next")], corner)


def test_no_button_moves_when_a_hint_comes(seated: Seated) -> None:
    page = seated("8S 8H 6D TD", rules=VEGAS, practice=True)
    page.until_asked()
    turn = boxes_at(page, SIZES, "#buttons button")
    page.click("#hint")
    page.until_text("#advice", "Split")
    page.until("document.activeElement.id === 'hit'")  # which is scrolled to, also while the window changes
    assert are_at(boxes_at(page, SIZES, "#buttons button"), turn)
    for size in SIZES:
        page.resize(*size)
        assert page.ask("all('#buttons button').filter((one) => one.scrollWidth > one.clientWidth)") == []
        (advice,) = boxes(page, "#advice")
        for button in boxes(page, "#buttons button"):
            assert not overlap(advice, button), size
