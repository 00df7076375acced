"""The way in: the list of tables, a table of your own, the invitation, and where a seat is refused."""

from __future__ import annotations

import json

import pytest
from selenium.webdriver import Keys

from tests.helpers.browser import NARROW, Page
from tests.helpers.peer import BlockingPeer
from tests.web.conftest import Open, Visit
from tests.web.evening import CASINO

pytestmark = pytest.mark.check


def opens(page: Page, preset: str, seats: int, friends: int = 0, bots: int = 0, name: str = "ada") -> None:
    """Open a table by the form, and wait until there is a seat."""
    page.show_tables()
    page.write("#name", name)
    page.choose_rules()
    page.tick(f"#opponent [value={preset}]")
    page.write("#seats", str(seats))
    page.write("#friends", str(friends))
    page.write("#bots", str(bots))
    page.choose("#bot-policy", "threshold:17")
    page.open_table()


def card_of(page: Page, table: int) -> str:
    """The text of a table's card in the list, which is open then, once it is there."""
    page.show_tables()
    css = f"#tables [data-table='{table}']"
    page.until("one(arguments[0]) !== null", css)
    return page.text(css)


def test_a_table_of_another_browser_appears_in_the_list_without_a_loss_of_focus(
    opened: Open, visit: Visit
) -> None:
    house = opened(rules=CASINO, bots=1)
    page = visit(house)
    page.show_tables()
    page.until_text("#front-title", "Table 1: Hit and stand")
    page.find("#name").send_keys("x")
    assert page.focus == "name"
    opens(visit(house), "vegas", seats=3, friends=1)
    text = card_of(page, 2)
    assert "Table 2: Vegas" in text
    assert "2 free seats · begins when you sit down" in text
    assert "ada" in text
    assert "6 decks · a natural pays 3 to 2 · double, split, surrender, insurance · bets 10 to 500" in text
    assert page.focus == "name"
    page.click("#tables .short-rules")
    assert page.is_seen("#tables .all-rules")


def test_sitting_down_from_the_list_begins_the_round_that_waited(opened: Open, visit: Visit) -> None:
    house = opened("TS 9S TH 7H TC 8C 6D TD 7S KC", rules=CASINO, bots=2)
    first, second = visit(house), visit(house, NARROW)
    opens(first, "casino", seats=3, friends=1)
    first.until_text("#waiting-text", "Waiting for 1 more player")
    card_of(second, 2)
    second.write("#name", "bob")
    second.tap("#tables [data-table='2'] .sit")
    second.until("!one('#menu').open")
    assert second.ask("location.hash") == "#table=2"
    first.until("one('#waiting').hidden")
    first.until_asked()
    assert not second.is_seen("#waiting")
    assert [seat.name for seat in first.seats] == ["ada", "bob", "Seat 3"]
    assert first.is_seen("#invite")


def test_watching_is_shown_and_leads_to_a_seat(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    first, second = visit(house), visit(house)
    opens(first, "casino", seats=2)
    first.until_asked()
    card_of(second, 2)
    second.click("#tables [data-table='2'] .watch")
    second.until("!one('#menu').open")
    second.until_text("#status", "You are watching table 2. ada is deciding.")
    second.click("#sit-down")
    second.until_text("#front-title", "Table 2: Hit and stand")
    second.sit("bob")
    second.until("all('.seat .name').some((name) => name.textContent === 'bob')")
    assert not second.is_seen("#sit-down")


def test_a_link_leads_to_its_table_with_both_choices_in_front(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    first, second = visit(house), visit(house)
    opens(first, "reno", seats=2, friends=1)
    second.ask(f"void (location.hash = '{first.ask('location.hash')}')")
    second.reload()
    second.until_text("#where", "Table 2")
    assert second.is_usable("#watch-table")
    second.click("#play-now")
    first.until("one('#waiting').hidden")


def test_without_tables_the_page_says_so_and_a_wrong_name_is_told_before_anything_is_sent(
    opened: Open, visit: Visit
) -> None:
    page = visit(opened())
    page.show_tables()
    page.until_text("#front-title", "Your own table")
    page.until_text("#no-tables", "There is no table yet. Open one: others can join you there.")
    assert page.is_usable("#to-own-table")
    page.write("#name", " ")
    page.click("#take-seat")
    page.until("one('#name').validationMessage.startsWith('Write the name that the others see')")
    assert page.is_menu_open
    page.sit("bob")
    page.until_asked()


def test_every_rule_has_a_field_and_what_is_chosen_is_remembered(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    page = visit(house)
    page.choose_rules()
    page.tick("#opponent [value=europe]")
    page.choose("#decks", "2")
    page.choose("#rule-reshuffle", "cutoff")
    rules = {"dealer-stands": "hard17", "naturals": "6:5", "double": "always", "split": "3"}
    rules |= {"split-aces": "again", "surrender": "early", "hole-card": "obo"}
    for field, value in rules.items():
        page.choose(f"#rule-{field}", value)
    page.write("#shoe-left", "30")
    page.tick("#rule-insurance")
    page.write("#bet-most", "80")
    page.write("#bankroll", "500")
    page.write("#seats", "2")
    page.write("#bots", "0")
    page.open_table()
    assert page.ask("location.hash") == "#table=2"
    rules |= {"preset": "europe", "seats": "2", "decks": "2", "reshuffle": "cutoff:30", "ace": "either"}
    rules |= {"double-after-split": "yes", "insurance": "yes", "bets": "10-80", "bankroll": "500"}
    assert rules_of(house.port, 2) == rules
    page.reload()
    page.press("n")
    page.until("one('#menu').open")
    page.choose_rules()
    assert page.ask("[one('#opponent :checked').value, one('#rule-surrender').value]") == ["europe", "early"]


def rules_of(port: int, table: int) -> dict[str, str]:
    """The rules of a table, as a program is told them."""
    with BlockingPeer(port) as peer:
        peer.say(f"WATCH {table}")
        line = peer.hear_until("TABLE")[-1]
    rules: dict[str, str] = json.loads(line.removeprefix("TABLE "))["rules"]
    return rules


def test_the_invitation_has_the_link_and_its_code(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    page = visit(house)
    opens(page, "casino", seats=3, friends=2)
    page.until_text("#waiting-text", "Waiting for 2 more players")
    link = f"http://127.0.0.1:{house.port}/#table=2"
    assert page.ask("one('#waiting .link').value") == link
    page.until("one('#waiting .code').complete && one('#waiting .code').naturalWidth > 0")
    assert "--host 0.0.0.0 --lobby" in page.text("#waiting .note")
    page.click("#invite")
    page.until("one('#invite-panel').open")
    assert page.ask("one('#invite-panel .link').value") == link
    page.press(Keys.ESCAPE)
    page.until("!one('#invite-panel').open")
