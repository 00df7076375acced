"""The client over WebSocket, where the dealer ends the connection by a close frame."""

from __future__ import annotations

import asyncio

import pytest

from cards import Card, Decision, Hand, Outcome, Rules
from player.client import Client, connect
from policies.policy import Observation
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import AsyncPeer, WebSocket
from tests.helpers.scripted import scripted


class Stander:
    """Stands whenever it is asked."""

    def rules_told(self, rules: Rules | None) -> Rules:
        return rules or Rules()

    def began(self) -> None: ...

    def dealt(self, card: Card, hand: Hand) -> None: ...

    def saw_upcard(self, card: Card) -> None: ...

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        return Decision.STAND

    def settled(self, outcome: Outcome, hand: Hand) -> None: ...

    def refused(self, reason: str) -> None: ...


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ([], "the dealer closed the connection without QUIT"),
        (["BEGIN", "DECISION"], "the dealer closed the connection without QUIT"),
        (["ERROR enough"], "the dealer closed the connection: enough"),
        (["QUIT"], None),
        (["HIT"], "the dealer broke the protocol: 'HIT' is not a message of a dealer: expected BEGIN"),
    ],
)
async def test_a_close_frame_is_answered_and_ends_the_connection(lines: list[str], fault: str | None) -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "JOIN ada"
        assert isinstance(peer.format, WebSocket)
        wrapped = [peer.format.wrap(line.encode()) for line in lines]
        peer.format.protocol.send_close(1001)
        await peer.send(b"".join(wrapped) + peer.format.due())
        while await peer.hear():
            pass
        assert peer.format.protocol.close_rcvd is not None

    async with scripted(dealer, "websocket") as (address, port):
        client = Client(Stander(), "ada", None, address, Rules())
        await connect(client, "127.0.0.1", port)
        said = await asyncio.wait_for(client.over, PATIENCE)
    assert said == fault if fault is None else str(said).startswith(fault)


async def test_rules_that_come_after_the_end_change_nothing() -> None:
    async def dealer(peer: AsyncPeer) -> None:
        assert await peer.hear() == "RULES"
        await peer.say("QUIT", "RULES ace=1")
        assert await peer.hear() == ""  # no JOIN

    async with scripted(dealer, "websocket") as (address, port):
        client = Client(Stander(), "ada", None, address)
        await connect(client, "127.0.0.1", port)
        assert await asyncio.wait_for(client.over, PATIENCE) is None
