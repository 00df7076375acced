"""Text of terminals, without a byte order mark and the options of telnet. Pure."""

from __future__ import annotations

import re
from typing import Final

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
"""U+FEFF in UTF-8, which programs of Windows send before their first line."""

IAC: Final = b"\xff"
"""Begins each command of telnet (RFC 854). UTF-8 never has this byte."""

_UTF_16_MARK: Final = b"\xff\xfe"
"""U+FEFF in UTF-16, which also reads as a command: with a NUL after the first letter it is none."""

_COMMAND: Final = re.compile(
    rb"\xff(?:"
    rb"(?P<option>[\xfb\xfd]\0|[\xfb-\xfe][\x01-\x09\x0b-\x8c])"  # WILL, WONT, DO or DONT, and an option
    rb"|(?P<binary>[\xfc\xfe]\0)"  # WONT or DONT send all bytes, which telnet says after other options
    rb"|(?P<begin>\xfa)"  # SB: what follows is no text, up to IAC SE
    rb"|(?P<command>[\xec-\xf9])"
    rb"|(?P<data>\xff)"  # the byte itself
    rb"|(?P<part>[\xfb-\xfe]?\Z)"  # the rest is still to come
    rb")"
)
_IN_SUBNEGOTIATION: Final = re.compile(rb"\xff(?:(?P<end>\xf0)|(?P<part>\Z)|(?s:.))")


class TerminalText:
    """Take bytes as they come; return those that are text.

    A byte order mark at the beginning is left out, and so are telnet's commands, options and subnegotiations
    wherever they stand, however the network cuts them. No option is answered. From the first command on, CR
    NUL, which telnet sends for the Enter key, is CR LF. At most four bytes are held. No LF is taken for an
    option, so that every line ends, and no byte that is the number of none.

    Attributes:
        is_plain: whether text has begun and no telnet is spoken: bytes without `IAC` are text as they are.
    """

    __slots__ = ("_has_begun", "_held", "_is_in_subnegotiation", "_is_telnet", "is_plain")

    def __init__(self) -> None:
        self._held = b""
        self._has_begun = False  # whether text has come, after which there is no mark
        self._is_telnet = False
        self._is_in_subnegotiation = False
        self.is_plain = False

    def of(self, data: bytes) -> bytes:
        """The text among these bytes, as far as it is known to be text."""
        if self.is_plain and IAC not in data:
            return data
        received, self._held = self._held + data, b""
        if not self._has_begun and not self._is_telnet and received.startswith(_UTF_16_MARK):
            text = self._of_utf_16(received)
        else:
            text = self._without_commands(received)
            text = text if self._has_begun else self._without_mark(text)
        self.is_plain = self._has_begun and not self._is_telnet and not self._held
        return text

    def _of_utf_16(self, received: bytes) -> bytes:
        """Return it unchanged where it is UTF-16, so that the line is refused as not being UTF-8."""
        if len(received) < len(_UTF_16_MARK) + 2:
            self._held = received
            return b""
        is_utf_16 = received[len(_UTF_16_MARK) + 1] == 0
        self._has_begun = is_utf_16
        return received if is_utf_16 else self._without_mark(self._without_commands(received))

    def _without_mark(self, text: bytes) -> bytes:
        if len(text) < len(BYTE_ORDER_MARK) and BYTE_ORDER_MARK.startswith(text):
            self._held = text + self._held
            return b""
        self._has_begun = True
        return text.removeprefix(BYTE_ORDER_MARK)

    def _without_commands(self, received: bytes) -> bytes:
        parts, at = [], 0
        while True:
            if self._is_in_subnegotiation:
                at = self._after_subnegotiation(received, at)
            found = _COMMAND.search(received, at)
            if found is None:
                parts.append(received[at:])
                break
            parts.append(received[at : found.start()])
            at = found.end()
            if found["data"]:
                parts.append(IAC)
            elif found["binary"] and not self._is_telnet:
                parts.append(found[0])
            elif found["part"] is not None:
                self._held = found[0]
                break
            else:
                self._is_telnet = True
                self._is_in_subnegotiation = found["begin"] is not None
        return self._with_line_ends(b"".join(parts))

    def _after_subnegotiation(self, received: bytes, at: int) -> int:
        """The place where text goes on; the end of the bytes if that is still to come."""
        for found in _IN_SUBNEGOTIATION.finditer(received, at):
            if found["part"] is not None:
                self._held = found[0]
            elif found["end"]:
                self._is_in_subnegotiation = False
                return found.end()
        return len(received)

    def _with_line_ends(self, text: bytes) -> bytes:
        """The text with CR LF where telnet has CR NUL; a CR at its end is held, since a NUL may follow."""
        if not self._is_telnet:
            return text
        if text.endswith(b"\r"):
            text, self._held = text[:-1], b"\r" + self._held
        return text.replace(b"\r\0", b"\r\n")
