"""Several dealers behind one address, as a page in a real browser finds the way to its own."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.helpers.browser import Page
from tests.helpers.house import House
from tests.helpers.patience import eventually
from tests.helpers.peer import LOCALHOST
from tests.web.balancer import Balancer, open_balancer
from tests.web.conftest import Open, Visit
from tests.web.evening import CASINO

pytestmark = pytest.mark.check

GONE = "The dealer of this table is gone: Play now gives you a seat at another one."


def named(opened: Open, name: str) -> House:
    return opened("TS 2S TH 7H TC 8C 6D TD 7S KC", name=name, rules=CASINO, bots=2)


def place(page: Page) -> dict[str, list[str]]:
    """The dealer and the table in the page's address."""
    return parse_qs(page.ask("location.search.slice(1)"))


def visit_at(visit: Visit, balancer: Balancer, address: str = "") -> Page:
    """A page of whichever dealer is there, for a new visitor."""
    page = visit(balancer.port, is_cut=True)
    if address:
        page.driver.get(f"http://{LOCALHOST}:{balancer.port}/{address}")
    return page


def play_now(page: Page, at: House) -> None:
    """Play now, and check at which dealer that leads to a seat."""
    page.click("#play-now")
    page.until_asked()
    assert at.server.players == 1
    assert place(page)["dealer"] == [at.server.config.name]


def test_a_page_whose_dealer_is_gone_waits_for_it_and_can_play_at_another(opened: Open, visit: Visit) -> None:
    a, b = named(opened, "a"), named(opened, "b")
    with open_balancer(a=a.port, b=b.port) as balancer:
        page = visit_at(visit, balancer)
        play_now(page, a)
        cards = page.own_cards
        balancer.lose("a")
        page.until("text('#start-note') === arguments[0]", GONE)
        assert page.is_usable("#play-now")
        assert page.is_usable("#play-friends")
        balancer.find("a")
        page.until_asked()
        assert (page.own_cards, place(page)["dealer"]) == (cards, ["a"])
        assert not page.is_seen("#start")
        balancer.lose("a")
        page.until("text('#start-note') === arguments[0]", GONE)
        play_now(page, b)
        assert page.status.startswith("Your turn")


def test_who_plays_on_when_a_dealer_has_ended_finds_another(opened: Open, visit: Visit) -> None:
    a, b = named(opened, "a"), named(opened, "b")
    with open_balancer(a=a.port, b=b.port) as balancer:
        page = visit_at(visit, balancer)
        play_now(page, a)
        a.stop()
        page.until_text("#start-note", "The dealer has ended the game")
        balancer.lose("a")
        play_now(page, b)


def test_an_invitation_leads_to_its_dealer_or_says_that_it_is_gone(opened: Open, visit: Visit) -> None:
    a, b = opened(name="a", rules=CASINO), named(opened, "b")
    with open_balancer(a=a.port, b=b.port) as balancer:
        ada = visit_at(visit, balancer)
        ada.click("#play-friends")
        ada.until("!one('#waiting').hidden")
        link = ada.ask("one('#waiting .link').value")
        ada.until("one('#waiting .code').complete && one('#waiting .code').naturalWidth > 0")
        assert link == f"http://{LOCALHOST}:{balancer.port}/?dealer=a&table=2"
        query = urlsplit(link).query
        assert ada.ask("one('#replay').href").endswith(f"/replay.html?{query}")
        balancer.lose("a")
        balancer.find("a")  # what does not say for whom it is goes to b now

        bob = visit_at(visit, balancer, f"?{query}")
        bob.click("#play-now")
        assert eventually(lambda: a.server.players == 2)
        replay = visit_at(visit, balancer, f"replay.html?{query}")
        replay.until_text("#status", "No round of this table has ended")

        balancer.lose("a")
        carl = visit_at(visit, balancer, f"?{query}")
        carl.until("text('#start-note') === arguments[0]", GONE)
        play_now(carl, b)
