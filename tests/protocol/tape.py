"""Tapes, from whose bytes a fuzz test reads every choice, and a transport that leads nowhere.

The checks run 2,000 tapes, half for each test, and every other run a few; FUZZ_EXAMPLES asks for more.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from typing import Any, Final

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

EXAMPLES: Final = int(os.environ.get("FUZZ_EXAMPLES", "2000"))

FRAME_HEAD: Final = 14
"""Bytes of the longest head of a WebSocket frame."""

OF_DEALERS: Final = (b"BEGIN", b"CARD Ace of Spades", b"DEALER Two of Clubs", b"DECISION", b"RESULT WIN")

SETTINGS: Final = settings(deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)
few = settings(SETTINGS, max_examples=60)
many = settings(SETTINGS, max_examples=EXAMPLES // 2)
tapes = st.binary(min_size=100, max_size=300)


class Tape:
    """Choices, read from bytes; when they are used up, every choice is the first."""

    def __init__(self, data: bytes) -> None:
        self._data = iter(data)

    def below(self, n: int) -> int:
        return next(self._data, 0) % n

    def one_in(self, n: int) -> bool:
        return self.below(n) == n - 1

    def one_of(self, choices: Sequence[Any]) -> Any:
        return choices[self.below(len(choices))]

    def noise(self, n: int) -> bytes:
        """Up to n bytes without an end of a line."""
        return bytes(self.below(256) for _ in range(self.below(n + 1))).translate(None, b"\n\0")

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """The data whole, byte by byte, or cut at random."""
        longest = self.one_of((len(data), 1, 3, 20, 255)) if len(data) < 2000 else 5000
        while data:
            size = 1 + self.below(longest) if longest < 256 else longest
            yield data[:size]
            data = data[size:]


class Wire(asyncio.Transport):
    """A transport that leads nowhere: what was written to it can be read from it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.has_ended = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.has_ended
        self.written += data

    def write_eof(self) -> None:
        assert not self.has_ended
        self.has_ended = True

    def close(self) -> None:
        self.has_ended = True

    def abort(self) -> None:
        self.has_ended = True

    def is_closing(self) -> bool:
        return self.has_ended

    def take(self) -> bytes:
        """What was written since the last time."""
        written, self.written = self.written, b""
        return written

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0  # it takes everything at once

    def get_extra_info(self, name: str, default: object = None) -> object:
        return default

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...
