"""Players for the client, and clients at dealers that follow a script."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Final

from cards import Card, Decision, Hand, Outcome, Payoff, Rules
from player.bets import Better
from player.client import Client, connect
from player.human import Human
from protocol import BetRequest, HandResult, OtherHand
from tests.helpers.patience import PATIENCE
from tests.helpers.peer import LOCALHOST, AsyncPeer
from tests.helpers.scripted import Script, scripted
from twentyone.policies.policy import Observation

HIT, STAND, DOUBLE, SPLIT, SURRENDER, INSURE, DECLINE = Decision

COURSE: Final = Rules()

VEGAS: Final = (
    "preset=vegas decks=6 reshuffle=penetration:0.75 ace=either dealer-stands=hard17 naturals=3:2 seats=1"
    " double=any double-after-split=yes split=4 split-aces=again surrender=late insurance=yes hole-card=peek"
)
"""The rules of vegas as a dealer tells them."""

A_HAND: Final = ("BEGIN", "CARD Ten of Spades", "CARD Six of Hearts", "DEALER Ten of Clubs", "DECISION")


class Recorder:
    """Writes down what it is told, and decides what it was given; nothing left means a later answer."""

    def __init__(self, decisions: Iterable[Decision] = ()) -> None:
        self.events: list[str] = []
        self.told: list[Rules | None] = []
        self.asked_once = asyncio.Event()
        self._decisions = list(decisions)

    def rules_told(self, rules: Rules | None) -> Rules:
        self.told.append(rules)
        return rules or Rules()

    def began(self) -> None:
        self.events.append("began")

    def dealt(self, card: Card, hand: Hand) -> None:
        self.events.append(f"dealt {card}")

    def saw_upcard(self, card: Card) -> None:
        self.events.append(f"saw {card}")

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        kind = "soft" if observation.is_soft else "hard"
        self.events.append(f"asked {kind} {observation.total} against {observation.upcard}")
        self.asked_once.set()
        return self._decisions.pop(0) if self._decisions else None

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        self.events.append(f"settled {outcome.value} with {hand.total}")

    def refused(self, reason: str) -> None:
        self.events.append(f"refused {reason}")

    def asked_for_bet(self, request: BetRequest) -> int | None:
        return request.minimum

    def shuffled(self) -> None:
        pass

    def hand_begun(self, number: int, hands: int) -> None:
        pass

    def saw_dealer(self, card: Card) -> None:
        pass

    def saw_other(self, message: OtherHand) -> None:
        pass

    def hand_settled(self, message: HandResult) -> None:
        pass


class Player(Recorder):
    """Writes down what only some tables tell too, and bets what it was given."""

    def __init__(self, decisions: tuple[Decision, ...] = (), bets: tuple[int, ...] = ()) -> None:
        super().__init__(decisions)
        self.paid: list[tuple[Payoff | None, Payoff | None]] = []
        self.seen: list[Observation] = []
        self.client: Client
        self._bets = list(bets)

    def asked(self, observation: Observation, hand: Hand) -> Decision | None:
        self.seen.append(observation)
        return super().asked(observation, hand)

    def settled(self, outcome: Outcome, hand: Hand) -> None:
        super().settled(outcome, hand)
        self.paid.append((self.client.stakes.payoff, self.client.stakes.chips))

    def asked_for_bet(self, request: BetRequest) -> int | None:
        self.events.append(f"bet {request.minimum} to {request.maximum} of {request.bankroll}")
        return self._bets.pop(0) if self._bets else None

    def shuffled(self) -> None:
        self.events.append("shuffled")

    def hand_begun(self, number: int, hands: int) -> None:
        totals = [each.total for each in self.client.hands]
        self.events.append(f"hand {number} of {hands}: {totals}")

    def saw_dealer(self, card: Card) -> None:
        self.events.append(f"dealer {card}")

    def saw_other(self, message: OtherHand) -> None:
        self.events.append(f"other {message.name}")

    def hand_settled(self, message: HandResult) -> None:
        self.events.append(f"hand {message.hand} {message.outcome.value} {message.payoff}")


async def started(address: tuple[str, int], handler: Recorder, rules: Rules | None, **options: Any) -> Client:
    """A client that has connected; a ws:// address speaks WebSocket. Without rules it asks for them."""
    host, port = address
    websocket = host if host.startswith("ws:") else None
    client = Client(handler, "a", address=websocket, rules=rules, **options)
    if isinstance(handler, Player):
        handler.client = client
    await connect(client, LOCALHOST, port)
    return client


async def ended(client: Client) -> str | None:
    """How the client's connection ended."""
    return await asyncio.wait_for(client.over, PATIENCE)


async def plays_at(
    script: Script,
    handler: Recorder,
    rules: Rules | None = COURSE,
    wire_format: str = "lines",
    **options: Any,
) -> Client:
    """Play to the end at a dealer that follows a script; `over` is done."""
    async with scripted(script, wire_format) as address:
        client = await started(address, handler, rules, **options)
        await ended(client)
    return client


def says(*lines: str, end: str = "", name: str = "a") -> Script:
    """A dealer that hears a JOIN, says lines and bytes without an end, closes its side and hears the rest."""

    async def script(peer: AsyncPeer) -> None:
        assert await peer.hear() == f"JOIN {name}"
        if lines:
            await peer.say(*lines)
        await peer.send(end.encode("utf-8", "surrogateescape"))
        peer.close_side()
        while await peer.hear():
            pass

    return script


def dialogue(*texts: str) -> Script:
    """A dealer whose part is written in rows: what it says, with `;` between lines, and `>` what it hears."""

    async def script(peer: AsyncPeer) -> None:
        for row in "\n".join(texts).splitlines():
            told, mark, heard = row.partition(">")
            if lines := [line.strip() for line in told.split(";") if line.strip()]:
                await peer.say(*lines)
            if mark:
                assert await peer.hear() == heard.strip()

    return script


class Person:
    """A person at a table, whose keyboard is the test.

    Args:
        shows: whether to ask for the dealer's cards.
        better_for: what bets in the person's place.
    """

    def __init__(self, *, shows: bool = False, better_for: Callable[[Rules], Better] | None = None) -> None:
        self._shows = shows
        self.said = ""
        self.human = Human(self._say, None, better_for)
        self._has_said = asyncio.Event()

    def types(self, *lines: str) -> None:
        """Type lines, at once."""
        for line in lines:
            self.human._type(f"{line}\n")

    def types_no_more(self) -> None:
        """End the input."""
        self.human._type(None)

    async def is_told(self, text: str) -> None:
        """Wait until this has been said."""
        async with asyncio.timeout(PATIENCE):
            while text not in self.said:
                self._has_said.clear()
                await self._has_said.wait()

    async def plays_at(self, script: Script, wire_format: str = "lines") -> Client:
        """Play to the end, which is one without a fault."""
        async with scripted(script, wire_format) as (_, port):
            client = Client(self.human, "a", shows=self._shows)
            self.human.sit_down(client)
            await connect(client, LOCALHOST, port)
            assert await ended(client) is None
        return client

    def was_told(self, *texts: str) -> None:
        """See that these were said in this order, each in a line of its own, others between them."""
        lines = iter(self.said.splitlines())
        for text in texts:
            assert any(text in line for line in lines), f"{text!r} was not said in\n{self.said}"

    def _say(self, text: str, end: str = "\n") -> None:
        self.said += text + end
        self._has_said.set()
