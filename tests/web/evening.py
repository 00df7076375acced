"""What a player does at the table's page, in a player's words: bet, answer, go on. It waits on conditions."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Final

from selenium.webdriver import Keys

from cards import PRESETS, Bets
from tests.helpers.browser import Page

CASINO: Final = replace(PRESETS["casino"], seats=3)
VEGAS: Final = replace(PRESETS["vegas"], seats=1)
CHIPS: Final = replace(VEGAS, bets=Bets(10, 80), bankroll=500)

BUTTONS: Final = {
    **{"H": "hit", "S": "stand", "D": "double", "P": "split"},
    **{"R": "surrender", "I": "insure", "C": "decline"},
}
"""The button of each key that answers a question about a hand."""

ASKED: Final = "all('#hit, #stand, #double, #split, #surrender, #insure, #decline').some(isUsable)"

_SIGNS: Final = "[text('#status'), all('.card').length, all('#log p').length].join()"
"""What changes with every answer."""

_PAIR: Final = (
    "[['hit', 'stand'], ['insure', 'decline']].some((pair) => pair.every((id) => isUsable(one(`#${id}`))))"
)
"""Whether a question is open: of two buttons, the one that has the focus is there until the next picture."""

_RANKS: Final = {
    **{"A": "Ace", "2": "Two", "3": "Three", "4": "Four", "5": "Five", "6": "Six", "7": "Seven"},
    **{"8": "Eight", "9": "Nine", "T": "Ten", "J": "Jack", "Q": "Queen", "K": "King"},
}


def cards_named(short: str) -> str:
    """Cards by their names, for `deal`: `TS 9H` is `Ten of Spades, Nine of Hearts`."""
    suits = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
    return ", ".join(f"{_RANKS[card[0]]} of {suits[card[1]]}" for card in short.split())


def bet(page: Page, chips: int, *, by_key: bool = True) -> None:
    """Answer the question for a bet, and wait until the answer is taken."""
    offer(page, str(chips), by_key=by_key)
    page.until("!isUsable(one('#bet'))")


def offer(page: Page, chips: str, *, by_key: bool = True) -> None:
    """Give an answer to the question for a bet, which may be none."""
    page.until("isUsable(one('#bet'))")
    page.write("#bet", chips)
    if by_key:
        page.press(Keys.ENTER)
    else:
        page.click("#bet-form button:not([type=button])")


def answer(page: Page, keys: str, *, by_key: bool = True) -> None:
    """Answer one question after the other, each as soon as it is asked."""
    for key in keys:
        before = page.until(f"isUsable(one(arguments[0])) && {_PAIR} && {_SIGNS}", f"#{BUTTONS[key]}")
        if by_key:
            page.press(key.lower())
        else:
            page.click(f"#{BUTTONS[key]}")
        page.until(f"{_SIGNS} !== arguments[0]", before)


def go_on(page: Page) -> None:
    """Press Next; return once the results are gone."""
    page.click("#next")
    page.until("one('#table').dataset.phase !== 'results'")


def go_away(page: Page) -> None:
    """Leave the table without a word, for another page of the dealer: a seat is kept."""
    page.driver.get(page.ask("location.origin") + "/replay.html")


def until_asked_or_over(page: Page) -> bool:
    """Wait until a decision is asked or the round is over; return whether it is asked."""
    page.until(f"{ASKED} || one('#table').dataset.phase === 'results'")
    return bool(page.ask(ASKED))


def rules_of(page: Page) -> str:
    """The rules of the table, as its dialog tells them."""
    page.click("#rules-open")
    page.until("one('#rules-panel')?.open")
    rules = page.text("#rules")
    page.ask("one('#rules-panel').close()")
    return rules


def bankroll(page: Page) -> Fraction:
    """The bankroll that is written at your seat."""
    return number_in(page.text("[data-own=true] .score"))


def won(page: Page) -> Fraction:
    """What the round has brought in all, as it is written at your seat."""
    return number_in(page.text("[data-own=true] > .hand .result"))


def number_in(text: str) -> Fraction:
    """The only number in a text."""
    plain = text.replace("\N{MINUS SIGN}", "-").replace(",", "")
    (number,) = set(re.findall(r"[-+]?\d+(?:\.\d+)?", plain))
    return Fraction(number)


def hands(page: Page) -> list[list[str]]:
    """The cards of each of your hands after a split, in order."""
    return list(page.ask("all('[data-own=true] .split').map(cards)"))


def current_hand(page: Page) -> int | None:
    """Which of your hands is played, from 1."""
    found = page.ask(
        "all('[data-own=true] .split').findIndex((one) => one.getAttribute('aria-current') === 'true')"
    )
    return None if found == -1 else int(found) + 1
