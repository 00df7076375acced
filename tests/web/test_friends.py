"""Friends at one table, two in browsers and one who types; and a dealer that is killed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from tests.helpers.browser import Page
from tests.helpers.house import House
from tests.helpers.peer import BlockingPeer
from tests.helpers.processes import dealer_process, finish, start
from tests.web import evening
from tests.web.conftest import Open, Visit
from tests.web.proxy import Proxy, open_proxy

pytestmark = pytest.mark.check

FIRST: Final = "8S 8H TS 9H TC 6C 6D TD 8D 3C TH 9C 2C KC"
"""Ada splits eights to three hands; Bob stands; Carl surrenders; the dealer is bust."""

SECOND: Final = "TS 9H TD 8D TC 9C AD KH"
"""Everybody is asked for insurance, and the dealer has a natural."""

THIRD: Final = "AS KS TS 6H 5C 6C 9D 8C TH 9S"
"""Ada has a natural, Bob goes bust, Carl doubles and wins against 17."""


def sit_down(house: House, ada: Page, bob: Page) -> BlockingPeer:
    """Let Ada and Bob sit down in their browsers and Carl by hand, in these seats."""
    for page, name in ((ada, "ada"), (bob, "bob")):
        page.sit(name)
        ada.until("text('#seats-on-table').includes(arguments[0])", name)
    return house.join("JOIN carl")


def bet(*players: Page | BlockingPeer) -> None:
    """Let everybody bet 20."""
    for player in players:
        if isinstance(player, Page):
            evening.bet(player, 20)
        else:
            player.hear_until("DECISION BET")
            player.say("BET 20")


def say(peer: BlockingPeer, decision: str) -> None:
    """Decide as soon as that is asked."""
    peer.hear_until("DECISION")
    peer.say(decision)


def seen(page: Page) -> list[list[Any]]:
    """What a page shows of every seat, whoever looks at it."""
    page.until_results()
    return [[seat.name, seat.cards, seat.result, seat.score] for seat in page.seats]


def results(page: Page) -> list[tuple[str, int]]:
    """What the round has brought each seat."""
    return [(seat.name, int(evening.number_in(seat.result))) for seat in page.seats]


def test_two_browsers_and_one_who_types_see_the_same_rounds(opened: Open, visit: Visit) -> None:
    house = opened(f"{FIRST} {SECOND} {THIRD}", rules=replace(evening.CHIPS, seats=3))
    with open_proxy(house.port) as proxy:
        ada, bob = visit(house), visit(proxy.port, is_cut=True)
        carl = sit_down(house, ada, bob)
        split_and_reload(ada, bob, carl)
        go_on(ada, bob, carl)
        be_insured(ada, bob, carl, proxy)
        go_on(ada, bob, carl)
        bet(ada, bob, carl)
        evening.answer(bob, "H")
        say(carl, "DOUBLE")
        assert seen(ada) == seen(bob)
        assert results(ada) == [("ada", 30), ("bob", -20), ("carl", 40)]
        assert carl.hear_until("RESULT")[-1] == "RESULT WIN +40"
        assert [evening.number_in(seat.score) for seat in bob.seats] == [590, 480, 530]


def split_and_reload(ada: Page, bob: Page, carl: BlockingPeer) -> None:
    """The first round, in which Ada loads the page again."""
    bet(ada, bob, carl)
    bob.until_text("#status", "ada is deciding.")
    assert not bob.is_usable("#hit")
    assert [(seat.own, seat.turn) for seat in bob.seats] == [(False, True), (True, False), (False, False)]
    evening.answer(ada, "PPH")  # 8 and 8 again, then 8 and 3: a hand of 21 stands by itself
    ada.until_text("#status", "hand 2 of 3")
    assert evening.current_hand(ada) == 2

    before = evening.hands(ada)
    assert [len(hand) for hand in before] == [3, 2, 1]
    ada.reload()
    ada.until(evening.ASKED)
    assert (evening.hands(ada), evening.current_hand(ada)) == (before, 2)
    bob.until("JSON.stringify(arguments[0]) === JSON.stringify(all('.split').map(cards))", before)

    evening.answer(ada, "SS")
    evening.answer(bob, "S")
    bob.until_text("#status", "carl is deciding.")
    assert [seat.turn for seat in bob.seats] == [False, False, True]
    say(carl, "SURRENDER")
    assert seen(ada) == seen(bob)
    assert results(ada) == [("ada", 60), ("bob", 20), ("carl", -10)]
    assert carl.hear_until("RESULT")[-1] == "RESULT SURRENDER -10"


def be_insured(ada: Page, bob: Page, carl: BlockingPeer, proxy: Proxy) -> None:
    """The second round, in which Bob is away for a while."""
    bet(ada, bob, carl)
    proxy.cut()
    ada.until("all('.seat')[1].textContent.includes('away')")
    bob.until("document.body.dataset.connection === 'lost'")
    assert not ada.ask("all('.seat').some((seat, at) => at !== 1 && seat.textContent.includes('away'))")
    proxy.reconnect()
    bob.until("document.body.dataset.connection === 'open'")
    ada.until("!all('.seat')[1].textContent.includes('away')")
    evening.answer(ada, "I")
    evening.answer(bob, "C")
    say(carl, "INSURE")
    assert seen(ada) == seen(bob)
    assert results(ada) == [("ada", 0), ("bob", -20), ("carl", 0)]
    assert carl.hear_until("RESULT")[-1] == "RESULT PUSH 0"


def go_on(ada: Page, bob: Page, carl: BlockingPeer) -> None:
    """Let everybody say that the next round may begin."""
    ada.click("#next")
    ada.until_text("#status", "Waiting for bob, carl.")
    carl.say("NEXT")
    bob.click("#next")


def test_a_dealer_that_is_killed_and_started_again(visit: Visit, tmp_path: Path) -> None:
    rules = ("--rules", "vegas", "--seats", 3, "--bots", 2, "--bot-policy", "threshold:17", "--seed", 1)
    with dealer_process(tmp_path, 0, *rules, "--pause", 600) as (first, port):
        page = visit(port, is_cut=True)
        page.sit("ada")
        evening.until_asked_or_over(page)
        first.kill()
        page.until("document.body.dataset.connection === 'lost'")
        page.until_text("#status", "trying again")
        assert not page.ask(evening.ASKED)
        first.wait()
        again = start("dealer", port, 0, "--quiet", *rules, "--pause", 600, cwd=tmp_path)
        try:
            page.until("document.body.dataset.connection === 'open'")
            page.until("/no longer|started again|new dealer/.test(text('#start-note'))")
            assert "The dealer says" not in page.text("#start-note") + page.status
            page.sit("ada")
            evening.until_asked_or_over(page)
            assert [seat.name for seat in page.seats] == ["ada", "bot-1", "bot-2"]
            evening.go_away(page)
        finally:
            again.kill()
            finish(again)
