"""A page whose WebSocket does not open, in a real browser: what it says is what the dealer has against it."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.helpers.house import sit
from tests.web.balancer import open_balancer
from tests.web.conftest import Open, Visit
from tests.web.evening import CASINO

pytestmark = pytest.mark.check

PLACES: Final = {"": "#status", "trainer.html": "#notice", "replay.html?table=1": "#status"}
"""Where each page that is connected to the dealer says what is wrong."""


def with_its_own_host(head: bytes) -> bytes:
    """A request as a proxy passes it on that names the dealer as it knows it, as nginx does by itself."""
    return re.sub(rb"\r\nHost: \S+", b"\r\nHost: localhost", head)


def without_upgrade(head: bytes) -> bytes:
    """A request as a proxy passes it on that knows no WebSocket."""
    return re.sub(rb"\r\n(Upgrade|Connection): [^\r]*", b"", head)


def test_a_page_behind_a_proxy_that_is_not_set_up_says_how_it_should_be(opened: Open, visit: Visit) -> None:
    with open_balancer(a=opened(rules=CASINO).port) as proxy:
        page = visit(proxy.port, is_cut=True)
        start = page.ask("location.href")
        for change, sentence in (
            (with_its_own_host, "does not go by the name in this address"),
            (without_upgrade, "passes no WebSocket on"),
        ):
            proxy.change = change
            for address, place in PLACES.items():
                page.driver.get(start + address)
                page.until_text(place, sentence)


def test_a_page_at_a_dealer_that_is_full_says_so_until_there_is_room(opened: Open, visit: Visit) -> None:
    full = opened(rules=CASINO, max_connections=1)
    (bob,) = sit(full, "bob")
    with open_balancer(other=opened(rules=CASINO).port, full=full.port) as balancer:
        page = visit(balancer.port, is_cut=True)
        balancer.lose("other")
        page.until("text('#status') === 'The dealer is full. This page keeps trying.'")
        bob.close()
        page.until("document.body.dataset.connection === 'open'")
