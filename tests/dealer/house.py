"""A real dealer for the tests, and peers that talk to it over real sockets, a line at a time."""

from __future__ import annotations

import asyncio
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from cards import CARDS, Card, Tally, parse_card
from dealer.network.server import DealerServer
from dealer.tables.config import Config
from support.loop import run as run_as_the_command_does

PATIENCE: Final = 90.0
"""Seconds after which a test gives up waiting: far more than anything takes."""

LOCALHOST: Final = "127.0.0.1"

Run = Callable[[Coroutine[Any, Any, None]], None]

RUNS: Final[dict[str, Run]] = {"uvloop": run_as_the_command_does, "asyncio": asyncio.run}
"""The loops that a dealer runs on: uvloop, and where that does not exist Python's own."""


class House:
    """A dealer on a thread of its own. Whatever its loop complains of is kept in `complaints`."""

    def __init__(self, config: Config, run: Run = run_as_the_command_does) -> None:
        self.server = DealerServer(config)
        self.complaints: list[str] = []
        self._listening = threading.Event()
        self._thread = threading.Thread(target=run, args=(self._deal(),), daemon=True)
        self._peers: list[Peer] = []

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

    def connect(self) -> Peer:
        peer = Peer(self.port)
        self._peers.append(peer)
        return peer

    def join(self, message: str = "JOIN a") -> Peer:
        """A peer that has said this, and heard nothing yet."""
        peer = self.connect()
        peer.say(message)
        return peer

    def seat(self, message: str = "JOIN a") -> Peer:
        """A peer that has joined and been asked for its first decision."""
        peer = self.join(message)
        peer.hear_until("DECISION")
        return peer

    def stop(self, grace: float = 0) -> None:
        with suppress(RuntimeError):  # the loop is closed a little before its thread has ended
            self._loop.call_soon_threadsafe(self.server.stop, grace)

    def wait(self) -> None:
        """Wait until the dealer has ended of itself."""
        self._thread.join(PATIENCE)
        assert self.has_ended, "the dealer does not end"

    def tally(self, name: str) -> Tally:
        return dict(self.server.ledger.by_name()).get(name, Tally())

    def close(self) -> None:
        """End it, however it stands, and see that nothing went wrong behind the test's back."""
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


@contextmanager
def open_house(run: Run = run_as_the_command_does, rounds: int = 0, **options: Any) -> Iterator[House]:
    """A dealer that listens on a free port, and has ended when the block is left."""
    house = House(Config(port=0, rounds=rounds, **options), run)
    house.start()
    try:
        yield house
    finally:
        house.close()


class Peer:
    """The other end of a connection to a dealer."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection((LOCALHOST, port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # each send is a segment
        self._unread = b""

    def __enter__(self) -> Peer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def say(self, *lines: str) -> None:
        self.send("".join(f"{line}\n" for line in lines).encode())

    def hear(self) -> str:
        """The next line; nothing once the dealer has closed its side, and then this side is closed too."""
        while (end := re.search(rb"[\n\0]", self._unread)) is None:
            data = self.socket.recv(65_536) if self.socket.fileno() >= 0 else b""
            if not data:
                assert self._unread == b"", "the last line has no end"
                self.close()
                return ""
            self._unread += data
        line, self._unread = self._unread[: end.start()], self._unread[end.end() :]
        return line.decode()

    def hear_until(self, *beginnings: str) -> list[str]:
        """The lines up to one that begins like this, or to the end of them all."""
        lines = [self.hear()]
        while lines[-1] and not lines[-1].startswith(beginnings):
            lines.append(self.hear())
        return lines if lines[-1] else lines[:-1]

    def rest(self) -> list[str]:
        """All lines until the dealer closes its side."""
        return list(iter(self.hear, ""))

    def play(self, decision: str = "STAND", rounds: int | None = None) -> list[str]:
        """Answer every DECISION alike until so many rounds are over, or to the end."""
        lines: list[str] = []
        while rounds is None or sum(line.startswith("RESULT") for line in lines) < rounds:
            heard = self.hear_until("DECISION", "RESULT")
            if not heard:
                break
            lines += heard
            if heard[-1] == "DECISION":
                self.say(decision)
        return lines

    def finish(self) -> None:
        """Say that nothing more will be sent; what is sent to it is still read."""
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self) -> None:
        """Vanish, with a reset instead of a goodbye."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def close(self) -> None:
        self.socket.close()


def eventually(holds: Callable[[], bool], patience: float = PATIENCE) -> bool:
    """Whether something becomes true before patience ends."""
    end = time.monotonic() + patience
    while not (has_come := holds()) and time.monotonic() < end:
        time.sleep(0.005)
    return has_come


def open_files() -> int:
    """How many files this process, and so also a dealer in it, has open."""
    return len(list(Path("/dev/fd").iterdir()))


def stacked(text: str) -> list[Card]:
    """Cards such as `Ten of Spades, Two of Hearts`, and the rest of the deck behind them."""
    first = [parse_card(card.strip()) for card in text.split(",")]
    return first + [card for card in CARDS if card not in first]


def kinds(lines: list[str]) -> list[str]:
    """The first word of each line."""
    return [line.split()[0] for line in lines]
