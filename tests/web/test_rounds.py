"""Rounds played in a real browser: by mouse, by keyboard, with hints, and together with other players."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import pytest

from cards import PRESETS
from tests.helpers.browser import Page, Seat
from tests.helpers.house import deal
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST
from tests.web.conftest import Open, Visit

CASINO: Final = replace(PRESETS["casino"], seats=3)
SHOWDOWN: Final = replace(PRESETS["showdown"], seats=3)

DOWN: Final = "face-down"

KEYS: Final = {"hit": "h", "stand": "s", "next": "x", "hint": "t", "reveal": "v"}

Act = Callable[[Page, str], None]


def by_click(page: Page, what: str) -> None:
    page.click(f"#{what}")


def by_key(page: Page, what: str) -> None:
    page.until("isUsable(one(arguments[0]))", f"#{what}")
    page.press(KEYS[what])


either_way: Final = pytest.mark.parametrize("act", [by_click, by_key])


# Against a dealer.


@either_way
def test_a_round_in_the_casino(opened: Open, visit: Visit, act: Act) -> None:
    house = opened(rules=CASINO, bots=2)
    deal(
        house,
        "Ten of Spades, Two of Spades, Ten of Hearts, Six of Hearts, Ten of Clubs, Eight of Clubs,"
        "Six of Diamonds, Ten of Diamonds, Seven of Spades, King of Hearts, King of Clubs",
    )
    page = visit(house)
    assert page.is_menu_open
    page.sit("ada")
    page.until_asked()
    assert page.status == "Your turn: you have 12 against the Six of Diamonds. Hit or stand?"
    assert page.dealers_cards == ["Six of Diamonds", DOWN]
    assert page.seats == [
        Seat("ada", ["Ten of Spades", "Two of Spades"], "12", "playing", turn=True, own=True),
        Seat("bot-1", ["Ten of Hearts", "Six of Hearts"], "16", "playing"),
        Seat("bot-2", ["Ten of Clubs", "Eight of Clubs"], "18", "playing"),
    ]
    assert not page.is_usable("#next")
    act(page, "hit")
    page.until_text("#status", "you have 19")
    act(page, "stand")
    page.until_results()
    assert page.status == "You won with 19. The next round starts soon."
    assert page.dealers_cards == ["Six of Diamonds", "Ten of Diamonds", "King of Clubs"]
    ada, *bots = page.seats
    assert ada.cards == ["Ten of Spades", "Two of Spades", "Seven of Spades"]
    assert (ada.total, ada.state, ada.result, ada.score) == ("19", "standing", "Won +1", "score +1")
    assert [(bot.total, bot.state, bot.result, bot.score) for bot in bots] == [
        ("26", "bust", "Bust -1", "score -1"),
        ("18", "standing", "Won +1", "score +1"),
    ]
    assert not page.is_usable("#hit")
    assert [line for line in page.log if not line.endswith("sits down")] == [
        "Round 1",
        "ada gets Ten of Spades and Two of Spades: 12",
        "bot-1 gets Ten of Hearts and Six of Hearts: 16",
        "bot-2 gets Ten of Clubs and Eight of Clubs: 18",
        "The dealer shows Six of Diamonds",
        "ada hits and gets Seven of Spades: 19",
        "ada stands on 19",
        "bot-1 hits and gets King of Hearts: 26, bust",
        "bot-1 is bust with 26 (Ten of Hearts, Six of Hearts, King of Hearts)",
        "bot-2 stands on 18",
        "The dealer turns over Ten of Diamonds: 16",
        "The dealer draws King of Clubs: 26, bust",
        "ada wins with 19",
        "bot-2 wins with 18",
    ]
    act(page, "next")
    page.until_text("#where", "round 2")


def test_the_statistics_of_a_round(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    deal(
        house,
        "Ten of Spades, Two of Spades, Ten of Hearts, Seven of Hearts, Ten of Clubs, Eight of Clubs,"
        "Six of Diamonds, Ten of Diamonds, King of Spades",
    )
    page = visit(house)
    page.sit()
    page.click("#hit")  # wrong with 12 against a six, and a bust with 22
    page.until_results()
    page.until("text('#statistics').includes('1 of 1')")
    shown = page.statistics
    assert 0 < float(shown.pop("Cost of differing, in bets")) < 0.1
    assert shown == {
        "Rounds": "1",
        "Won / pushed / lost": "0 / 0 / 1",
        "Lost by going bust": "1",
        "Mean payoff": "-1.000",
        "Differed from basic strategy": "1 of 1",
    }


@either_way
def test_hint_and_reveal_at_a_practice_table(opened: Open, visit: Visit, act: Act) -> None:
    house = opened(rules=CASINO, bots=2, practice=True)
    deal(
        house,
        "Ten of Spades, Six of Spades, Ten of Hearts, Seven of Hearts, Ten of Clubs, Eight of Clubs,"
        "Six of Diamonds, Ten of Diamonds",
    )
    page = visit(house)
    page.sit("ada")
    act(page, "hint")
    page.until_text("#advice", "Stand. Hitting would cost 0.")
    edges = "[one('#table').getBoundingClientRect().bottom, one('#actions').getBoundingClientRect().top]"
    felt, words = page.ask(edges)
    assert felt <= words  # which may be a line longer now
    assert page.dealers_cards == ["Six of Diamonds", DOWN]
    act(page, "reveal")
    page.until("!one('#all-shown').hidden")
    assert page.dealers_cards == ["Six of Diamonds", "Ten of Diamonds"]
    assert page.log[-1] == "ada looks at all cards"
    assert not page.is_usable("#reveal")
    act(page, "stand")
    page.until_results()
    assert page.text("#advice") == ""
    act(page, "next")
    page.until_text("#where", "round 2")
    assert not page.is_seen("#all-shown")


def test_no_hint_or_reveal_at_any_other_table(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO, bots=2)
    page = visit(house)
    page.sit()
    page.until_asked()
    assert not page.is_seen("#hint")
    assert not page.is_seen("#reveal")
    page.press("t", "v", "s")
    page.until_results()
    assert page.text("#advice") == ""
    assert "looks at all cards" not in " ".join(page.log)


# Against each other.


@either_way
def test_a_round_of_a_showdown(opened: Open, visit: Visit, act: Act) -> None:
    house = opened(rules=SHOWDOWN, bots=2)
    deal(
        house,
        "Ten of Spades, Two of Spades, Ten of Hearts, Six of Hearts, Ten of Clubs, Eight of Clubs,"
        "Seven of Spades, King of Hearts",
    )
    page = visit(house)
    page.sit("ada")
    page.until_asked()
    assert page.status == "Your turn: you have 12. Hit or stand?"
    assert not page.is_seen("#dealer")
    assert page.seats == [
        Seat("ada", ["Ten of Spades", "Two of Spades"], "12", "playing", turn=True, own=True),
        Seat("bot-1", [DOWN, DOWN], "", "playing"),
        Seat("bot-2", [DOWN, DOWN], "", "playing"),
    ]
    act(page, "hit")
    page.until_text("#status", "you have 19")
    assert page.seats[1:] == [
        Seat("bot-1", ["Ten of Hearts", "Six of Hearts", "King of Hearts"], "26", "bust", "Bust -1"),
        Seat("bot-2", [DOWN, DOWN], "", "standing"),
    ]
    act(page, "stand")
    page.until_results()
    assert page.status == "You won with 19. The next round starts soon."
    assert page.seats[2].cards == ["Ten of Clubs", "Eight of Clubs"]
    assert [(seat.result, seat.score) for seat in page.seats] == [
        ("Won +1", "score +1"),
        ("Bust -1", "score -1"),
        ("Lost -1", "score -1"),
    ]
    page.until("text('#statistics').includes('0 of 2')")
    act(page, "next")
    page.until_text("#where", "round 2")


# Choosing a table.


def test_opening_tables_from_the_menu(opened: Open, visit: Visit) -> None:
    house = opened()
    page = visit(house)
    page.write("#name", "ada")
    page.tick("#opponent [value=showdown]")
    page.write("#seats", "3")
    page.write("#bots", "2")
    page.choose("#bot-policy", "threshold:17")
    page.click("#more-rules summary")
    page.choose("#decks", "2")
    page.click("#practice")
    page.click("#open-table")
    page.until_asked()
    assert page.text("#where") == "Table 1, round 1, practice"
    assert page.text("#rules").startswith("Showdown rules: 2 decks")
    assert [seat.name for seat in page.seats] == ["ada", "bot-1", "bot-2"]
    assert page.ask("location.hash") == "#table=1"
    page.press("n")  # at any time
    page.until("one('#menu').open")
    assert page.text("#leaving-note") == "A new game gives up your seat; a hand in play is lost."
    page.tick("#opponent [value=casino]")
    page.choose("#decks", "inf")
    page.click("#practice")
    page.click("#open-table")
    page.until_text("#where", "Table 2, round 1")
    page.until_asked()
    assert page.is_seen("#dealer")
    assert not page.is_seen("#hint")
    assert page.text("#rules").startswith("Casino rules: infinite deck")
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
    assert page.is_usable("#reconnect")
    assert page.statistics["Rounds"] == "2"
    house.wait()


# Other players.


class Netcat:
    """A real nc, and a person who types into it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        print(line, file=self._process.stdin, flush=True)

    def hear_until(self, beginning: str) -> list[str]:
        """The lines up to the first that begins with this."""
        assert self._process.stdout is not None
        lines = [""]
        while not lines[-1].startswith(beginning):
            line = self._process.stdout.readline()
            assert line, f"the dealer never says {beginning}: {lines}"
            lines.append(line.rstrip("\n"))
        return lines[1:]


