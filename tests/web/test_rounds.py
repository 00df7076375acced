"""Rounds in a real browser: with hints, without a dealer, at tables from the menu, with names of markup."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from cards import PRESETS
from tests.helpers.browser import Seat
from tests.web.conftest import Open, Seated, Visit
from tests.web.evening import CASINO, rules_of

pytestmark = pytest.mark.check

DOWN: Final = "face-down"
MINUS: Final = "\N{MINUS SIGN}"


def test_hint_and_reveal_at_a_practice_table_by_keys(seated: Seated) -> None:
    page = seated("TS 6S TH 7H TC 8C 6D TD", rules=CASINO, bots=2, practice=True)
    page.until("isUsable(one('#hint'))")
    page.press("t")
    page.until_text("#advice", "Stand (the next best option loses 0.")
    edges = "[one('#table').getBoundingClientRect().bottom, one('#actions').getBoundingClientRect().top]"
    felt, words = page.ask(edges)
    assert felt <= words  # which may be a line longer now
    assert page.dealers_cards == ["Six of Diamonds", DOWN]
    page.press("v")
    page.until("!one('#all-shown').hidden")
    assert page.dealers_cards == ["Six of Diamonds", "Ten of Diamonds"]
    assert page.log[-1] == "ada looks at all cards"
    assert not page.is_usable("#reveal")
    page.press("s")
    page.until_results()
    assert page.text("#advice") == ""
    page.press("x")
    page.until_text("#where", "round 2")
    assert not page.is_seen("#all-shown")


def test_a_round_without_a_dealer(seated: Seated) -> None:
    page = seated("TS 2S TH 6H TC 8C 7S KH", rules=replace(PRESETS["showdown"], seats=3), bots=2)
    page.until_asked()
    assert page.status == "Your turn: you have 12. Hit or stand?"
    assert not page.is_seen("#dealer")
    assert page.seats == [
        Seat("ada", ["Ten of Spades", "Two of Spades"], "12", "playing", turn=True, own=True),
        Seat("bot-1", [DOWN, DOWN], "", "playing"),
        Seat("bot-2", [DOWN, DOWN], "", "playing"),
    ]
    page.press("h")
    page.until_text("#status", "you have 19")
    assert page.seats[1:] == [
        Seat(
            "bot-1",
            ["Ten of Hearts", "Six of Hearts", "King of Hearts"],
            "26",
            "bust",
            f"Bust {MINUS}1",
        ),
        Seat("bot-2", [DOWN, DOWN], "", "standing"),
    ]
    page.click("#stand")
    page.until_results()
    assert page.status == "You won with 19. The next round starts soon."
    assert page.seats[2].cards == ["Ten of Clubs", "Eight of Clubs"]
    assert [seat.result for seat in page.seats] == ["Won +1", f"Bust {MINUS}1", f"Lost {MINUS}1"]
    assert [seat.score for seat in page.seats] == [
        "score +1",
        f"score {MINUS}1",
        f"score {MINUS}1",
    ]
    page.until("text('#statistics').includes('0 of 2')")


def test_tables_from_the_menu_one_after_the_other(opened: Open, visit: Visit) -> None:
    house = opened()
    page = visit(house)
    page.show_tables()
    page.write("#name", "ada")
    page.choose_rules()
    page.tick("#opponent [value=showdown]")
    page.write("#seats", "3")
    page.write("#bots", "2")
    page.choose("#bot-policy", "threshold:17")
    page.choose("#decks", "2")
    assert page.ask("one('#practice').checked")
    page.open_table()
    page.until_asked()
    assert page.text("#where") == "Table 1, round 1, practice"
    assert rules_of(page).startswith("Showdown rules: 2 decks")
    assert [seat.name for seat in page.seats] == ["ada", "bot-1", "bot-2"]
    assert page.ask("location.hash") == "#table=1"
    page.press("n")  # at any time
    page.until("one('#menu').open")
    assert page.text("#leaving-note") == "Moving to another table gives up your seat; a hand in play is lost."
    page.choose_rules()
    page.tick("#opponent [value=casino]")
    page.choose("#decks", "inf")
    page.tick("#practice")
    page.open_table()
    page.until_text("#where", "Table 2, round 1")
    page.until_asked()
    assert page.is_seen("#dealer")
    assert not page.is_seen("#hint")
    assert rules_of(page).startswith("Hit and stand rules: an infinite deck")
    assert page.statistics["Won / pushed / lost"] == "0 / 0 / 1"


def test_a_table_with_one_seat_until_the_rounds_are_used_up(opened: Open, visit: Visit) -> None:
    house = opened(rounds=2, pause=0)
    page = visit(house)
    page.sit("ada")
    page.until_asked()
    page.click("#stand")
    page.until("text('#statistics').startsWith('Rounds1')")
    page.until_text("#where", "round 2")  # after the page's own pause
    page.click("#stand")
    page.until("document.body.dataset.connection === 'ended'")
    assert page.status.startswith("The dealer has ended the game: ")
    assert page.is_usable("#play-now")
    assert page.statistics["Rounds"] == "2"
    house.wait()


def test_names_are_text(opened: Open, visit: Visit) -> None:
    house = opened(rules=replace(CASINO, seats=2))
    other = house.join("JOIN <img/src=x>")
    page = visit(house)
    house.join("OPEN preset=casino seats=2 bots=0").say("JOIN <i>carl</i>")
    page.show_tables()
    page.until_text("#free-seat .people", "<img/src=x>")
    page.until("text(\"#tables [data-table='2'] .people\") === '<i>carl</i>'")
    page.sit("<b>ada</b>")
    other.hear_until("DECISION")
    page.until_text("#status", "<img/src=x> is deciding.")
    assert [seat.name for seat in page.seats] == ["<img/src=x>", "<b>ada</b>"]
    assert [line for line in page.log if " gets " in line and "img" in line]
    other.say("STAND")
    page.click("#stand")
    page.until_results()
    made = "all('body b, body i').filter((one) => /^(ada|carl)$/.test(one.textContent))"
    assert page.ask(f"[...all('img[src=x]'), ...{made}].length") == 0
