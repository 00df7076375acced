"""A round at the table's page in a real browser, from the start to the next: the test for every commit."""

from __future__ import annotations

from tests.helpers.browser import Seat
from tests.web.conftest import Open, Visit
from tests.web.evening import CASINO


def test_a_round_in_the_casino(opened: Open, visit: Visit) -> None:
    page = visit(opened("TS 2S TH 6H TC 8C 6D TD 7S KH KC", rules=CASINO, bots=2))
    assert page.focus == "play-now"
    page.sit("ada")
    page.until_asked()
    assert page.status == "Your turn: you have 12 against the Six of Diamonds. Hit or stand?"
    assert page.dealers_cards == ["Six of Diamonds", "face-down"]
    assert page.seats == [
        Seat("ada", ["Ten of Spades", "Two of Spades"], "12", "playing", turn=True, own=True),
        Seat("bot-1", ["Ten of Hearts", "Six of Hearts"], "16", "playing"),
        Seat("bot-2", ["Ten of Clubs", "Eight of Clubs"], "18", "playing"),
    ]
    assert not page.is_usable("#next")
    assert not page.is_seen("#hint") and not page.is_seen("#reveal")  # only at a practice table
    page.press("t", "v")
    page.click("#hit")  # which basic strategy would not
    page.until_text("#status", "you have 19")
    page.press("s")
    page.until_results()
    assert page.status == "You won with 19. The next round starts soon."
    assert page.dealers_cards == ["Six of Diamonds", "Ten of Diamonds", "King of Clubs"]
    ada, *bots = page.seats
    assert ada.cards == ["Ten of Spades", "Two of Spades", "Seven of Spades"]
    assert (ada.total, ada.state, ada.result, ada.score) == ("19", "standing", "Won +1", "score +1")
    assert [(bot.total, bot.state, bot.result, bot.score) for bot in bots] == [
        ("26", "bust", "Bust \N{MINUS SIGN}1", "score \N{MINUS SIGN}1"),
        ("18", "standing", "Won +1", "score +1"),
    ]
    assert not page.is_usable("#hit")
    page.until_text("#advice", "A mistake: it costs 0.0")  # nobody but bots is there
    assert [line for line in page.log if not line.endswith("sits down")] == [
        "Round 1",
        "ada gets Ten of Spades and Two of Spades: 12",
        "bot-1 gets Ten of Hearts and Six of Hearts: 16",
        "bot-2 gets Ten of Clubs and Eight of Clubs: 18",
        "The dealer shows Six of Diamonds",
        "ada hits and gets Seven of Spades: 19",
        "ada stands on 19",
        "bot-1 hits and gets King of Hearts: 26, bust",
        "bot-2 stands on 18",
        "The dealer turns over Ten of Diamonds: 16",
        "The dealer draws King of Clubs: 26, bust",
        "ada wins with 19",
        "bot-1 is bust with 26",
        "bot-2 wins with 18",
    ]
    page.until("text('#statistics').includes('1 of 2')")
    shown = page.statistics
    assert 0 < float(shown.pop("Cost of mistakes")) < 0.1
    assert shown == {
        "Rounds": "1",
        "Won / pushed / lost": "1 / 0 / 0",
        "Lost by going bust": "0",
        "Mean payoff": "+1.000",
        "Mistakes": "1 of 2",
    }
    page.click("#next")
    page.until_text("#where", "round 2")
