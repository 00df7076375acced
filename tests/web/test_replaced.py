"""A dealer that is replaced while pages are open in a real browser: they say so, and come back."""

from __future__ import annotations

from typing import Final

import pytest

from dealer.lobby.log import Reason
from protocol import Word
from tests.helpers.house import House
from tests.web.balancer import open_balancer
from tests.web.conftest import Open, Visit
from tests.web.evening import CASINO
from tests.web.proxy import open_proxy

pytestmark = pytest.mark.check

ENDS: Final = "this dealer is being replaced"
SHOWN: Final = "The dealer is being replaced. This page comes back by itself."
CARDS: Final = "TS 2S TH 7H TC 8C 6D TD 7S KC"


def send_away(house: House) -> None:
    """Send everybody away as a dealer does that is replaced: a kept seat gets no QUIT."""

    def send() -> None:
        for connection in list(house.server._connections):
            outbox = connection.guest.outbox
            if connection.guest.seat is not None:
                outbox.turn_away(Word.ENDED, ENDS)
            else:
                outbox.complain(Word.ENDED, ENDS)
                connection.dismiss(Reason.ENDED)

    house._loop.call_soon_threadsafe(send)


def test_pages_come_back_to_the_same_hand_and_to_the_table_that_they_watch(
    opened: Open, visit: Visit
) -> None:
    """Here the next dealer is the same one: it has all that another would have read."""
    house = opened(CARDS, rules=CASINO, bots=2)
    with open_proxy(house.port) as proxy:
        player, onlooker = visit(proxy.port, is_cut=True), visit(proxy.port, is_cut=True)
        player.sit("ada")
        player.until_asked()
        cards = player.own_cards
        onlooker.click("#watch-table")
        onlooker.until_text("#status", "ada is deciding")
        proxy.hold()
        send_away(house)
        for page in (player, onlooker):
            page.until("text('#status') === arguments[0]", SHOWN)
        proxy.reconnect()
        player.until_asked()
        assert player.own_cards == cards
        player.press("s")
        onlooker.until("!text('#status').includes('ada is deciding')")
        onlooker.until("document.body.dataset.connection === 'open'")


def test_a_page_that_comes_to_another_dealer_says_that_its_seat_is_gone_and_plays_on(
    opened: Open, visit: Visit
) -> None:
    drained, other = opened(CARDS, rules=CASINO, bots=2), opened(CARDS, rules=CASINO, bots=2)
    with open_balancer(drained=drained.port, other=other.port) as balancer:
        page = visit(balancer.port, is_cut=True)
        page.click("#play-now")
        page.until_asked()
        send_away(drained)
        balancer.lose("drained")
        page.until_text("#start-note", "Your seat is no longer kept")
        page.click("#play-now")
        page.until_asked()
        assert other.server.players == 1
