"""The questions to a program and its answers, and the sentences about its faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocol import (
    BetRequest,
    Join,
    LineRefused,
    RemoteProtocolError,
    State,
    WireFormat,
    decode_player,
    quoted,
)
from protocol.machine import WAITING
from protocol.questions import ANSWER_KINDS
from tournament.check.lenient import CheckingDealer
from tournament.check.transcript import FROM_DEALER, Transcript
from twentyone.support.counts import counted

FLOOD: Final = 20
"""Lines without a question, at once, from which on a program floods."""


class Asked:
    """The questions to a program, and its answers.

    Attributes:
        question: the line of the last question.
        answers: its answers since then, as text.
        rounds: how many rounds it was told the result of.
    """

    def __init__(self) -> None:
        self.question = ""
        self.answers: list[str] = []
        self.rounds = 0

    def note_said(self, lines: Sequence[bytes]) -> None:
        """Note what it is told."""
        for line in lines:
            verb = line.split(b" ")[0]
            if verb == b"DECISION":
                self.question = line.decode()
            self.rounds += verb == b"RESULT"
            if verb in (b"DECISION", b"BEGIN"):
                self.answers = []

    @property
    def in_round(self) -> str:
        """The number of the round, after the first, for the end of a sentence."""
        return f", in round {self.rounds + 1}" if self.rounds else ""


def about_refused(
    refused: LineRefused, conversation: CheckingDealer, asked: Asked, transcript: Transcript
) -> str:
    """The fault of the last line."""
    line = conversation.line
    if line is None:
        return f"what it sent was refused: {refused.reason}"
    sentence = _about_line(line, refused, conversation, asked, transcript)
    if conversation.further >= FLOOD:
        sentence += f"; it floods the dealer: {conversation.further:,} more lines came after it"
    return sentence


def about_quit(asked: Asked, transcript: Transcript) -> str:
    """The fault of a QUIT."""
    last = transcript.last(FROM_DEALER) or ""
    when = f", after it was sent {last!r}" if last.startswith("ERROR") else ""
    return (
        f"it left by QUIT after {counted(asked.rounds, 'round')}{when}: expected to play on until the"
        " dealer says QUIT, or a number of rounds in its JOIN"
    )


def _about_line(
    line: bytes, refused: LineRefused, conversation: CheckingDealer, asked: Asked, transcript: Transcript
) -> str:
    try:
        message = decode_player(line, is_typed=conversation.wire_format is not WireFormat.HTTP)
    except RemoteProtocolError:
        return f"it sent {quoted(line)}: {refused.reason}"
    if type(message) in ANSWER_KINDS:
        return _about_answer(quoted(line)[1:-1].strip(), conversation, asked, transcript)
    if isinstance(message, Join) and conversation.before is not State.CONNECTED:
        return f"it sent {quoted(line)} though it has a seat already: expected one JOIN"
    return f"it sent {quoted(line)}: {refused.reason}"


def _about_answer(text: str, conversation: CheckingDealer, asked: Asked, transcript: Transcript) -> str:
    """The fault of an answer that would be right at another time."""
    before = conversation.before
    if before in WAITING:
        question = conversation.question
        if isinstance(question, BetRequest):
            expected = f"BET from {question.minimum} to {question.maximum}, HIT or STAND"
        elif asked.question == "DECISION":
            expected = "HIT or STAND"
        else:
            expected = "one of " + ", ".join(asked.question.split()[1:]) + " (HIT and STAND always are)"
        return f"it answered {text} to {asked.question}, which does not allow that: expected {expected}"
    if asked.answers and before is State.DEALING:
        answers = ", ".join([*asked.answers, text])
        return f"it sent two answers to one DECISION: {answers}"
    if before is State.SEATED and asked.rounds:
        then = f" (it had answered by {asked.answers[-1]})" if asked.answers else ""
        last = transcript.last(FROM_DEALER)
        return (
            f"it sent {text} after {last}, when nothing was asked{then}: expected to wait for BEGIN or QUIT"
        )
    return f"it answered {text} before it was asked: expected to wait for DECISION"
