"""A network that is lost and says nothing of it, as a page in a real browser finds out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.web import evening
from tests.web.conftest import Open, Visit
from tests.web.proxy import open_proxy

pytestmark = pytest.mark.check


def test_a_player_whose_answer_is_lost_on_the_way_is_told_and_comes_back_to_the_same_hand(
    opened: Open, visit: Visit
) -> None:
    house = opened("TS 6H 2S TD 5C 9D", rules=replace(evening.CASINO, seats=1))
    with open_proxy(house.port) as proxy:
        page = visit(proxy.port, is_cut=True)
        page.sit("ada")
        page.until_asked()
        cards = page.seats[0].cards
        proxy.freeze()
        page.press("h")
        page.until("document.body.dataset.connection === 'lost'")
        assert house.server.players == 1  # the dealer does not know yet
        proxy.reconnect()
        page.until("document.body.dataset.connection === 'open'")
        page.until("text('#status').includes('16') || text('#status').includes('21')")
        assert house.server.players == 1
        assert page.seats[0].cards[:2] == cards == ["Ten of Spades", "Six of Hearts"]
