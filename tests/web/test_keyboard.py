"""Without a pointer, and without eyes: by the keyboard alone, and what a screen reader is given."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import pytest
from selenium.webdriver import Keys

from cards import Bets
from tests.helpers.browser import INSTANT, Page
from tests.helpers.peer import LOCALHOST
from tests.web import evening
from tests.web.access import PORTRAIT
from tests.web.conftest import Open, Visit
from tests.web.evening import CHIPS

pytestmark = pytest.mark.check

KEYS_OFF: Final = {**INSTANT, "keys": "off"}
LONGEST_WAY: Final = 80
"""So many times TAB leads through every page."""


def tab_to(page: Page, css: str) -> None:
    """Press TAB until an element has the focus; it must be in sight then, with a ring around it."""
    for _ in range(LONGEST_WAY):
        if page.ask("document.activeElement.matches(arguments[0])", css):
            break
        page.press(Keys.TAB)
    looks = """[document.activeElement].map((one) => {
      const { top, bottom, left, right } = one.getBoundingClientRect();
      const isInside = top >= -1 && left >= -1 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return [one.matches(arguments[0]), isInside, outlineStyle === "solid" && parseFloat(outlineWidth) >= 2];
    })[0]"""
    assert page.ask(looks, css) == [True, True, True], (css, page.ask("document.activeElement.outerHTML"))


@pytest.mark.parametrize("chosen", [INSTANT, KEYS_OFF], ids=["with letters", "with TAB and ENTER only"])
def test_from_the_first_page_to_the_review_of_a_hand(
    opened: Open, visit: Visit, chosen: dict[str, str]
) -> None:
    page = visit(opened("TS 2H 9D 7D 7S KC", rules=CHIPS), chosen=chosen)
    page.until("isUsable(one('#play-now, #take-seat'))")
    tab_to(page, "#play-now, #take-seat")
    page.press(Keys.ENTER)
    page.until("isUsable(one('#bet'))")
    tab_to(page, "#bet")
    page.press(Keys.ENTER)
    page.until_asked()
    if chosen is INSTANT:
        page.press("h")
    else:
        assert page.ask("all('button kbd').filter((one) => one.checkVisibility()).length") == 0
        page.press(*"hsdprx?ulg")  # none of which does anything
        assert not page.ask("one('dialog[open]')")
        assert len(page.own_cards) == 2
        tab_to(page, "#hit")
        page.press(Keys.ENTER)
    page.until("cards(one('[data-own=true]')).length === 3 && isUsable(one('#stand'))")
    if chosen is INSTANT:
        page.press("s")
    else:
        tab_to(page, "#stand")
        page.press(Keys.SPACE)
    page.until_results()
    tab_to(page, "header a[href='hands.html']")
    page.press(Keys.ENTER)
    page.until("one('#rows button')?.checkVisibility()")
    tab_to(page, "#rows button")
    page.press(Keys.ENTER)
    page.until("one('.replay-text')?.checkVisibility()")


def test_a_screen_reader_is_given_six_short_sentences_of_a_round_at_nine_seats(
    opened: Open, visit: Visit
) -> None:
    bots = "TH 9H TC 6C AC KC 7C 7H 5C 4C 9S 9C AH 2H QH JH"
    rules = replace(CHIPS, seats=9, bets=Bets(10, 80))
    page = visit(opened(f"TS 2S {bots} 6D TD 3S 4D", rules=rules, bots=8))
    page.sit()
    page.until("isUsable(one('#bet'))")
    page.ask(
        """void (() => {
          window.heard = [];
          const live = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]";
          const place = (node) => (node instanceof Element ? node : node.parentElement)?.closest(live);
          new MutationObserver((changes) => changes.forEach(({ target, addedNodes }) => {
            if (!place(target)?.checkVisibility()) return;
            heard.push(...[...addedNodes].map((one) => one.textContent));
          })).observe(document.body, { childList: true, subtree: true });
        })()"""
    )
    evening.bet(page, 20)
    evening.answer(page, "HS")
    page.until_results()
    page.click("#next")
    page.until("isUsable(one('#bet'))")  # by then a mistake has been told
    page.until("text('#advice')")
    heard = [line for line in page.ask("heard") if line]
    assert 4 <= sum(len(re.findall(r"[.?!](?:\s|$)", line)) for line in heard) <= 6, heard
    assert max(map(len, heard)) <= 80, heard


def test_help_and_settings_open_by_their_keys_on_every_page(opened: Open, visit: Visit) -> None:
    house = opened(rules=CHIPS)
    page = visit(house)
    for path in ("", "trainer.html", "hands.html", "replay.html"):
        page.driver.get(f"http://{LOCALHOST}:{house.port}/{path}")
        page.until("one('#help') && document.readyState === 'complete'")
        page.ask("one('dialog[open]')?.close()")
        for key, dialog in (("?", "#help-panel"), ("o", "#settings")):
            page.press(key)
            page.until("one(arguments[0])?.open", dialog)
            page.press(Keys.ESCAPE)
            page.until("!one('dialog[open]')")


def test_a_dialog_from_the_folded_header_gives_the_focus_back(opened: Open, visit: Visit) -> None:
    page = visit(opened(rules=CHIPS), size=PORTRAIT)
    page.until("isUsable(one('#play-now'))")
    for name in ("help", "settings-open", "rules-open", "new-game"):
        tab_to(page, ".fold")
        page.press(Keys.ENTER)
        tab_to(page, f"#{name}")
        page.press(Keys.ENTER)
        page.until("one('dialog[open]')")
        page.press(Keys.ESCAPE)
        page.until("!one('dialog[open]')")
        assert page.ask("document.activeElement.matches('.fold')"), name


def test_without_letters_no_button_has_one_also_not_one_that_is_made_later(
    opened: Open, visit: Visit
) -> None:
    page = visit(opened(rules=CHIPS), chosen=KEYS_OFF)
    page.until("one('#chart-open')")
    page.ask(
        """void document.body.insertAdjacentHTML("beforeend",
          '<button id="new" aria-keyshortcuts="Z"></button><button aria-keyshortcuts="ArrowUp"></button>')"""
    )
    keys = "all('[aria-keyshortcuts]').map((one) => one.getAttribute('aria-keyshortcuts')).join()"
    assert page.ask(keys) == "ArrowUp"
    assert page.ask("one('#new').dataset.keyshortcuts") == "Z"
