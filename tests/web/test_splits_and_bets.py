"""Tables with payoffs in a real browser: bets, split hands, insurance, surrender and payoffs.

What each round pays is worked out by hand from the rules: a natural 3:2, insurance 2:1, surrender half the
bet; the dealer draws on a soft 17, and looks for a natural under an ace or a ten before anybody plays.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

import pytest

from cards import Bets, Surrender
from tests.helpers.browser import NARROW, WIDE, Page
from tests.web import evening
from tests.web.access import overflowing
from tests.web.conftest import Open, Seated, Visit
from tests.web.evening import CHIPS, VEGAS

pytestmark = pytest.mark.check


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


def until_offered(page: Page, *ids: str) -> None:
    """Wait until exactly these actions can be used."""
    page.until(
        "all('#buttons button[id], #buttons input').filter(isUsable).map(({ id }) => id).join() ==="
        " arguments[0]",
        ",".join(ids),
    )


def own(page: Page, css: str) -> str:
    return page.text(f"[data-own=true] > {css}")


def test_a_round_with_a_split_a_double_and_a_payoff_for_each_hand(seated: Seated) -> None:
    """Eights against a six, in three hands: 11, doubled to 21; 18; 10, hit to 19. The dealer is bust."""
    page = seated("8S 8H 6D TD 3S TH 8C TC 2C 9C KC", rules=CHIPS)
    until_offered(page, "bet")
    assert page.status == "Your bet: 10 to 80 chips. Your bankroll is 500."
    assert page.ask("[one('#bet').min, one('#bet').max, one('#bet').value]") == ["10", "80", "10"]
    page.until("document.activeElement.id === 'bet'")
    evening.bet(page, 20)
    until_offered(page, "hit", "stand", "double", "split", "surrender")
    page.until("document.activeElement.id === 'hit'")
    question = "you have 16 against the Six of Diamonds. Hit, stand, double, split or surrender?"
    assert page.status == f"Your turn: {question}"
    assert (own(page, ".hand .stake"), own(page, ".who .score")) == ("bet 20", "bankroll 500")
    assert hands(page) == []
    page.press("p")
    until_offered(page, "hit", "stand", "double")
    page.until_text("#status", "hand 1 of 2: you have 11")
    page.press("d")
    until_offered(page, "hit", "stand", "double", "split")
    page.click("#split")
    page.until_text("#status", "hand 2 of 3: you have 18")
    assert [(hand["label"], hand["total"], hand["stake"], hand["current"]) for hand in hands(page)] == [
        ("Hand 1 of 3", "21", "bet 40", False),
        ("Hand 2 of 3", "18", "bet 20", True),
        ("Hand 3 of 3", "8", "bet 20", False),
    ]
    for size in (NARROW, WIDE):
        page.resize(*size)
        assert overflowing(page) == []
    page.click("#stand")
    page.until_text("#status", "hand 3 of 3: you have 10")
    page.click("#hit")
    page.until_text("#status", "hand 3 of 3: you have 19")
    page.click("#stand")
    page.until_results()
    assert page.status == "You won: +80. The next round starts soon."
    assert [hand["cards"][-1] for hand in hands(page)] == ["Ten of Hearts", "Ten of Clubs", "Nine of Clubs"]
    assert [hand["result"] for hand in hands(page)] == ["Won +40", "Won +20", "Won +20"]
    assert own(page, ".hand .result") == "Won +80"
    assert own(page, ".who .score") == "bankroll 580"
    assert page.statistics["Mean payoff"] == "+4.000"
    assert page.statistics["Won / pushed / lost"] == "1 / 0 / 0"
    page.click("#next")
    until_offered(page, "bet")
    assert page.ask("one('#bet').value") == "20"  # as last time
    assert own(page, ".hand .result") == ""
    page.reload()
    until_offered(page, "bet")
    assert page.ask("one('#bet').value") == "20"


def test_insurance_then_a_natural_after_bets_out_of_range(seated: Seated) -> None:
    page = seated("TS 9H AD 9D AS KH 9C 7D", rules=CHIPS)
    evening.bet(page, 20)
    until_offered(page, "insure", "decline")
    assert page.status == "Your turn: you have 19 against the Ace of Diamonds. Insure or decline?"
    page.press("i")
    page.until("text('[data-own=true] .insured') === 'insured'")
    page.click("#stand")
    page.until_results()
    assert not page.is_seen("#insure")
    assert own(page, ".hand .result") == "Lost \N{MINUS SIGN}30"
    assert page.statistics["Mean payoff"] == "\N{MINUS SIGN}1.500"
    page.click("#next")
    for chips in ("9", "81", "10.5", ""):
        evening.offer(page, chips)
        assert page.ask("one('#bet').checkValidity()") is False, chips
        assert page.status.startswith("Your bet: 10 to 80 chips.")
    evening.bet(page, 15)
    page.until_results()
    assert page.status == "Blackjack! You won with 21: +22.5. The next round starts soon."
    assert own(page, ".who .score") == "bankroll 492.5"


def test_surrender_and_declining_it(seated: Seated) -> None:
    rules = replace(VEGAS, surrender=Surrender.EARLY, insurance=False)
    page = seated("TS 6H TD 7D TC 6S TH 7C", rules=rules)
    until_offered(page, "decline", "surrender")
    page.press("c")
    until_offered(page, "hit", "stand", "double")
    page.click("#stand")
    page.until_results()
    assert own(page, ".hand .result") == "Lost \N{MINUS SIGN}1"
    page.press("x")
    page.until_text("#where", "round 2")
    until_offered(page, "decline", "surrender")
    page.press("r")
    page.until_results()
    assert page.status == "You surrendered with 16: \N{MINUS SIGN}0.5. The next round starts soon."
    assert own(page, ".hand .result") == "Surrendered \N{MINUS SIGN}0.5"
    assert own(page, ".who .score") == "score \N{MINUS SIGN}1.5"
    assert page.statistics["Mean payoff"] == "\N{MINUS SIGN}0.750"


def test_a_bet_of_chips_and_the_same_again(seated: Seated) -> None:
    page = seated("TS 8H 9D 7D TC", NARROW, rules=replace(VEGAS, bets=Bets(5, 500), bankroll=1000))
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


def test_a_table_with_every_option_from_the_menu(opened: Open, visit: Visit) -> None:
    page = visit(opened("TS 6H TH 9C 9D TC"))  # nobody has a natural, which would end the round
    page.choose_rules()
    assert page.ask("[one('#opponent :checked').value, one('#decks').value]") == ["vegas", "6"]
    assert page.ask("[one('#bets').checked, one('#bankroll').value]") == [True, "1000"]
    page.write("#seats", "2")
    page.write("#bots", "1")
    page.choose("#bot-policy", "threshold:17")
    page.write("#bet-least", "5")
    page.write("#bet-most", "50")
    page.write("#bankroll", "4")
    page.choose("#rule-split", "2")
    page.click("#tab-rules")
    page.click("#open-table")
    page.until_text("#own-problem", "A player needs at least 5 chips to bet.")
    assert page.focus == "bankroll"
    page.choose("#rule-surrender", "none")
    page.write("#bankroll", "300")
    page.click("#open-table")
    until_offered(page, "bet")
    page.until_text("#status", "Your bet: 5 to 50 chips. Your bankroll is 300.")
    assert "up to 2 hands" in evening.rules_of(page)
    assert not page.is_usable("#hint")  # the dealer gives none for a bet
    page.click("#bet-form .play")
    page.until("isUsable(one('#hint'))")


def test_hints_and_the_ev_lost_of_every_decision(seated: Seated) -> None:
    rules = replace(VEGAS, surrender=Surrender.NONE)
    page = seated("8S 8H AD 9D 2S 2H TH TC", NARROW, rules=rules, practice=True)
    for hint, key in (("Decline", "i"), ("Split", "p"), ("Hit", "d"), ("Stand", "s")):
        page.until("isUsable(one('#hint'))")
        page.press("t")
        page.until_text("#advice", f"{hint} (the next")
        page.press(key)
        page.until("!text('#advice').includes('(the next')")
    page.until_results()
    page.until("text('#statistics').includes('of 4')")
    shown = page.statistics
    assert shown["Mistakes"] == "2 of 4"
    costs = {label: float(shown[label]) for label in ("Insure, better: Decline", "Double, better: Hit")}
    assert all(cost > 0 for cost in costs.values())
    assert float(shown["Cost of mistakes"]) == pytest.approx(sum(costs.values()), abs=0.0011)
    assert float(shown["EV lost per decision"]) == pytest.approx(sum(costs.values()) / 4, abs=0.0006)
    assert (shown["Split"], shown["Stand"]) == ("0.000", "0.000")
    assert overflowing(page) == []


# An evening.


class Evening(NamedTuple):
    """A round: two cards for the player, the upcard, the hole card, then those that are drawn."""

    what: str
    bet: int
    cards: str
    answers: str
    payoff: str
    """In bets."""


ALL: Final = 0
"""A bet of the whole bankroll."""

ROUNDS: Final = (
    Evening("a bust", 20, "TS 6H TD 7D KC", "H", "-1"),
    Evening("a natural", 15, "AS KH 9D 7D", "", "3/2"),
    Evening("a push", 20, "TS 9H TD 9D", "S", "0"),
    Evening("a double that loses", 20, "6S 5H TD 9D 2C", "D", "-2"),
    Evening("insurance that is won", 20, "TS 9H AD KD", "I", "0"),
    Evening("insurance declined", 20, "TS 9H AD KD", "C", "-1"),
    Evening("the dealer's natural", 20, "TS 9H KD AD", "", "-1"),
    Evening("even money", 20, "AS KH AD KD", "I", "1"),
    Evening("a natural against an ace", 25, "AS KH AD 9D", "C", "3/2"),
    Evening("split aces", 20, "AS AH 6D TD TC 9C KC", "P", "2"),
    Evening("a soft hand", 20, "AS 6H 7D TD 3C", "HS", "1"),
    Evening("a split to four hands", 20, "8S 8H 5D TD 8D 8C TS TH TC 9C KC", "PPPSSSS", "4"),
    Evening("a split and a bust in each hand", 20, "8S 8H TD 7D 6C KC 5C QC", "PHH", "-2"),
    Evening("a double after a split", 20, "9S 9H 9D 8D 2C TC 8C", "PDS", "2"),
    Evening("all, so that nothing can be doubled", ALL, "TS JH 6D TD KC", "S", "1"),
    Evening("all is lost", ALL, "TS 8H TD 9D", "S", "-1"),
)


def test_an_evening(seated: Seated) -> None:
    bankroll = Fraction(200)
    rules = replace(CHIPS, bets=Bets(10, 1000), bankroll=int(bankroll))
    page = seated(" ".join(one.cards for one in ROUNDS), rules=rules, practice=True)
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
    # The dealer only says QUIT; the page says why, and sits down again at one click.
    page.until("isUsable(one('#buy-in'))")
    assert page.text("#start-note") == page.status == "You have no chips left, and the least bet is 10."
    page.click("#buy-in")
    page.until("isUsable(one('#bet'))")
    assert evening.bankroll(page) == 200
