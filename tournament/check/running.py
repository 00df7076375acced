"""A program is taken through the situations, several at once."""

from __future__ import annotations

import asyncio
import signal
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from cards import Rules, RulesError
from protocol import QUIT, WireFormat
from tournament.check.fault import Fault, NothingToCheck
from tournament.check.game import Game
from tournament.check.programs import FIRST_SIGNAL, Program, told
from tournament.check.session import Session
from tournament.check.situations import CONTROL, Situation
from tournament.check.transcript import Entry

LOCALHOST: Final = "127.0.0.1"
NAME: Final = "checked"

START: Final = 30.0
"""Seconds that a program has to connect after it was started: some languages take long to begin."""

BUSY: Final = 0.5
"""The part of a time that a program computes in, from which on it keeps a processor busy."""

CRASHES: Final = frozenset(
    FIRST_SIGNAL + each
    for each in (signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)
)
"""The statuses of programs that have gone wrong, whatever happened to their connection."""

SIGNALS: Final = frozenset(
    FIRST_SIGNAL + each for each in signal.valid_signals() if each is not signal.SIGPIPE
)
"""Those of programs that did not end by themselves; who writes to a connection that is closed may."""


@dataclass(frozen=True, slots=True)
class Order:
    """The program to check, and the way to check it.

    Attributes:
        command: the words that start the program; none for one that connects by itself.
        port: the port at which it does so.
        tls: by which TLS is spoken there; None for no TLS.
        rules: the rules of the table.
        patience: seconds for each answer, and for its end.
        at_once: how many situations run at the same time.
        notice: told what a program that connects by itself is waited for.
    """

    command: tuple[str, ...]
    rules: Rules
    patience: float
    at_once: int
    port: int = 0
    tls: ssl.SSLContext | None = None
    notice: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of a situation.

    Attributes:
        name: its name.
        title: what it is.
        fault: what the other side did wrong; None where it passed.
        plain: the same without what may be the reason.
        note: what may be worth knowing, otherwise empty.
        is_tried: whether it could be had.
        transcript: the last lines that were said.
        errors: the last lines of the program's standard error.
        voice: how it spoke, if it did.
        has_joined: whether it sent a JOIN.
    """

    name: str
    title: str
    fault: str | None = None
    note: str = ""
    is_tried: bool = True
    transcript: Sequence[Entry] = ()
    errors: Sequence[str] = ()
    voice: WireFormat | None = None
    has_joined: bool = False
    plain: str | None = None

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return self.fault is None

    def as_json(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "passed": self.passed,
            "tried": self.is_tried,
            "fault": self.fault,
            "note": self.note or None,
            "transcript": [] if self.passed else [entry.as_json() for entry in self.transcript],
            "standard_error": [] if self.passed else list(self.errors),
        }


async def check(order: Order, situations: Sequence[Situation]) -> AsyncIterator[Found]:
    """Take a program through situations; yield what comes of each, in their order.

    The first is tried alone. Where no program joins there, the others are not tried. Those that cannot
    happen to a program that speaks as it did there, or under these rules, are left out. Where a
    situation has a reason to suppose, the same cards are dealt once without it: if that goes wrong too, it
    was not the reason.
    """
    if not situations:
        return
    possible = [each for each in situations if rules_for(each, order.rules) is not None]
    if not possible:
        return
    first = await try_one(order, possible[0], f"situation 1 of {len(possible)}")
    yield first
    if first.voice is None or not first.has_joined:
        return
    rest = [each for each in possible[1:] if first.voice in each.voices]
    places = asyncio.Semaphore(1 if order.port else order.at_once)
    control: list[asyncio.Task[Found]] = []

    async def in_turn(number: int, situation: Situation) -> Found:
        async with places:
            found = await try_one(order, situation, f"situation {number} of {len(rest) + 1}")
            if not situation.hint or found.fault == found.plain or order.port:
                return found
            if not control:
                control.append(asyncio.create_task(try_one(order, CONTROL, "")))
            return found if (await control[0]).passed else replace(found, fault=found.plain)

    tasks = [asyncio.create_task(in_turn(number, each)) for number, each in enumerate(rest, 2)]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in (*tasks, *control):
            task.cancel()
        await asyncio.gather(*tasks, *control, return_exceptions=True)


def rules_for(situation: Situation, rules: Rules) -> Rules | None:
    """The rules of a situation; None where there are none."""
    try:
        return situation.rules(rules)
    except RulesError:
        return None


async def try_one(order: Order, situation: Situation, where: str) -> Found:
    """Take a program through one situation, by a connection of its own."""
    rules = rules_for(situation, order.rules)
    assert rules is not None
    session: Session | None = None
    program: Program | None = None
    fault, plain, note, is_tried = None, None, "", True
    async with _listening(order.port, order.tls) as (port, connections):
        if order.command:
            places = {"host": LOCALHOST, "port": str(port), "name": NAME}
            program = await Program.start(order.command, places)
        else:
            order.notice(f"{where}, {situation.name}: waiting for the program on port {port}")
        try:
            reader, writer = await _connection(connections, program)
            told_rules = rules if situation.knows_rules else None
            session = Session(reader, writer, told_rules, order.patience, program)
            note = await _play(session, situation, rules)
            await _end(session, program, situation, order.patience)
        except Fault as found:
            fault, plain = str(found), found.plain
        except NothingToCheck as reason:
            note, is_tried = str(reason), False
        finally:
            if session is not None:
                await session.cut()
            if program is not None:
                await program.end()
    return Found(
        situation.name,
        situation.title,
        fault,
        note,
        is_tried,
        session.transcript.tail() if session else (),
        program.last_words() if program else (),
        session.wire_format if session else None,
        session is not None and session.join is not None,
        plain,
    )


async def _play(session: Session, situation: Situation, rules: Rules) -> str:
    join = await session.joined(session.patience)
    session.delivery, session.hint = situation.delivery, situation.hint
    game = Game(session, rules)
    game.sit(join)
    note = await situation.act(game)
    if situation.ends == "QUIT" and not game.is_over:
        await session.say(QUIT)
    return note or ""


async def _end(session: Session, program: Program | None, situation: Situation, patience: float) -> None:
    """See that the program ends by itself."""
    await session.close()
    if program is None:
        if not session.is_ended and situation.ends == "QUIT":
            raise Fault(f"it did not close the connection after {situation.ends}")
        return
    before = program.seconds_computed()
    status = await program.status(patience)
    if status is None:
        after = program.seconds_computed()
        spins = before is not None and after is not None and after - before > BUSY * patience
        end = "QUIT" if situation.ends == "QUIT" else "the connection was closed"
        session.note(f"after {patience:g} s it still runs")
        busy = ", and keeps a processor busy" if spins else ""
        raise Fault(f"it did not end after {end}: it still runs {patience:g} s later{busy}")
    if status in (CRASHES if situation.ends != "QUIT" else SIGNALS):
        raise Fault(f"it ended with {told(status)} after {situation.ends}: expected to end by itself")
    if status and situation.ends == "QUIT" and situation.name != "sent-away" and program.last_words():
        raise Fault(f"it ended with {told(status)} after QUIT, and wrote to standard error: expected 0")


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def _listening(
    port: int, tls: ssl.SSLContext | None
) -> AsyncIterator[tuple[int, asyncio.Queue[Streams]]]:
    """A port of this machine, and the connections that come."""
    connections: asyncio.Queue[Streams] = asyncio.Queue()

    def came(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.put_nowait((reader, writer))
        server.close()  # one program has one connection

    server = await asyncio.start_server(came, LOCALHOST, port, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1], connections
    finally:
        server.close()
        while not connections.empty():
            connections.get_nowait()[1].close()


async def _connection(connections: asyncio.Queue[Streams], program: Program | None) -> Streams:
    """The program's connection, for which one that connects by itself is waited for without end."""
    if program is None:
        return await connections.get()
    coming = asyncio.ensure_future(connections.get())
    ending = asyncio.ensure_future(program.status(START))
    await asyncio.wait((coming, ending), return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if coming.done():
        return coming.result()
    coming.cancel()
    if (status := await program.status(0.001)) is not None:
        raise Fault(f"it ended with {told(status)} and did not connect: expected a connection to {{port}}")
    raise Fault(f"it did not connect within {START:g} s: expected a connection to {{host}} and {{port}}")
