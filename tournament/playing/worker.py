"""The processes that play: they are told matches by a pipe, and hand back what was played.

None of them writes the results, so none can spoil them. Each ends when its pipe does, as by the end of the
process that started it, and with it the programs that it has started.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any, Final, NamedTuple

from tournament.settings import Block, Match, Settings, State
from twentyone.support import loop as event_loop
from twentyone.support.command import CommandError, os_reason
from twentyone.support.interrupts import kept_from_children

PlayPolicy = Callable[[Settings, Match, State, int], Block]
PlayTable = Callable[..., Awaitable[None]]

WAIT: Final = 20.0
"""Seconds that a process has to end its programs and itself."""


class Piece(NamedTuple):
    """Some rounds of a match of a policy, to be played."""

    match: Match
    state: State
    rounds: int


class Table(NamedTuple):
    """A match of programs, to be played to its end."""

    match: Match
    state: State


class Over(NamedTuple):
    """A match of programs has come to its end; the sentence says what went wrong, if it did."""

    match: int
    problem: str | None = None


class Notice(NamedTuple):
    """A sentence for whoever started the tournament."""

    text: str


Reply = Block | Over | Notice


class Worker:
    """A process, and the pipe to it.

    Args:
        target: `play_pieces` or `play_tables`.
        arguments: what it is given after the pipe.
    """

    def __init__(self, target: Callable[..., None], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=target, args=(theirs, *arguments))
        with kept_from_children():
            self.process.start()
        theirs.close()

    @property
    def ended_by(self) -> str:
        """Why the process has ended, for a sentence."""
        self.process.join(WAIT)
        code = self.process.exitcode
        if code is not None and code < 0:
            return f"was ended by {signal.Signals(-code).name}"
        return f"has ended with status {code}"

    def end(self) -> None:
        """Let the process end by itself, as it does where its pipe is closed; kill it if it does not."""
        self.pipe.close()
        self.process.join(WAIT)
        self.kill()

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def play_pieces(pipe: Connection, settings: Settings, play: PlayPolicy) -> None:
    """Play one piece after the other until the pipe ends; an error is handed back as a sentence."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):
        while True:
            piece: Piece = pipe.recv()
            try:
                reply: Reply = play(settings, piece.match, piece.state, piece.rounds)
            except CommandError as error:
                reply = Over(piece.match.number, str(error))
            pipe.send(reply)


def play_tables(pipe: Connection, settings: Settings, folder: Path, play: PlayTable) -> None:
    """Play all the matches that come, at once, until the pipe ends or None comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):  # no reader is left
        event_loop.run(_Tables(pipe, settings, folder, play).play())


class _Tables:
    """The matches that one process plays."""

    def __init__(self, pipe: Connection, settings: Settings, folder: Path, play: PlayTable) -> None:
        self._pipe = pipe
        self._settings = settings
        self._folder = folder
        self._play = play
        self._matches: set[asyncio.Task[None]] = set()

    async def play(self) -> None:
        loop = asyncio.get_running_loop()
        over: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._pipe.fileno(), self._receive, over)
        await over
        loop.remove_reader(self._pipe.fileno())
        for task in self._matches:
            task.cancel()
        await asyncio.gather(*self._matches, return_exceptions=True)

    def _receive(self, over: asyncio.Future[None]) -> None:
        try:
            told: Table | None = self._pipe.recv()
        except (EOFError, OSError):
            told = None
        if told is not None:
            task = asyncio.create_task(self._match(told))
            self._matches.add(task)
            task.add_done_callback(self._matches.discard)
        elif not over.done():
            over.set_result(None)

    async def _match(self, table: Table) -> None:
        problem = None
        try:
            await self._play(
                self._settings, table.match, table.state, self._pipe.send, self._folder, self._notice
            )
        except CommandError as error:
            problem = str(error)
        except OSError as error:
            problem = os_reason(error)
        except Exception as error:  # whatever it is, the run must not wait for this match, nor lose another
            problem = f"match {table.match.number} went wrong: {type(error).__name__}: {error}"
        with suppress(OSError):  # of a pipe that has ended the reader knows
            self._pipe.send(Over(table.match.number, problem))

    def _notice(self, text: str) -> None:
        self._pipe.send(Notice(text))
