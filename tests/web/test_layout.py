"""Where things are on the table's page: nothing overlaps, is cut off, or moves under the thumb."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from cards import CARDS, PRESETS, Bets
from tests.helpers.browser import Page
from tests.helpers.house import deal
from tests.web.conftest import Open, Visit

PHONE: Final = (390, 844)
SIZES: Final = (PHONE, (844, 390), (1366, 768), (1920, 1080))

FIRST: Final = ("Ten of Spades", "Two of Spades")
NINE: Final = ", ".join([*FIRST, *(str(card) for card in CARDS if str(card) not in FIRST)])


def boxes(page: Page, css: str) -> list[list[float]]:
    """The left, top, right and bottom edges of what is seen."""
    found: list[list[float]] = page.ask(
        """all(arguments[0]).filter((one) => one.checkVisibility()).map((one) => {
          const { left, top, right, bottom } = one.getBoundingClientRect();
          return [left, top, right, bottom];
        })""",
        css,
    )
    return found


def overlap(one: list[float], other: list[float]) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > 1 and down > 1


def small_texts(page: Page) -> list[Any]:
    """The texts that are smaller than 15 pixels."""
    return list(
        page.ask(
            """all("body *:not(svg *)").filter((one) => one.checkVisibility() && !one.closest(".unseen") &&
              [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) &&
              parseFloat(getComputedStyle(one).fontSize) < 15)
            .map((one) => [one.className, one.textContent, getComputedStyle(one).fontSize])"""
        )
    )


@pytest.mark.parametrize("size", SIZES)
def test_nine_seats_the_dealer_and_the_actions_share_the_window(
    opened: Open, visit: Visit, size: tuple[int, int]
) -> None:
    house = opened(rules=replace(PRESETS["casino"], seats=9), bots=8)
    deal(house, NINE)
    page = visit(house, size)
    page.sit()
    page.until_asked()
    hands = boxes(page, "#table .cards")
    assert len(hands) == 10
    for number, one in enumerate(hands):
        assert not [other for other in hands[:number] if overlap(one, other)]
    (felt,) = boxes(page, "#table")
    for box in (
        *boxes(page, "#table .seat, #dealer"),
        *boxes(page, "#actions"),
        *boxes(page, "#buttons button"),
    ):
        assert box[0] >= -0.5 and box[1] >= -0.5 and box[2] <= size[0] + 0.5 and box[3] <= size[1] + 0.5
    for one in boxes(page, "#actions"):
        assert not overlap(felt, one)
    if size == SIZES[-1]:
        assert small_texts(page) == []


def test_no_button_moves_between_a_turn_and_its_result(opened: Open, visit: Visit) -> None:
    house = opened(rules=replace(PRESETS["casino"], seats=3), bots=2, practice=True)
    deal(
        house,
        "Ten of Spades, Two of Spades, Ten of Hearts, Seven of Hearts, Ten of Clubs, Eight of Clubs,"
        "Six of Diamonds",
    )

    page = visit(house, PHONE)
    page.sit()
    page.until_asked()
    turn = boxes(page, "#buttons button")
    page.tap("#stand")
    assert boxes(page, "#buttons button") == turn  # while others play
    page.until_results()
    assert boxes(page, "#buttons button") == turn


@pytest.mark.parametrize("size", SIZES[:2])
def test_no_button_moves_when_the_count_is_asked(opened: Open, visit: Visit, size: tuple[int, int]) -> None:
    house = opened(rules=replace(PRESETS["vegas"], seats=1))
    deal(house, "Ten of Spades, King of Spades, Ten of Clubs, Nine of Hearts")
    page = visit(house, size)
    page.ask(
        "localStorage.setItem('twentyone.settings', JSON.stringify({ count: 'true', speed: 'instant' }))"
    )
    page.reload()
    page.sit()
    page.until_asked()
    turn = boxes(page, "#hit, #stand, #next")
    assert all(bottom <= size[1] for _, _, _, bottom in turn)
    page.tap("#stand")
    page.until_results()
    page.until("isUsable(one('#count-panel button'))")
    assert boxes(page, "#hit, #stand, #next") == [pytest.approx(box, abs=0.1) for box in turn]
    (panel,) = boxes(page, "#count-panel")
    for button in boxes(page, "#buttons button"):
        assert not overlap(panel, button)
    for card in boxes(page, ".hand .card, #dealer .card"):
        assert not overlap(panel, card)
    page.write("#count-panel label:nth-child(1) input", "-3")
    page.write("#count-panel label:nth-child(2) input", "0")
    page.click("#count-panel button")
    page.until("text('#count-panel [role=status]').startsWith('Running')")
    assert boxes(page, "#hit, #stand, #next") == [pytest.approx(box, abs=0.1) for box in turn]


def test_a_card_on_its_way_makes_no_page_wider(opened: Open, visit: Visit) -> None:
    house = opened(rules=replace(PRESETS["casino"], seats=1))
    deal(house, "Ten of Spades, Two of Spades, Ten of Hearts, Nine of Hearts")
    page = visit(house, PHONE)
    page.sit()
    page.until_asked()
    page.ask("one('.seat .card').style.setProperty('transform', 'translateX(300px)')")
    assert page.ask("[innerWidth, document.documentElement.scrollWidth]") == [PHONE[0], PHONE[0]]


def test_a_bet_of_chips_and_the_same_again(opened: Open, visit: Visit) -> None:
    house = opened(rules=replace(PRESETS["vegas"], seats=1, bets=Bets(5, 500), bankroll=1000))
    deal(house, "Ten of Spades, Eight of Hearts, Nine of Diamonds, Seven of Diamonds, Ten of Clubs")
    page = visit(house, PHONE)
    page.sit()
    page.until("isUsable(one('#bet'))")
    assert page.ask("all('#bet-chips button').map((one) => one.value)") == ["5", "10", "25", "100", "500"]
    assert not page.is_usable("[data-bet=rebet]")
    page.tap("[data-bet=clear]")
    page.tap("#bet-chips [value='25']")
    page.tap("#bet-chips [value='10']")
    assert page.ask("one('#bet').value") == "35"
    assert page.text("#bet-spot") == "35"
    assert page.ask("all('#bet-spot .chip').map((one) => one.dataset.value)") == ["25", "10"]
    page.tap("#bet-form .play")
    page.until("!one('#bet-spot').checkVisibility()")
    page.until_text("[data-own=true] > .hand .stake", "bet 35")
    page.tap("#stand")
    page.until_results()
    page.tap("#next")
    page.until("isUsable(one('#bet'))")
    page.press("b")
    page.until_text("#where", "round 2")
    page.until("text('[data-own=true] > .hand .stake') === 'bet 35'")


@pytest.mark.parametrize("size", SIZES)
def test_no_button_moves_when_a_hint_comes(opened: Open, visit: Visit, size: tuple[int, int]) -> None:
    house = opened(rules=replace(PRESETS["vegas"], seats=1), practice=True)
    deal(house, "Eight of Spades, Eight of Hearts, Six of Diamonds, Ten of Diamonds")
    page = visit(house, size)
    page.sit()
    page.until_asked()
    turn = boxes(page, "#buttons button")
    page.click("#hint")
    page.until_text("#advice", "Split.")
    assert boxes(page, "#buttons button") == [pytest.approx(box, abs=0.1) for box in turn]
    assert page.ask("all('#buttons button').filter((one) => one.scrollWidth > one.clientWidth)") == []
    (advice,) = boxes(page, "#advice")
    for button in boxes(page, "#buttons button"):
        assert not overlap(advice, button)
