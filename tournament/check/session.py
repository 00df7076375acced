"""One connection of a program, as the dealer that checks it sees it: what it says is judged as it comes."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from cards import Rules
from protocol import (
    Answer,
    Event,
    Join,
    Keep,
    LineRefused,
    Message,
    Next,
    PeerFinished,
    PlayerQuit,
    RefusalError,
    RulesRequest,
    Show,
    State,
    WireFormat,
    Word,
    encode,
    quoted,
)
from protocol.questions import ANSWER_KINDS
from protocol.websocket import WEBSOCKET_PATH
from tournament.check.delivery import Delivery
from tournament.check.fault import Fault
from tournament.check.judging import FLOOD, Asked, about_quit, about_refused
from tournament.check.lenient import CheckingDealer
from tournament.check.programs import Program, told
from tournament.check.transcript import FROM_DEALER, FROM_PROGRAM, NOTED, Transcript

READ: Final = 65_536

SOON: Final = 1.0
"""Seconds that a program whose connection has ended gets to end itself, so that its status can be told."""


class Session:
    """One connection.

    Args:
        reader: the bytes of the program.
        writer: the way to it.
        rules: what it is told if it asks for the rules; None to refuse that, as a dealer that knows none.
        patience: seconds that it has for each answer.
        program: the program that was started; None for one that connects by itself.

    Attributes:
        transcript: all that was said.
        delivery: how the lines are sent.
        hint: what may be the reason where it does not answer.
        join: its JOIN, once it has come.
        answers: its answers that have not been taken.
        is_lenient: whether refused lines are no fault as long as they do not end a connection.
        may_leave: whether its QUIT, or the end of the connection, is no fault.
        is_ended: whether it has closed its side.
        shows: called when it asks for the dealer's cards.
        heard_nul: whether it has ended a line with NUL.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        rules: Rules | None,
        patience: float,
        program: Program | None,
    ) -> None:
        self.transcript = Transcript()
        self.delivery = Delivery()
        self.hint = ""
        self.join: Join | None = None
        self.answers: deque[Answer] = deque()
        self.is_lenient = False
        self.may_leave = False
        self.is_ended = False
        self.shows: Callable[[], None] = lambda: None
        self.heard_nul = False
        self.patience = patience
        self._reader = reader
        self._writer = writer
        self._program = program
        self._conversation = CheckingDealer(rules)
        self._asked = Asked()
        self._fault: Fault | None = None
        self._changed = asyncio.Event()
        self._speaking = asyncio.Lock()
        self._replying: asyncio.Future[None] | None = None
        self._reading = asyncio.ensure_future(self._read())

    # What it is.

    @property
    def wire_format(self) -> WireFormat | None:
        """Its wire format; None until that is known."""
        return self._conversation.wire_format

    @property
    def is_classic(self) -> bool:
        """Whether it is told the old words only."""
        return self._conversation.is_classic

    @property
    def rounds(self) -> int:
        """The number of rounds whose results it has received."""
        return self._asked.rounds

    @property
    def has_quit(self) -> bool:
        """Whether it was told QUIT."""
        return self._conversation.state is State.CLOSED

    # Listening.

    async def joined(self, seconds: float) -> Join:
        """Its JOIN.

        Raises:
            Fault: if none comes in time.
        """
        await self._until(lambda: self.join is not None, seconds)
        if self.join is not None:
            return self.join
        if self._conversation.lacks_line_end:
            first = quoted(self._conversation.unended)
            self.transcript.add(FROM_PROGRAM, f"{first} (no line end)")
            verb = "JOIN" if "JOIN" in first.upper() else "line"
            raise Fault(
                f"its {verb} has no line end: {first} came, and nothing after it within {seconds:g} s"
            )
        raise Fault(self._wrong_path() or f"it sent no JOIN within {seconds:g} s")

    def _wrong_path(self) -> str | None:
        """The fault of an HTTP request for anything but a WebSocket; None if it made none."""
        if self.join is None and self.wire_format is WireFormat.HTTP and self.transcript.entries:
            request = self.transcript.entries[0].text
            if request.split()[1:2] != [WEBSOCKET_PATH]:
                return f"it asked for {request!r}: expected a WebSocket at {WEBSOCKET_PATH}, or a JOIN"
        return None

    async def answer(self) -> Answer:
        """Its next answer.

        Raises:
            Fault: if none comes in time.
        """
        await self._until(lambda: bool(self.answers), self.patience)
        if self.answers:
            return self.answers.popleft()
        sentence = self._no_answer()
        raise Fault(
            sentence, f"{sentence}: {self.hint}" if self.hint and not self._conversation.unended else ""
        )

    async def has_answered(self, seconds: float) -> bool:
        """Whether it answers within some seconds."""
        await self._until(lambda: bool(self.answers), seconds)
        return bool(self.answers)

    async def rest(self, seconds: float) -> None:
        """Say nothing for a while, in which it may say nothing either that it was not asked for."""
        await self._until(lambda: False, seconds)

    def note(self, text: str) -> None:
        """Add a note to the transcript, which neither side said."""
        self.transcript.add(NOTED, text)

    async def _until(self, is_so: Callable[[], bool], seconds: float) -> None:
        """Wait until something is so, for some seconds at most; raise the fault that it makes meanwhile."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not is_so() and self._fault is None and not (self.is_ended and not self.may_leave):
                    self._changed.clear()
                    await self._changed.wait()
        await self._verify(is_so())

    async def _verify(self, is_well: bool = False) -> None:
        """Raise the fault that it has made, if any, or that it is gone."""
        if self._fault is not None:
            raise self._fault
        if self.is_ended and not self.may_leave and not is_well and not self.has_quit:
            if reason := self._wrong_path():
                raise Fault(reason)
            sentence = await self._gone()
            raise Fault(sentence, f"{sentence} ({self.hint.partition(';')[0]})" if self.hint else "")

    async def _gone(self) -> str:
        status = await self._program.status(SOON) if self._program else None
        what = "it closed the connection" if status is None else f"it ended with {told(status)}"
        last = self.transcript.last(FROM_DEALER)
        when = f"after {last!r}" if last else "before it was sent anything"
        return f"{what} {when}{self._asked.in_round}: expected to play on until QUIT"

    def _no_answer(self) -> str:
        sentence = f"it did not answer {self._asked.question} within {self.patience:g} s"
        if self.rounds:
            results = [each.text for each in self.transcript.entries if each.text.startswith("RESULT")]
            sentence += f"{self._asked.in_round}, after {results[-1]}"
        if held := self._conversation.unended:
            return f"{sentence}: {quoted(held)} came, and no line end after it"
        return sentence

    # Speaking.

    async def say(self, *messages: Message) -> None:
        """Say messages, as the delivery has it.

        The conversation goes on with each packet, so an answer to what has not been sent yet is found out.

        Raises:
            Fault: if it says something meanwhile that it was not asked for, or is gone.
        """
        is_together = self.delivery.together and not self.is_classic
        groups = [messages] if is_together else [(each,) for each in messages]
        for group in groups:
            if (pause := self.delivery.pause_in(self.wire_format)) and not self.is_classic:
                await asyncio.sleep(pause)
            await self._verify()
            self._conversation.send(*group)
            await self._send(self._drain())

    async def say_lines(self, *lines: bytes) -> None:
        """Say lines that change nothing."""
        await self._send(list(lines))

    def _drain(self) -> list[bytes]:
        """The lines that are due; what the framing itself has to say is sent at once."""
        control, lines = self._conversation.lines_to_send()
        self._write(control)
        self._asked.note_said(lines)
        return lines

    async def _send(self, lines: list[bytes]) -> None:
        said = self.delivery.lines(lines)
        async with self._speaking:
            for number, packet in enumerate(self.delivery.packets(said, self.wire_format)):
                if number or self.is_classic:
                    await asyncio.sleep(self.delivery.pause_in(self.wire_format))
                if not number:
                    for line in said:
                        self.transcript.add(FROM_DEALER, line)
                self._write(packet)
            self._write(self._conversation.closing())
        with suppress(OSError):
            await self._writer.drain()

    def _write(self, data: bytes) -> None:
        if not self._writer.is_closing():
            with suppress(OSError):
                self._writer.write(data)

    def speak_classic(self) -> None:
        """End what is said with NUL from now on, as a dealer of the course; the program said lines first."""
        self._conversation.speak_classic()
        self.delivery = Delivery(end=b"\0")

    def ask_again(self) -> None:
        """Wait for the answer to the last question once more, which has been refused."""
        self._conversation.ask_again()
        self._asked.answers = []

    def go_on(self) -> None:
        """Wait for that answer no longer."""
        self._conversation.stop_asking()

    async def say_and_take_back(self, *messages: Message) -> None:
        """Say messages that end with a question, and that the clock has answered it, before anybody could."""
        await self._verify()
        self._conversation.send(*messages)
        lines = self._drain()
        self._conversation.clock_ran_out()
        await self._send(lines + self._drain())

    def complain(self, sentence: str) -> list[bytes]:
        """The line of an ERROR, or of a REFUSED."""
        self._conversation.complain(Word.TOO_LATE, sentence)
        return self._drain()

    # Ends.

    async def close(self) -> None:
        """End the connection as a dealer does after QUIT: its own side first, then a second to read."""
        with suppress(OSError, RuntimeError):
            if self._writer.can_write_eof():
                self._writer.write_eof()
        self.may_leave = True
        self._fault = None
        with suppress(TimeoutError):
            async with asyncio.timeout(SOON):
                while not self.is_ended:
                    self._changed.clear()
                    await self._changed.wait()
        await self.cut()

    async def cut(self, *, reset: bool = False) -> None:
        """Break the connection off without a word."""
        if reset:
            wire: socket.socket = self._writer.get_extra_info("socket")
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self._reading.cancel()
        if reset:
            self._writer.transport.abort()
        self._writer.close()
        with suppress(OSError):  # of TLS too, in which more may have been said meanwhile
            await asyncio.wait_for(self._writer.wait_closed(), SOON)

    # What comes.

    async def _read(self) -> None:
        with suppress(OSError):
            while data := await self._reader.read(READ):
                self._take(data)
                self._changed.set()
                if self._fault is not None:
                    break
        if self._fault is None:
            self._end()
        self._changed.set()

    def _end(self) -> None:
        """Take the end of its side, and a last line without its end."""
        self.is_ended = True

    def _take(self, data: bytes) -> None:
        """Take bytes; every line is judged at once, whatever comes after it."""
        self.heard_nul = self.heard_nul or b"\0" in data
        conversation = self._conversation
        was_http = self.wire_format is WireFormat.HTTP
        if self.has_quit:
            return
        events = conversation.receive(data)
        if not was_http and self.wire_format is WireFormat.HTTP:
            self.transcript.add(FROM_PROGRAM, data.split(b"\n")[0].rstrip(b"\r"))
        self._note_heard(conversation.heard)
        while True:
            for event in events:
                self._judge(event)
            if self._fault is not None:
                return
            self._reply()
            if not conversation.waiting:
                break
            events = conversation.proceed()

    def _note_heard(self, lines: Sequence[bytes]) -> None:
        for line in lines[:FLOOD]:
            self.transcript.add(FROM_PROGRAM, line)
        if len(lines) > FLOOD:
            self.note(f"and {len(lines) - FLOOD:,} more lines at once")

    def _reply(self) -> None:
        """Send what was answered to the line on the spot."""
        lines = self._drain()
        if lines and self.is_classic:
            self._replying = asyncio.ensure_future(self._send(lines))
            return
        for line in lines:
            self.transcript.add(FROM_DEALER, line)
        for packet in self.delivery.packets(lines, self.wire_format):
            self._write(packet)

    def _judge(self, event: Event) -> None:
        """Take what it said, or say what is wrong with it."""
        conversation = self._conversation
        match event:
            case LineRefused() if self.is_lenient and not event.is_last:
                self.note("that line is refused")
            case LineRefused():
                self._fault = Fault(about_refused(event, conversation, self._asked, self.transcript))
            case Join():
                self.join = event
                conversation.grant()
            case PlayerQuit() if self.may_leave:
                self.is_ended = True
            case PlayerQuit():
                self._fault = Fault(about_quit(self._asked, self.transcript))
            case Show():
                conversation.grant()
                self.shows()
            case RulesRequest():  # only where a dealer is played that does not know it
                sentence = "unknown message 'RULES'"
                conversation.refuse(RefusalError(Word.MALFORMED, sentence, is_violation=False))
            case Next() | Keep():
                conversation.grant()
            case PeerFinished():
                self._end()
            case _ if type(event) in ANSWER_KINDS:
                self._asked.answers.append(encode(event).decode())  # type: ignore[arg-type]
                self.answers.append(event)  # type: ignore[arg-type]
            case _:
                refusal = RefusalError(Word.NO_PLACE, "nothing is shown here", is_violation=False)
                conversation.refuse(refusal)
