"""The whole game in a real browser: bets, split hands, insurance, surrender and payoffs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest
from selenium.webdriver import Keys

from cards import PRESETS, Bets, Surrender
from tests.helpers.browser import NARROW, WIDE, Page
from tests.helpers.house import deal
from tests.web.conftest import Open, Visit
from tests.web.test_page import axe, barriers, overflowing

__all__ = ["axe"]  # the fixture

VEGAS: Final = replace(PRESETS["vegas"], seats=1, bets=Bets(10, 80), bankroll=500)

SPLITS: Final = (
    "Eight of Spades, Eight of Hearts, Six of Diamonds, Ten of Diamonds, Three of Spades, Ten of Hearts,"
    "Eight of Clubs, Ten of Clubs, Two of Clubs, Nine of Clubs, King of Clubs"
)
"""Eights against a six, split into three hands: 11, doubled to 21; 18; 10, hit to 19. The dealer is bust."""

sizes: Final = pytest.mark.parametrize("size", [WIDE, NARROW])


def hands(page: Page) -> list[dict[str, Any]]:
    """Your hands as they are shown side by side, each by its texts and its mark."""
    shown: list[dict[str, Any]] = page.ask(
        """all("[data-own=true] .split").map((hand) => ({
          label: hand.getAttribute("aria-label"), cards: cards(hand), total: text(".total", hand),
          stake: text(".stake", hand), result: text(".result", hand),
          current: hand.getAttribute("aria-current") === "true",
        }))"""
    )
    return shown


def offered(page: Page) -> list[str]:
    """The ids of the buttons and fields for actions that can be used."""
    return list(page.ask("all('#buttons button[id], #buttons input').filter(isUsable).map(({ id }) => id)"))


def until_offered(page: Page, *ids: str) -> None:
    """Wait until exactly these actions can be used."""
    page.until(
        "all('#buttons button[id], #buttons input').filter(isUsable).map(({ id }) => id).join() ==="
        " arguments[0]",
        ",".join(ids),
    )


def own(page: Page, css: str) -> str:
    return page.text(f"[data-own=true] > {css}")


def bet(page: Page, chips: str) -> None:
    """Answer the question for a bet with the keyboard."""
    until_offered(page, "bet")
    page.write("#bet", chips)
    page.press(Keys.ENTER)


@sizes
def test_a_round_with_a_split_a_double_and_a_payoff_for_each_hand(
    opened: Open, visit: Visit, size: tuple[int, int]
) -> None:
    house = opened(rules=VEGAS)
    deal(house, SPLITS)
    page = visit(house, size)
    page.sit("ada")
    until_offered(page, "bet")
    assert page.status == "Your bet: 10 to 80 chips. Your bankroll is 500."
    assert page.ask("[one('#bet').min, one('#bet').max, one('#bet').value]") == ["10", "80", "10"]
    page.until("document.activeElement.id === 'bet'")
    bet(page, "20")
    until_offered(page, "hit", "stand", "double", "split", "surrender")
    page.until("document.activeElement.id === 'hit'")
    assert page.status == (
        "Your turn: you have 16 against the Six of Diamonds. Hit, stand, double, split or surrender?"
    )
    assert (own(page, ".hand .stake"), own(page, ".who .score")) == ("bet 20", "bankroll 500")
    assert hands(page) == []
    page.press("p")
    until_offered(page, "hit", "stand", "double")
    page.until_text("#status", "hand 1 of 2: you have 11")
    page.press("d")
    until_offered(page, "hit", "stand", "double", "split")
    assert overflowing(page) == []
    page.click("#split")
    page.until_text("#status", "hand 2 of 3: you have 18")
    assert [(hand["label"], hand["total"], hand["stake"], hand["current"]) for hand in hands(page)] == [
        ("Hand 1 of 3", "21", "bet 40", False),
        ("Hand 2 of 3", "18", "bet 20", True),
        ("Hand 3 of 3", "8", "bet 20", False),
    ]
    page.click("#stand")
    page.until_text("#status", "hand 3 of 3: you have 10")
    page.click("#hit")
    page.until_text("#status", "hand 3 of 3: you have 19")
    page.click("#stand")
    page.until_results()
    assert page.status == "You won: +80. The next round starts soon."
    assert [(hand["cards"][-1], hand["result"]) for hand in hands(page)] == [
        ("Ten of Hearts", "Won +40"),
        ("Ten of Clubs", "Won +20"),
        ("Nine of Clubs", "Won +20"),
    ]
    assert own(page, ".hand .result") == "Won +80"
    assert own(page, ".who .score") == "bankroll 580"
    assert page.statistics["Mean payoff"] == "+4.000"
    assert page.statistics["Won / pushed / lost"] == "1 / 0 / 0"
    assert overflowing(page) == []
    page.click("#next")
    until_offered(page, "bet")
    assert page.ask("one('#bet').value") == "20"  # as last time
    assert own(page, ".hand .result") == ""
    page.reload()
    until_offered(page, "bet")
    assert page.ask("one('#bet').value") == "20"


@pytest.mark.parametrize(
    ("hole_card", "result", "bankroll", "mean"),
    [("King of Diamonds", "Push 0", "500", "+0.000"), ("Nine of Diamonds", "Lost -30", "470", "-1.500")],
    ids=["won", "lost"],
)
def test_insurance(opened: Open, visit: Visit, hole_card: str, result: str, bankroll: str, mean: str) -> None:
    house = opened(rules=VEGAS)
    deal(house, f"Ten of Spades, Nine of Hearts, Ace of Diamonds, {hole_card}")
    page = visit(house)
    page.sit("ada")
    bet(page, "20")
    until_offered(page, "insure", "decline")
    assert page.status == "Your turn: you have 19 against the Ace of Diamonds. Insure or decline?"
    page.press("i")
    page.until("text('[data-own=true] .insured') === 'insured'")
    if result.startswith("Lost"):
        page.click("#stand")
    page.until_results()
    assert not page.is_seen("#insure")
    assert own(page, ".hand .result") == result
    assert own(page, ".who .score") == f"bankroll {bankroll}"
    assert page.statistics["Mean payoff"] == mean


def test_surrender_before_the_dealer_looks_and_declining(opened: Open, visit: Visit) -> None:
    house = opened(rules=replace(PRESETS["vegas"], seats=1, surrender=Surrender.EARLY, insurance=False))
    deal(house, "Ten of Spades, Six of Hearts, Ten of Diamonds, Seven of Diamonds")
    page = visit(house)
    page.sit("ada")
    until_offered(page, "surrender", "decline")
    page.press("c")
    until_offered(page, "hit", "stand", "double")
    page.click("#stand")
    page.until_results()
    assert own(page, ".hand .result") == "Lost -1"
    page.press("x")
    page.until_text("#where", "round 2")


def test_surrender(opened: Open, visit: Visit) -> None:
    house = opened(rules=replace(PRESETS["vegas"], seats=1))
    deal(house, "Ten of Spades, Six of Hearts, Ten of Diamonds, Seven of Diamonds")
    page = visit(house)
    page.sit("ada")
    until_offered(page, "hit", "stand", "double", "surrender")
    page.press("r")
    page.until_results()
    assert page.status == "You surrendered with 16: -0.5. The next round starts soon."
    assert own(page, ".hand .result") == "Surrendered -0.5"
    assert own(page, ".who .score") == "score -0.5"
    assert page.statistics["Mean payoff"] == "-0.500"


def test_a_natural_and_a_bet_out_of_range(opened: Open, visit: Visit) -> None:
    house = opened(rules=VEGAS)
    deal(house, "Ace of Spades, King of Hearts, Nine of Diamonds, Seven of Diamonds")
    page = visit(house)
    page.sit("ada")
    for chips in ("9", "81", "10.5", ""):
        bet(page, chips)
        assert page.ask("one('#bet').checkValidity()") is False, chips
        assert page.status.startswith("Your bet: 10 to 80 chips.")
    bet(page, "15")
    page.until_results()
    assert page.status == "Blackjack! You won with 21: +22.5. The next round starts soon."
    assert own(page, ".who .score") == "bankroll 522.5"


def test_a_table_of_the_whole_game_from_the_menu(opened: Open, visit: Visit) -> None:
    house = opened()
    deal(  # nobody has a natural, which would end the round
        house,
        "Ten of Spades, Six of Hearts, Ten of Hearts, Nine of Clubs, Nine of Diamonds, Ten of Clubs",
    )
    page = visit(house)
    page.tick("#opponent [value=vegas]")
    assert page.ask("one('#decks').value") == "6"
    page.write("#seats", "2")
    page.write("#bots", "1")
    page.choose("#bot-policy", "threshold:17")
    page.click("#more-rules summary")
    page.tick("#bets")
    page.write("#bet-least", "5")
    page.write("#bet-most", "50")
    page.write("#bankroll", "4")
    page.choose("#rule-split", "2")
    page.click("#practice")
    page.click("#open-table")
    page.until_text("#own-problem", "A player needs at least 5 chips to bet.")
    assert page.focus == "bankroll"
    page.choose("#rule-surrender", "none")
    page.write("#bankroll", "300")
    page.click("#open-table")
    until_offered(page, "bet")
    page.until_text("#status", "Your bet: 5 to 50 chips. Your bankroll is 300.")
    assert "up to 2 hands" in page.text("#rules")
    assert not page.is_seen("#hint")  # the dealer gives none for a bet, and the chips are in its place
    page.press(Keys.ENTER)
    page.until("isUsable(one('#hint'))")


@sizes
def test_hints_and_the_ev_lost_of_every_decision(opened: Open, visit: Visit, size: tuple[int, int]) -> None:
    house = opened(rules=replace(PRESETS["vegas"], seats=1, surrender=Surrender.NONE), practice=True)
    deal(
        house,
        "Eight of Spades, Eight of Hearts, Ace of Diamonds, Nine of Diamonds, Two of Spades, Two of Hearts,"
        "Ten of Hearts, Ten of Clubs",
    )
    page = visit(house, size)
    page.sit("ada")
    for hint, key in (("Decline", "i"), ("Split", "p"), ("Hit", "d"), ("Stand", "s")):
        page.until("isUsable(one('#hint'))")
        page.press("t")
        page.until_text("#advice", f"{hint}. ")
        page.press(key)
        page.until("text('#advice') === ''")
    page.until_results()
    page.until("text('#statistics').includes('of 4')")
    shown = page.statistics
    assert shown["Differed from the best"] == "2 of 4"
    costs = {label: float(shown[label]) for label in ("Insure, better: Decline", "Double, better: Hit")}
    assert all(cost > 0 for cost in costs.values())
    assert float(shown["Cost of differing, in bets"]) == pytest.approx(sum(costs.values()), abs=0.0011)
    assert float(shown["EV lost per decision"]) == pytest.approx(sum(costs.values()) / 4, abs=0.0006)
    assert (shown["Split"], shown["Stand"]) == ("0.000", "0.000")
    assert overflowing(page) == []


def test_no_barriers_in_the_whole_game(opened: Open, visit: Visit, axe: str) -> None:
    house = opened(rules=VEGAS)
    deal(house, SPLITS)
    page = visit(house)
    page.sit()
    until_offered(page, "bet")
    assert barriers(page, axe) == []
    page.click("#bet-form button")
    page.click("#split")
    page.until_text("#status", "hand 1 of 2")
    assert barriers(page, axe) == []
