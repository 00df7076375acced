"""The table's page in a real browser, apart from the play: kept seats, scripts, the keyboard and touch."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from selenium.webdriver import Keys

from tests.helpers.browser import NARROW, Page
from tests.helpers.house import House, room
from tests.helpers.patience import eventually
from tests.web import evening
from tests.web.access import overflowing
from tests.web.conftest import Open, Seated, Visit
from tests.web.evening import CASINO
from tests.web.proxy import open_proxy

pytestmark = pytest.mark.check

NINETEEN: Final = ["Ten of Spades", "Two of Spades", "Seven of Spades"]


@pytest.fixture
def house(opened: Open) -> House:
    """The first player has 12 and is dealt a seven; the other two stand, and the dealer goes bust."""
    return opened("TS 2S TH 7H TC 8C 6D TD 7S KC", rules=CASINO, bots=2)


def play_on(page: Page) -> None:
    """Check that the hand is still there, and play it to its end."""
    page.until_asked()
    assert not page.is_menu_open
    assert page.own_cards == NINETEEN
    assert page.status == "Your turn: you have 19 against the Six of Diamonds. Hit or stand?"
    page.click("#stand")
    page.until_results()
    assert page.seats[0].result == "Won +1"
    page.until("text('#statistics').includes('1 / 0 / 0')")


def sit_and_hit(page: Page) -> None:
    page.sit("ada")
    page.click("#hit")
    page.until_text("#status", "you have 19")


# Kept seats.


def test_the_way_back_from_another_page_leads_to_the_same_hand(house: House, visit: Visit) -> None:
    page = visit(house)
    page.sit()
    page.until_asked()
    cards = page.own_cards
    for _ in range(2):
        page.driver.get(f"http://127.0.0.1:{house.port}/hands.html")
        page.until("one('#status') && text('#status') !== 'Loading.'")
        page.driver.back()
        page.until_asked()
        page.until("document.body.dataset.connection === 'open'")
        assert page.own_cards == cards


def test_a_reload_in_the_middle_of_a_hand(house: House, visit: Visit) -> None:
    page = visit(house)
    sit_and_hit(page)
    before = page.log
    page.reload()
    page.until_asked()
    assert page.log == before[before.index("Round 1") :]  # earlier lines are not sent again
    play_on(page)
    page.reload()
    page.until("text('#statistics').includes('1 / 0 / 0')")


def test_a_lost_connection_in_the_middle_of_a_hand(house: House, visit: Visit) -> None:
    with open_proxy(house.port) as proxy:
        page = visit(proxy.port, is_cut=True)
        sit_and_hit(page)
        proxy.cut()
        page.until("document.body.dataset.connection === 'lost'")
        assert page.status == "Connection lost, trying again."
        assert not page.is_usable("#hit")
        assert eventually(lambda: room(house).table.seats[0].is_away)  # type: ignore[union-attr]
        proxy.reconnect()
        play_on(page)
        assert not room(house).table.seats[0].is_away  # type: ignore[union-attr]


def test_two_tabs_with_one_seat_do_not_fight_for_it(house: House, visit: Visit) -> None:
    first = visit(house)
    first.sit("ada")
    first.until_asked()
    second = first.browser.duplicate(first)
    second.until_asked()
    first.until("document.body.dataset.connection === 'taken'")
    assert first.status == "Your seat is now played from another tab or window."
    second.click("#hit")
    second.until_text("#status", "you have 19")
    assert first.connection == "taken"
    first.click("#take-back")
    second.until("document.body.dataset.connection === 'taken'")
    play_on(first)
    assert second.connection == "taken"


def test_no_inline_script_runs(opened: Open, visit: Visit) -> None:
    page = visit(opened())
    page.ask(
        """(() => {
          const [script, place] = ["script", "div"].map((tag) => document.createElement(tag));
          script.textContent = "document.body.dataset.injected = 'by a script'";
          document.body.append(script, place);
          place.innerHTML =
            "<button onclick='document.body.dataset.injected = 1' style='color: red'></button>";
          place.firstChild.click();
        })()"""
    )
    refusals: list[str] = []

    def are_all_logged() -> bool:
        refusals.extend(page.browser.errors())
        return len(refusals) == 3  # the script, the handler and the style

    assert eventually(are_all_logged)
    assert all("Content Security Policy" in refusal for refusal in refusals)
    assert page.ask("document.body.dataset.injected ?? null") is None


# Keyboard and touch.


def test_everything_by_keyboard(house: House, visit: Visit) -> None:
    page = visit(house)
    assert page.focus == "play-now"
    page.press("n")
    page.until("document.activeElement.id === 'name'")
    made_up = page.ask("one('#name').value")
    page.press(Keys.END, "hsn")  # letters of the name, not keys of buttons
    page.press(Keys.ENTER)
    page.until_asked()
    page.until("document.activeElement.id === 'hit'")
    assert page.seats[0].name == f"{made_up}hsn"
    page.press("?")
    page.until("one('#help-panel')?.open")
    page.press("h", "s", Keys.ESCAPE)  # ignored while a dialog is open
    page.until("!one('#help-panel').open && document.activeElement.id === 'hit'")
    page.press("h", holding=Keys.CONTROL)
    page.press("n", Keys.ESCAPE)
    page.until("!one('#menu').open")
    assert page.own_cards == NINETEEN[:2]
    assert page.focus == "hit"
    page.press(Keys.ENTER)
    page.until_text("#status", "you have 19")
    page.until("document.activeElement.id === 'hit'")
    page.press(Keys.TAB)
    assert page.focus == "stand"
    page.press(Keys.SPACE)
    page.until_results()
    page.until("document.activeElement.id === 'next'")
    assert page.own_cards == NINETEEN
    page.press(Keys.TAB)
    assert page.focus == "chart-open"
    page.press(Keys.TAB)
    assert page.focus == "replay"
    page.press(Keys.TAB)
    assert page.focus == "log"
    page.press("l", "x")
    page.until_text("#where", "round 2")
    assert not page.is_seen("#log-panel")


def test_every_key_has_one_button_and_a_line_in_the_help(opened: Open, visit: Visit) -> None:
    page = visit(opened(rules=evening.CHIPS, practice=True))
    page.sit()
    page.until("isUsable(one('#bet'))")
    page.click("#help")
    page.until("one('#help-panel')?.open")
    keys = page.ask("all('[aria-keyshortcuts]').map((one) => one.getAttribute('aria-keyshortcuts'))")
    assert len(keys) == len(set(keys))
    assert set(keys) >= set("HSDPRICXTVNLOG?")
    assert set(keys) <= set(page.ask("all('.keys kbd').map((one) => one.textContent)"))


def test_cards_and_what_happens_can_be_heard(house: House, visit: Visit) -> None:
    page = visit(house)
    page.sit("ada")
    page.until_asked()
    names = "all('.card', one(arguments[0])).map((card) => [card.role, card.ariaLabel])"
    assert page.ask(names, "#dealer") == [["img", "Six of Diamonds"], ["img", "face-down card"]]
    assert page.ask(names, "[data-own=true]") == [["img", "Ten of Spades"], ["img", "Two of Spades"]]
    live = "all(':is([aria-live], [role=status], [role=alert], [role=log])')"
    assert page.ask(f"{live}.filter((one) => one.checkVisibility()).map(({{ id }}) => id)") == ["announcer"]
    page.until_text("#announcer", "You have Ten and Two, 12, against Six: hit or stand?")
    page.click("#log-toggle")
    assert not page.is_seen("#log")
    assert page.ask("one('#log-toggle').ariaExpanded") == "false"
    page.click("#hit")
    page.until_text("#announcer", "You get Seven, 19: hit or stand?")
    page.press("l")
    assert page.is_seen("#log")
    assert page.log[-1] == "ada hits and gets Seven of Spades: 19"
    assert "hits" not in page.text("#announcer")
    page.press("o")
    page.click("#settings [name=read][value=everything]")
    page.press(Keys.ESCAPE, "s")
    page.until_text("#announcer", "ada stands on 19bot-1 stands on 17")


def test_a_round_on_a_small_phone_by_touch(seated: Seated) -> None:
    bots = "TH 9H TC 6C AC KC 7C 7H 5C 4C 9S 9C AH 2H QH JH"
    rules = replace(CASINO, seats=9)
    page = seated(f"TS 2S {bots} 6D TD KH", NARROW, rules=rules, bots=8, practice=True)
    page.until_asked()
    assert page.ask("innerWidth") == NARROW[0]
    assert overflowing(page) == []
    page.tap("#reveal")
    page.until("!one('#all-shown').hidden")
    page.tap("#hit")
    page.until_results()
    assert page.own_cards == ["Ten of Spades", "Two of Spades", "King of Hearts"]
    page.tap("#log-toggle")
    page.until("one('#log').checkVisibility()")
    assert overflowing(page) == []
    page.tap("#help")
    page.until("one('#help-panel')?.open")
    assert overflowing(page) == []
    page.tap("#close-help")
    page.until("!one('#help-panel').open")
    page.tap("#next")
    page.until_text("#where", "round 2")
