"""A dealer's lines as packets: one each, all together, or in pieces; and what stands around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from protocol import CLASSIC_PACE, WireFormat

PAUSE: Final = 0.02
"""Seconds between two packets, so that a program most likely reads them one by one."""

UNKNOWN_WORD: Final = b" since=1860"
UNKNOWN_VERB: Final = b"NEWS the shoe is made of wood"
_TAKES_WORDS: Final = (b"BEGIN", b"CARD", b"DEALER", b"DECISION", b"RESULT", b"QUIT", b"HAND")
_LONG_FRAME: Final = 126


@dataclass(frozen=True, slots=True)
class Delivery:
    """A way of sending lines.

    Attributes:
        together: whether all that is due together is one packet; otherwise each line is one.
        end: the end of a line; a NUL where the program speaks so.
        cuts: from the end of each line, where it is cut into packets; none for no cut.
        words: whether an unknown word stands after every message.
        verbs: whether an unknown message stands before each.
        pause: seconds before each packet.
    """

    together: bool = False
    end: bytes = b"\n"
    cuts: tuple[int, ...] = ()
    words: bool = False
    verbs: bool = False
    pause: float = PAUSE

    def lines(self, lines: Sequence[bytes]) -> list[bytes]:
        """The lines as they are sent, without their ends."""
        said = []
        for line in lines:
            if self.verbs:
                said.append(UNKNOWN_VERB)
            takes_word = self.words and line.split(b" ")[0] in _TAKES_WORDS
            said.append(line + UNKNOWN_WORD if takes_word else line)
        return said

    def packets(self, lines: Sequence[bytes], wire_format: WireFormat | None) -> list[bytes]:
        """The packets of lines."""
        if wire_format is WireFormat.CLASSIC:
            return [line + b"\0" for line in lines]
        is_http = wire_format is WireFormat.HTTP
        framed = [text_frame(line) if is_http else line + self.end for line in lines]
        if self.together:
            framed = [b"".join(framed)] if framed else []
        return [piece for each in framed for piece in self._cut(each)]

    def pause_in(self, wire_format: WireFormat | None) -> float:
        """Seconds before each packet."""
        is_classic = wire_format is WireFormat.CLASSIC or self.end == b"\0"
        return max(self.pause, CLASSIC_PACE) if is_classic else self.pause

    def _cut(self, packet: bytes) -> list[bytes]:
        places = [0, *sorted(len(packet) - cut for cut in self.cuts if 0 < cut < len(packet)), len(packet)]
        return [packet[begin:end] for begin, end in pairwise(places)]


APART: Final = Delivery()
"""Each line in a packet of its own, so that one fault of a program shows in few situations."""


def text_frame(line: bytes) -> bytes:
    """A text frame of a WebSocket as a dealer sends it (RFC 6455, section 5.2); `line` is under 64 KiB."""
    if len(line) < _LONG_FRAME:
        return bytes([0x81, len(line)]) + line
    return bytes([0x81, _LONG_FRAME]) + len(line).to_bytes(2, "big") + line
