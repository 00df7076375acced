"""An evening of thirty rounds in `vegas`, with known cards, in a real browser.

What each round pays is worked out by hand from the rules: a natural 3:2, insurance 2:1, surrender half the
bet; the dealer draws on a soft 17, and looks for a natural under an ace or a ten before anybody plays.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from cards import PRESETS, Bets
from tests.helpers.browser import Page
from tests.helpers.house import deal
from tests.web import evening
from tests.web.conftest import Open, Visit

BANKROLL: Final = 400

VEGAS: Final = replace(PRESETS["vegas"], seats=1, bets=Bets(10, 1000), bankroll=BANKROLL)

ALL: Final = 0
"""A bet of the whole bankroll."""


class Evening(NamedTuple):
    """A round: two cards for the player, the upcard, the hole card, then those that are drawn."""

    what: str
    bet: int
    cards: str
    answers: str
    payoff: str
    """In bets."""


ROUNDS: Final = (
    Evening("a win", 20, "TS 9H 6D TD KC", "S", "1"),
    Evening("a bust", 20, "TS 6H TD 7D KC", "H", "-1"),
    Evening("a natural", 15, "AS KH 9D 7D", "", "3/2"),
    Evening("a push", 20, "TS 9H TD 9D", "S", "0"),
    Evening("a double that wins", 20, "6S 5H 6D TD TC KC", "D", "2"),
    Evening("a split to three hands", 20, "8S 8H 6D TD 3S TH 8C TC 2C 9C KC", "PDPSHS", "4"),
    Evening("a surrender", 20, "TS 6H TD 7D", "R", "-1/2"),
    Evening("insurance that is won", 20, "TS 9H AD KD", "I", "0"),
    Evening("insurance that is lost", 20, "TS 9H AD 9D", "IS", "-3/2"),
    Evening("insurance declined", 20, "TS 9H AD KD", "C", "-1"),
    Evening("the dealer's natural", 20, "TS 9H KD AD", "", "-1"),
    Evening("two naturals", 20, "AS KH QD AD", "", "0"),
    Evening("even money", 20, "AS KH AD KD", "I", "1"),
    Evening("a natural against an ace", 25, "AS KH AD 9D", "C", "3/2"),
    Evening("a double that loses", 20, "6S 5H TD 9D 2C", "D", "-2"),
    Evening("split aces", 20, "AS AH 6D TD TC 9C KC", "P", "2"),
    Evening("a soft hand", 20, "AS 6H 7D TD 3C", "HS", "1"),
    Evening("the dealer's soft 17", 20, "TS 8H 6D AD 4C", "S", "-1"),
    Evening("a split to four hands", 20, "8S 8H 5D TD 8D 8C TS TH TC 9C KC", "PPPSSSS", "4"),
    Evening("five cards", 20, "2S 3H TD 7D 4C 5C 6C", "HHHS", "1"),
    Evening("a split and a bust in each hand", 20, "8S 8H TD 7D 6C KC 5C QC", "PHH", "-2"),
    Evening("kings are split, too", 20, "KS QH 5D TD 7C 8C 6C", "PSS", "-2"),
    Evening("a double with a bust of the dealer", 20, "9S 2H 6D TD AC QC", "D", "2"),
    Evening("three cards to 21", 20, "7S 7H TD 9D 7C", "HS", "1"),
    Evening("a surrender against an ace", 20, "TS 6H AD 7D", "CR", "-1/2"),
    Evening("hit and stand", 20, "5S 6H TD 9D 9C", "HS", "1"),
    Evening("a double after a split", 20, "9S 9H 9D 8D 2C TC 8C", "PDS", "2"),
    Evening("half of all", 300, "TS 8H TD 9D", "S", "-1"),
    Evening("all, so that nothing can be doubled", ALL, "TS JH 6D TD KC", "S", "1"),
    Evening("all is lost", ALL, "TS 8H TD 9D", "S", "-1"),
)


def test_an_evening_of_thirty_rounds(opened: Open, visit: Visit) -> None:
    house = opened(rules=VEGAS, practice=True)
    deal(house, ", ".join(evening.cards_named(one.cards) for one in ROUNDS))
    page = visit(house)
    evening.set_up(page)
    page.sit("ada")
    bankroll = Fraction(BANKROLL)
    for number, one in enumerate(ROUNDS, 1):
        by_key = number % 2 == 1
        chips = one.bet or int(bankroll)
        evening.bet(page, chips, by_key=by_key)
        if chips == bankroll:
            evening.until_asked_or_over(page)
            assert not page.is_usable("#double") and not page.is_usable("#split"), one.what
        evening.answer(page, one.answers, by_key=by_key)
        page.until_results()
        payoff = Fraction(one.payoff) * chips
        bankroll += payoff
        page.until_text("#where", f"round {number}")
        assert (evening.won(page), evening.bankroll(page)) == (payoff, bankroll), one.what
        page.click("#next")
    assert bankroll == 0
    until_it_is_said_that_the_bankroll_is_gone(page)


def until_it_is_said_that_the_bankroll_is_gone(page: Page) -> None:
    """The dealer only says QUIT; the page says why, and offers to sit down again."""
    page.until("isUsable(one('#reconnect')) || isUsable(one('#take-seat'))")
    said = page.ask("text('#status') + text('#menu-status')")
    assert "bankroll" in said or "chips" in said
    assert "The dealer says" not in said and "The dealer has ended" not in said
