"""What the page does when the dealer refuses something: it acts on the word, never on the sentence."""

from __future__ import annotations

import pytest

from tests.web.conftest import Open, Visit
from tests.web.evening import CASINO

pytestmark = pytest.mark.check


def test_a_table_that_does_not_exist_and_a_seat_that_is_no_longer_kept(opened: Open, visit: Visit) -> None:
    remembers_seat = "sessionStorage.getItem('twentyone.seat') !== null"
    page = visit(opened(rules=CASINO, bots=2))
    page.ask("location.hash = '#table=99'")
    page.reload()
    page.until_text("#start-note", "That table does not exist or is closed.")
    assert page.ask("location.hash") == ""
    page.until_text("#where", "Table 1")  # the one that is there
    page.ask("sessionStorage.setItem('twentyone.seat', JSON.stringify('x'.repeat(32)))")
    page.reload()
    page.until_text("#start-note", "Your seat is no longer kept: ")
    assert not page.ask(remembers_seat)
    page.sit()
    page.until_asked()
    assert page.ask(remembers_seat)


def test_no_seat_is_free(opened: Open, visit: Visit) -> None:
    house = opened(tables=1)
    first, second = visit(house), visit(house)
    first.sit("ada")
    first.until_asked()
    second.until_text("#where", "Table 1")
    second.show_tables()
    second.click("#take-seat")
    second.until_text("#menu-status", "No seat is free there.")
    assert second.connection == "open"
    assert second.is_menu_open
    first.press("n")
    first.click("#leave")
    first.until("text('#where') === ''")
    second.sit("bob")  # asking again works
    second.until_asked()


def test_no_table_can_be_opened(opened: Open, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer.lobby.rooms.MAX_OPENED", 0)
    house = opened(rules=CASINO, bots=2)
    page = visit(house)
    page.choose_rules()
    page.until_text("#own-status", "No more tables can be opened until one is empty")
    page.until("one('#open-table').disabled")  # a player who sits would give up that seat for nothing
    # Just before that is known.
    page.ask("void (one('#open-table').disabled = false, one('#open-table').click())")
    page.until_text("#own-status", "The dealer cannot open another table. Sit down at one that is open")
    assert "Asking" not in page.text("#own-status")
    page.click("#close-new-table")
    page.sit()  # at the dealer's own
    page.until_asked()


def test_a_table_whose_options_are_invalid(opened: Open, visit: Visit) -> None:
    house = opened()
    page = visit(house)
    page.choose_rules()
    page.ask("void (one('#decks').selectedOptions[0].value = '99')")
    page.click("#open-table")
    page.until_text("#own-status", "Choose another value for “Decks”.")
    assert "Asking" not in page.text("#own-status")
    page.choose("#decks", "2")
    page.tick("#bets")
    page.open_table()
    page.until_asked()
