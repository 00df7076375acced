"""Limits, faults and what each one gets: every row of that table of SPEC.md, on real sockets.

The first line of each test's description is the row, or the part of it, that the test is about.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_websocket

from cards import Outcome, Rules
from dealer.connection import MAX_VIOLATIONS
from protocol import MAX_LINE, RemoteProtocolError, decode_player
from tests.dealer.conftest import Open
from tests.dealer.house import LOCALHOST, PATIENCE, House, Peer, eventually, kinds, open_house

SHORT: Final = 0.15
"""Seconds of a clock that is meant to run out."""

NEVER: Final = 3600.0
"""Seconds of a clock that must not."""


@pytest.fixture
def house(opened: Open) -> House:
    """A dealer whose clocks never run out."""
    return opened(seed=5, decision_clock=NEVER, join_timeout=NEVER)


def told(house: House, *says: bytes) -> list[str]:
    """Everything that a peer is told, who says this and then no more."""
    with house.connect() as peer:
        peer.send(b"".join(says))
        peer.finish()
        return peer.rest()


def without_errors(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("ERROR ")]


# Row: unknown verb, a dealer's verb, HIT before DECISION, a second JOIN, a malformed name, bytes that are
# not UTF-8.

ALWAYS_REFUSED: Final = {
    "an unknown verb": b"SHUFFLE",
    "an unknown verb with blanks": b"  raise the stakes ",
    "a verb and more": b"HIT ME",
    "a dealer's BEGIN": b"BEGIN",
    "a dealer's CARD": b"CARD Ace of Spades",
    "a dealer's DEALER": b"DEALER Ace of Spades",
    "a dealer's DECISION": b"DECISION",
    "a dealer's RESULT": b"RESULT WIN",
    "a dealer's ERROR": b"ERROR you lose",
    "a dealer's RULES": b"RULES seats=9",
    "bytes that are not UTF-8": b"\xff\xfe",
    "half a character": b"JOIN caf\xc3",
    "a control character": b"\x07",
}
BEFORE_JOIN: Final = ALWAYS_REFUSED | {
    "HIT before DECISION": b"HIT",
    "STAND before DECISION": b"STAND",
    "no name": b"JOIN",
    "a name that is too long": b"JOIN " + b"x" * 33,
    "a name that is not ASCII": "JOIN Zoë".encode(),
    "a name with a control character": b"JOIN a\x7f",
    "a name of two words": b"JOIN ann lee",
    "three words": b"JOIN ann 5 6",
    "no rounds": b"JOIN a 0",
    "fewer rounds than none": b"JOIN a -1",
    "half a round": b"JOIN a 1.5",
    "more rounds than a number can be": b"JOIN a " + b"9" * 60,
}
WHEN_ASKED: Final = ALWAYS_REFUSED | {"a second JOIN": b"JOIN a", "a second JOIN with rounds": b"JOIN b 5"}


@pytest.mark.parametrize("line", BEFORE_JOIN.values(), ids=BEFORE_JOIN)
def test_before_the_join_it_is_refused_with_what_was_expected(house: House, line: bytes) -> None:
    peer = house.connect()
    peer.send(line + b"\n")
    answer = peer.hear()
    assert answer.startswith("ERROR ")
    assert "expected JOIN <name>" in answer
    assert answer.isprintable() and answer.isascii()
    peer.say("JOIN a", "QUIT")
    assert peer.rest() == told(house_like(house), b"JOIN a\nQUIT\n")
    assert house.server.refusals == 1


def house_like(house: House) -> House:
    """The same dealer, to whom nobody has said anything wrong: its third seat is dealt what a first one is."""
    house.server._joins = 0  # so that the next to join is dealt the cards of the first
    return house


@pytest.mark.parametrize("line", WHEN_ASKED.values(), ids=WHEN_ASKED)
def test_within_a_round_it_is_refused_with_what_was_expected(house: House, line: bytes) -> None:
    peer = house.seat("JOIN a 3")
    peer.send(line + b"\n")
    answer = peer.hear()
    assert answer.startswith("ERROR ")
    assert "expected HIT, STAND" in answer
    peer.say("HIT")
    heard = peer.play()
    again = house_like(house).seat("JOIN a 3")
    again.say("HIT")
    assert heard == again.play()
    assert house.server.refusals == 1