@contextmanager
def netcat(port: int) -> Iterator[Netcat]:
    """Connect with nc; skips the test where it is not installed."""
    nc = shutil.which("nc")
    if nc is None:
        pytest.skip("nc is not installed")
    with subprocess.Popen(
        [nc, LOCALHOST, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        patience = threading.Timer(PATIENCE, process.kill)
        patience.start()
        try:
            yield Netcat(process)
        finally:
            patience.cancel()
            process.kill()


def test_two_browsers_and_an_nc_at_one_table(opened: Open, visit: Visit) -> None:
    house = opened(rules=CASINO)
    deal(
        house,
        "Ten of Spades, Two of Spades, Ten of Hearts, Eight of Hearts, Nine of Clubs, Nine of Diamonds,"
        "Six of Clubs, Ten of Diamonds, Seven of Spades, Five of Clubs",
    )
    with netcat(house.port) as carl:
        ada, bob = visit(house), visit(house)
        ada.sit("ada")
        bob.sit("bob")
        ada.until("text('#seats-on-table').includes('bob')")
        carl.say("JOIN carl")
        assert carl.hear_until("DEALER") == [
            "BEGIN",
            "CARD Nine of Clubs",
            "CARD Nine of Diamonds",
            "DEALER Six of Clubs",
        ]
        ada.until_asked()
        bob.until_text("#status", "ada is deciding.")
        assert not bob.is_usable("#hit")
        assert [seat.own for seat in bob.seats] == [False, True, False]
        ada.click("#hit")
        bob.until("cards(one('.seat')).length === 3")
        assert bob.seats[0].total == "19"
        ada.click("#stand")
        bob.click("#stand")
        carl.hear_until("DECISION")
        bob.until_text("#status", "carl is deciding.")
        assert [seat.turn for seat in bob.seats] == [False, False, True]
        carl.say("STAND")
        assert carl.hear_until("RESULT") == ["RESULT LOOSE"]  # against 21
        for page in (ada, bob):
            page.until_results()
            assert [seat.result for seat in page.seats] == ["Lost -1"] * 3
        ada.click("#next")
        ada.until_text("#status", "Waiting for bob, carl.")
        carl.say("NEXT")
        bob.click("#next")
        assert carl.hear_until("BEGIN")
        ada.until_asked()


def test_names_are_text(opened: Open, visit: Visit) -> None:
    house = opened(rules=replace(CASINO, seats=2))
    other = house.join("JOIN <img/src=x>")
    page = visit(house)
    house.join("OPEN preset=casino seats=2 bots=0").say("JOIN <i>carl</i>")
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
