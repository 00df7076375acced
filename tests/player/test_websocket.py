"""The client over WebSocket, where the dealer ends it by a close frame."""

from __future__ import annotations

import asyncio

import pytest

from cards import Card, Decision, Hand, Outcome, Rules
from player.client import Client, connect
from policies.policy import Observation
from tests.peer import PATIENCE, Peer, WebSocket, dealer_for_one


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
async def test_a_close_frame_ends_it_at_once_and_is_answered(lines: list[str], fault: str | None) -> None:
    async def follow(peer: Peer) -> None:
        assert await peer.hear() == b"JOIN ada"
        voice = peer.voice
        assert isinstance(voice, WebSocket)
        wrapped = [voice.wrap(line.encode()) for line in lines]
        voice.protocol.send_close(1001)
        await peer.send(b"".join(wrapped) + voice.due())
        while await peer.hear() is not None:
            pass
        assert voice.protocol.close_rcvd is not None

    async with dealer_for_one(follow, "websocket") as port:
        client = Client(Stander(), "ada", None, f"ws://127.0.0.1:{port}/ws", Rules())
        await connect(client, "127.0.0.1", port)
        said = await asyncio.wait_for(client.over, PATIENCE)
    assert said == fault if fault is None else str(said).startswith(fault)


async def test_rules_that_come_after_the_end_change_nothing() -> None:
    async def follow(peer: Peer) -> None:
        assert await peer.hear() == b"RULES"
        await peer.send(b"".join(peer.voice.wrap(line) for line in (b"QUIT", b"RULES ace=1")))
        assert await peer.hear() is None  # no JOIN

    async with dealer_for_one(follow, "websocket") as port:
        client = Client(Stander(), "ada", None, f"ws://127.0.0.1:{port}/ws")
        await connect(client, "127.0.0.1", port)
        assert await asyncio.wait_for(client.over, PATIENCE) is None
