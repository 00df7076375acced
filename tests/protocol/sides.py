"""What the tests of the protocol share: sides of a conversation, and the pieces in which bytes may come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cards import CARDS, Rules
from protocol import (
    ASK,
    BEGIN,
    BetRequest,
    CardMessage,
    Conversation,
    DealerCard,
    DealerConversation,
    Event,
    Framing,
    Join,
    Message,
    PlayerConversation,
    Question,
)

TOKEN: Final = "0123456789abcdefABCDEF_-"
"""A token that a seat may be kept under."""

A_HAND: Final[list[Message]] = [BEGIN, CardMessage(CARDS[0]), CardMessage(CARDS[1]), ASK]
DEALT: Final[list[Message]] = [BEGIN, *map(CardMessage, CARDS[:2]), DealerCard(CARDS[2])]


def dealer(*told: bytes, rules: Rules | None = None) -> DealerConversation:
    """A dealer's side that has been told this in lines, and has granted it."""
    conversation = DealerConversation(rules=rules)
    for line in told:
        conversation.receive(line + b"\n")
        conversation.grant()
    return conversation


def asked(question: Question = ASK, end: bytes = b"\n") -> DealerConversation:
    """A dealer's side with a player who is asked this."""
    conversation = DealerConversation(rules=Rules())
    conversation.receive(b"JOIN ada" + end)
    conversation.grant()
    if not isinstance(question, BetRequest):
        conversation.send(*DEALT)
    conversation.send(question)
    conversation.data_to_send()
    return conversation


def player(*heard: bytes, rules: Rules | None = Rules()) -> PlayerConversation:  # noqa: B008
    """A player's side that has joined, and has been told this."""
    conversation = PlayerConversation(rules=rules)
    conversation.join(Join("ada"))
    conversation.data_to_send()
    for line in heard:
        conversation.receive(line + b"\n")
    return conversation


def events_of(conversation: Conversation, data: bytes) -> list[Event]:
    """All events of some bytes, each answered by nothing."""
    events = found = conversation.receive(data)
    while found or conversation.waiting:
        found = conversation.proceed()
        events = events + found
    return events


def said(conversation: Conversation) -> bytes:
    """All that a side has to send."""
    return b"".join(conversation.data_to_send())


def deliveries(data: bytes) -> list[list[bytes]]:
    """The same bytes whole, byte by byte, and in two pieces cut at every place."""
    single = [data[at : at + 1] for at in range(len(data))]
    halves = [[data[:cut], data[cut:]] for cut in range(1, len(data))]
    return [[data], single, *halves]


def received(framing: Framing, pieces: Iterable[bytes]) -> list[bytes]:
    """The lines that come of the pieces."""
    return [line for piece in pieces for line in framing.receive(piece)]
