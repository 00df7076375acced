"""The page in a real browser, apart from the play: kept seats, settings, the keyboard and accessibility."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from selenium.webdriver import Keys

from cards import CARDS, PRESETS
from tests.helpers.browser import NARROW, WIDE, Page
from tests.helpers.house import deal, room
from tests.helpers.patience import eventually
from tests.web.conftest import Open, Visit
from tests.web.proxy import open_proxy

CASINO: Final = replace(PRESETS["casino"], seats=3)
SHOWDOWN: Final = replace(PRESETS["showdown"], seats=3)

TWELVE: Final = (
    "Ten of Spades, Two of Spades, Ten of Hearts, Seven of Hearts, Ten of Clubs, Eight of Clubs,"
    "Six of Diamonds, Ten of Diamonds, Seven of Spades, King of Clubs"
)
"""The first player has 12 and is dealt a seven; the other two stand, and the dealer goes bust."""

NINETEEN: Final = ["Ten of Spades", "Two of Spades", "Seven of Spades"]


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


def test_the_way_back_from_another_page_leads_to_the_same_hand(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    deal(house, TWELVE)
    page = visit(house)
    page.sit()
    page.until_asked()
    cards = page.own_cards
    for _ in range(2):
        page.driver.get(f"http://127.0.0.1:{house.port}/hands.html")
        page.until("text('#status')?.includes('kept')")
        page.driver.back()
        page.until_asked()
        page.until("document.body.dataset.connection === 'open'")
        assert page.own_cards == cards


def test_a_reload_in_the_middle_of_a_hand(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    deal(house, TWELVE)
    page = visit(house)
    sit_and_hit(page)
    before = page.log
    page.reload()
    page.until_asked()
    assert page.log == before[before.index("Round 1") :]  # earlier lines are not sent again
    play_on(page)
    page.reload()
    page.until("text('#statistics').includes('1 / 0 / 0')")


def test_a_lost_connection_in_the_middle_of_a_hand(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    deal(house, TWELVE)
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


def test_two_tabs_with_one_seat_do_not_fight_for_it(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    deal(house, TWELVE)
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


def test_the_end_of_the_dealer(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    page = visit(house)
    page.sit()
    page.until_asked()
    house.stop()
    page.until("document.body.dataset.connection === 'ended'")
    assert page.status.startswith("The dealer has ended the game: ")
    assert page.is_usable("#reconnect")
    house.wait()


# Settings, and scripts that may not run.


def test_the_choice_of_four_colours_is_remembered(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    deal(house, TWELVE)
    page = visit(house)
    page.sit()
    page.until_asked()

    def colours(page: Page) -> int:
        """How many colours the suits are drawn in."""
        return int(page.ask("new Set(all('.card .pip').map((pip) => getComputedStyle(pip).fill)).size"))

    assert colours(page) == 2
    page.press("o")
    page.click("#four-colours")
    page.press(Keys.ESCAPE)
    assert colours(page) == 4
    page.reload()
    page.until_asked()
    assert colours(page) == 4


def test_no_inline_script_runs(opened: Open, visit: Visit) -> None:
    house = opened()
    page = visit(house)
    page.ask(
        """(() => {
          const script = document.createElement("script");
          script.textContent = "document.body.dataset.injected = 'by a script'";
          document.body.append(script);
          const place = document.createElement("div");
          place.innerHTML =
            "<button onclick='document.body.dataset.injected = 1' style='color: red'></button>";
          document.body.append(place);
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


def test_everything_by_keyboard(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    deal(house, TWELVE)
    page = visit(house)
    assert page.focus == "name"
    page.press(Keys.END, "hsn")  # letters of the name, not keys of buttons
    assert page.ask("one('#name').value") == "guesthsn"
    page.press(Keys.ENTER)
    page.until_asked()
    page.until("document.activeElement.id === 'hit'")
    assert page.seats[0].name == "guesthsn"
    page.press("?")
    page.until("one('#help-panel').open")
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
    assert page.focus == "replay"
    page.press(Keys.TAB)
    assert page.focus == "log"
    page.press("l", "x")
    page.until_text("#where", "round 2")
    assert not page.is_seen("#log-panel")


def test_cards_and_what_happens_can_be_heard(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    deal(house, TWELVE)
    page = visit(house)
    page.sit("ada")
    page.until_asked()
    names = "all('.card', one(arguments[0])).map((card) => [card.role, card.ariaLabel])"
    assert page.ask(names, "#dealer") == [["img", "Six of Diamonds"], ["img", "face-down card"]]
    assert page.ask(names, "[data-own=true]") == [["img", "Ten of Spades"], ["img", "Two of Spades"]]
    assert page.ask("[one('#log').role, one('#log').ariaLive]") == ["log", "polite"]
    assert page.text("#announcer") == ""
    page.click("#log-toggle")
    assert not page.is_seen("#log")
    assert page.ask("one('#log-toggle').ariaExpanded") == "false"
    page.click("#hit")
    page.until_text("#announcer", "ada hits and gets Seven of Spades: 19")
    page.press("l")
    assert page.is_seen("#log")
    assert page.log[-1] == "ada hits and gets Seven of Spades: 19"


def overflowing(page: Page) -> list[str]:
    """The elements that can only be seen by scrolling sideways."""
    wide = page.ask(
        """[document.documentElement, ...all("body *:not(svg *)")].filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          return element.checkVisibility() && (left < -0.5 || right > innerWidth + 0.5 ||
            element === document.documentElement && element.scrollWidth > innerWidth);
        }).map((element) => `${element.tagName} ${element.id} ${element.className}`)"""
    )
    return list(wide)


def test_a_round_on_a_phone(opened: Open, visit: Visit) -> None:
    house = opened(rules=replace(CASINO, seats=9), bots=8, practice=True)
    first, drawn = ["Ten of Spades", "Two of Spades"], "King of Clubs"
    between = [str(card) for card in CARDS if str(card) not in (*first, drawn)][
        :18
    ]  # of the bots and the dealer
    deal(house, ", ".join([*first, *between, drawn]))
    page = visit(house, NARROW)
    assert page.ask("innerWidth") == NARROW[0]
    assert overflowing(page) == []
    page.write("#name", "W" * 32)
    page.tap("#take-seat")
    page.until_asked()
    assert overflowing(page) == []
    page.tap("#reveal")
    page.until("!one('#all-shown').hidden")
    page.tap("#hit")
    page.until_results()
    assert page.own_cards == [*first, drawn]
    assert overflowing(page) == []
    page.tap("#log-toggle")
    page.until("one('#log').checkVisibility()")
    assert overflowing(page) == []
    page.tap("#help")
    page.until("one('#help-panel').open")
    assert overflowing(page) == []
    page.tap("#close-help")
    page.until("!one('#help-panel').open")
    page.tap("#next")
    page.until_text("#where", "round 2")


# Accessibility.


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core, which checks accessibility; skips the test where it is not installed."""
    installed = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
    path = Path(os.environ.get("AXE_CORE", installed))
    if not path.is_file():
        pytest.skip("axe-core is not installed (npm install, or AXE_CORE=its file)")
    return path.read_text()


def barriers(page: Page, axe: str) -> list[str]:
    """What axe-core finds to be serious or critical, on a wide screen and on a phone's."""
    page.driver.execute_script(axe)
    found = []
    for size in (WIDE, NARROW):
        page.resize(*size)
        found += page.driver.execute_async_script(
            """const done = arguments[0];
            axe.run(document, { resultTypes: ["violations"] }).then(
              ({ violations }) => done(violations.flatMap(({ id, impact, nodes }) =>
                nodes.map(({ target, failureSummary }) => [impact, id, target.join(" "), failureSummary]))),
              (error) => done([["critical", "axe", "does not run", String(error)]]),
            );"""
        )
    return [": ".join(finding) for finding in found if finding[0] in ("serious", "critical")]


def test_no_barriers_in_the_casino(opened: Open, visit: Visit, axe: str) -> None:
    house = opened(rules=replace(CASINO, seats=5), bots=4, practice=True)
    deal(
        house,
        "Ten of Spades, Seven of Spades, Ten of Hearts, King of Hearts, Ten of Clubs, Six of Clubs,"
        "Ten of Diamonds, Eight of Diamonds, Ace of Spades, King of Spades, Nine of Diamonds, Nine of Hearts,"
        "King of Clubs",
    )
    page = visit(house)
    assert barriers(page, axe) == []  # the menu
    page.sit()
    page.click("#hint")
    page.until_text("#advice", "would cost")
    assert barriers(page, axe) == []  # a turn
    page.click("#stand")
    page.until_results()
    assert [seat.result for seat in page.seats] == ["Lost -1", "Won +1", "Bust -1", "Push 0", "Won +1"]
    assert page.is_seen("#log")
    assert barriers(page, axe) == []  # results, and the log
    page.click("#help")
    assert barriers(page, axe) == []


def test_no_barriers_in_a_showdown(opened: Open, visit: Visit, axe: str) -> None:
    house = opened(rules=SHOWDOWN, bots=2)
    with open_proxy(house.port) as proxy:
        page = visit(proxy.port, is_cut=True)
        page.sit()
        page.until_asked()
        assert barriers(page, axe) == []  # a turn, and hidden hands
        proxy.cut()
        page.until("document.body.dataset.connection === 'lost'")
        assert barriers(page, axe) == []
        proxy.reconnect()
        page.until_asked()
