"""One side of a training run without sockets: both sides are recorded once, then one is fed with the record.

It runs with the packages of any version or build, which the path or the environment says.

    python benchmarks/fed.py record FILE ROUNDS CONNECTIONS
    python benchmarks/fed.py dealer|learner FILE PASSES     processor time of a decision: the least of them
    python benchmarks/fed.py dealer|learner FILE calls      function calls of a decision, Python's and C's

What it prints is one JSON document. What a side says is compared with the record, byte by byte.
"""

from __future__ import annotations

import asyncio
import cProfile
import gc
import json
import pickle
import pstats
import re
import sys
import time
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Protocol, cast

import uvloop

from cards import Rules, seeded
from dealer.network.server import DealerServer
from dealer.tables.config import Config
from player.actor import Actor
from player.address import parse_address
from player.returning import ReturningClient
from player.trainer import NAME, Plan, Trainer
from player.tries import Notices, ReturnTries
from twentyone.learning.curve import Curve
from twentyone.learning.learners import Learner, learner_for
from twentyone.learning.resuming import curve_for, knobs_to_use

SEED: Final = 1
METHOD: Final = "qlearning"
DEALER: Final = "dealer"
LEARNER: Final = "learner"

_DECISION: Final = re.compile(rb"(?:HIT|STAND)\n")
_TOKEN: Final = re.compile(rb"KEEP \S+\n")
"""Two runs of a client differ in its token alone."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Bytes that one side gets over a connection.

    Attributes:
        side: who gets them.
        number: that of the connection.
        data: the bytes; none where the connection begins.
    """

    side: str
    number: int
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Record:
    """A training run.

    Attributes:
        rounds: how many.
        connections: over how many connections.
        deliveries: what either side got, in order.
        decisions: how many of what the dealer got are HIT or STAND.
    """

    rounds: int
    connections: int
    deliveries: list[Delivery]
    decisions: int


class Transport:
    """Keeps what is written to it."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self._is_closing = False

    def write(self, data: bytes) -> None:
        """Keep it."""
        self.written.append(data)

    def take(self) -> bytes:
        """Hand it over."""
        data = b"".join(self.written)
        self.written.clear()
        return data

    def get_extra_info(self, name: str) -> tuple[str, int]:
        """The address of either end."""
        return "127.0.0.1", 1234

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing: what is written is taken at once."""

    def get_write_buffer_size(self) -> int:
        """Nothing waits."""
        return 0

    def pause_reading(self) -> None:
        """Nothing: the sides are fed in turns."""

    def resume_reading(self) -> None:
        """Nothing."""

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self._is_closing

    def close(self) -> None:
        """Take no more."""
        self._is_closing = True

    abort = write_eof = close


class Side(Protocol):
    """One side, with all its connections."""

    transports: list[Transport]

    def connect(self) -> None:
        """Begin a connection."""

    def feed(self, number: int, data: bytes) -> None:
        """Let bytes come over a connection."""


class DealerSide:
    """The dealer."""

    def __init__(self, server: DealerServer) -> None:
        self.transports: list[Transport] = []
        self._server = server
        self._connections: list[Any] = []

    def connect(self) -> None:
        """Begin a connection."""
        connection: Any = cast(Any, self._server)._connect()
        transport: Any = Transport()
        connection.connection_made(transport)
        self._connections.append(connection)
        self.transports.append(transport)

    def feed(self, number: int, data: bytes) -> None:
        """Let bytes come over a connection."""
        connection = self._connections[number]
        if hasattr(connection, "buffer_updated"):  # as it was in earlier versions
            connection.get_buffer(len(data))[: len(data)] = data
            connection.buffer_updated(len(data))
        else:
            connection.data_received(data)


