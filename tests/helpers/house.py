"""Real dealers for the tests: on a thread of their own, or on the loop of the test."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from cards import CARDS, Card, RandBelow, Rules, Shoe, StackedShoe, Tally, parse_card, seeded
from dealer.lobby.house import House as DealersHouse
from dealer.network.server import DealerServer
from dealer.tables.clock import Clock
from dealer.tables.config import Config
from dealer.tables.room import Room
from tests.helpers.patience import PATIENCE, eventually
from tests.helpers.peer import BlockingPeer
from twentyone.support.loop import run as run_as_the_command_does

Way = Callable[[socket.socket], socket.socket]

Run = Callable[[Coroutine[Any, Any, None]], None]

NEVER: Final = 3600.0
"""Seconds of a clock that must not run out."""

CLOCKS: Final[dict[str, Any]] = {"decision_clock": NEVER, "join_timeout": NEVER}

RUNS: Final[dict[str, Run]] = {"uvloop": run_as_the_command_does, "asyncio": asyncio.run}
"""The loops that a dealer runs on: uvloop, and where that does not exist Python's own."""


class House:
    """A dealer on a thread of its own. What its loop complains of is kept in `complaints`."""

    def __init__(self, config: Config, run: Run = run_as_the_command_does, way: Way | None = None) -> None:
        self.way = way
        self.server = DealerServer(config)
        self.complaints: list[str] = []
        self._listening = threading.Event()
        self._thread = threading.Thread(target=run, args=(self._deal(),), daemon=True)
        self._peers: list[BlockingPeer] = []

    def start(self) -> None:
        """Return once it listens."""
        self._thread.start()
        assert self._listening.wait(PATIENCE), "the dealer does not listen"

    @property
    def port(self) -> int:
        return self.server.port

    @property
    def has_ended(self) -> bool:
        return not self._thread.is_alive()

    def connect(
        self, wire_format: str | None = None, *, way: Way | None = None, **addresses: Any
    ) -> BlockingPeer:
        peer = BlockingPeer(self.port, wire_format, way=way or self.way, **addresses)
        self._peers.append(peer)
        return peer

    def join(self, *messages: str) -> BlockingPeer:
        """A peer that has said this, or else JOIN, and has heard nothing yet."""
        peer = self.connect()
        peer.say(*(messages or ["JOIN a"]))
        return peer

    def seat(self, message: str = "JOIN a") -> BlockingPeer:
        """A peer that has joined and been asked for its first decision."""
        peer = self.join(message)
        peer.hear_until("DECISION")
        return peer

    def forget_peers(self) -> None:
        self._peers.clear()

    def stop(self, grace: float = 0) -> None:
        with suppress(RuntimeError):  # the loop is closed a little before its thread has ended
            self._loop.call_soon_threadsafe(self.server.stop, grace)

    def wait(self) -> None:
        """Wait until the dealer has ended on its own."""
        self._thread.join(PATIENCE)
        assert self.has_ended, "the dealer does not end"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep its loop from running: everything that peers do meanwhile reaches it at once."""
        is_held, may_go_on = threading.Event(), threading.Event()

        def hold() -> None:
            is_held.set()
            may_go_on.wait(PATIENCE)

        self._loop.call_soon_threadsafe(hold)
        assert is_held.wait(PATIENCE), "the loop does not run"
        try:
            yield
        finally:
            may_go_on.set()

    def each_turn(self, look: Callable[[], object]) -> None:
        """Look in every turn of its loop, for as long as that returns something true."""

        def turn() -> None:
            if look():
                self._loop.call_soon(turn)

        self._loop.call_soon_threadsafe(turn)

    def let_the_clock_run_out(self) -> None:
        """Do at once what the clock does when nobody has answered DECISION in time."""
        self._loop.call_soon_threadsafe(let_the_clock_run_out, self.server)

    def run_out(self, clock: Clock[Any]) -> None:
        """Do at once what one of the server's clocks does when the time is over of all that it runs for."""

        def run_out() -> None:
            for key in list(clock._due):
                clock.stop(key)
                clock._ran_out(key)

        self._loop.call_soon_threadsafe(run_out)

    def tally(self, name: str) -> Tally:
        """The hands of all players of a name together."""
        together = Tally()
        for row in self.server.ledger.rows():
            if row.name.split(" (")[0] == name:
                together.merge(row.tally)
        return together

    def close(self) -> None:
        """End it, in whatever state it is, and check that its loop had nothing to complain of."""
        for peer in self._peers:
            peer.close()
        self.stop()
        self.wait()
        assert not self.complaints, self.complaints

    async def _deal(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(lambda _, context: self.complaints.append(repr(context)))
        await self.server.start()
        self._listening.set()
        await self.server.run()


class Stacked(DealersHouse):
    """A house in which every table deals from a shoe that a function makes."""

    def __init__(self, make: Callable[[], Shoe]) -> None:
        self._make = make

    def shoe(self, rules: Rules, rand_below: RandBelow) -> Shoe:
        return self._make()


def deal_from(house: House, make: Callable[[], Shoe]) -> None:
    """Let every table that is opened from now on deal from a shoe that a function makes."""
    house.server.house = Stacked(make)


def deal(house: House, cards: str) -> None:
    """Let every table deal these cards first."""
    deal_from(house, lambda: StackedShoe(stacked(cards), seeded(1)))


def room(house: House, number: int = 1) -> Room:
    return house.server.rooms[number]


def sit(house: House, *names: str) -> list[BlockingPeer]:
    """Players who have joined in this order."""
    peers = []
    for count, name in enumerate(names, 1):
        peers.append(house.join(f"JOIN {name}"))
        assert eventually(lambda count=count: house.server.players == count)  # type: ignore[misc]
    return peers


def stand(*peers: BlockingPeer) -> None:
    """Let these players stand, in the order in which they are asked, and hear their results."""
    for peer in peers:
        peer.hear_until("DECISION")
        peer.say("STAND")
    for peer in peers:
        peer.hear_until("RESULT")


def let_the_clock_run_out(server: DealerServer) -> None:
    """Do what the clock does for the first seat that is asked at the only table."""
    (room,) = server.rooms.values()
    asked = room.table.turn or next(iter(room.table.bettors))
    server._reception.seating.take_decision(asked)


@contextmanager
def open_house(
    run: Run = run_as_the_command_does, rounds: int = 0, way: Way | None = None, **options: Any
) -> Iterator[House]:
    """A dealer that listens on a free port, and has ended when the block is left; players come by a way.

    Its clocks do not run out unless the options say otherwise.
    """
    house = House(Config(port=0, rounds=rounds, **CLOCKS | options), run, way)
    house.start()
    try:
        yield house
    finally:
        house.close()


@asynccontextmanager
async def serving(
    config: Config, cards: Sequence[Card] = (), house: DealersHouse | None = None
) -> AsyncIterator[DealerServer]:
    """A dealer on the test's own loop; with cards, each table's shoe deals these."""
    server = DealerServer(config, Stacked(lambda: StackedShoe(cards)) if cards else house)
    await server.start()
    running = asyncio.create_task(server.run())
    try:
        yield server
    finally:
        server.stop(grace=0)
        await asyncio.wait_for(running, PATIENCE)


def open_files() -> int:
    """How many files this process has open, and with it a dealer on one of its threads."""
    return len(list(Path("/dev/fd").iterdir()))


def stacked(text: str) -> list[Card]:
    """Cards such as `Ten of Spades, Two of Hearts`, followed by the rest of the deck."""
    first = [parse_card(card.strip()) for card in text.split(",")]
    return first + [card for card in CARDS if card not in first]


def kinds(lines: list[str]) -> list[str]:
    """The first word of each line."""
    return [line.split()[0] for line in lines]
