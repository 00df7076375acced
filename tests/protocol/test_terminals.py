"""Bytes that terminals send besides text: byte order marks (U+FEFF), and telnet (RFC 854, 855 and 1073)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import Rules
from protocol import DealerConversation, WireFormat
from protocol import messages as m
from protocol.terminals import BYTE_ORDER_MARK, TerminalText
from tests.protocol.frames import HANDSHAKE, text
from tests.protocol.sides import A_HAND, deliveries, events_of, player, said

PUTTY = bytes([255, 251, 31, 255, 251, 32, 255, 251, 24, 255, 251, 39, 255, 253, 1, 255, 251, 3, 255, 253, 3])
"""The options that PuTTY sends first when it negotiates actively."""

WINDOW = bytes([255, 250, 31, 0, 10, 255, 255, 24, 255, 240])
"""RFC 1073: a window of 10 columns and 65,304 rows, with NUL, LF and an escaped 255."""

INTERRUPT = bytes([255, 244, 255, 253, 6])
"""IP and a timing mark: Ctrl-C in telnet."""


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (PUTTY + b"JOIN ada\r\n", b"JOIN ada\r\n"),
        (BYTE_ORDER_MARK + PUTTY + b"JOIN\n", b"JOIN\n"),
        (PUTTY + WINDOW + BYTE_ORDER_MARK + b"JOIN\n", b"JOIN\n"),
        (b"JO" + WINDOW + b"IN\n" + INTERRUPT + b"HIT\n", b"JOIN\nHIT\n"),
        (b"JOIN ada\r\0", b"JOIN ada\r\0"),  # a program of C: no telnet has been heard
        (PUTTY + b"JOIN ada\r\0HIT\0", b"JOIN ada\r\nHIT\0"),
        (b"a\xff\xffb\n", b"a\xffb\n"),  # IAC IAC is the byte itself
        (b"\xff\xffJOIN\n", b"\xffJOIN\n"),
        (b"\xff\n\xffJ\xff\xf0", b"\xff\n\xffJ"),
        (b"JOIN\n" + BYTE_ORDER_MARK + b"HIT\n", b"JOIN\n" + BYTE_ORDER_MARK + b"HIT\n"),
        (b"\xef\xbbJ\n", b"\xef\xbbJ\n"),
        ("\ufeffJOIN\n".encode("utf-16-le"), "\ufeffJOIN\n".encode("utf-16-le")),
        ("\ufeffJOIN\n".encode("utf-16-be"), "\ufeffJOIN\n".encode("utf-16-be")),
        (b"HIT\n\xff\xfe\n\xff\xfb\n\xff\xfe\0", b"HIT\n\xff\xfe\n\xff\xfb\n\xff\xfe\0"),
        (b"\xff\xfe\xfdHIT\n", b"\xff\xfe\xfdHIT\n"),
        (PUTTY + b"\xff\xfe\0\xff\xfb\0JOIN\n", b"JOIN\n"),
        (b"\xff\xfe\x01JOIN\n", b"JOIN\n"),  # IAC DONT ECHO
    ],
)
def test_what_is_no_text_is_left_out_however_it_is_cut(sent: bytes, kept: bytes) -> None:
    for pieces in deliveries(sent):
        terminal = TerminalText()
        assert b"".join(map(terminal.of, pieces)) == kept


@given(st.lists(st.sampled_from([PUTTY, WINDOW, WINDOW[:5], b"\xff", b"\r", b"\0", b"\n", b"HIT", b"\xfe"])))
def test_it_holds_four_bytes_at_most(pieces: list[bytes]) -> None:
    terminal = TerminalText()
    for piece in pieces:
        kept = terminal.of(piece)
        assert len(terminal._held) <= 4
        assert len(kept) <= len(piece) + 4


@pytest.mark.parametrize("before", [b"", BYTE_ORDER_MARK, PUTTY, WINDOW + BYTE_ORDER_MARK])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\0"])
def test_a_dealer_passes_it_over_before_it_finds_out_how_its_player_speaks(before: bytes, end: bytes) -> None:
    for pieces in deliveries(before + b"JOIN ada" + end + b"HELP" + end):
        conversation = DealerConversation(rules=Rules())
        assert [event for piece in pieces for event in events_of(conversation, piece)] == [m.Join("ada")]
        assert conversation.wire_format is (WireFormat.CLASSIC if end == b"\0" else WireFormat.LINES)
        assert said(conversation).startswith(b"HELP ")


@pytest.mark.parametrize("before", [BYTE_ORDER_MARK, PUTTY + WINDOW])
def test_before_a_request_it_is_passed_over_and_frames_are_left_as_they_are(before: bytes) -> None:
    for pieces in deliveries(before + HANDSHAKE + b"\x89\x82\xff\xfb\x01\x00AB" + text(b"JOIN ada")):
        conversation = DealerConversation(rules=Rules())
        assert [event for piece in pieces for event in events_of(conversation, piece)] == [m.Join("ada")]
        # RFC 6455, 5.3: the ping comes back unmasked, so no byte of its mask was taken for an option.
        assert bytes([0x8A, 2, 0x41 ^ 0xFF, 0x42 ^ 0xFB]) in said(conversation)


def test_a_dealer_that_sends_them_is_understood() -> None:
    for pieces in deliveries(BYTE_ORDER_MARK + PUTTY + b"BEGIN\r\nCARD Ace of " + WINDOW + b"Clubs\n"):
        conversation = player()
        events = [event for piece in pieces for event in events_of(conversation, piece)]
        assert events == A_HAND[:2]


def test_only_text_counts_towards_the_limit_of_a_line() -> None:
    conversation = DealerConversation()
    assert conversation.receive(PUTTY * 100 + WINDOW[:3] + b"a" * 1000) == []
    assert (conversation.bytes_held, conversation.lacks_line_end) == (0, False)
    assert conversation.receive(b"\xff\xf0JOIN ada\n") == [m.Join("ada")]