class LearnerSide:
    """A training run, as far as its connections are concerned."""

    def __init__(self, rounds: int, connections: int) -> None:
        self.transports: list[Transport] = []
        plan = Plan(parse_address("127.0.0.1", 1), rounds, connections, SEED)
        self._trainer = Trainer(plan, self._learner, _ignore, look=self._look)
        self._clients: list[ReturningClient] = []
        self._curve: Curve

    def _learner(self, rules: Rules | None) -> tuple[Learner, Rules]:
        assert rules is not None
        self._curve = curve_for(rules, [], None)
        return learner_for(METHOD, knobs_to_use(METHOD, {}, None), rules), rules

    def _look(self, learner: Learner, seconds: float) -> bool:
        """As the command does after each round."""
        if learner.rounds < self._curve.next:
            return False
        return self._curve.add(learner.rounds, lambda: learner.table(None), seconds)

    def connect(self) -> None:
        """Begin a connection."""
        trainer, number = self._trainer, len(self._clients)
        plan = trainer.plan
        actor = Actor(trainer, seeded(plan.seed, 0, number))
        tries = ReturnTries(plan.address, Notices(_ignore))
        share = plan.shares[number]
        client = ReturningClient(actor, NAME, share, None, tries=tries)
        actor.sit_down(client, share, waits=False)
        client.leave_after(share)
        trainer._clients.append(client)
        trainer._actors.append(actor)
        transport: Any = Transport()
        client.connection_made(transport)
        self._clients.append(client)
        self.transports.append(transport)

    def feed(self, number: int, data: bytes) -> None:
        """Let bytes come over a connection."""
        self._clients[number].data_received(data)


def _ignore(_: object) -> None:
    """Nobody is there to be told."""


async def side_of(name: str, rounds: int, connections: int) -> Side:
    """A side at its beginning."""
    if name == LEARNER:
        return LearnerSide(rounds, connections)
    server = DealerServer(Config(port=0, rounds=rounds, seed=SEED))
    await server.start()
    return DealerSide(server)


async def recorded(rounds: int, connections: int) -> Record:
    """Let both sides play with each other, in turns, until neither has anything to say."""
    names = (DEALER, LEARNER)
    sides = [await side_of(name, rounds, connections) for name in names]
    deliveries = []
    for number in range(connections):
        for name, side in zip(names, sides, strict=True):
            side.connect()
            deliveries.append(Delivery(name, number))
    idle = 0
    while idle < 50:  # a dealer may work on something in the background
        idle += 1
        for name, side, other in zip(names, sides, sides[::-1], strict=True):
            for number, transport in enumerate(other.transports):
                if data := transport.take():
                    deliveries.append(Delivery(name, number, data))
                    side.feed(number, data)
                    idle = 0
            await asyncio.sleep(0)
    decisions = sum(len(_DECISION.findall(each.data)) for each in deliveries if each.side == DEALER)
    return Record(rounds, connections, deliveries, decisions)


async def fed(
    name: str, record: Record, profile: cProfile.Profile | None = None, side: Side | None = None
) -> float:
    """Feed a side with a record, turn by turn; return the seconds of processor time that it took.

    Args:
        name: the side.
        record: the record.
        profile: notes the function calls.
        side: the side at its beginning, if it is not the usual one.

    Raises:
        SystemExit: if it says anything else than what was recorded.
    """
    side = side or await side_of(name, record.rounds, record.connections)
    clock, took = time.process_time, 0.0
    gc.collect()
    gc.freeze()
    for who, turn in groupby(record.deliveries, lambda each: each.side if each.data else ""):
        deliveries = list(turn)
        if not who:
            for _ in filter(lambda each: each.side == name, deliveries):
                side.connect()
        elif who == name:
            if profile is not None:
                profile.enable()
            began = clock()
            for each in deliveries:
                side.feed(each.number, each.data)
            await asyncio.sleep(0)
            took += clock() - began
            if profile is not None:
                profile.disable()
        else:
            for each in deliveries:
                said = side.transports[each.number].take()
                if _TOKEN.sub(b"", said) != _TOKEN.sub(b"", each.data):
                    sys.exit(f"the {name} says {said!r} where {each.data!r} was recorded")
    gc.unfreeze()
    return took


def main(arguments: list[str]) -> None:
    """Do as the module says."""
    what, path, *rest = arguments
    if what == "record":
        rounds, connections = map(int, rest)
        record = uvloop.run(recorded(rounds, connections))
        Path(path).write_bytes(pickle.dumps(record))
        print(json.dumps({"decisions": record.decisions}))
        return
    record = pickle.loads(Path(path).read_bytes())
    uvloop.run(fed(what, record))  # caches are full after it
    if rest == ["calls"]:
        profile = cProfile.Profile()
        uvloop.run(fed(what, record, profile))
        stats: Any = pstats.Stats(profile)
        print(json.dumps({"calls": stats.total_calls / record.decisions}))
    else:
        seconds = min(uvloop.run(fed(what, record)) for _ in range(int(rest[0])))
        print(json.dumps({"microseconds": seconds / record.decisions * 1e6}))


if __name__ == "__main__":
    main(sys.argv[1:])
