"""The start: one click from opening the page to the first question, or what is said where that cannot be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest
from selenium.webdriver import Keys

from cards import PRESETS, Rules
from protocol.public_url import parse_public_url
from tests.helpers.browser import Page
from tests.web.conftest import Open, Visit
from tests.web.evening import CASINO, CHIPS

pytestmark = pytest.mark.check

FIVE: Final = replace(CASINO, seats=5)

DEALERS: Final[dict[str, tuple[dict[str, Any], int]]] = {
    "each player alone": ({"rules": Rules(), "rounds": 5}, 1),
    "a table that waits for people": ({"rules": FIVE, "bots": 3}, 1),
    "a table that waits for three": ({"rules": FIVE, "players": 3}, 2),
    "bets": ({"rules": replace(CHIPS, seats=4)}, 1),
    "bots at every seat": ({"rules": CASINO, "bots": 3, "tables": 1}, 2),
    "no dealer": ({"rules": replace(PRESETS["showdown"], seats=3)}, 1),
    "no tables of players": ({"rules": FIVE, "lobby": False}, 1),
}
"""The configuration of a dealer, and the table where one plays: the dealer's first, or one of one's own."""

QUESTION: Final = "isUsable(one('#bet')) || isUsable(one('#hit')) && isUsable(one('#stand'))"


@pytest.mark.parametrize(("options", "table"), DEALERS.values(), ids=DEALERS)
def test_one_click_or_one_key_leads_to_the_first_question(
    options: dict[str, Any], table: int, opened: Open, visit: Visit
) -> None:
    page = visit(opened(**options))
    if options.get("bots") == 3:
        page.click("#play-now")
    else:
        page.until("document.activeElement.id === 'play-now'")
        page.press(Keys.ENTER)
    page.until(QUESTION)
    page.until("['bet', 'hit'].includes(document.activeElement.id)")  # so that keys alone go on from there
    page.until_text("#where", f"Table {table}")
    assert not page.is_seen("#start")
    assert not page.ask("one('dialog[open]')")
    assert not page.is_seen("#waiting")


def test_where_every_seat_is_taken_the_page_waits_and_sits_down_by_itself(opened: Open, visit: Visit) -> None:
    house = opened(tables=1, lobby=False)
    first = house.seat("JOIN ada")
    page = visit(house)
    page.click("#play-now")
    page.until_text("#start-waiting", "All seats are taken. You will be seated here as soon as")
    assert page.is_usable("#stop-waiting") and not page.is_seen("#play-now")
    page.click("#show-tables")
    page.until("one('#menu').open")
    page.press(Keys.ESCAPE)
    page.until("isUsable(one('#play-now'))")  # whoever looks for a table is not seated meanwhile
    page.click("#play-now")
    page.click("#stop-waiting")
    page.until("document.activeElement.id === 'play-now'")
    page.press(Keys.ENTER)
    page.until("isUsable(one('#stop-waiting'))")
    first.say("QUIT")
    page.until_asked()


def test_why_no_table_can_be_opened_is_told(opened: Open, visit: Visit) -> None:
    house = opened(tables=1, rules=CASINO, bots=3, max_tables_per_address=1)
    house.join("OPEN seats=1", "JOIN ada").hear_until("DECISION")
    page = visit(house)
    page.click("#play-now")
    page.until_text("#start-waiting", "Too many tables are open from your address.")
    page.until_text("#start-waiting", "You will be seated here")


def test_friends_get_the_link_first_and_need_not_all_come(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    first, second = visit(house), visit(house)
    first.click("#play-friends")
    first.until_text("#waiting-text", "Waiting for 4 more players")
    link = first.ask("one('#waiting .link').value")
    assert link == f"http://127.0.0.1:{house.port}/#table=2"
    first.until("one('#waiting .code').complete && one('#waiting .code').naturalWidth > 0")
    assert first.is_seen("#waiting .note")  # the link works on this machine only
    first.click("#add-bot")
    first.until_text("#waiting-text", "Waiting for 3 more players")
    second.ask("void (location.href = arguments[0], location.reload())", link)
    second.until_text("#where", "Table 2")
    second.click("#play-now")
    first.until_text("#waiting-text", "Waiting for 2 more players")
    assert second.is_seen("#leave-waiting") and not second.is_seen("#start-now")
    first.click("#start-now")
    for page in (first, second):
        page.until("isUsable(one('#bet'))")
    bet(first)
    first.until_text("#status", "Waiting for the bet of ")
    first.click("#leave-now")
    first.until("isUsable(one('#play-now'))")
    bet(second)
    second.until("['playing', 'results'].includes(one('#table').dataset.phase)")


def test_an_invitation_names_the_public_address_wherever_the_page_was_opened(
    opened: Open, visit: Visit
) -> None:
    urls = [parse_public_url("https://example.org/cards/"), parse_public_url("http://cards.example/")]
    page = visit(opened(rules=CASINO, bots=2, lobby=True, public_urls=urls))
    page.click("#play-friends")
    page.until("one('#waiting .code')?.naturalWidth > 0")
    link = page.ask("one('#waiting .link').value")
    assert link == "https://example.org/cards/#table=2"
    assert page.ask("one('#waiting .code').alt") == f"QR code of {link}"
    assert page.ask("one('#waiting .note')") is None
    assert page.ask("location.hash") == "#table=2"  # and it stays where it is


def bet(page: Page) -> None:
    page.click("#bet-form button.play")


def test_the_name_is_made_up_and_kept_and_can_be_changed(opened: Open, visit: Visit) -> None:
    page = visit(opened())
    made_up = page.text("#start-name")
    page.reload()
    assert page.text("#start-name") == made_up
    page.click("#start-name")
    page.until("document.activeElement.id === 'name'")
    page.press(Keys.HOME, "x")
    page.press(Keys.ESCAPE)
    page.until("!one('#menu').open")
    page.click("#play-now")
    page.until_asked()
    assert page.seats[0].name.startswith("x")
